"""Statements as PostgreSQL's driver takes them: spelled once, with what turns values into parameters and rows into
values. SQLAlchemy takes longer to run a statement than the server does, so those that are `OFTEN` run go around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import psycopg
from sqlalchemy import Dialect, Executable, SelectBase, UpdateBase
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData

OFTEN: Mapping[str, Any] = {"often": True}
"""The execution options of a statement that is built once, and spelled once for each set of parameters."""
Processor = Callable[[Any], Any] | None
_JSON_OID = 114
"""PostgreSQL's number for the type of `Document`. Other types are processed without a look at theirs."""


class Found(IteratorResult[Any]):
    """What a statement found, read already. `rowcount`: how many rows it found or changed."""

    def __init__(self, metadata: SimpleResultMetaData, rows: Iterable[tuple[Any, ...]], rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self.rowcount = rowcount


class Prepared:
    """A statement with these parameters by name. Those that it is built with are its own."""

    def __init__(self, statement: Executable, names: frozenset[str], dialect: Dialect) -> None:
        written = isinstance(statement, UpdateBase)
        compiled = statement.compile(dialect=dialect, column_keys=sorted(names) if written else None)  # type: ignore[attr-defined]  # every ClauseElement has it
        self._text = str(compiled)
        self._own: dict[str, Any] = {}
        self._given: list[tuple[str, str, Processor]] = []
        for parameter, name in compiled.bind_names.items():
            process = parameter.type.dialect_impl(dialect).bind_processor(dialect)
            if parameter.key in names:
                self._given.append((name, parameter.key, process))
            else:
                own = parameter.effective_value
                self._own[name] = process(own) if process else own
        columns = statement.exported_columns if isinstance(statement, SelectBase | UpdateBase) else ()
        self._metadata = SimpleResultMetaData([str(column.key) for column in columns])
        processors = [column.type.dialect_impl(dialect).result_processor(dialect, _JSON_OID) for column in columns]
        self._processed = [(place, process) for place, process in enumerate(processors) if process is not None]

    def send(self, cursor: psycopg.Cursor[Any], row: Mapping[str, Any]) -> None:
        """Run it, with a row of parameters."""
        given = {name: process(row[key]) if process else row[key] for name, key, process in self._given}
        cursor.execute(self._text, self._own | given)

    def found(self, cursor: psycopg.Cursor[Any]) -> Found:
        """What it found, once it ran."""
        rows = cursor.fetchall() if cursor.rownumber is not None else ()
        if self._processed:
            rows = [self._read(row) for row in rows]
        return Found(self._metadata, rows, cursor.rowcount)

    def _read(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        values = list(row)
        for place, process in self._processed:
            values[place] = process(values[place])
        return tuple(values)


_known: dict[tuple[Executable, frozenset[str]], Prepared] = {}


def prepared(statement: Executable, row: Mapping[str, Any], dialect: Dialect) -> Prepared:
    """The one of an `OFTEN` statement for a row of parameters."""
    key = (statement, frozenset(row))
    if key not in _known:
        _known[key] = Prepared(statement, key[1], dialect)
    return _known[key]

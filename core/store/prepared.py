"""Statements as PostgreSQL's server takes them: spelled once, with what turns values into parameters and rows into
values. SQLAlchemy takes longer to run a statement than the server does, so those that are `OFTEN` run go around it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from psycopg.adapt import PyFormat
from sqlalchemy import Dialect, Executable, SelectBase, UpdateBase
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData

OFTEN: Mapping[str, Any] = {"often": True}
"""The execution options of a statement that is built once, and spelled once for each set of parameters."""
Processor = Callable[[Any], Any] | None
_JSON_OID = 114
"""PostgreSQL's number for the type of `Document`. Other types are processed without a look at theirs."""
_PLACES = re.compile(r"%\((\w+)\)s|%%")
_numbers = itertools.count(1)


class Found(IteratorResult[Any]):
    """What a statement found, read already. `rowcount`: how many rows it found or changed."""

    def __init__(self, metadata: SimpleResultMetaData, rows: Iterable[tuple[Any, ...]], rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self.rowcount = rowcount


class Prepared:
    """A statement with these parameters by name. Those that it is built with are its own. `name` is what a connection
    knows it by, `text` how it is spelled there, `formats` how its parameters are written."""

    def __init__(self, statement: Executable, names: frozenset[str], dialect: Dialect) -> None:
        written = isinstance(statement, UpdateBase)
        compiled = statement.compile(dialect=dialect, column_keys=sorted(names) if written else None)  # type: ignore[attr-defined]  # every ClauseElement has it
        parameters = {name: parameter for parameter, name in compiled.bind_names.items()}
        places: dict[str, int] = {}

        def place(found: re.Match[str]) -> str:
            return f"${places.setdefault(found[1], len(places) + 1)}" if found[1] else "%"

        self.name = f"sayso_{next(_numbers)}".encode()
        self.text = _PLACES.sub(place, str(compiled)).encode()
        self.formats = [PyFormat.TEXT] * len(places)
        self._given: list[tuple[str | None, Any, Processor]] = []
        for name in places:
            parameter = parameters[name]
            process = parameter.type.dialect_impl(dialect).bind_processor(dialect)
            key = parameter.key if parameter.key in names else None
            self._given.append((key, None if key else parameter.effective_value, process))
        columns = statement.exported_columns if isinstance(statement, SelectBase | UpdateBase) else ()
        self._metadata = SimpleResultMetaData([str(column.key) for column in columns])
        processors = [column.type.dialect_impl(dialect).result_processor(dialect, _JSON_OID) for column in columns]
        self._processed = [(place, process) for place, process in enumerate(processors) if process is not None]

    def parameters(self, row: Mapping[str, Any]) -> list[Any]:
        """The values to write, in the order of the text."""
        values = [(own if key is None else row[key], process) for key, own, process in self._given]
        return [process(value) if process else value for value, process in values]

    def found(self, rows: Sequence[tuple[Any, ...]], rowcount: int) -> Found:
        """What it found, from the rows that the driver read."""
        if self._processed:
            rows = [self._read(row) for row in rows]
        return Found(self._metadata, rows, rowcount)

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

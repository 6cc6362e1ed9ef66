"""What may be told of a failure: its kind and where it happened; its words only where they quote nobody.

Many errors quote what they failed on: pydantic the input, PostgreSQL the row, `int()` the text. That is what people
asked and answered, and neither a log, a trace nor a status page may hold it.
"""

from __future__ import annotations

import textwrap
import traceback
from typing import Final

import psycopg
import pydantic
from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError

from core.errors import Refused, SaysoError

_PLAIN: Final[tuple[type[BaseException], ...]] = (
    # What Python says in these names what the program is made of: types, attributes, files, states.
    AttributeError,
    ImportError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
)
_BUILT_IN: Final = frozenset({"builtins", "asyncio.exceptions", "socket", "sqlite3", "ssl"})
"""Whose errors of those kinds are Python's own: a library's error may add an address or a body to them."""
_QUOTING: Final = frozenset({"22", "23"})
"""Classes of SQLSTATE that quote values: data that does not fit, and rows that break a rule."""


def told(error: BaseException) -> str:
    """A failure in one line: its kind, and as much of its words as quotes nobody."""
    kind = type(error).__name__
    words = _words(error).strip()
    return f"{kind}: {words}" if words else kind


def traced(error: BaseException) -> str:
    """A failure with where it happened and what it came of, as Python prints it, each told as `told` does."""
    return _traced(error, set()).rstrip("\n")


def _words(error: BaseException) -> str:
    match error:
        case Refused():
            return ""  # it may say which of somebody's words was wrong
        case SaysoError():
            return str(error)
        case pydantic.ValidationError():
            kinds = ", ".join(sorted({fault["type"] for fault in error.errors(include_input=False)}))
            return f"{error.title} does not take it ({kinds})"
        case DBAPIError() | StatementError():
            return told(error.orig) if error.orig is not None else ""
        case psycopg.Error():
            return _of_postgres(error)
        case SQLAlchemyError():
            return str(error)
        case BaseExceptionGroup():
            return f"{len(error.exceptions)} failures"
        case _:
            is_own = type(error).__module__ in _BUILT_IN
            return str(error) if is_own and (type(error).__module__ == "sqlite3" or isinstance(error, _PLAIN)) else ""


def _of_postgres(error: psycopg.Error) -> str:
    """Its main sentence, or where that may quote a value its number and what it is about. Never its details."""
    about = error.diag
    code = error.sqlstate or ""
    if code[:2] not in _QUOTING:
        return (about.message_primary or str(error).partition("\n")[0]).strip()
    names = (about.table_name, about.column_name, about.constraint_name)
    return " ".join([f"SQLSTATE {code}", *(name for name in names if name)])


def _traced(error: BaseException, seen: set[int]) -> str:
    seen.add(id(error))
    before, link = error.__cause__, "This was caused by what stands above."
    if before is None and not error.__suppress_context__:
        before, link = error.__context__, "This happened while what stands above was handled."
    parts = [f"{_traced(before, seen)}\n{link}\n\n"] if before is not None and id(before) not in seen else []
    parts.append("Traceback (most recent call last):\n")
    parts += traceback.format_tb(error.__traceback__)
    parts.append(f"{told(error)}\n")
    if isinstance(error, BaseExceptionGroup):
        parts += [textwrap.indent(_traced(one, seen), "  | ") for one in error.exceptions if id(one) not in seen]
    return "".join(parts)

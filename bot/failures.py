"""What may be told of a failure: its kind and where it happened; its words only where they quote nobody.

Many errors quote what they failed on: pydantic the input, PostgreSQL the row, `int()` the text. That is what people
asked and answered, and neither a log, a trace nor a status page may hold it.
"""

from __future__ import annotations

import textwrap
import traceback
from typing import Final

import pydantic

from core.errors import Refused, SaysoError
from core.store import said_by_database

_PLAIN: Final[tuple[type[BaseException], ...]] = (
    # What Python says in these names what the program is made of: types, attributes, files, states.
    AttributeError,
    ImportError,
    NameError,
    OSError,
    RuntimeError,
    TypeError,
)
_BUILT_IN: Final = frozenset({"builtins", "asyncio.exceptions", "socket", "ssl"})
"""Whose errors of those kinds are Python's own: a library's error may add an address or a body to them."""


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
        case BaseExceptionGroup():
            return f"{len(error.exceptions)} failures"
        case _ if (said := said_by_database(error)) is not None:
            return said
        case _:
            return str(error) if type(error).__module__ in _BUILT_IN and isinstance(error, _PLAIN) else ""


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

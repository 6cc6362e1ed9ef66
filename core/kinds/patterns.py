"""Patterns on text answers, on RE2: linear time, so no answer can hang the service."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    return re2.compile(pattern, options)


def check_pattern(pattern: str) -> None:
    """Raise ValueError when RE2 does not know the syntax (look-around, back-references) or it is too large."""
    try:
        _compiled(pattern)
    except re2.error as error:
        reason = error.args[0] if error.args else "unknown"
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise ValueError(f"RE2 does not accept this pattern: {text}") from None


def matches_whole(pattern: str, value: str) -> bool:
    """Whether the pattern matches the whole value. RE2 reads UTF-8, which half a surrogate pair does not have: a chat
    may let one through, and it matches nothing."""
    try:
        return _compiled(pattern).fullmatch(value) is not None
    except UnicodeEncodeError:
        return False

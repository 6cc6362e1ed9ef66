"""Durations as people write them: `30s 10m 24h 7d`."""

from __future__ import annotations

import re
from datetime import timedelta

PATTERN = "^[1-9][0-9]{0,8}[smhd]$"
"""For the documents that describe the API."""
_SHAPE = re.compile(r"([1-9][0-9]{0,8})([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
LONGEST = timedelta(days=3650)


def parse_duration(text: str) -> timedelta:
    """Read a duration; ValueError says how to write one."""
    found = _SHAPE.fullmatch(text)
    if not found:
        raise ValueError("a duration is a whole number and a unit, such as 30s, 10m, 24h or 7d")
    length = timedelta(**{_UNITS[found[2]]: int(found[1])})
    if length > LONGEST:
        raise ValueError("a duration is at most 3650d")
    return length

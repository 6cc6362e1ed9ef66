"""What the doctor's checks share: the settings, what was learned once for several of them, and how a check speaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

from bot.config import Settings

TIMEOUT = 10.0
"""Seconds that somebody who is asked has to answer."""


class Level(StrEnum):
    """How a check went. Only `FAILED` makes the command fail."""

    OK = "ok"
    OFF = "off"
    WARNING = "warning"
    FAILED = "failed"


Said = tuple[Level, str]


@dataclass
class Examined:
    """The settings, and what was asked once for several checks. `dates` are what others said the time is."""

    settings: Settings
    now: Callable[[], datetime]
    slack: dict[str, Any] | None = None
    scopes: frozenset[str] = frozenset()
    dates: list[tuple[str, datetime]] = field(default_factory=list)

    def note_date(self, source: str, header: str | None) -> None:
        """Remember what time an answer said it was."""
        try:
            date = parsedate_to_datetime(header or "")
        except ValueError:
            return
        self.dates.append((source, date if date.tzinfo else date.replace(tzinfo=UTC)))

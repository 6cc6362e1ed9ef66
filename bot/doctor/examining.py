"""What the checks share: how one speaks, and what was learned once for several of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any, TypeVar

from bot.config import Settings
from bot.credentials import Fault
from bot.credentials.slack import SlackBot
from bot.credentials.telegram import TelegramBot
from core.store import Store, open_engine

T = TypeVar("T")


class Level(StrEnum):
    """How a check went. Only `FAILED` makes the command fail; `OFF` is what does not apply or cannot be seen."""

    OK = "ok"
    OFF = "off"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Said:
    """What a check found, as a sentence without its full stop; and what to do, where the check's own word for it is
    not it."""

    level: Level
    found: str
    todo: str = ""


def failed(fault: Fault) -> Said:
    """A credential that is not what it should be; one that could not be asked about just now is only to look at."""
    return Said(Level.WARNING if fault.passing else Level.FAILED, fault.found, fault.todo)


@dataclass
class Examined:
    """The settings, and what one check learned for others.

    `slack_address` is where Socket Mode may be opened once, `served` what the service that runs here says of itself
    (None: none was found), `dates` what others said the time is, `stored` whether the database can be read.
    """

    settings: Settings
    now: Callable[[], datetime]
    slack: SlackBot | None = None
    slack_address: str | None = None
    telegram: TelegramBot | None = None
    served: Mapping[str, Any] | None = None
    stored: bool = False
    dates: list[tuple[str, datetime]] = field(default_factory=list)

    def note_date(self, source: str, header: str | None) -> None:
        """Remember what time an answer said it was."""
        try:
            date = parsedate_to_datetime(header or "")
        except ValueError:
            return
        self.dates.append((source, date if date.tzinfo else date.replace(tzinfo=UTC)))

    def seen(self, provider: str) -> Mapping[str, Any]:
        """What the service that runs here saw of a chat; empty when none runs."""
        found: Mapping[str, Any] = ((self.served or {}).get("seen") or {}).get(provider) or {}
        return found

    def in_store(self, work: Callable[[Store], Awaitable[T]]) -> T:
        """Look something up in the database, once `stored` says that it can be read."""

        async def look() -> T:
            store = Store(open_engine(self.settings.database_url()))
            try:
                return await work(store)
            finally:
                await store.close()

        return asyncio.run(look())


@dataclass(frozen=True)
class Check:
    """One thing that has to be right: its name, what it being right means, what to do where it is not."""

    name: str
    means: str
    todo: str
    look: Callable[[Examined], Said]


@dataclass(frozen=True)
class Finding:
    """How one check went."""

    name: str
    means: str
    level: Level
    found: str
    todo: str = ""

    @property
    def holds(self) -> bool:
        """Whether the service can do its work with this."""
        return self.level is not Level.FAILED

    def wire(self) -> dict[str, str]:
        """As JSON, for programs."""
        return {
            "check": self.name,
            "means": self.means,
            "level": self.level.value,
            "found": self.found,
            "todo": self.todo,
        }

"""`sayso doctor`: a small check for each thing that has to be right, and a sentence on what to do where it is not.

No check changes anything, and none prints a secret.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import requests

from bot import chat_checks
from bot.config import load
from bot.examining import TIMEOUT, Examined, Level, Said
from bot.shapes import STRONG_KEY
from core.errors import Misconfigured
from core.store import Unmigrated, check_schema, open_engine

MOST_SKEW = 60.0
"""Seconds a clock may be off: Slack refuses signatures older than five minutes, and people read our times."""


@dataclass(frozen=True)
class Finding:
    """One line."""

    name: str
    level: Level
    sentence: str

    @property
    def holds(self) -> bool:
        """Whether the service can do its work with this."""
        return self.level is not Level.FAILED

    def line(self) -> str:
        """As it is printed."""
        return f"{self.level.value:<8} {self.name}: {self.sentence}"


def _database(examined: Examined) -> Said:
    async def look() -> None:
        engine = open_engine(examined.settings.database_url())
        try:
            await check_schema(engine)
        finally:
            await engine.dispose()

    try:
        asyncio.run(look())
    except Unmigrated as error:
        return Level.WARNING, f"{error} `sayso serve` does so when it starts."
    except Misconfigured as error:
        return Level.FAILED, str(error)
    except Exception as error:  # noqa: BLE001  # drivers raise what they like; the first line says enough
        return Level.FAILED, f"it cannot be opened ({type(error).__name__}); check SAYSO_DATABASE_URL"
    return Level.OK, "it opens and its tables are those of this version"


def _public_url(examined: Examined) -> Said:
    public_url = examined.settings.sayso_public_url
    if public_url is None:
        return Level.WARNING, "SAYSO_PUBLIC_URL is not set: cards carry no link, and print the review address as text"
    if not examined.settings.link_ok:
        return Level.WARNING, "SAYSO_PUBLIC_URL is not https: cards carry no link, and print the review address as text"
    try:
        response = requests.get(f"{public_url}/healthz", timeout=TIMEOUT, allow_redirects=False)
    except requests.RequestException as error:
        return Level.FAILED, f"nothing answers at {public_url} ({type(error).__name__}): is the service running there?"
    if response.status_code != requests.codes.ok or response.text.strip() != "ok":
        return Level.FAILED, f"something else than sayso answers at {public_url}"
    examined.note_date("the public address", response.headers.get("Date"))
    return Level.OK, f"this service answers at {public_url}"


def _keys(examined: Examined) -> Said:
    key = examined.settings.sayso_api_key
    if key is not None and len(key.get_secret_value()) < STRONG_KEY:
        return Level.WARNING, f"SAYSO_API_KEY is short: use {STRONG_KEY} random characters or more"
    if examined.settings.sayso_secret_key is None:
        return Level.OK, "SAYSO_SECRET_KEY is kept in the data directory, which suits one machine"
    return Level.OK, "they are set"


def _clock(examined: Examined) -> Said:
    if not examined.dates:
        return Level.OFF, "nobody was reached to compare it with"
    source, skew = max(
        ((source, abs((date - examined.now()).total_seconds())) for source, date in examined.dates),
        key=lambda one: one[1],
    )
    if skew > MOST_SKEW:
        return Level.FAILED, f"it is {skew:.0f} seconds off from {source}: signatures will be refused; set the clock"
    return Level.OK, f"it agrees with {source}"


CHECKS: tuple[tuple[str, Callable[[Examined], Said]], ...] = (
    ("database", _database),
    ("keys", _keys),
    ("Slack token", chat_checks.slack_token),
    ("Slack scopes", chat_checks.slack_scopes),
    ("Slack signing secret", chat_checks.slack_secret),
    ("Slack app token", chat_checks.slack_app_token),
    ("Telegram token", chat_checks.telegram_token),
    ("Telegram webhook", chat_checks.telegram_webhook),
    ("public address", _public_url),
    ("clock", _clock),  # last: it compares with what the others heard
)


def examine(now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Iterator[Finding]:
    """Check everything, one finding after the other."""
    try:
        settings = load()
    except Misconfigured as error:
        yield Finding("settings", Level.FAILED, str(error))
        return
    yield Finding("settings", Level.OK, "all are well-formed")
    examined = Examined(settings, now)
    for name, check in CHECKS:
        level, sentence = check(examined)
        yield Finding(name, level, sentence)

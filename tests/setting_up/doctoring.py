"""The doctor, asked as the command asks it: every setting in the environment, every secret looked for in every line."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from adapters.slack.manifest import SCOPES
from bot.doctor import examine
from bot.doctor.examining import Finding, Level
from bot.doctor.showing import line
from bot.sandbox.slack.settings import StandInSettings as SlackSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.settings import StandInSettings as TelegramSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn

GRANTED = frozenset(scope.name for scope in SCOPES)
SECRET_ENDS = ("TOKEN", "SECRET", "KEY")


def slack_with(**settings: object) -> SlackStandIn:
    """A Slack whose app is as the manifest makes it, unless something else is said."""
    return SlackStandIn(SlackSettings(**{"scopes": GRANTED, "pace": False, **settings}))  # type: ignore[arg-type]  # any


def telegram_with(**settings: object) -> TelegramStandIn:
    """A Telegram that waits for nobody."""
    return TelegramStandIn(TelegramSettings(**{"pace": False, **settings}))  # type: ignore[arg-type]  # any


def slack_settings(slack: SlackStandIn) -> dict[str, str]:
    """What connects the service by Socket Mode."""
    return {
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_API_URL": slack.api_url,
    }


def telegram_settings(telegram: TelegramStandIn) -> dict[str, str]:
    """What connects the service by long polling."""
    return {"TELEGRAM_BOT_TOKEN": telegram.bot_token, "TELEGRAM_API_URL": telegram.api_url}


class Doctor:
    """Examines with these settings, and lets no secret through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    async def __call__(
        self, settings: Mapping[str, str], places: Sequence[str] = (), off_by: timedelta = timedelta()
    ) -> dict[str, Finding]:
        for name, value in settings.items():
            self._monkeypatch.setenv(name, value)
        found = await asyncio.to_thread(lambda: list(examine(places, lambda: datetime.now(UTC) + off_by)))
        secrets = [value for name, value in settings.items() if name.endswith(SECRET_ENDS)]
        told = "\n".join(map(line, found)) + "\n".join(str(one.wire()) for one in found)
        assert not [secret for secret in secrets if secret in told]
        assert not [one for one in found if "the check itself broke" in one.found]
        assert all(one.todo for one in found if one.level in (Level.WARNING, Level.FAILED))
        return {one.name: one for one in found}

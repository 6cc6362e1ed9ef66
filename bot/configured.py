"""Which settings are watched, and what is kept of each: the value itself, or of a secret a digest made with our key."""

from __future__ import annotations

import getpass
import hmac
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog
from pydantic import SecretStr

from bot.config import Settings
from bot.startup import WORKSPACE
from core.audit import Actor
from core.ports import Context
from core.use_cases.configured import DIGEST, LOOK, PLAIN, Configured, note_settings

log = structlog.get_logger("sayso.configured")

PURPOSE: Final = "settings"
"""The purpose of the key, for `Settings.keys`."""


@dataclass(frozen=True)
class Watched:
    """One setting. `read` gives its value as text, or as a secret; empty: not set."""

    name: str
    read: Callable[[Settings], str | SecretStr | None]
    why: str


WATCHED: Final[Sequence[Watched]] = (
    Watched("SAYSO_API_KEY", lambda one: one.sayso_api_key, "whoever has it is an operator"),
    Watched("SLACK_BOT_TOKEN", lambda one: one.slack_bot_token, "as whom Slack is asked who people are"),
    Watched("SLACK_SIGNING_SECRET", lambda one: one.slack_signing_secret, "whose presses are Slack's"),
    Watched("SLACK_CLIENT_ID", lambda one: one.slack_client_id, "which app people install and sign in with"),
    Watched("TELEGRAM_BOT_TOKEN", lambda one: one.telegram_bot_token, "whose word on who people are is Telegram's"),
    Watched("TELEGRAM_WEBHOOK_SECRET", lambda one: one.telegram_webhook_secret, "whose updates are Telegram's"),
    Watched("OIDC_ISSUER", lambda one: one.oidc_issuer, "who says who people are"),
    Watched("OIDC_CLIENT_ID", lambda one: one.oidc_client_id, "to whom it says so"),
    Watched("SAYSO_PUBLIC_URL", lambda one: one.sayso_public_url, "where people sign in"),
    Watched("SAYSO_INSTALL", lambda one: one.sayso_install.value, "who may connect a Slack workspace"),
    Watched("SAYSO_WEBHOOK_ALLOW", lambda one: _networks(one.sayso_webhook_allow), "which private networks we reach"),
    Watched("SAYSO_TRUSTED_PROXIES", lambda one: _networks(one.sayso_trusted_proxies), "who says from where one comes"),
    Watched("SAYSO_RETENTION", lambda one: _length(one.sayso_retention), "how long what was decided is kept"),
)
EVERY: Final = LOOK.total_seconds()
"""Seconds between two looks of a process."""
THE_KEY: Final = "SAYSO_SECRET_KEY"
"""Is watched too: by a digest that it makes of nothing."""


def configured(settings: Settings) -> Sequence[Configured]:
    """What this process runs with. The operators of the workspace that was there from the start read of the key that
    is theirs; all else is the deployment's."""
    keys = settings.keys(PURPOSE)
    found = [Configured(THE_KEY, _digest(keys[0], THE_KEY, ""))]
    for one in WATCHED:
        value, whose = one.read(settings), WORKSPACE if one.name == "SAYSO_API_KEY" else None
        if isinstance(value, SecretStr):
            marks = [_digest(key, one.name, value.get_secret_value()) for key in keys]
            found.append(Configured(one.name, marks[0], tuple(marks), whose))
        else:
            found.append(Configured(one.name, f"{PLAIN}{value or ''}", (), whose))
    return tuple(found)


async def say_settings(context: Context, settings: Settings) -> None:
    """Say what this process runs with; what is another than before is in the audit and in the log."""
    by = Actor(type="service", identity=running_as())
    for name in await note_settings(context, configured(settings), by):
        log.warning("a setting is another than before", name=name)


def running_as() -> str:
    """The account and the machine that this process runs as: `sayso@web-1`."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())  # a container's account may have no name
    return f"{user}@{os.uname().nodename}"


def _digest(key: bytes, name: str, value: str) -> str:
    message = f"{name}\0{value}".encode()
    return f"{DIGEST}{hmac.digest(key, message, 'sha256').hex()}"


def _length(length: timedelta | None) -> str:
    return f"{length.total_seconds() / 86_400:g}d" if length is not None else ""


def _networks(networks: Sequence[object]) -> str:
    return ", ".join(str(one) for one in networks)

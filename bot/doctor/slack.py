"""The checks of Slack: its tokens, what they allow, and whether what people press comes here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from adapters.slack.manifest import SCOPES
from bot.credentials import Fault, slack
from bot.doctor.examining import Check, Examined, Level, Said, failed
from bot.doctor.sockets import Refused, greeting
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.store import Store

_NO_TOKEN: Final = Said(Level.OFF, "there is no working bot token to ask with")


def token(examined: Examined) -> Said:
    """Whether Slack takes the bot token."""
    given = examined.settings.slack_bot_token
    if given is None:
        if examined.settings.slack_on:
            return Said(Level.OFF, "SLACK_BOT_TOKEN is not set: every workspace installs the app for itself")
        return Said(Level.OFF, "SLACK_BOT_TOKEN is not set, so Slack is off")
    found = slack.bot_token(given.get_secret_value(), examined.settings.slack_api_url)
    if isinstance(found, Fault):
        return failed(found)
    examined.slack = found
    examined.note_date("Slack", found.date)
    return Said(Level.OK, f"it is {found.user} in {found.team_name} ({found.team})")


def workspace(examined: Examined) -> Said:
    """Whether the token is of the workspace in which cards were asked before."""
    if examined.slack is None:
        return _NO_TOKEN
    if not examined.stored:
        return Said(Level.OFF, "the database cannot be asked which one it was before")

    async def look(store: Store) -> list[str]:
        return [one.account for one in await store.records.connections(WORKSPACE) if one.provider is Provider.SLACK]

    known = examined.in_store(look)
    if known and examined.slack.team not in known:
        return Said(
            Level.WARNING, f"the token is of {examined.slack.team}; cards were asked in {', '.join(known)} so far"
        )
    return Said(Level.OK, "it is the one that cards are asked in" if known else "no card was asked in any yet")


def scopes(examined: Examined) -> Said:
    """Whether it has every permission that is used, and no other."""
    if examined.slack is None:
        return _NO_TOKEN
    granted = examined.slack.scopes
    if not granted:
        return Said(Level.WARNING, "Slack did not say which permissions the token has")
    missing = [scope for scope in SCOPES if scope.name not in granted]
    if missing:
        return Said(Level.FAILED, "missing " + "; ".join(f"{one.name} (to {one.why})" for one in missing))
    surplus = sorted(granted - {scope.name for scope in SCOPES})
    if surplus:
        names = ", ".join(surplus)
        todo = "Take them away under “OAuth & Permissions” and install the app again, unless something else needs them."
        return Said(Level.WARNING, f"all {len(SCOPES)} are granted, and more than are used: {names}", todo)
    return Said(Level.OK, f"all {len(SCOPES)} are granted, and no other")


def app_token(examined: Examined) -> Said:
    """Whether Slack takes the app-level token, and it is of the same app."""
    settings = examined.settings
    if settings.slack_app_token is None:
        return Said(Level.OFF, "SLACK_APP_TOKEN is not set: Slack sends to the public address")
    app = examined.slack.app if examined.slack else ""
    found = slack.app_token(settings.slack_app_token.get_secret_value(), settings.slack_api_url, app)
    if isinstance(found, Fault):
        return failed(found)
    examined.slack_address = found.address
    return Said(
        Level.OK, "Slack takes it" + (f", and it is of the same app ({app})" if app and found.app == app else "")
    )


def sockets(examined: Examined) -> Said:
    """Whether presses come to this deployment and to no other: Slack gives each to any one of an app's connections."""
    if not examined.settings.slack_socket_mode:
        return Said(Level.OFF, "Slack sends to the public address")
    if examined.slack_address is None:
        return Said(Level.OFF, "there is no working app token to connect with")
    seen = examined.seen("slack").get("sockets") or {}
    if examined.served is not None and (seen.get("at") or seen.get("others")):
        return _running(seen)
    found = greeting(examined.slack_address)
    if isinstance(found, Refused):
        return Said(Level.FAILED, found.why, found.todo)
    if found.connections > 1:
        return _beside_nobody(examined, found.connections - 1)
    return Said(Level.OK, "Socket Mode is on, and nobody else is connected to the app")


def _running(seen: Mapping[str, Any]) -> Said:
    """What the service here saw: its processes count each other's connections, so the rest are strangers'."""
    own, others, strangers, at = int(seen["own"]), int(seen["others"]), int(seen["strangers"]), str(seen["at"])
    if own == 0 and others == 0:
        return Said(Level.FAILED, "the service that runs here has no connection to Slack")
    if own == 0:
        return Said(Level.OK, f"other processes of this deployment have its {others} connections to the app")
    elsewhere = f" and {others} of its other processes" if others else ""
    if strangers:
        found = f"{_more(strangers)} open beside the {own} of the service here{elsewhere}, as of {at}"
        return Said(Level.FAILED, f"{found}: whoever holds it takes some of the presses away")
    if others:
        return Said(Level.OK, f"the app has {own} connections of the service here{elsewhere}, as of {at}")
    return Said(Level.OK, f"the service here has all {own} connections of the app, as of {at}")


def _beside_nobody(examined: Examined, count: int) -> Said:
    found = f"{_more(count)} open while no service runs here"
    if examined.settings.is_shared:
        return Said(Level.WARNING, f"{found}: more processes of this deployment, or a stranger who takes presses away")
    return Said(Level.FAILED, f"{found}: whoever holds it takes some of the presses away")


def _more(count: int) -> str:
    return "another connection to this app is" if count == 1 else f"{count} other connections to this app are"


def secret(examined: Examined) -> Said:
    """Whether what Slack sends is known to be Slack's."""
    settings = examined.settings
    if settings.slack_socket_mode:
        return Said(Level.OFF, "nothing arrives over signed HTTP")
    fault = slack.signing_secret(
        settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else ""
    )
    if fault is not None:
        return Said(Level.FAILED, fault.found, fault.todo)
    seen = examined.seen("slack").get("signatures") or {}
    genuine, forged = int(seen.get("genuine") or 0), int(seen.get("forged") or 0)
    if forged and not _later(seen.get("genuine_at"), seen.get("forged_at")):
        at = seen["forged_at"]
        return Said(
            Level.FAILED, f"{forged} requests since the start were signed with another secret, the last at {at}"
        )
    if genuine:
        return Said(Level.OK, f"{genuine} requests since the service started were signed with it")
    return Said(Level.OK, "it has the shape of one; whether it is the right one shows when Slack sends something")


def _later(one: str | None, other: str | None) -> bool:
    """Whether the first came after the second."""
    return bool(one) and datetime.fromisoformat(str(one)) > datetime.fromisoformat(str(other))


SLACK = (
    Check(
        "Slack token",
        "SLACK_BOT_TOKEN is the bot token of an installed app.",
        "Run: sayso init",
        token,
    ),
    Check(
        "Slack workspace",
        "The token is of the workspace in which cards are asked.",
        "Use the token of that workspace; with this one, cards that were asked there are not redrawn any more.",
        workspace,
    ),
    Check(
        "Slack scopes",
        "The app has the permissions that the manifest names, and no other.",
        "Add them under “OAuth & Permissions”, “Bot Token Scopes”, and install the app again.",
        scopes,
    ),
    Check(
        "Slack app token",
        "SLACK_APP_TOKEN opens Socket Mode, and is of the same app as the bot token.",
        "Run: sayso init",
        app_token,
    ),
    Check(
        "Slack sockets",
        "Socket Mode is on, and only this deployment is connected to the app.",
        "End the other one, or give it a Slack app of its own: one deployment, one app.",
        sockets,
    ),
    Check(
        "Slack signing secret",
        "SLACK_SIGNING_SECRET is the one that Slack signs its requests with.",
        "Copy the Signing Secret of this very app from “Basic Information”, and start the service again.",
        secret,
    ),
)

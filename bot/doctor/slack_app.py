"""The checks of the Slack app's own settings, which no bot token can see.

Slack tells them only to an app configuration token. Without one, what is known is whether a press ever came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from adapters.slack.adapter import PATH
from adapters.slack.manifest import COMMAND, EVENTS, manifest
from bot.credentials import Fault, slack
from bot.doctor.examining import Check, Examined, Level, Said
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.store import Store
from core.telling import when

_WHERE: Final = f"{slack.APPS}, choose the app"


def interactivity(examined: Examined) -> Said:
    """Whether what people press is sent at all."""
    if not examined.stored:
        return Said(Level.OFF, "the database cannot be asked whether a press ever came")

    async def look(store: Store) -> Said | None:
        pressed = await store.records.last_press(WORKSPACE, Provider.SLACK)
        return Said(Level.OK, f"the last press came on {when(pressed)}") if pressed else None

    return examined.in_store(look) or Said(
        Level.WARNING,
        "no press has come from Slack yet, and Slack tells no bot whether presses are on",
        "Press the card that `sayso init --test` sends. If Slack says that the app is not configured for that, turn on "
        "“Interactivity & Shortcuts” on the app's page.",
    )


def app_settings(examined: Examined) -> Said:
    """Whether the app is set up as the manifest says."""
    settings = examined.settings
    if settings.slack_config_token is None:
        return Said(Level.OFF, "Slack shows them only to an app configuration token: SLACK_CONFIG_TOKEN is not set")
    if examined.slack is None or not examined.slack.app:
        return Said(Level.OFF, "which app it is could not be asked")
    found = slack.app_manifest(
        settings.slack_config_token.get_secret_value(), examined.slack.app, settings.slack_api_url
    )
    if isinstance(found, Fault):
        return Said(Level.WARNING, found.found, found.todo)
    url = None if settings.slack_socket_mode else settings.sayso_public_url or "https://"
    wrong = list(_differences(found, manifest(url)))
    if wrong:
        return Said(Level.FAILED, "; ".join(wrong))
    return Said(Level.OK, "they are those of the manifest")


def _differences(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """What in an app's settings keeps sayso from working, in words."""
    settings, features = found.get("settings") or {}, found.get("features") or {}
    is_socket = bool(settings.get("socket_mode_enabled"))
    wants_socket = wanted["settings"]["socket_mode_enabled"]
    if wants_socket and not is_socket:
        yield "Socket Mode is off, and SLACK_APP_TOKEN is set"
    if is_socket and not wants_socket:
        yield "Socket Mode is on, and SLACK_APP_TOKEN is not set: nothing comes to the public address"
    interactive = settings.get("interactivity") or {}
    if not interactive.get("is_enabled"):
        yield "Interactivity is off: nobody's press is sent"
    heard = settings.get("event_subscriptions") or {}
    if not wants_socket:
        for name, where in (("Interactivity", interactive), ("Event Subscriptions", heard)):
            if where.get("request_url") != wanted["settings"]["interactivity"]["request_url"]:
                goes = where.get("request_url") or "nowhere"
                yield f"{name} sends to {goes} instead of the public address with {PATH}"
    missing = [name for name in EVENTS if name not in (heard.get("bot_events") or ())]
    if missing:
        yield f"it does not hear {', '.join(missing)}"
    if COMMAND not in [one.get("command") for one in features.get("slash_commands") or ()]:
        yield f"it has no command {COMMAND}"
    home = features.get("app_home") or {}
    if not home.get("messages_tab_enabled") or home.get("messages_tab_read_only_enabled"):
        yield "nobody can write to the app: its Messages Tab is off or read-only"
    if settings.get("token_rotation_enabled"):
        yield "token rotation is on: the bot token ends after 12 hours"


SLACK_APP = (
    Check(
        "Slack interactivity",
        "Slack sends what people press.",
        f"Turn on “Interactivity & Shortcuts”: {_WHERE}.",
        interactivity,
    ),
    Check(
        "Slack app settings",
        "The app's own settings are those of the manifest.",
        f"Put what `sayso manifest` prints under “App Manifest”: {_WHERE}.",
        app_settings,
    ),
)

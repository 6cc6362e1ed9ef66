"""The Slack app's manifest, built from what the adapter calls and listens to: no scope without a use.

`manifest.yml` at the top of the repository is the Socket Mode one as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from adapters.slack.adapter import PATH
from adapters.slack.installing import REDIRECT
from adapters.slack.openid import SIGN_IN_REDIRECT


@dataclass(frozen=True)
class Scope:
    """A permission, and what would not work without it."""

    name: str
    why: str


SCOPES: Final[Sequence[Scope]] = (
    Scope(
        "channels:history", "read what people write in the threads of cards, and find a lost card, in public channels"
    ),
    Scope("channels:read", "name the public channel it was asked in, and ask whether who answers elsewhere is in it"),
    Scope("chat:write", "post cards and redraw them, and answer people privately"),
    Scope("commands", "offer /sayso"),
    Scope(
        "groups:history", "read what people write in the threads of cards, and find a lost card, in private channels"
    ),
    Scope("groups:read", "name the private channel it was asked in, and ask whether who answers elsewhere is in it"),
    Scope("im:history", "read what people write to the app, and find a lost card in a direct message"),
    Scope("im:write", "open the direct message a question goes to"),
    Scope("mpim:history", "read what people write in the threads of cards, in direct messages of several people"),
    Scope("users:read", "tell guests, bots, deactivated accounts and other workspaces' people from members"),
)
POWERS: Final[Sequence[tuple[str, tuple[str, ...]]]] = (
    # What all scopes together let the app do, as whoever is about to allow it reads it.
    (
        "Post questions and answer people, in channels that it was invited to and in direct messages",
        ("chat:write", "commands", "im:write"),
    ),
    (
        "Read what is written in those channels and to it directly, of which it uses what stands under its questions",
        ("channels:history", "groups:history", "im:history", "mpim:history"),
    ),
    ("See what channels are called and who is in them", ("channels:read", "groups:read")),
    ("See who people are: their names, and whether they are guests, bots or deactivated", ("users:read",)),
)
METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    # The Web API methods the adapter calls, each with every scope it is called under; the app-level token that opens
    # Socket Mode has a scope of its own (connections:write) which no manifest holds.
    "apps.connections.open": (),
    "auth.test": (),
    "bots.info": ("users:read",),
    "chat.delete": ("chat:write",),
    "chat.postEphemeral": ("chat:write",),
    "chat.postMessage": ("chat:write",),
    "chat.update": ("chat:write",),
    "conversations.history": ("channels:history", "groups:history", "im:history", "mpim:history"),
    "conversations.info": ("channels:read", "groups:read"),
    "conversations.members": ("channels:read", "groups:read"),
    "conversations.open": ("im:write",),
    "conversations.replies": ("channels:history", "groups:history", "im:history", "mpim:history"),
    "oauth.v2.access": (),
    "users.info": ("users:read",),
    "views.open": (),
    "views.publish": (),
}
EVENTS: Final[Mapping[str, tuple[str, ...]]] = {
    # The events the adapter listens to, each with the scopes Slack sends it under.
    "app_home_opened": (),
    "app_uninstalled": (),
    "channel_id_changed": ("channels:read", "groups:read"),
    "message.channels": ("channels:history",),
    "message.groups": ("groups:history",),
    "message.im": ("im:history",),
    "message.mpim": ("mpim:history",),
    "tokens_revoked": (),
    "user_change": ("users:read",),
}
COMMAND: Final = "/sayso"


def manifest(public_url: str | None) -> dict[str, Any]:
    """The manifest as data: for signed HTTP at `public_url` (https, no slash at the end), or for Socket Mode. With an
    address of its own people can install it from there, in a workspace or in a whole organisation."""
    address = {"url": f"{public_url}{PATH}"} if public_url else {}
    redirects = {"redirect_urls": [f"{public_url}{one}" for one in (REDIRECT, SIGN_IN_REDIRECT)]} if public_url else {}
    request = {"request_url": f"{public_url}{PATH}"} if public_url else {}
    return {
        "_metadata": {"major_version": 1, "minor_version": 1},
        "display_information": {
            "name": "sayso",
            "description": "Brings questions from programs and agents to people, and takes exactly one answer back",
            "background_color": "#1d3557",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "sayso", "always_online": True},
            "slash_commands": [
                {
                    "command": COMMAND,
                    "description": "List the questions that wait for you",
                    "usage_hint": "[help | zone Europe/Madrid | digest 09:00]",
                    "should_escape": False,
                    **address,
                }
            ],
        },
        "oauth_config": {**redirects, "scopes": {"bot": [scope.name for scope in SCOPES]}},
        "settings": {
            "event_subscriptions": {**request, "bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True, **request},
            "org_deploy_enabled": True,
            "socket_mode_enabled": public_url is None,
            "token_rotation_enabled": False,
        },
    }


def creation_link(public_url: str | None) -> str:
    """Slack's page that makes an app, with the manifest filled in."""
    text = json.dumps(manifest(public_url), separators=(",", ":"))
    return f"https://api.slack.com/apps?new_app=1&manifest_json={quote(text, safe=':,/')}"


def manifest_yaml(public_url: str | None) -> str:
    """The manifest as YAML, each scope with the reason for it."""
    reasons = {scope.name: scope.why for scope in SCOPES}
    head = "# Paste this at https://api.slack.com/apps under “Create New App”, “From a manifest”.\n"
    return head + "\n".join(_lines(manifest(public_url), reasons, 0)) + "\n"


def _lines(value: Mapping[str, Any], reasons: Mapping[str, str], depth: int) -> Iterator[str]:
    pad = "  " * depth
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            yield f"{pad}{name}:"
            yield from _lines(inner, reasons, depth + 1)
        elif isinstance(inner, list):
            yield f"{pad}{name}:"
            for one in inner:
                yield from _item(one, reasons, depth + 1)
        else:
            yield f"{pad}{name}: {_scalar(inner)}"


def _item(value: Any, reasons: Mapping[str, str], depth: int) -> Iterator[str]:
    pad = "  " * depth
    if isinstance(value, Mapping):
        first, *rest = _lines(value, reasons, depth + 1)
        yield f"{pad}- {first.lstrip()}"
        yield from rest
    else:
        reason = f"  # {reasons[value]}" if value in reasons else ""
        yield f"{pad}- {_scalar(value)}{reason}"


def _scalar(value: str | int | bool) -> str:
    """A scalar; plain where YAML reads it as the same, else as JSON, which YAML reads too."""
    if isinstance(value, str) and value[:1].isalpha() and all(mark not in value for mark in (": ", " #", "\n")):
        return value
    return json.dumps(value)

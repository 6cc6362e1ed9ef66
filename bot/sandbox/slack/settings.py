"""How one Slack stand-in is set up: its workspace, its one app, and what that app was granted."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from blocks.slack import limits

DEFAULT_SCOPES: Final = frozenset(
    {
        "app_mentions:read",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "mpim:history",
        "users:read",
    }
)

# Every event the stand-in can send, and the scope without which Slack sends none of it ("" for none).
EVENT_SCOPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "app_home_opened": "",
        "app_mention": "app_mentions:read",
        "app_uninstalled": "",
        "channel_archive": "channels:read",
        "channel_id_changed": "channels:read",
        "channel_unarchive": "channels:read",
        "group_archive": "groups:read",
        "group_unarchive": "groups:read",
        "member_joined_channel": "channels:read",
        "member_left_channel": "channels:read",
        "message.channels": "channels:history",
        "message.groups": "groups:history",
        "message.im": "im:history",
        "message.mpim": "mpim:history",
        "tokens_revoked": "",
        "user_change": "users:read",
    }
)


def _token(prefix: str) -> str:
    return f"{prefix}{secrets.token_hex(16)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInSettings:
    """The workspace, the app and its installation. Tokens are drawn afresh unless given.

    `request_url` receives signed events, interactions and commands; without one they go to Socket Mode, if that is on.
    `interactivity` off: nothing that people press is sent. `app_scopes` are those of the app-level token;
    `config_token` shows the app's own settings, which `ended_config_token` did until 12 hours were over;
    `other_app_token` is an app-level token of another app.
    `token_rotation`: tokens of people who install end after `token_seconds`. `retry_delays` are the waits before an
    event's second, third and fourth delivery. `pace=False` turns rate limits off. `distributed` puts the reading
    methods under the limits of unlisted distributed apps.
    """

    team_id: str = "T0ACME"
    team_name: str = "Acme"
    team_domain: str = "acme"
    app_id: str = "A0SAYSO"
    app_name: str = "sayso"
    bot_user_id: str = "U0SAYSO"
    bot_id: str = "B0SAYSO"
    bot_token: str = field(default_factory=lambda: _token("xoxb-"), repr=False)
    app_token: str = field(default_factory=lambda: _token("xapp-1-A0SAYSO-1000000000000-"), repr=False)
    app_scopes: frozenset[str] = frozenset({"connections:write"})
    config_token: str = field(default_factory=lambda: _token("xoxe.xoxp-1-"), repr=False)
    ended_config_token: str = field(default_factory=lambda: _token("xoxe.xoxp-1-"), repr=False)
    other_app_id: str = "A0OTHER"
    other_app_token: str = field(default_factory=lambda: _token("xapp-1-A0OTHER-1000000000000-"), repr=False)
    signing_secret: str = field(default_factory=lambda: _token(""), repr=False)
    client_id: str = "1000000000.2000000000"
    client_secret: str = field(default_factory=lambda: _token(""), repr=False)
    scopes: frozenset[str] = DEFAULT_SCOPES
    bot_events: frozenset[str] = frozenset(EVENT_SCOPES)
    commands: tuple[str, ...] = ("/sayso",)
    home_enabled: bool = True
    messages_enabled: bool = True
    interactivity: bool = True
    socket_mode: bool = True
    request_url: str | None = None
    token_rotation: bool = False
    token_seconds: int = 43_200
    pace: bool = True
    distributed: bool = False
    ack_seconds: float = float(limits.ACK.number)
    retry_delays: tuple[float, ...] = (0.0, 60.0, 300.0)

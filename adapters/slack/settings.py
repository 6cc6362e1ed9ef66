"""What the Slack adapter is given, and what it finds out about its installation when it starts."""

from __future__ import annotations

from dataclasses import dataclass, field

API = "https://slack.com/api/"


@dataclass(frozen=True)
class SlackSettings:
    """The app. `bot_token` is of the one installation that the settings name, None where there is none. Socket Mode is
    used when there is an `app_token`, signed HTTP otherwise. `api_url` ends with a slash."""

    bot_token: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)
    app_token: str | None = field(default=None, repr=False)
    api_url: str = API


@dataclass(frozen=True)
class Installation:
    """One installation, as auth.test tells of it. `team` is the workspace, or the organisation where the app is
    installed for all of one; `scopes` are what was granted, empty when Slack does not say; `app` and
    `url`, where people open it, are empty when they are not known."""

    team: str
    team_name: str
    bot_user: str
    bot_id: str
    bot_name: str
    app: str = ""
    url: str = ""
    enterprise: str | None = None
    scopes: frozenset[str] = frozenset()

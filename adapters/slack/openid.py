"""Sign in with Slack: where its OpenID Connect is, and whom its claims name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.people import Identity

SIGN_IN_REDIRECT: Final = "/signin/slack/return"
"""Where Slack sends people back to."""
SCOPES: Final = "openid"
"""Nothing of a profile is asked for: names and addresses are no identity."""
_TEAM, _USER = "https://slack.com/team_id", "https://slack.com/user_id"


@dataclass(frozen=True)
class SlackOpenId:
    """The addresses, all beside the Web API, and the issuer that its tokens name."""

    issuer: str
    authorize: str
    token: str
    keys: str


def openid_at(api_url: str) -> SlackOpenId:
    """Those beside a Web API such as `https://slack.com/api/`."""
    site = api_url.removesuffix("/").removesuffix("/api")
    return SlackOpenId(
        issuer=site,
        authorize=f"{site}/openid/connect/authorize",
        token=f"{api_url}openid.connect.token",
        keys=f"{site}/openid/connect/keys",
    )


def identity_of(claims: Mapping[str, object]) -> Identity | None:
    """The account in verified claims: a user of a team, never an address. None: they name none."""
    team, user = claims.get(_TEAM), claims.get(_USER)
    if not (isinstance(team, str) and isinstance(user, str) and team and user):
        return None
    return Identity(provider="slack", account=team, user=user)

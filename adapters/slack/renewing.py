"""A token that ends is replaced before it does: Slack gives another pair for the refresh token, which is good once."""

from __future__ import annotations

from dataclasses import dataclass, field

from adapters.slack.client import Clients
from adapters.slack.errors import FAILURES, channel_error


@dataclass(frozen=True)
class Renewed:
    """The next token, how many seconds it lasts, and what replaces it then."""

    token: str = field(repr=False)
    refresh: str = field(repr=False)
    expires_in: int


async def renew(clients: Clients, client_id: str, client_secret: str, refresh: str) -> Renewed:
    """Exchange a refresh token. Never repeated: Slack takes each once. Raises a `ChannelError`."""
    try:
        answer = await clients.anonymous.oauth_v2_access(
            client_id=client_id, client_secret=client_secret, grant_type="refresh_token", refresh_token=refresh
        )
    except FAILURES as error:
        raise channel_error(error, harmless=True) from error
    return Renewed(
        token=str(answer["access_token"]),
        refresh=str(answer["refresh_token"]),
        expires_in=int(answer["expires_in"]),
    )

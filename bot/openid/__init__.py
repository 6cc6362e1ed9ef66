"""Signing in with another service by OpenID Connect: where people are sent, and what is believed when they are back."""

from __future__ import annotations

from bot.config import Settings
from bot.openid.fetching import Fetcher
from bot.openid.parties import Party, parties_of
from bot.openid.relying import NotProved, RelyingParty, Trip
from core.ports import Clock

__all__ = ["NotProved", "Party", "RelyingParty", "Trip", "relying_parties"]


def relying_parties(settings: Settings, clock: Clock) -> tuple[RelyingParty, ...]:
    """Whom people may sign in with. What they say is fetched only where webhooks may go."""
    fetcher = Fetcher(settings.sayso_webhook_allow)
    return tuple(RelyingParty(one, fetcher, clock) for one in parties_of(settings))

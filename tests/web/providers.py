"""Providers that people sign in with, over real sockets: Slack's stand-in and one of an operator's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import httpx2

from bot.config import Settings, load
from bot.moment import SystemClock
from bot.openid import RelyingParty, Trip, relying_parties
from bot.sandbox.openid import OpenIdProvider
from bot.sandbox.slack.settings import StandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from tests.flows.rig import NOBODY

TRIP = Trip("state", "nonce-of-this-visit", "verifier" * 6, "https://sayso.example.com/signin/oidc/return")


@dataclass
class Providers:
    """Both, and what the service knows of them."""

    slack: SlackStandIn
    own: OpenIdProvider
    settings: Settings
    parties: tuple[RelyingParty, ...]

    @property
    def party(self) -> RelyingParty:
        """The operator's own."""
        return self.parties[1]


@asynccontextmanager
async def providers(**more: str) -> AsyncIterator[Providers]:
    """Slack with Ana (U1) and Zed (U9) in it, and another provider."""
    slack, own = SlackStandIn(StandInSettings(team_id="T1", pace=False)), OpenIdProvider()
    async with slack.serve(), own.serve():
        for user in ("U1", "U9"):
            slack.workspace.add_user(user.lower(), user, user_id=user)
        settings = load(
            {
                "slack_client_id": slack.settings.client_id,
                "slack_client_secret": slack.settings.client_secret,
                "slack_signing_secret": slack.signing_secret,
                "slack_api_url": slack.api_url,
                "oidc_issuer": own.issuer,
                "oidc_client_id": own.client_id,
                "oidc_client_secret": own.client_secret,
                "sayso_webhook_allow": "127.0.0.0/8",
                "sayso_secret_key": "s" * 64,
                **more,
            }
        )
        yield Providers(slack, own, settings, relying_parties(settings, SystemClock()))


async def follow(location: str) -> str:
    """Be sent to a provider, and return where it sends its visitor back to."""
    async with httpx2.AsyncClient(verify=NOBODY) as http:
        answer = await http.get(location)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


async def code_for(party: RelyingParty, trip: Trip = TRIP) -> str:
    """The code that a visit to a provider ends with."""
    return parse_qs(urlsplit(await follow(await party.leave(trip))).query)["code"][0]

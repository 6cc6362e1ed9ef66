"""Which installation a payload is for: the one it names, and never another's."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from slack_bolt.async_app import AsyncBoltContext

from adapters.slack.client import Clients, clients_of, open_session
from adapters.slack.homes import Home, Homes, settle
from adapters.slack.settings import Installation
from tests.blocks.slack.cards import CODEC


class Kept:
    """Keeps an organisation that is not known yet, and a workspace; fails for one."""

    def __init__(self) -> None:
        self.homes: Homes | None = None
        self.clients: Clients | None = None

    async def load(self, account: str) -> None:
        if account == "TBROKEN":
            raise aiohttp.ClientError("the database is away")
        if account in ("EKEPT", "TKEPT"):
            assert self.homes
            self.homes.put(self.home(account))

    async def lost(self, account: str, why: str) -> None:
        raise AssertionError((account, why))

    async def seen(self, account: str, installation: Installation) -> None:
        raise AssertionError((account, installation))

    def home(self, account: str, enterprise: str | None = None) -> Home:
        assert self.clients
        return settle(self.clients, Installation(account, "", "", "", "", enterprise=enterprise), CODEC)


@pytest.fixture
async def kept() -> AsyncIterator[Kept]:
    """An own installation T1 of the organisation E1, and T2 and E2 that people installed."""
    made, session = Kept(), open_session()
    made.clients = clients_of(session, "http://127.0.0.1:9/api/", None)
    made.homes = Homes(made.clients, CODEC, made)
    made.homes.own = made.home("T1", "E1")
    for home in (made.homes.own, made.home("T2"), made.home("E2", "E2")):
        made.homes.put(home)
    yield made
    await session.close()


@pytest.mark.parametrize(
    ("team", "enterprise", "of_all", "account", "why"),
    [
        ("T1", None, False, "T1", "it names a workspace"),
        ("T1", "E1", False, "T1", "the workspace comes before its organisation"),
        ("T2", "E2", True, "E2", "what is for all of an organisation says so"),
        (None, "E2", True, "E2", "Slack may leave the workspace out then"),
        ("T7", "E2", True, "E2", "whatever workspace of it that is"),
        (None, None, False, "T1", "what names nothing is for the token of the settings"),
        (None, "E1", True, "T1", "the organisation of the token of the settings, which installed nothing else"),
        ("E1", None, False, "T1", "likewise, as it is sometimes written"),
        ("TKEPT", None, False, "TKEPT", "it was installed in another process"),
        (None, "EKEPT", True, "EKEPT", "likewise for an organisation, and not the token of the settings"),
        ("T9", "E1", False, "T9", "a workspace without the app is not its neighbour in the organisation"),
        (None, "E9", True, "E9", "an organisation without the app is nobody, not the token of the settings"),
        ("TBROKEN", None, False, "TBROKEN", "what cannot be looked up is nobody's for now"),
    ],
)
async def test_a_payload_is_for_the_installation_that_it_names(
    kept: Kept, team: str | None, enterprise: str | None, of_all: bool, account: str, why: str
) -> None:
    context = AsyncBoltContext({"team_id": team, "enterprise_id": enterprise, "is_enterprise_install": of_all})
    assert kept.homes
    home = await kept.homes.of(context)
    assert home.account == account, why

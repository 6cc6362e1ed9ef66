"""Tokens that end, in the whole service: replaced by one of two processes, used by both, sealed with another key."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.installing import CREDENTIAL
from bot.sealing import Sealer
from core.addresses import Provider
from tests.flows.installed import BEN, BETA, Place, installable, raw_bytes
from tests.flows.rig import eventually, sqlite_at

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")


def renewals(place: Place) -> int:
    """How often Slack was asked to replace a token."""
    calls = place.slack.platform.journal.calls
    return sum(call.method == "oauth.v2.access" and "refresh_token" in call.args for call in calls)


async def test_one_of_two_processes_replaces_a_token_and_both_go_on(tmp_path: Path) -> None:
    database = sqlite_at(tmp_path)
    async with installable(database, processes=2, token_rotation=True, token_seconds=3_600) as place:
        assert (await place.browser().install(await place.invite(), BETA)).status_code == 200
        place.room(BETA, "C0BETA", BEN)
        rig = place.rig()
        async with rig.api:
            await rig.posted((await rig.ask(to="slack:C0BETA", title="Before"))["id"])
            # It ends within two hours, so both want to replace it; the new one lasts longer.
            place.slack.platform.settings = replace(place.slack.platform.settings, token_seconds=43_200)
            await asyncio.gather(*(app.renewal.look() for app in place.apps))
            assert renewals(place) == 1
            place.slack.platform.clock.advance(3_700)  # by now the first token is of no use to anybody
            for app in place.apps:
                await app.kept.look()
                channel = await app.chats.reach("wsp_00000000000000000000000000", Provider.SLACK, BETA)
                assert await channel.place_name("C0BETA") == "#c0beta"
            await rig.posted((await rig.ask(to="slack:C0BETA", title="After"))["id"])
            await place.slack.person(BEN).press("Yes", channel="C0BETA")
    secrets = [one.token for one in place.slack.platform.world.installations.values()]
    secrets += [one.refresh for one in place.slack.platform.world.installations.values() if one.refresh]
    assert len(secrets) == 4
    kept = raw_bytes(database)
    assert all(secret.encode() not in kept for secret in secrets)


async def test_an_installation_without_an_address_gets_it_from_slack(tmp_path: Path) -> None:
    database = sqlite_at(tmp_path)
    async with installable(database) as place:
        await place.browser().install(await place.invite(), BETA)
        there = place.slack.platform.world
        made = await place.app.store.records.installation_at(Provider.SLACK, BETA)
        assert made
        assert made.facts["url"]
        before = replace(made, facts={name: fact for name, fact in made.facts.items() if name != "url"})
        async with place.app.context.work() as work:
            assert await work.keep_facts(before)
            assert not await work.keep_facts(replace(made, generation=made.generation + 1)), "it is another by now"
            await work.commit()
    async with installable(database) as place:
        place.slack.platform.world.installations |= there.installations
        place.slack.platform.world.users |= there.users
        place.room(BETA, "C0BETA", BEN)
        await place.app.kept.look()

        async def learned() -> bool:
            now = await place.app.store.records.installation_at(Provider.SLACK, BETA)
            return now is not None and now.facts == made.facts and now.mark == made.mark

        await eventually(learned)
        rig = place.rig()
        async with rig.api:
            copy = (await rig.posted((await rig.ask(to="slack:C0BETA"))["id"]))["publications"][0]
        channel = place.app.chats.channels[Provider.SLACK, BETA]
        address = channel.message_url(copy["channel"], copy["message"], None)
        assert (address or "").startswith(made.facts["url"])


async def test_a_service_with_another_key_goes_on_and_seals_anew(tmp_path: Path) -> None:
    database = sqlite_at(tmp_path)
    async with installable(database) as place:
        await place.browser().install(await place.invite(), BETA)
        slack = place.slack.platform.world.installations
        before = await place.app.store.records.installation_at(Provider.SLACK, BETA)
    assert before
    keys: dict[str, Any] = {"sayso_secret_key": "n" * 64, "sayso_secret_key_previous": "s" * 64}
    async with installable(database, **keys) as place:
        place.slack.platform.world.installations |= slack
        await place.app.kept.look()
        assert f"slack:{BETA}" not in place.app.chats.problems
        await place.app.renewal.look()
        after = await place.app.store.records.installation_at(Provider.SLACK, BETA)
        assert after
        assert after.sealed != before.sealed
    async with installable(database, sayso_secret_key="n" * 64) as place:
        await place.app.kept.look()
        assert (Provider.SLACK, BETA) in place.app.chats.channels
        # What was sealed with a key that nobody has any more is said, and stops nothing else.
        foreign = Sealer([b"x" * 32]).seal(f"slack:{BETA}", {CREDENTIAL: "xoxb-lost"})
        async with place.app.context.work() as work:
            await work.put_installation(replace(after, sealed=foreign))
            await work.commit()
        await place.app.kept.look()
        assert "SAYSO_SECRET_KEY_PREVIOUS" in place.app.chats.problems[f"slack:{BETA}"]

"""Two processes on PostgreSQL: the app is installed by three at once, its token replaced by one, and it leaves."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from core.addresses import Provider
from tests.flows.installed import BEN, BETA, installable
from tests.flows.rig import eventually

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")


async def test_two_processes_share_what_is_installed(postgres_store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.kept.LOOK", 0.2)
    async with installable(postgres_store_url, processes=2, token_rotation=True, token_seconds=3_600) as place:
        links = [await place.invite(code=f"code-{number}") for number in range(3)]
        done = await asyncio.gather(*(place.browser().install(link, BETA) for link in links))
        assert [one.status_code for one in done] == [200] * 3
        place.room(BETA, "C0BETA", BEN)
        place.slack.platform.settings = replace(place.slack.platform.settings, token_seconds=43_200)
        await asyncio.gather(*(app.renewal.look() for app in place.apps))
        calls = place.slack.platform.journal.calls
        assert sum(one.method == "oauth.v2.access" and "refresh_token" in one.args for one in calls) == 1
        rig = place.rig()
        async with rig.api:
            asked = await rig.ask(to="slack:C0BETA")
            await rig.posted(asked["id"])
            place.slack.request_url = f"http://127.0.0.1:{place.apps[1].settings.sayso_port}/slack/events"
            await place.slack.person(BEN).press("Yes", channel="C0BETA")
            assert (await rig.shown_settled(asked["id"]))["status"] == "answered"
            place.slack.workspace.uninstall(BETA)  # the second process hears of it

            async def known_to_both() -> bool:
                return all(f"{Provider.SLACK.value}:{BETA}" in app.chats.problems for app in place.apps)

            await eventually(known_to_both)
            lost = await rig.ask(to="slack:C0BETA")
            assert (await rig.get(lost["id"], wait=5))["status"] == "undeliverable"


async def test_an_app_that_leaves_is_gone_though_its_new_token_is_not_known_where_that_is_heard(
    postgres_store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.kept.LOOK", 3_600.0)
    async with installable(postgres_store_url, processes=2, token_rotation=True, token_seconds=3_600) as place:
        first, second = place.apps
        await place.browser().install(await place.invite(), BETA)
        await second.kept.look()
        place.slack.platform.settings = replace(place.slack.platform.settings, token_seconds=43_200)
        await first.renewal.look()
        place.slack.request_url = f"http://127.0.0.1:{second.settings.sayso_port}/slack/events"
        place.slack.workspace.uninstall(BETA)

        async def heard() -> bool:
            return f"{Provider.SLACK.value}:{BETA}" in second.chats.problems

        await eventually(heard)
        kept = await first.store.records.installation_at(Provider.SLACK, BETA)
        assert kept is not None
        assert not kept.is_live

"""Two tenants in two Slack workspaces of one app: buttons, threads and addresses of one mean nothing in the other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.startup import WORKSPACE
from tests.flows.installed import BEN, BETA, CID, GAMMA, Place, installable
from tests.flows.rig import KEY, Rig, eventually, sqlite_at

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
OTHER_KEY = "sk_" + "o" * 43


@asynccontextmanager
async def tenants(folder: Path) -> AsyncIterator[tuple[Place, Rig, Rig]]:
    """A tenant in Beta and another in Gamma."""
    async with installable(sqlite_at(folder)) as place:
        other = await place.tenant("wsp_other", OTHER_KEY)
        await place.browser().install(await place.invite(WORKSPACE, "one"), BETA)
        await place.browser().install(await place.invite(other, "two"), GAMMA)
        place.room(BETA, "C0BETA", BEN)
        place.room(GAMMA, "C0GAMMA", CID)
        ours, theirs = place.rig(KEY), place.rig(OTHER_KEY)
        async with ours.api, theirs.api:
            yield place, ours, theirs


async def test_a_button_of_one_tenants_card_is_unknown_in_anothers_slack(tmp_path: Path) -> None:
    async with tenants(tmp_path) as (place, ours, theirs):
        one = await ours.posted((await ours.ask(to="slack:C0BETA"))["id"])
        two = await theirs.posted((await theirs.ask(to="slack:C0GAMMA"))["id"])
        card, theirs_there = (
            rig.slack_message(asked["publications"][0]) for rig, asked in ((ours, one), (theirs, two))
        )
        world = place.slack.platform.world
        world.put_message(replace(theirs_there, blocks=card.blocks))
        pressed = await place.slack.person(CID).press("Yes", channel="C0GAMMA", watch=5)
        assert "do not know this card" in str(pressed.private)
        for rig, asked in ((ours, one), (theirs, two)):
            assert (await rig.get(asked["id"]))["status"] == "pending"
        # Nor does a payload of a workspace in which nobody installed the app: its person is told so.
        sent = place.slack.platform.journal.deliveries[-1].payload
        forged = {**sent, "team": {"id": "T0NEVER", "domain": "never"}, "trigger_id": "1.2.3"}
        assert (await place.slack.deliver(forged)).status == 200
        assert (await ours.get(one["id"]))["status"] == "pending"


async def test_nobody_listens_in_a_thread_of_anothers_slack(tmp_path: Path) -> None:
    async with tenants(tmp_path) as (place, ours, theirs):
        order = await ours.api.post("/v1/loops", json={"to": "slack:C0BETA", "title": "Ours"})
        assert order.status_code == 201
        ben = place.slack.person(BEN)

        async def begun() -> str | None:
            return next((one.ts for one in ben.messages("C0BETA") if "Ours" in one.text), None)

        thread = await eventually(begun)
        for to in (f"slack:{BETA}.C0BETA/{thread}", f"slack:{BETA}.C0BETA", f"slack:{BETA}.{BEN}"):
            for path, body in (
                ("/v1/loops", {"to": to, "title": "Spy"}),
                ("/v1/loops", {"to": "agent:boss", "title": "Spy", "conversation": to}),
                ("/v1/alerts", {"to": to, "severity": "info", "message": "Spy"}),
            ):
                refused = await theirs.api.post(path, json=body)
                assert refused.status_code in (404, 422), (path, to, refused.text)
        spying = await theirs.ask(
            to=[f"slack:{BETA}.C0BETA/{thread}", "review"], audience={"answerers": ["agent:boss"]}
        )
        await ben.write("How far is it? secret words", channel="C0BETA", thread_ts=thread)
        await place.slack.platform.courier.settled()
        heard = await ours.api.get("/v1/events")
        assert "secret words" in heard.text
        assert "secret words" not in (await theirs.api.get("/v1/events")).text
        assert "secret words" not in (await theirs.api.get(f"/v1/interactions/{spying['id']}/receipts")).text
        assert "Spy" not in str(ben.messages("C0BETA", thread))


async def test_a_thread_that_was_claimed_before_its_slack_was_connected_is_not_heard_by_the_claimant(
    tmp_path: Path,
) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        other = await place.tenant("wsp_other", OTHER_KEY)
        await place.browser().install(await place.invite(other, "two"), GAMMA)
        theirs = place.rig(OTHER_KEY)
        async with theirs.api:
            place.room(BETA, "C0BETA", BEN)
            ben = place.slack.person(BEN)
            thread = (await ben.write("Morning", channel="C0BETA")).ts
            claim = {"to": f"slack:{BETA}.C0BETA/{thread}", "title": "Early"}
            early = await theirs.api.post("/v1/loops", json=claim)
            assert early.status_code == 201  # nobody knows yet whose it will be
            await place.browser().install(await place.invite(WORKSPACE, "one"), BETA)
            place.room(BETA, "C0BETA", BEN)
            ours = place.rig(KEY)
            async with ours.api:
                assert (await ours.api.post("/v1/loops", json={**claim, "title": "Ours"})).status_code == 201
                await ben.write("Secret words", channel="C0BETA", thread_ts=thread)
                await place.slack.platform.courier.settled()
                assert "Secret words" in (await ours.api.get("/v1/events")).text
            assert "Secret words" not in (await theirs.api.get("/v1/events")).text
            said = f"/v1/conversations/{early.json()['conversation']['id']}/messages"
            assert "Secret" not in (await theirs.api.get(said)).text

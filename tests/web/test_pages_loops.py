"""The pages of work orders: what is listed for whom, the trail of each, and who does not learn that there is one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.loops import Claim, Decline, LoopAct
from core.loops.asking import Order
from core.use_cases.loops import dispatch, move
from tests.web.visiting import BUILDER, Browser, Stage, staged

CHANNEL = "slack:T1.C0123"


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


async def order(stage: Stage, name: str, *acts: LoopAct, **fields: Any) -> None:
    body = Order.model_validate({"title": f"Title of {name}", "to": CHANNEL, "id": name, **fields})
    await dispatch(stage.context, body, BUILDER)
    for act in acts:
        await move(stage.context, WORKSPACE, name, act, BUILDER)


async def signed_in(stage: Stage, name: str) -> Browser:
    browser = stage.browser()
    await browser.sign_in(name)
    return browser


async def test_an_operator_reads_all_under_the_heading_where_each_belongs(stage: Stage) -> None:
    await order(stage, "wo-1", Claim(), due="45m")
    await order(stage, "wo-2", Decline("The <node> is down"))
    page = (await (await signed_in(stage, "ana")).open("/loops")).text
    before, _, ended = page.partition('<h2 id="ended">')
    assert "/loops/wo-1" in before
    assert "/loops/wo-2" not in before
    assert "/loops/wo-2" in ended
    assert "builder has it" in before
    assert "Due 2 Dec 2026, 10:45 UTC" in before


@pytest.mark.parametrize(
    ("to", "whom"),
    [("person:ben", "ben"), ("agent:builder", "agent builder"), ("slack:T1.C0123", "whoever is there")],
)
async def test_whom_an_order_is_for_is_said_as_people_say_it(stage: Stage, to: str, whom: str) -> None:
    await order(stage, "wo-1", to=to)
    page = (await (await signed_in(stage, "ana")).open("/loops/wo-1")).text
    assert f"wo-1, ordered by agent builder for {whom}" in page
    assert to not in page


async def test_a_page_shows_the_trail_and_escapes_what_others_wrote(stage: Stage) -> None:
    await order(stage, "wo-2", Claim(), Decline("The <node> is down"), body="All <b>of them</b>")
    page = (await (await signed_in(stage, "ana")).open("/loops/wo-2")).text
    for words in ("ordered it", "claimed it", "declined it", "The &lt;node&gt; is down", "All &lt;b&gt;of them"):
        assert words in page
    assert page.index("ordered it") < page.index("claimed it") < page.index("declined it")


@pytest.mark.parametrize(("who", "status"), [("ana", 200), ("ben", 200), ("cleo", 404)])
async def test_members_and_operators_read_and_nobody_else_learns_of_it(stage: Stage, who: str, status: int) -> None:
    """Cleo is in Slack, but not in the channel."""
    await order(stage, "wo-1")
    browser = await signed_in(stage, who)
    assert (await browser.open("/loops/wo-1")).status_code == status
    assert (await browser.open("/loops/wo-9")).status_code == 404


async def test_who_is_named_reads_it_and_has_it_in_the_list_until_and_after_it_ended(stage: Stage) -> None:
    await order(stage, "wo-1", to="person:ben")
    ben, cleo = await signed_in(stage, "ben"), await signed_in(stage, "cleo")
    assert "/loops/wo-1" in (await ben.open("/loops")).text
    assert "/loops/wo-1" not in (await cleo.open("/loops")).text
    await move(stage.context, WORKSPACE, "wo-1", Decline("no"), BUILDER)
    assert "/loops/wo-1" in (await ben.open("/loops")).text.partition('<h2 id="ended">')[2]
    assert (await ben.open("/loops/wo-1")).status_code == 200


async def test_a_member_lists_what_they_had_a_part_in_and_what_is_talked_about_where_they_are(stage: Stage) -> None:
    """Ben takes one and answers it, and is seen there by that; Cleo was never there."""
    await order(stage, "wo-1")
    await order(stage, "wo-2", Claim(), Decline("no"))
    await order(stage, "wo-3", to="person:cleo")
    ben, cleo = await signed_in(stage, "ben"), await signed_in(stage, "cleo")
    for act in ({"do": "claim"}, {"do": "done", "done": "all well"}):
        await ben.open("/loops/wo-1")
        await ben.send("/loops/wo-1", act)
    stage.slack.members.discard("U2")
    ended = (await ben.open("/loops")).text.partition('<h2 id="ended">')[2]
    assert "/loops/wo-1" in ended, "he answered it, wherever he is now"
    assert "/loops/wo-2" not in ended, "he is not in the channel any more"
    stage.slack.members.add("U2")
    async with stage.context.work() as work:
        (person,) = [one for one in await work.people(WORKSPACE) if one.handle == "ben"]
        await work.note_seen(WORKSPACE, person.id, CHANNEL, stage.clock.now())
        await work.commit()
    ended = (await ben.open("/loops")).text.partition('<h2 id="ended">')[2]
    assert "/loops/wo-2" in ended
    assert "/loops/wo-3" not in (await ben.open("/loops")).text
    assert "/loops/wo-1" not in (await cleo.open("/loops")).text


async def test_a_chat_that_cannot_say_is_asked_again_later(stage: Stage) -> None:
    await order(stage, "wo-1")
    ben = await signed_in(stage, "ben")
    stage.slack.away = True
    assert (await ben.open("/loops/wo-1")).status_code == 503


@pytest.mark.parametrize("path", ["/loops", "/loops/wo-1"])
async def test_strangers_sign_in_first_and_come_back(stage: Stage, path: str) -> None:
    await order(stage, "wo-1")
    page = await stage.browser().open(path)
    assert page.url.path == "/signin"
    assert "Title of" not in page.text
    browser = stage.browser()
    assert (await browser.sign_in("ben", to=path)).url.path == path

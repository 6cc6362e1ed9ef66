"""Words to be said again: whoever is there hears of them, and nobody drowns in them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.asking import AskContinuation
from core.loops import Conversation
from core.loops.access import AgentSpeaks
from core.loops.asking import AlertBody, Order
from core.people import Agent
from core.store import Store
from core.tools.limits import CALLS_IN_A_MESSAGE, FOLLOW_UPS_IN_AN_HOUR, FOLLOW_UPS_WAITING
from core.use_cases.alerts import raise_alert
from core.use_cases.loop_places import address
from core.use_cases.loops import dispatch
from tests.stores import opened
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BUILDER, HERE, OTHER_AGENT, SLACK
from tests.use_cases.floor import Floor

HOOK = "https://agent.example/hook"


def create(prompt: str = "look", *, in_m: int = 5) -> str:
    return f'[TOOL followup.create {{"in_m": {in_m}, "prompt": "{prompt}"}}]'


async def among_programs(f: Floor) -> Conversation:
    """A conversation that two programs have, in which nothing was said yet."""
    async with f.b.store.work() as work:
        found = await address(work, f.b.context, HERE, "agent:other", f.b.clock.now(), sender=BUILDER)
        for agent in (BUILDER, OTHER_AGENT):
            await work.join(found.conversation, agent.id, f.b.clock.now())
        await work.commit()
    return found.conversation


@pytest.mark.parametrize("to", ["agent:other", SLACK])
async def test_where_there_is_an_alert_and_no_order_its_agents_hear_of_a_follow_up(f: Floor, to: str) -> None:
    heard = AskContinuation(webhook=HOOK, state={"run": 7})
    body = AlertBody(to=to, severity="high", message="The queue stands", continuation=heard)
    raised, _ = await raise_alert(f.b.context, body, BUILDER)
    await f.deliver()
    async with f.b.store.work() as work:
        where = await work.conversation(HERE, raised["conversation"])
    assert where is not None
    f.heard.clear()
    made = await f.call(BUILDER, where, create("is it moving?"))
    await f.tick(minutes=5)
    type_, data = (await f.events(BUILDER))[-1]
    assert (type_, data["alert"]["id"], data["state"]) == ("loop.followup", raised["id"], {"run": 7})
    assert data["followup"] == {**made["ran"][0]["result"], "state": "done"}
    assert [one.url for one in f.heard] == [HOOK]
    if to != SLACK:
        assert (await f.events(OTHER_AGENT))[-1] == (type_, data)


async def test_a_message_about_an_alert_without_an_order_is_heard_by_its_agents(f: Floor) -> None:
    body = AlertBody(to="agent:other", severity="high", message="The queue stands")
    raised, _ = await raise_alert(f.b.context, body, BUILDER)
    async with f.b.store.work() as work:
        where = await work.conversation(HERE, raised["conversation"])
    assert where is not None
    await f.call(OTHER_AGENT, where, "I am looking at it")
    type_, data = (await f.events(BUILDER))[-1]
    assert (type_, data["alert"]["id"], data["words"]) == ("loop.message", raised["id"], "I am looking at it")


async def test_one_that_nobody_would_hear_is_refused_with_the_reason(f: Floor) -> None:
    where = await among_programs(f)
    said = await f.call(BUILDER, where, create())
    assert said["ran"] == []
    (refusal,) = said["refused"]
    assert refusal.startswith("Nobody would hear a follow-up here")
    assert await f.next_due() is None
    await dispatch(f.b.context, Order(to="agent:other", title="Audit", id="wo-1"), BUILDER)
    loop = await f.loop()
    assert len((await f.call(BUILDER, await f.place(loop), create()))["ran"]) == 1


async def test_one_message_runs_only_so_many_operations_and_one_reply_says_why(f: Floor) -> None:
    loop = await f.order()
    said = await f.call(BUILDER, await f.place(loop), "\n".join([create()] * 90))
    assert len(said["ran"]) == CALLS_IN_A_MESSAGE.most
    assert said["refused"] == [CALLS_IN_A_MESSAGE.words]


async def test_a_person_who_calls_too_often_in_one_message_gets_one_plain_reply(f: Floor) -> None:
    loop = await f.order()
    await f.write(ANA, await f.place(loop), "\n".join([create()] * 90))
    await f.deliver()
    assert [text for text in f.texts if "One message may run at most 10" in text] == [CALLS_IN_A_MESSAGE.words]
    assert len([text for text in f.texts if text.startswith("followup.create")]) == CALLS_IN_A_MESSAGE.most


async def test_only_so_many_wait_in_one_conversation_and_one_that_is_over_makes_room(f: Floor) -> None:
    where = await f.place(await f.order())
    ran = [
        one
        for agent in (BUILDER, BUILDER, OTHER_AGENT)
        for one in (await _joined(f, where, agent, "\n".join([create()] * 10)))["ran"]
    ]
    assert len(ran) == FOLLOW_UPS_WAITING.most
    assert (await f.call(BUILDER, where, create()))["refused"] == [FOLLOW_UPS_WAITING.words]
    first = ran[0]["result"]["id"]
    await f.call(BUILDER, where, f'[TOOL followup.cancel {{"id": "{first}"}}]')
    assert len((await f.call(BUILDER, where, create()))["ran"]) == 1
    elsewhere = await f.place(await f.order("slack:T1.C2", id="wo-2"))
    assert len((await f.call(BUILDER, elsewhere, create()))["ran"]) == 1


async def _joined(f: Floor, where: Conversation, agent: Agent, text: str) -> dict[str, Any]:
    async with f.b.store.work() as work:
        await work.join(where, agent.id, f.b.clock.now())
        await work.commit()
    return await f.call(agent, where, text)


async def test_one_caller_makes_only_so_many_within_an_hour(f: Floor) -> None:
    places = [await f.place(await f.order(f"slack:T1.C{n}", id=f"wo-{n}")) for n in range(1, 5)]
    for where in places[:3]:
        assert len((await f.call(BUILDER, where, "\n".join([create(in_m=600)] * 10)))["ran"]) == 10
    assert (await f.call(BUILDER, places[3], create()))["refused"] == [FOLLOW_UPS_IN_AN_HOUR.words]
    assert len((await _joined(f, places[3], OTHER_AGENT, create()))["ran"]) == 1, "another has made none yet"
    await f.tick(hours=1)
    assert len((await f.call(BUILDER, places[3], create()))["ran"]) == 1


async def test_follow_ups_are_counted_the_same_on_every_database(store_url: str) -> None:
    async with opened(store_url) as store:
        f = Floor(Bench(store))
        await f.b.begin()
        where = await f.place(await f.order())
        await f.call(BUILDER, where, "\n".join([create()] * 3))
        assert await _counted(store, f, where) == (3, 3)
        await f.tick(minutes=5)
        assert await _counted(store, f, where) == (0, 3)
        await f.tick(minutes=56)
        assert await _counted(store, f, where) == (0, 0)


async def _counted(store: Store, f: Floor, where: Conversation) -> tuple[int, int]:
    by = AgentSpeaks(BUILDER, takes_part=True).by
    async with store.work() as work:
        return await work.count_follow_ups(where, by, f.b.clock.now() - timedelta(hours=1))

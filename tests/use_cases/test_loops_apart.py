"""Work that several agents order in one conversation that was there before: each hears what is its own."""

from __future__ import annotations

import pytest

from core.errors import NotFound
from core.loops import Acknowledge, Claim, Loop, LoopAction, Result
from core.loops.asking import AlertBody, AlertOrder
from core.loops.outcomes import LoopState
from core.people import Agent
from core.use_cases.alerts import order_from_alert, raise_alert
from core.use_cases.loops import move
from tests.use_cases.cast import ANA, BUILDER, GROUP, HERE, OTHER_AGENT, SLACK
from tests.use_cases.floor import BOT, Floor

PLACES = ["person:ana", "slack:T1.C1/1712.000001", "telegram:sayso_bot.-100/7"]


async def both(f: Floor, to: str) -> tuple[Loop, Loop]:
    """One order of each of two agents, in one conversation."""
    one = await f.order(to)
    other = await f.order(to, by=OTHER_AGENT, id="wo-2", title="Rotate the key")
    assert one.conversation == other.conversation
    return one, other


async def names(f: Floor, agent: Agent) -> list[str]:
    return [one.loop.name for one in await f.b.store.records.loops(HERE, agent)]


@pytest.mark.parametrize("to", PLACES)
async def test_neither_reads_nor_moves_the_others_work_nor_what_is_said_there(f: Floor, to: str) -> None:
    one, _ = await both(f, to)
    await f.write(ANA, await f.place(one), "[CLAIM wo-2]")
    assert (await names(f, BUILDER), await names(f, OTHER_AGENT)) == (["wo-1"], ["wo-2"])
    assert {data["loop"]["id"] for _, data in await f.events(BUILDER)} == {"wo-1"}
    assert (await f.events(OTHER_AGENT))[-1][0] == "loop.claimed"
    with pytest.raises(NotFound):
        await move(f.b.context, HERE, "wo-2", Claim(), BUILDER)
    heard = await f.call(BUILDER, await f.place(one), "[RESULT wo-2] OK done\n[TOOL loop.list {}]")
    assert (heard["moved"], heard["ran"], len(heard["refused"])) == ([], [], 2)
    assert "I know no work order wo-2 here" in heard["refused"][0]
    assert await f.b.store.records.conversations(HERE, BUILDER) == []


async def test_each_ends_its_own_by_a_sentence(f: Floor) -> None:
    one, _ = await both(f, "person:ana")
    said = await f.call(BUILDER, await f.place(one), "[NO-ACTION wo-1] it recovered")
    assert [(moved["id"], moved["state"]) for moved in said["moved"]] == [("wo-1", "no_action")]
    assert (await f.loop("wo-2")).state is LoopState.OPEN


async def test_words_under_a_card_are_for_whoever_ordered_that_and_others_for_nobody(f: Floor) -> None:
    one, _ = await both(f, "person:ana")
    where = await f.place(one)
    assert one.card is not None
    await f.write(ANA, where, "Which endpoints?", reply_to=one.card.message)
    assert [type_ for type_, _ in await f.events(BUILDER)].count("loop.message") == 1
    await f.write(ANA, where, "By the way, the key is in the safe.", reply_to=None)
    for agent in (BUILDER, OTHER_AGENT):
        assert "the safe" not in str(await f.events(agent))


async def test_what_is_kept_for_agents_waits_for_one_who_may_hear_it(f: Floor) -> None:
    one, _ = await both(f, "person:ana")
    where = await f.place(one)
    await f.write(ANA, where, "[Directive: the key is in the safe]", reply_to=None)
    await f.submit(ANA, one, LoopAction.DONE, "all well")
    assert "the safe" not in str(await f.events(BUILDER))
    await f.submit(ANA, await f.loop("wo-2"), LoopAction.DONE, "rotated")
    assert (await f.events(OTHER_AGENT))[-1][1]["context"]["directives"] == ["the key is in the safe"]


async def test_an_agent_whose_bot_speaks_there_hears_all_of_it(f: Floor) -> None:
    one, _ = await both(f, "slack:T1.C1/1712.000001")
    await f.link(BUILDER)
    await f.write(BOT, await f.place(one), "[ACK wo-2]")
    assert sorted(await names(f, BUILDER)) == ["wo-1", "wo-2"]
    assert await names(f, OTHER_AGENT) == ["wo-2"]


async def test_where_a_conversation_begins_with_an_order_its_agent_takes_part(f: Floor) -> None:
    for number, to in enumerate((SLACK, GROUP), 1):
        loop = await f.order(to, id=f"wo-{number}")
        async with f.b.store.work() as work:
            assert await work.takes_part(loop.conversation, BUILDER.id)


async def test_whoever_raised_an_alert_in_somebodys_chat_reads_it_and_nobody_elses(f: Floor) -> None:
    await both(f, "person:ana")
    body = AlertBody.model_validate({"to": "person:ana", "severity": "info", "message": "The queue stands."})
    raised, _ = await raise_alert(f.b.context, body, BUILDER)
    await raise_alert(f.b.context, body.model_copy(update={"message": "Another one."}), OTHER_AGENT)
    (listed,) = await f.b.store.records.alerts(HERE, BUILDER)
    assert (listed.id, listed.message) == (raised["id"], "The queue stands.")
    assert "Another one." not in str(await f.events(BUILDER))
    with pytest.raises(NotFound):
        await order_from_alert(f.b.context, raised["id"], AlertOrder(), OTHER_AGENT)
    assert (await order_from_alert(f.b.context, raised["id"], AlertOrder(), BUILDER))["alert"] == raised["id"]


@pytest.mark.parametrize("to", ["person:ana", "slack:T1.C1/1700.000001"])
async def test_with_its_end_an_order_opens_nothing_more_of_what_is_said_there(f: Floor, to: str) -> None:
    one = await f.order(to)
    where = await f.place(one)
    await f.write(ANA, where, "On it.\n[Directive: be quick]")
    await f.submit(ANA, one, LoopAction.DONE, "all well")
    closed = (await f.events(BUILDER))[-1]
    assert (closed[0], "On it." in str(await f.events(BUILDER))) == ("loop.closed", True)
    f.b.clock.move(seconds=1)
    await f.write(ANA, where, "By the way, the key is in the safe.\n[Directive: open the safe]")
    f.b.clock.move(seconds=1)
    await f.order(to, id="wo-2")
    await f.submit(ANA, await f.loop("wo-2"), LoopAction.DONE, "this too")
    assert "safe" not in str(await f.events(BUILDER))


async def test_an_alert_in_somebodys_chat_opens_nothing_of_what_is_said_there(f: Floor) -> None:
    body = AlertBody.model_validate({"to": "person:ana", "severity": "info", "message": "The queue stands."})
    await raise_alert(f.b.context, body, BUILDER)
    await f.deliver()
    where = (await f.b.store.records.conversations(HERE, None))[0]
    await f.write(ANA, where, "By the way, the key is in the safe.")
    assert "safe" not in str(await f.events(BUILDER))


async def test_a_follow_up_of_somebody_else_is_not_told_to_whose_order_has_ended(f: Floor) -> None:
    one = await f.order("person:ana")
    where = await f.place(one)
    await f.submit(ANA, one, LoopAction.DONE, "all well")
    await f.write(ANA, where, '[TOOL followup.create {"in_m": 5, "prompt": "look into the safe"}]')
    await f.tick(minutes=5)
    assert "Follow-up: look into the safe" in f.texts
    assert "safe" not in str(await f.events(BUILDER))


async def test_an_agent_that_names_itself_where_it_only_ordered_reads_no_more_for_it(f: Floor) -> None:
    one = await f.order("person:ana")
    where = await f.place(one)
    await f.write(ANA, where, "The key is in the safe.")
    await f.order("person:ana", by=OTHER_AGENT, id="wo-2")
    await f.order("agent:other", by=OTHER_AGENT, id="wo-3", conversation=where.id)
    for act in (Acknowledge(), Claim(), Result("done")):
        await move(f.b.context, HERE, "wo-3", act, OTHER_AGENT)
    assert await f.b.store.records.conversation(HERE, where.id, OTHER_AGENT) is None
    assert sorted(await names(f, OTHER_AGENT)) == ["wo-2", "wo-3"]


async def test_an_agent_that_is_named_by_one_who_takes_part_takes_part_as_well(f: Floor) -> None:
    one = await f.order(SLACK)
    await f.order("agent:other", id="wo-2", conversation=one.conversation)
    assert sorted(await names(f, OTHER_AGENT)) == ["wo-1", "wo-2"]

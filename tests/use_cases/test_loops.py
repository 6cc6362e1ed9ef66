"""Work orders: every verb by every door, one winner, repeats, ends and slots."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from core.errors import Invalid, LoopEnded, LoopTaken
from core.loops import (
    Acknowledge,
    Claim,
    Decline,
    LoopAct,
    LoopAction,
    LoopState,
    NoAction,
    Result,
)
from core.loops.replies import OpenLoopForm
from core.replies import Saved, Told, Wrong
from core.sentences.values import Status
from core.use_cases.loops import move
from core.use_cases.settings import set_times
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE, OPAL, OTHER_AGENT
from tests.use_cases.floor import BOT, Floor

WORKER = OTHER_AGENT


async def by_press(f: Floor, act: LoopAct) -> Any:
    loop = await f.loop()
    match act:
        case Acknowledge():
            return await f.press(ANA, loop, LoopAction.ACKNOWLEDGE)
        case Claim():
            return await f.press(ANA, loop, LoopAction.CLAIM)
        case Result():
            opened = await f.press(ANA, loop, LoopAction.DONE)
            assert isinstance(opened, OpenLoopForm)
            return await f.submit(ANA, loop, LoopAction.DONE, f"OK {act.summary}")
        case Decline():
            return await f.submit(ANA, loop, LoopAction.DECLINE, act.reason)
        case NoAction():
            return await f.submit(ANA, loop, LoopAction.NO_ACTION, act.reason)
        case _:
            raise AssertionError(act)


SENTENCES: dict[str, str] = {
    "ack": "[ACK:wo-1] [from 646]",
    "claim": "[CLAIM wo-1]",
    "result": "[RESULT wo-1] OK 14 operations are healthy",
    "decline": "[DECLINE wo-1] the node is down",
    "no_action": "[NO-ACTION wo-1] it recovered",
}


async def by_sentence(f: Floor, act: LoopAct) -> Any:
    return await f.write(ANA, await f.place(await f.loop()), SENTENCES[act.name.value])


async def by_linked_bot(f: Floor, act: LoopAct) -> Any:
    await f.link(WORKER)
    return await f.write(BOT, await f.place(await f.loop()), SENTENCES[act.name.value])


async def by_call(f: Floor, act: LoopAct) -> Any:
    return await move(f.b.context, HERE, "wo-1", act, BUILDER)


async def by_saying(f: Floor, act: LoopAct) -> Any:
    return await f.call(BUILDER, await f.place(await f.loop()), SENTENCES[act.name.value])


DOORS = [by_press, by_sentence, by_linked_bot, by_call, by_saying]
ACTS: list[tuple[LoopAct, LoopState, str]] = [
    (Acknowledge(), LoopState.ACKNOWLEDGED, "loop.acknowledged"),
    (Claim(), LoopState.CLAIMED, "loop.claimed"),
    (Result("14 operations are healthy", Status.OK), LoopState.CLOSED, "loop.closed"),
    (Decline("the node is down"), LoopState.DECLINED, "loop.declined"),
    (NoAction("it recovered"), LoopState.NO_ACTION, "loop.no_action"),
]


@pytest.mark.parametrize("door", DOORS, ids=lambda one: one.__name__)
@pytest.mark.parametrize(("act", "state", "event"), ACTS, ids=lambda one: getattr(one, "name", None))
async def test_every_verb_does_the_same_by_every_door(
    f: Floor, door: Callable[[Floor, LoopAct], Awaitable[Any]], act: LoopAct, state: LoopState, event: str
) -> None:
    await f.order(continuation={"webhook": "https://agent.example/hook", "state": {"n": 1}})
    await door(f, act)
    await f.deliver()
    loop = await f.loop()
    assert loop.state is state
    assert await f.types() == ["opened", state.value]
    last_type, last = (await f.events())[-1]
    assert (last_type, last["state"], last["loop"]["state"]) == (event, {"n": 1}, state.value)
    assert [one.url for one in f.heard] == ["https://agent.example/hook"]
    assert f.redrawn == [state.value]
    if isinstance(act, Result):
        assert loop.outcome is not None
        assert (loop.outcome.result, loop.outcome.summary) == (Status.OK, act.summary)
    if isinstance(act, Decline | NoAction):
        assert loop.outcome is not None
        assert loop.outcome.reason == act.reason


@pytest.mark.parametrize(("act", "said"), [(act, SENTENCES[act.name.value]) for act, _, _ in ACTS])
async def test_a_press_or_a_call_shows_the_sentence_in_the_thread_and_a_sentence_is_not_said_again(
    f: Floor, act: LoopAct, said: str
) -> None:
    loop = await f.order()
    assert loop.card is not None
    await by_press(f, act)
    await f.deliver()
    where = f"C1/{loop.card.message}"
    assert (where, said.replace("646", "ana")) in f.said
    f.said.clear()
    await f.order(id="wo-2")
    await f.write(ANA, await f.place(await f.loop("wo-2")), said.replace("wo-1", "wo-2"))
    await f.deliver()
    assert [text for text in f.texts if text.startswith("[")] == []


async def test_the_card_carries_the_order_as_a_sentence_and_how_to_reply(f: Floor) -> None:
    await f.order(body="Check all.", priority="high", due="45m")
    (sentences,) = f.asked
    assert sentences.splitlines() == [
        "[WO:wo-1] [from builder] [priority high] [due 2026-12-02T14:50:00Z] Audit the endpoints — Check all.",
        "Reply: [ACK wo-1] seen | [CLAIM wo-1] mine | [RESULT wo-1] done | [DECLINE wo-1] | [NO-ACTION wo-1].",
    ]


async def test_a_second_claim_is_told_since_when_in_their_own_zone(f: Floor) -> None:
    loop = await f.order()
    await set_times(f.b.context, HERE, BEN.id, "Asia/Tokyo", None)
    await f.press(ANA, loop, LoopAction.CLAIM)
    told = await f.press(BEN, loop, LoopAction.CLAIM)
    assert told == Told("Ana has wo-1 since 2 Dec 2026, 23:05 JST. Nothing has changed.")


async def test_a_second_claim_is_told_who_has_it(f: Floor) -> None:
    loop = await f.order()
    assert await f.press(ANA, loop, LoopAction.CLAIM) == Saved("wo-1 is yours.")
    told = await f.press(BEN, loop, LoopAction.CLAIM)
    assert told == Told("Ana has wo-1 since 2 Dec 2026, 14:05 UTC. Nothing has changed.")
    await f.write(BEN, await f.place(loop), "[CLAIM wo-1]")
    await f.deliver()
    assert f.texts[-1] == told.text
    with pytest.raises(LoopTaken) as taken:
        await move(f.b.context, HERE, "wo-1", Claim(), BUILDER)
    assert taken.value.holder.by.handle == "ana"
    assert await f.types() == ["opened", "claimed"]


@pytest.mark.parametrize("act", [act for act, _, _ in ACTS], ids=lambda one: one.name)
async def test_the_same_once_more_is_the_first_receipt_again(f: Floor, act: LoopAct) -> None:
    await f.order()
    first = await move(f.b.context, HERE, "wo-1", act, BUILDER)
    events = len(await f.events())
    again = await move(f.b.context, HERE, "wo-1", act, BUILDER)
    assert (again.receipt, again.repeated, first.repeated) == (first.receipt, True, False)
    assert len(await f.receipts()) == 2
    assert len(await f.events()) == events


@pytest.mark.parametrize("act", [act for act, _, _ in ACTS], ids=lambda one: one.name)
async def test_an_ended_loop_answers_with_who_ended_it_and_when(f: Floor, act: LoopAct) -> None:
    loop = await f.order()
    await f.submit(ANA, loop, LoopAction.DONE, "all good")
    f.b.clock.move(minutes=5)
    with pytest.raises(LoopEnded, match=r"^wo-1 was closed by Ana at 2 Dec 2026, 14:05 UTC\. Nothing has changed\.$"):
        await move(f.b.context, HERE, "wo-1", act, BUILDER)
    reply = await by_press(f, act) if not isinstance(act, Result) else await f.press(ANA, loop, LoopAction.DONE)
    assert isinstance(reply, Told)
    assert "closed by Ana" in reply.text
    assert await f.types() == ["opened", "closed"]


@pytest.mark.parametrize(
    ("act", "pointer"),
    [(Decline("  "), "/reason"), (NoAction(""), "/reason"), (Result(""), "/summary"), (Claim(2), "/slot")],
)
async def test_what_is_missing_is_pointed_at(f: Floor, act: LoopAct, pointer: str) -> None:
    await f.order()
    with pytest.raises(Invalid) as refused:
        await move(f.b.context, HERE, "wo-1", act, BUILDER)
    assert [one.pointer for one in refused.value.faults] == [pointer]
    assert (await f.loop()).state is LoopState.OPEN


async def test_a_form_without_words_stays_open(f: Floor) -> None:
    loop = await f.order()
    reply = await f.submit(ANA, loop, LoopAction.DECLINE, " ")
    assert isinstance(reply, Wrong)
    assert reply.fields == ("reason",)


async def test_only_whoever_has_it_the_sender_and_operators_refuse_claimed_work(f: Floor) -> None:
    loop = await f.order()
    await f.press(ANA, loop, LoopAction.CLAIM)
    refused = await f.submit(BEN, loop, LoopAction.DECLINE, "no")
    assert isinstance(refused, Told)
    assert refused.text.startswith("Ana has wo-1")
    assert await f.submit(OPAL, loop, LoopAction.DECLINE, "no") == Saved("wo-1 is declined.")


async def test_a_result_ends_it_from_any_open_state_whoever_gives_it(f: Floor) -> None:
    loop = await f.order()
    await f.press(ANA, loop, LoopAction.CLAIM)
    await f.write(BEN, await f.place(loop), "[RESULT wo-1] DONE I was faster")
    after = await f.loop()
    assert after.outcome is not None
    assert (after.state, after.outcome.by.handle) == (LoopState.CLOSED, "ben")


async def test_slots_are_claimed_and_finished_one_by_one_and_the_last_ends_it(f: Floor) -> None:
    loop = await f.order(slots=2)
    where = await f.place(loop)
    await f.write(ANA, where, "[CLAIM wo-1/2]")
    await f.press(BEN, loop, LoopAction.CLAIM)  # the first free one
    assert [(slot.number, slot.claimed and slot.claimed.by.handle) for slot in (await f.loop()).slots] == [
        (1, "ben"),
        (2, "ana"),
    ]
    await f.write(OPAL, where, "[CLAIM wo-1/2] [CLAIM wo-1/3] [CLAIM wo-1]")
    await f.deliver()
    assert f.texts[-1].splitlines() == [
        "Ana has Slot 2 of wo-1 since 2 Dec 2026, 14:05 UTC. Nothing has changed.",
        "wo-1 has no slot 3; its slots are 1, 2",
        "No slot of wo-1 is free (1: Ben, 2: Ana). Nothing has changed.",
    ]
    await f.write(ANA, where, "[RESULT wo-1] OK mine")  # she has one
    assert (await f.loop()).state is LoopState.CLAIMED
    await f.write(BEN, where, "[DECLINE wo-1/1] too much")
    shared = await f.loop()
    assert (shared.slots[0].claimed, shared.state) == (None, LoopState.CLAIMED)
    assert shared.claimed is not None
    assert shared.claimed.by.handle == "ana", "whoever gave their share back has none of it"
    await f.write(OPAL, where, "[CLAIM wo-1/1]\n[RESULT wo-1/1] FAIL no access")
    closed = await f.loop()
    assert closed.outcome is not None
    assert (closed.state, closed.outcome.result) == (LoopState.CLOSED, Status.PARTIAL)
    assert closed.outcome.summary == "1: FAIL no access\n2: OK mine"
    assert await f.types() == ["opened", "claimed", "claimed", "slot_done", "slot_freed", "claimed", "closed"]


async def test_with_the_last_share_given_back_nobody_has_the_work(f: Floor) -> None:
    loop = await f.order(slots=2)
    await f.press(ANA, loop, LoopAction.CLAIM)
    await f.press(BEN, loop, LoopAction.CLAIM)
    for who, slot in ((ANA, 1), (BEN, 2)):
        await f.submit(who, loop, LoopAction.DECLINE, "no time", slot)
    free = await f.loop()
    assert (free.state, free.claimed, len(free.free_slots)) == (LoopState.ACKNOWLEDGED, None, 2)
    assert await f.press(OPAL, loop, LoopAction.CLAIM) == Saved("Slot 1 of wo-1 is yours; 1 of 2 are free.")
    taken = await f.loop()
    assert taken.claimed is not None
    assert (taken.state, taken.claimed.by.handle) == (LoopState.CLAIMED, "opal")


async def test_who_claims_the_next_slot_is_told_which_one_and_how_many_are_left(f: Floor) -> None:
    loop = await f.order(slots=3)
    assert await f.press(ANA, loop, LoopAction.CLAIM) == Saved("Slot 1 of wo-1 is yours; 2 of 3 are free.")
    again = await f.press(ANA, loop, LoopAction.CLAIM)
    assert again == Saved("Slot 1 of wo-1 is yours; 2 of 3 are free.", unseen=True)
    certain = await f.press(ANA, loop, LoopAction.CLAIM, 3)
    assert certain == Saved("Slot 3 of wo-1 is yours; 1 of 3 are free.")
    assert await f.press(BEN, loop, LoopAction.CLAIM) == Saved("Slot 2 of wo-1 is yours; 0 of 3 are free.")
    told = await f.press(OPAL, loop, LoopAction.CLAIM)
    assert told == Told("No slot of wo-1 is free (1: Ana, 2: Ben, 3: Ana). Nothing has changed.")
    assert await f.submit(BEN, loop, LoopAction.DONE, "OK mine") == Saved("The result of wo-1/2 is kept.")
    await f.deliver()
    assert [text for text in f.texts if "CLAIM" in text] == ["[CLAIM wo-1/1]", "[CLAIM wo-1/3]", "[CLAIM wo-1/2]"]

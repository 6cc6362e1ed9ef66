"""Work orders: where they go, who may move them, what is refused, and how they are ordered again."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import IdempotencyConflict, Invalid, NotFound
from core.loops import (
    Acknowledge,
    Claim,
    LoopAction,
    LoopState,
)
from core.loops.asking import Order
from core.people import Agent, AgentRole, Identity, Person, Standing
from core.replies import Quiet, Saved, Told
from core.use_cases.loops import dispatch, move
from tests.rules.making import NOW
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP, HERE, OTHER_AGENT, PRIVATE
from tests.use_cases.floor import BOT, Floor

WORKER = OTHER_AGENT


async def test_on_a_chat_without_forms_words_are_asked_for_and_taken_from_the_presser_alone(f: Floor) -> None:
    loop = await f.order(GROUP)
    where = await f.place(loop)
    assert await f.press(ANA, loop, LoopAction.DECLINE) == Told("Reply to my message with your words.")
    await f.deliver()
    ((task, message),) = f.prompts
    assert (task.person, task.reply_to) == ("per_ana", loop.card and loop.card.message)
    other = await f.write(BEN, where, "because", reply_to=message)
    assert other == Told("This prompt waits for someone else's words, so yours were not counted.")
    long = await f.write(ANA, where, "x" * 4_096, reply_to=message)
    assert isinstance(long, Told)
    assert long.text.startswith("This is too long")
    assert await f.write(ANA, where, "the node is down", reply_to=message) == Saved("wo-1 is declined.")
    assert (await f.loop()).state is LoopState.DECLINED


async def test_in_a_one_to_one_chat_everything_said_is_heard(f: Floor) -> None:
    loop = await f.order(PRIVATE)
    await f.write(ANA, await f.place(loop), "[ACK wo-1]", reply_to=None)
    assert (await f.loop()).state is LoopState.ACKNOWLEDGED


async def test_an_order_to_a_person_goes_to_their_chat_and_its_thread_is_theirs(f: Floor) -> None:
    loop = await f.order("person:ana")
    assert loop.card is not None
    assert (loop.recipient, loop.card.place, loop.card.channel) == ("person:ana", "U1", "D1")
    assert await f.press(ANA, loop, LoopAction.ACKNOWLEDGE) == Saved("wo-1 is acknowledged.")
    again = await f.order("person:ana", id="wo-2")
    assert again.conversation == loop.conversation


async def test_an_order_between_programs_needs_no_chat_and_nobody_else_reads_it(f: Floor) -> None:
    loop = await f.order("agent:other")
    assert loop.card is None
    moved = await move(f.b.context, HERE, "wo-1", Claim(), WORKER)
    assert moved.loop.state is LoopState.CLAIMED
    said = await f.call(WORKER, await f.place(loop), "[RESULT wo-1] OK done")
    assert said["moved"][0]["state"] == "closed"
    third = Agent(id="agt_3", workspace=HERE, name="third")
    async with f.b.store.work() as work:
        await work.add_agent(third, "hash-3", "whsec_3", NOW)
        await work.commit()
    with pytest.raises(NotFound):
        await move(f.b.context, HERE, "wo-1", Acknowledge(), third)
    with pytest.raises(NotFound):
        await f.call(third, await f.place(loop), "[ACK wo-1]")
    records = f.b.store.records
    assert await records.loop(HERE, "wo-1", third) is None
    assert [one.loop.name for one in await records.loops(HERE, WORKER)] == ["wo-1"]
    assert [type_ for type_, _ in await f.events(third)] == []
    assert [type_ for type_, _ in await f.events(WORKER)] == ["loop.opened", "loop.claimed", "loop.closed"]
    boss = Agent(id="agt_9", workspace=HERE, name="boss", role=AgentRole.OPERATOR)
    assert await records.loop(HERE, "wo-1", boss) is not None


GUEST = Standing(name="Gus", guest=True)
NOBODY = Person(
    id="per_nobody", workspace=HERE, handle="nobody", name="Nobody",
    identities=(Identity(provider="slack", account="T1", user="U99"),),
)  # fmt: skip


@pytest.mark.parametrize(
    ("who", "standing", "moves"),
    [
        (NOBODY, Standing(name="New"), True),  # a member whom nobody added
        (NOBODY, GUEST, False),  # a guest
        (NOBODY, Standing(external=True), False),  # of another workspace
        (ANA, GUEST, True),  # a guest whom an operator has added
        (ANA, Standing(deleted=True), False),
        (ANA, Standing(known=False), False),  # the provider cannot say
        (NOBODY, Standing(anonymous=True), False),
    ],
)
async def test_who_may_move_a_loop_is_judged_by_what_the_provider_says_now(
    f: Floor, who: Person, standing: Standing, moves: bool
) -> None:
    loop = await f.order()
    await f.press(who, loop, LoopAction.ACKNOWLEDGE, standing=standing)
    assert ((await f.loop()).state is LoopState.ACKNOWLEDGED) is moves
    await f.order(id="wo-2")
    await f.write(who, await f.place(await f.loop("wo-2")), "[ACK wo-2] [from opal]", standing=standing)
    assert ((await f.loop("wo-2")).state is LoopState.ACKNOWLEDGED) is moves


async def test_a_bot_that_no_operator_linked_is_not_heard_and_nothing_of_it_is_kept(f: Floor) -> None:
    loop = await f.order()
    where = await f.place(loop)
    assert await f.write(BOT, where, "[RESULT wo-1] OK [from ana]") == Quiet()
    assert (await f.loop()).state is LoopState.OPEN
    assert [one for one in await f.b.store.records.sayings(HERE, where.id) if not one.ours] == []


async def test_chatter_elsewhere_is_neither_read_nor_kept_nor_answered(f: Floor) -> None:
    loop = await f.order()
    where = await f.place(loop)
    for changes in ({"thread": None, "reply_to": None}, {"thread": "9.9", "reply_to": "9.9"}, {"channel": "C2"}):
        assert await f.write(ANA, where, "[ACK wo-1] and [ACK nothing]", **changes) is None
    await f.deliver()
    assert f.said == []
    assert (await f.loop()).state is LoopState.OPEN
    async with f.b.store.engine.connect() as connection:
        kept = await connection.exec_driver_sql("SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM sayings)")
        assert kept.scalar_one() == 0


async def test_a_press_on_another_message_is_refused(f: Floor) -> None:
    loop = await f.order()
    reply = await f.press(ANA, loop, LoopAction.ACKNOWLEDGE, channel="C2")
    assert reply == Told("This control belongs to another message, so nothing was done.")
    gone = await f.press(ANA, loop.model_copy(update={"id": "lop_" + "0" * 26}), LoopAction.ACKNOWLEDGE)
    assert gone == Told("I do not know this work order, so nothing was done.")


async def test_a_redelivered_press_changes_nothing_and_is_told_the_same(f: Floor) -> None:
    loop = await f.order()
    first = await f.press(ANA, loop, LoopAction.CLAIM, key="once")
    assert await f.press(ANA, loop, LoopAction.CLAIM, key="once") == first
    assert await f.types() == ["opened", "claimed"]


async def test_the_same_request_once_more_is_the_first_answer_again(f: Floor) -> None:
    order = Order(to="slack:T1.C1", title="Audit")
    first = await dispatch(f.b.context, order, BUILDER, ("key", "sha256:1"))
    again = await dispatch(f.b.context, order, BUILDER, ("key", "sha256:1"))
    assert (again.snapshot, again.replayed) == (first.snapshot, True)
    with pytest.raises(IdempotencyConflict):
        await dispatch(f.b.context, order, BUILDER, ("key", "sha256:2"))


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"id": "wo-1"}, "/id"),  # taken
        ({"to": "review"}, "/to"),
        ({"to": "agent:nobody"}, "/to"),
        ({"to": "person:nobody"}, "/to"),
        ({"due": "yesterday"}, "/due"),
        ({"due": "2026-12-02T14:05:00Z"}, "/due"),  # it is that now
        ({"due": "2026-12-02T15:05:00"}, "/due"),  # where?
        ({"parent": "nothing"}, "/parent"),
        ({"alert": "alr_0"}, "/alert"),
    ],
)
async def test_an_order_that_cannot_be_is_refused_with_a_pointer(
    f: Floor, fields: dict[str, Any], pointer: str
) -> None:
    await f.order()
    with pytest.raises(Invalid) as refused:
        await f.order(**{"id": "wo-2", **fields})
    assert [one.pointer for one in refused.value.faults] == [pointer]


async def test_names_that_nobody_chose_differ(f: Floor) -> None:
    made = [await dispatch(f.b.context, Order(to="slack:T1.C1", title="Audit"), BUILDER) for _ in range(3)]
    assert len({one.snapshot["id"] for one in made}) == 3


async def test_an_update_named_after_anothers_work_is_not_passed_on_to_where_that_came_from(f: Floor) -> None:
    await f.order()
    await f.order("person:ben", id="child", parent="wo-1")
    own = await f.order("agent:builder", id="mine", by=OTHER_AGENT)
    f.said.clear()
    update = "[SUBAGENT-UPDATE] Subagent 'Everybody is dismissed' (child) has posted new output."
    await f.call(OTHER_AGENT, await f.place(own), update)
    await f.deliver()
    assert f.said == []
    assert [data["loop"]["id"] for type_, data in await f.events() if type_ == "loop.message"] == ["mine"]


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("person:nobody", "there is nobody with the handle nobody"),
        ("agent:nobody", "there is no agent called nobody"),
        ("review", "work is done by somebody"),
        ("slack:T1.C2", "another place than the conversation"),
        ("telegram:-100", "another place than the conversation"),
    ],
)
async def test_whom_an_order_is_for_is_checked_in_a_conversation_that_is_there_too(f: Floor, to: str, why: str) -> None:
    place = (await f.order()).conversation
    with pytest.raises(Invalid, match=why) as refused:
        await f.order(to, id="wo-2", conversation=place)
    assert [fault.pointer for fault in refused.value.faults] == ["/to"]


async def test_an_order_in_a_conversation_is_for_somebody_there_or_for_all_of_it(f: Floor) -> None:
    place = (await f.order()).conversation
    for number, (to, kept) in enumerate([("person:ben", "person:ben"), ("slack:C1", "slack:T1.C1")], 2):
        assert (await f.order(to, id=f"wo-{number}", conversation=place)).recipient == kept

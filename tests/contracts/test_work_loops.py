"""The contract of `core.loops.keeping.LoopWork`: loops under locks, where they are talked about, what is kept there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from core.addresses import Provider
from core.errors import Raced
from core.loops import Acknowledge, Loop, LoopAction, LoopState, decide
from core.loops.places import FollowUpState, LoopPrompt
from core.people import Identity
from core.ports import Work
from core.store import Store
from tests.chains import first_break
from tests.rules.making import NOW, stamp
from tests.store.making import ANA, BEN, BUILDER, HERE, OPERATOR, SOON, forget_all, settle_in
from tests.store.ordering import alert, directive, follow_up, moved, order, place, said, shown

BOT = Identity(provider="slack", account="T1", user="B1")


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)
    async with store.work() as work:
        await work.add_conversation(place())
        await work.commit()


async def do(store: Store, inner: Callable[[Work], Awaitable[Any]]) -> Any:
    async with store.work() as work:
        result = await inner(work)
        await work.commit()
        return result


async def keep(store: Store, *loops: Loop) -> None:
    async with store.work() as work:
        for loop in loops:
            await work.add_loop(loop)
        await work.commit()


async def test_a_loop_is_found_by_id_by_name_and_by_its_card(store: Store) -> None:
    whole = order(card=shown(), priority="high", due_at=SOON, sender_label="super", parent="wo-0", body="Please.")
    await keep(store, whole)
    assert await do(store, lambda work: work.loop(HERE, whole.id)) == whole
    assert await do(store, lambda work: work.loop_named(HERE, "wo-1")) == whole
    assert await do(store, lambda work: work.loop_at("slack", "T1", "C1", "1712.5")) == whole
    assert await do(store, lambda work: work.loop_named("wsp_2", "wo-1")) is None
    assert await do(store, lambda work: work.loop("wsp_2", whole.id)) is None
    assert await do(store, lambda work: work.loop_at("telegram", "T1", "C1", "1712.5")) is None


async def test_a_name_is_taken_once_in_a_workspace(store: Store) -> None:
    await keep(store, order(1))
    with pytest.raises(Raced):
        await keep(store, order(2, name="wo-1"))


async def test_a_loop_is_written_only_from_what_was_read(store: Store) -> None:
    before = order()
    await keep(store, before)
    after = decide(before, Acknowledge(), stamp()).after
    await do(store, lambda work: work.save_loop(before, after))
    assert await do(store, lambda work: work.loop(HERE, before.id)) == after
    with pytest.raises(Raced):
        await do(store, lambda work: work.save_loop(before, after))
    with pytest.raises(ValueError, match="no successor"):
        await do(store, lambda work: work.save_loop(after, before))


async def test_the_receipts_of_a_loop_are_a_chain_that_nobody_changes(store: Store) -> None:
    await keep(store, order(1), order(2))
    async with store.work() as work:
        for id, loop in (("rcp_1", order(1)), ("rcp_2", order(2)), ("rcp_3", order(1))):
            await work.record_loop(moved(id), loop.id)
        await work.commit()
    chain = await do(store, lambda work: work.loop_receipts(order(1).id))
    assert [(one.id, one.seq) for one in chain] == [("rcp_1", 1), ("rcp_3", 2)]
    assert first_break(chain) is None
    assert await store.records.loop_receipts(HERE, "wo-1") == chain
    for statement in ("DELETE FROM loop_receipts", "UPDATE loop_receipts SET type = 'closed'"):
        async with store.engine.connect() as connection:
            with pytest.raises(DBAPIError, match="append-only"):
                await connection.execute(text(statement))
    with pytest.raises(LookupError):
        await do(store, lambda work: work.record_loop(moved("rcp_9"), "lop_9"))


async def test_the_loops_of_a_conversation_are_listed_newest_first(store: Store) -> None:
    await do(store, lambda work: work.add_conversation(place(2)))
    await keep(store, order(1), order(2, state=LoopState.NO_ACTION), order(3), order(4, conversation=place(2).id))
    listed = await do(store, lambda work: work.loops_in(place().id))
    assert [one.name for one in listed] == ["wo-3", "wo-2", "wo-1"]
    still = await do(store, lambda work: work.loops_in(place().id, open_only=True, limit=1))
    assert [one.name for one in still] == ["wo-3"]


CHANNEL, TOPIC, DIRECT = ("slack", "T1", "C1"), ("telegram", "bot", "-100"), ("slack", "T1", "D9")
PLACES = [
    place(1),
    place(3, place="U7", channel="D9", thread=None),
    place(4, provider="telegram", account="bot", place="-100", thread="7"),
    place(5, provider="telegram", account="bot", place="-100", thread=None, whole=False, root="30"),
    place(6, place="C6", thread=None, whole=False),
]


@pytest.mark.parametrize(
    ("where", "thread", "reply_to", "found"),
    [
        (CHANNEL, "1712.0001", None, 1),  # in the thread
        (CHANNEL, "1712.0001", "1712.0001", 1),
        (CHANNEL, None, None, None),  # beside it
        (CHANNEL, "1800.1", "1800.1", None),  # in another one
        (DIRECT, None, None, 3),  # a one-to-one chat is a conversation as a whole, wherever it was addressed
        (DIRECT, "1900.1", "1900.1", 3),
        (("slack", "T1", "U7"), None, None, 3),
        (("slack", "T2", "D9"), None, None, None),  # another team's
        (TOPIC, "7", None, 4),
        (TOPIC, None, None, None),  # a group's chatter
        (TOPIC, None, "30", 5),  # a reply to where it began
        (TOPIC, None, "31", 5),  # a reply to what was said there
        (TOPIC, None, "32", None),  # a reply to anything else
        (("slack", "T1", "C6"), None, None, None),  # it begins with a message that is not there yet
        (("slack", "T1", "C6"), "1712.5", "1712.5", 6),  # a thread under a loop's card
    ],
)
async def test_a_message_belongs_to_a_linked_conversation_or_to_none(
    store: Store, where: tuple[str, str, str], thread: str | None, reply_to: str | None, found: int | None
) -> None:
    async with store.work() as work:
        for one in PLACES[1:]:
            await work.add_conversation(one)
        await work.commit()
    await keep(store, order(9, conversation=PLACES[4].id, card=shown(channel="C6")))
    await do(store, lambda work: work.add_saying(said(1, conversation=PLACES[3].id, message="31")))
    expected = None if found is None else next(one for one in PLACES if one.id.endswith(str(found)))
    assert await do(store, lambda work: work.conversation_at(*where, thread, reply_to)) == expected
    assert await store.records.linked(*where, thread, reply_to) == expected


async def test_a_reply_to_a_prompt_for_words_is_heard(store: Store) -> None:
    await keep(store, order())
    prompt = LoopPrompt(
        provider="slack", account="T1", channel="C5", message="9", workspace=HERE, loop=order().id,
        action=LoopAction.DONE, person=ANA.id,
    )  # fmt: skip
    await do(store, lambda work: work.add_loop_prompt(prompt))
    assert await do(store, lambda work: work.loop_prompt_at("slack", "T1", "C5", "9")) == prompt
    assert await store.records.linked("slack", "T1", "C5", None, "9") == place()
    assert await do(store, lambda work: work.conversation_at("slack", "T1", "C5", None, "9")) is None


async def test_one_place_is_one_conversation(store: Store) -> None:
    assert await do(store, lambda work: work.conversation_like(place(1, id="cnv_other"))) == place()
    with pytest.raises(Raced):
        await do(store, lambda work: work.add_conversation(place(1, id="cnv_other")))
    begins = place(7, place="C1", thread=None, whole=False)
    assert await do(store, lambda work: work.conversation_like(begins)) is None
    await do(store, lambda work: work.add_conversation(begins))
    rooted = begins.model_copy(update={"thread": "1713.1", "whole": True, "channel": "C1"})
    await do(store, lambda work: work.save_conversation(rooted))
    assert await do(store, lambda work: work.conversation(HERE, begins.id)) == rooted
    assert await do(store, lambda work: work.conversation_like(rooted)) == rooted


async def test_what_is_handed_over_is_handed_over_once(store: Store) -> None:
    async with store.work() as work:
        for number in (1, 2):
            await work.add_handover(directive(number))
        await work.commit()
    taken = await do(store, lambda work: work.take_handovers(place().id, "evt_1"))
    assert taken == (directive(1), directive(2))
    assert await do(store, lambda work: work.take_handovers(place().id, "evt_2")) == ()


async def test_a_message_is_kept_once(store: Store) -> None:
    async with store.work() as work:
        for kept in (said(1, message="1712.7", text="first"), said(2, message="1712.7", text="again")):
            await work.add_saying(kept)
        for number in (3, 4):
            await work.add_saying(said(number))
        await work.commit()
    found = await store.records.sayings(HERE, place().id)
    assert [(one.text, one.message) for one in found] == [("hello", None), ("hello", None), ("first", "1712.7")]
    assert await store.records.sayings(HERE, place().id, after=found[1].id) == [found[2]]


async def test_follow_ups_and_alerts_are_written_and_read(store: Store) -> None:
    await do(store, lambda work: work.add_follow_up(follow_up()))
    done = follow_up(state=FollowUpState.DONE)
    await do(store, lambda work: work.save_follow_up(done))
    assert await do(store, lambda work: work.follow_up(HERE, done.id)) == done
    assert await do(store, lambda work: work.follow_up("wsp_2", done.id)) is None
    await do(store, lambda work: work.add_alert(alert()))
    incident = alert(order="wo-1", card=shown())
    await do(store, lambda work: work.save_alert(incident))
    assert await do(store, lambda work: work.alert(HERE, incident.id)) == incident
    assert await store.records.alerts(HERE, None) == [incident]
    assert await store.records.alert("wsp_2", incident.id) is None


async def test_a_bot_account_is_one_agent_s_until_it_is_unlinked_or_the_agent_ends(store: Store) -> None:
    await do(store, lambda work: work.add_agent(OPERATOR, "hash-9", "whsec_9", NOW))
    await do(store, lambda work: work.link_account(HERE, BUILDER.id, BOT, NOW))
    with pytest.raises(Raced):
        await do(store, lambda work: work.link_account(HERE, OPERATOR.id, BOT, NOW))
    assert await do(store, lambda work: work.agent_of_account(HERE, BOT)) == BUILDER
    assert await store.records.accounts(HERE) == [("builder", BOT)]
    await do(store, lambda work: work.revoke_agent(HERE, BUILDER.id, SOON))
    assert await do(store, lambda work: work.agent_of_account(HERE, BOT)) is None
    assert await do(store, lambda work: work.unlink_account(HERE, BOT)) is True
    assert await do(store, lambda work: work.unlink_account(HERE, BOT)) is False


async def test_an_agent_takes_part_once_it_joined(store: Store) -> None:
    assert await do(store, lambda work: work.takes_part(place().id, BUILDER.id)) is False
    for _ in range(2):
        await do(store, lambda work: work.join(place(), BUILDER.id, NOW))
    assert await do(store, lambda work: work.takes_part(place().id, BUILDER.id)) is True


async def test_the_operators_are_known(store: Store) -> None:
    assert await do(store, lambda work: work.operators(HERE)) == (BEN,)


async def test_a_remembered_order_is_remembered_beside_interactions_and_forgotten_in_time(store: Store) -> None:
    await do(store, lambda work: work.remember_order(BUILDER.id, "key", "sha256:1", {"id": "wo-1"}, NOW))
    assert await do(store, lambda work: work.remembered(BUILDER.id, "key")) == ("sha256:1", {"id": "wo-1"})
    with pytest.raises(Raced):
        await do(store, lambda work: work.remember_order(BUILDER.id, "key", "sha256:2", {}, NOW))
    await do(store, lambda work: forget_all(work, NOW + timedelta(days=8)))
    assert await do(store, lambda work: work.remembered(BUILDER.id, "key")) is None


async def test_a_chat_that_got_a_new_id_takes_its_conversations_and_open_cards_along(store: Store) -> None:
    group = {"provider": "telegram", "account": "bot", "place": "-5", "channel": "-5", "thread": None}
    begun = place(8, **group, whole=False, root="30")
    card = shown("30", "-5").model_copy(update={"provider": Provider.TELEGRAM, "account": "bot"})
    async with store.work() as work:
        await work.add_conversation(begun)
        await work.add_loop(order(1, conversation=begun.id, card=card))
        await work.add_loop(
            order(2, conversation=begun.id, card=card.model_copy(update={"message": "31"}), state="closed")
        )
        await work.add_loop(order(3))
        await work.commit()
    moved = await do(store, lambda work: work.move_conversations("telegram", "bot", "-5", "-1005"))
    assert [(one.name, one.card.place, one.card.message, one.card.state) for one in moved] == [
        ("wo-1", "-1005", None, "queued")
    ]
    after = await do(store, lambda work: work.conversation(HERE, begun.id))
    assert (after.place, after.channel, after.root) == ("-1005", "-1005", None)
    assert await do(store, lambda work: work.loop(HERE, moved[0].id)) == moved[0]
    assert await do(store, lambda work: work.move_conversations("telegram", "bot", "-5", "-1005")) == ()

"""What need not be said any more uses up no turn of its chat; what is to be said goes on as if nobody had looked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import cast

import pytest

from bot.chats import Chats
from bot.errands import Errands
from bot.errands.noting import Notes
from bot.listing import Listing
from bot.pace import LATE, LONGEST_KEPT, Pace
from bot.relay import Bells, Relay
from bot.telemetry import Telemetry
from bot.webhooks import Webhooks
from core.acts import Withdraw
from core.addresses import Provider
from core.channels import Channel
from core.controls import Action
from core.dues import LEASE
from core.kinds import Kind
from core.loops import Acknowledge, LoopAction, NoAction
from core.loops.asking import Order
from core.loops.owed import PostLoop
from core.outbox import Claimed, Lane, Task
from core.ports import Connection
from core.publications import PublicationState
from core.use_cases import loop_delivery
from core.use_cases.change import change
from core.use_cases.loops import dispatch, move
from core.use_cases.saying import say
from tests.flows.free_turns import FreeTurns
from tests.flows.loop_chat import Chat
from tests.flows.rig import eventually
from tests.use_cases.bench import bench
from tests.use_cases.cast import ANA, BUILDER, GROUP, HERE, SLACK
from tests.use_cases.floor import Floor


@dataclass
class Desk:
    """Errands and a relay of them, before a chat that always answers."""

    f: Floor
    chat: Chat = field(default_factory=Chat)
    turns: FreeTurns = field(default_factory=FreeTurns)
    now: float = 0.0
    reading: float = 0.0
    """Seconds that go by between the turn of a delivery and its call."""

    def __post_init__(self) -> None:
        context, pace = self.f.b.context, Pace(self.turns, now=lambda: self.now)
        chats = Chats(context, self.f.b.store.records, HERE)
        chats.adopt(Connection("con_1", HERE, Provider.SLACK, "T1", "Sayso", "U0"), cast("Channel", self.chat))
        reach = chats.reach

        async def reach_slowly(workspace: str, provider: Provider, account: str) -> Channel:
            self.now += self.reading
            return await reach(workspace, provider, account)

        chats.reach = reach_slowly  # type: ignore[method-assign]  # as where the database is slow
        notes = Notes(context, chats, Telemetry(), pace)
        nothing = cast("Listing", None), cast("Webhooks", None)
        self.errands = Errands(notes, self.f.b.store.records, nothing[1], nothing[0], link_ok=True)
        self.relay = Relay(context, self.f.b.store.outbox, self.errands, pace, Bells(), "relay")

    async def claim(self, *kinds: str) -> list[Claimed]:
        """Take what is owed of these kinds, all else being done with."""
        now = self.f.b.clock.now()
        claims = await self.f.b.store.outbox.claim(list(Lane), now, now + LEASE, "desk", 100)
        wanted = [one for one in claims if one.delivery.task.task in kinds]
        async with self.f.b.store.work() as work:
            for one in claims:
                if one not in wanted:
                    await work.finish(one)
            await work.commit()
        return wanted

    async def owed(self) -> list[Task]:
        """What is still to be done, now or later."""
        self.f.b.clock.move(hours=1)
        return [one.delivery.task for one in await self.claim("post_loop", "say_there", "post_card", "ask_loop_words")]


@pytest.fixture
async def desk(sqlite_store_url: str) -> AsyncIterator[Desk]:
    async with bench(sqlite_store_url) as b:
        yield Desk(Floor(b))


async def prompted(desk: Desk) -> None:
    """Somebody pressed a button for which words are asked in a chat that has no modal."""
    await desk.f.press(ANA, await desk.f.order(GROUP), LoopAction.DECLINE)


async def test_a_prompt_for_words_of_work_that_has_ended_is_not_wanted(desk: Desk) -> None:
    await prompted(desk)
    await move(desk.f.b.context, HERE, "wo-1", NoAction("not needed"), BUILDER)
    (claimed,) = await desk.claim("ask_loop_words")
    assert not await desk.errands.is_wanted(claimed)
    assert await desk.owed() == []


async def test_a_prompt_for_words_of_open_work_is_wanted(desk: Desk) -> None:
    await prompted(desk)
    (claimed,) = await desk.claim("ask_loop_words")
    assert await desk.errands.is_wanted(claimed)
    assert await desk.owed() == [claimed.delivery.task]  # it was only looked at


async def test_a_prompt_of_a_card_that_was_settled_is_not_wanted(desk: Desk) -> None:
    b = desk.f.b
    id = await b.open(Kind.CONFIRMATION, to=GROUP)
    await b.press(ANA, id, Action.COMMENT)
    (claimed,) = await desk.claim("ask_words")
    assert await desk.errands.is_wanted(claimed)
    await b.press(ANA, id, Action.ACCEPT)
    assert not await desk.errands.is_wanted(claimed)


async def test_a_card_that_was_settled_before_it_was_posted_is_not_wanted(desk: Desk) -> None:
    b = desk.f.b
    id = (await b.asked(Kind.CONFIRMATION)).snapshot["id"]
    (claimed,) = await desk.claim("post_card")
    assert await desk.errands.is_wanted(claimed)
    assert (await b.copy(id)).state is PublicationState.QUEUED  # it was only looked at
    await change(b.context, HERE, id, Withdraw("never mind"), BUILDER)
    assert not await desk.errands.is_wanted(claimed)
    assert (await b.copy(id)).state is PublicationState.SETTLED
    assert await desk.owed() == []


async def test_a_card_of_work_is_posted_as_if_nobody_had_looked(desk: Desk) -> None:
    await dispatch(desk.f.b.context, Order(to=SLACK, title="Audit", id="wo-1"), BUILDER)
    (claimed,) = await desk.claim("post_loop")
    assert await desk.errands.is_wanted(claimed)
    card = (await desk.f.loop()).card
    assert card is not None
    assert (card.state, card.posts) == (PublicationState.QUEUED, 0)
    await desk.errands.do(claimed)
    assert desk.chat.calls == ["post"]


async def test_a_card_that_shows_its_work_as_it_is_is_not_drawn_again(desk: Desk) -> None:
    await desk.f.order()
    await move(desk.f.b.context, HERE, "wo-1", Acknowledge(), BUILDER)
    (first,) = await desk.claim("redraw_loop")
    assert await desk.errands.is_wanted(first)
    await desk.errands.do(first)
    card = (await desk.f.loop()).card
    assert card is not None
    assert card.shown_version == (await desk.f.loop()).version
    assert not await desk.errands.is_wanted(first)


async def test_words_that_wait_for_their_card_are_not_said_yet(desk: Desk) -> None:
    context = desk.f.b.context
    made = await dispatch(context, Order(to=SLACK, title="Audit", id="wo-1"), BUILDER)
    await say(context, made.snapshot["conversation"]["id"], "look here", BUILDER)
    (post,) = await desk.claim("post_loop")
    assert isinstance(post.delivery.task, PostLoop)
    ready = await loop_delivery.begin_post(context, post, post.delivery.task, link_ok=True)
    assert ready is not None
    await loop_delivery.wait_for_proof(context, post, ready, desk.f.b.clock.now() + timedelta(minutes=1))
    (words,) = await desk.claim("say_there")
    assert not await desk.errands.is_wanted(words)
    assert {one.task for one in await desk.owed()} == {"post_loop"}  # which comes first, once it is found or made anew


async def worked(desk: Desk) -> int:
    """Let the relay do what is owed, all of which some process left; returns how many turns that took."""
    stop = asyncio.Event()
    desk.f.b.clock.move(seconds=2 * LEASE.total_seconds())
    running = asyncio.create_task(desk.relay.run(stop))

    async def is_done() -> bool:
        return await desk.f.b.store.outbox.next_due(tuple(Lane)) is None

    await eventually(is_done)
    stop.set()
    await running
    return desk.turns.taken


async def test_no_turn_is_taken_for_what_is_not_wanted(desk: Desk) -> None:
    await prompted(desk)
    await move(desk.f.b.context, HERE, "wo-1", NoAction("not needed"), BUILDER)
    assert len(await desk.claim("ask_loop_words")) == 1
    assert await worked(desk) == 0


async def test_one_turn_is_taken_for_what_is(desk: Desk) -> None:
    await desk.f.order()
    await move(desk.f.b.context, HERE, "wo-1", NoAction("not needed"), BUILDER)
    assert len(await desk.claim("redraw_loop")) == 1
    assert await worked(desk) == 1
    assert desk.chat.calls == ["redraw"]


@pytest.mark.parametrize(("reading", "turns"), [(LATE, 1), (LATE + 0.1, 2)])
async def test_a_call_that_comes_long_after_its_turn_takes_another(desk: Desk, reading: float, turns: int) -> None:
    await dispatch(desk.f.b.context, Order(to=SLACK, title="Audit", id="wo-1"), BUILDER)
    desk.reading = reading
    assert await worked(desk) == turns
    assert desk.chat.calls == ["post"]


async def test_a_call_whose_other_turn_would_come_too_late_is_given_back_unmade(desk: Desk) -> None:
    await dispatch(desk.f.b.context, Order(to=SLACK, title="Audit", id="wo-1"), BUILDER)
    (claimed,) = await desk.claim("post_loop")
    desk.turns.taken, desk.turns.after, desk.reading = 1, LONGEST_KEPT + 1, LATE + 0.1
    await desk.errands.do(claimed)
    assert desk.chat.calls == []
    card = (await desk.f.loop()).card
    assert card is not None
    assert (card.state, card.posts) == (PublicationState.QUEUED, 0)
    assert {one.task for one in await desk.owed()} == {"post_loop"}

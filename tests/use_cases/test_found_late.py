"""A card whose post was lost, and which is found in its chat: it shows what was so when it was posted, so it is drawn
again as it is, whatever happened to it meanwhile."""

from __future__ import annotations

from datetime import timedelta

from core.acts import Patch
from core.channels import Posted
from core.dues import LEASE
from core.kinds import Kind
from core.outbox import Claimed, Lane, PostCard
from core.publications import PublicationState
from core.use_cases import deliver
from core.use_cases.change import change
from tests.use_cases.bench import Bench
from tests.use_cases.cast import BUILDER, HERE

THERE = Posted("C1", "1712.9")


async def claimed(b: Bench) -> tuple[Claimed, PostCard]:
    """The delivery that posts the card."""
    b.clock.move(seconds=30)
    now = b.clock.now()
    (one,) = await b.store.outbox.claim([Lane.POST], now, now + LEASE, "relay", 9)
    assert isinstance(one.delivery.task, PostCard)
    return one, one.delivery.task


async def lost(b: Bench) -> str:
    """Ask a card and post it, and hear nothing of that."""
    id: str = (await b.asked(Kind.CONFIRMATION)).snapshot["id"]
    one, task = await claimed(b)
    ready = await deliver.begin_post(b.context, one, task, link_ok=True)
    assert ready is not None
    assert not ready.reconcile
    due = b.clock.now() + timedelta(seconds=1)
    await deliver.post_lost(b.context, one, ready, "cut off", due, answered=False)
    return id


async def found(b: Bench) -> None:
    """Look for it, and find it."""
    one, task = await claimed(b)
    ready = await deliver.begin_post(b.context, one, task, link_ok=True)
    assert ready is not None
    assert ready.reconcile
    await deliver.posted(b.context, one, ready, THERE)


async def test_a_card_that_was_changed_before_it_was_found_is_drawn_again(b: Bench) -> None:
    id = await lost(b)
    content = (await b.get(id)).content.model_copy(update={"title": "Deploy 4.3?"})
    await change(b.context, HERE, id, Patch(1, content), BUILDER)
    await found(b)
    copy = await b.copy(id)
    assert (copy.state, copy.message) == (PublicationState.POSTED, THERE.message)
    assert copy.shown_version is None, "nobody knows what it shows"
    assert await b.redraws(id) == {1}


async def test_a_card_that_is_posted_and_heard_of_is_not_drawn_again(b: Bench) -> None:
    id: str = (await b.asked(Kind.CONFIRMATION)).snapshot["id"]
    one, task = await claimed(b)
    ready = await deliver.begin_post(b.context, one, task, link_ok=True)
    assert ready is not None
    await deliver.posted(b.context, one, ready, THERE)
    assert await b.redraws(id) == set()
    assert (await b.copy(id)).shown_version == (await b.get(id)).version

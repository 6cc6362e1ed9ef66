"""The bookkeeping around a post, on a real database: what a failure means, and who may note it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.moment import SystemIds
from core.asking import ASK
from core.channels import Posted
from core.events import Event
from core.outbox import Claimed, Lane, PostCard, Say
from core.ports import Context
from core.publications import Publication, PublicationState
from core.reading import Whole
from core.records import Status
from core.store import Store
from core.use_cases import deliver
from core.use_cases.ask import ask
from core.use_cases.change import reply
from core.use_cases.showing import Ready
from tests.rules.making import NOW
from tests.store.making import BUILDER, HERE, settle_in

BODY: dict[str, Any] = {"kind": "confirmation", "to": "slack:T1.C1", "title": "Deploy 4.2?", "payload": {}}


class StoppedClock:
    """A clock that stands still."""

    def now(self) -> datetime:
        return NOW


@pytest.fixture
async def context(store: Store) -> Context:
    await settle_in(store)
    return Context(store.work, StoppedClock(), SystemIds(), "https://sayso.example.com/review/")


async def asked(context: Context, **changes: Any) -> str:
    request = ASK.validate_python({**BODY, **changes}, strict=False)
    id: str = (await ask(context, request, BUILDER)).snapshot["id"]
    return id


async def whole(store: Store, id: str) -> Whole:
    found = await store.records.interaction(HERE, id, None)
    assert found is not None
    return found


async def copy_of(store: Store, id: str) -> Publication:
    return (await whole(store, id)).publications[0]


async def claim(store: Store, owner: str = "w1", after: float = 0, lane: Lane = Lane.POST) -> Sequence[Claimed]:
    now = NOW + timedelta(seconds=after)
    return await store.outbox.claim([lane], now, now + timedelta(seconds=20), owner, 10)


async def begun(context: Context, claimed: Claimed) -> Ready:
    """A post whose call is on the wire."""
    task = claimed.delivery.task
    assert isinstance(task, PostCard)
    ready = await deliver.begin_post(context, claimed, task, True)
    assert ready is not None
    return ready


async def test_a_place_that_refuses_for_good_ends_the_card_with_the_reason(store: Store, context: Context) -> None:
    id = await asked(context)
    (claimed,) = await claim(store)
    await deliver.unreachable(context, claimed, await begun(context, claimed), "there is no such channel")
    now = await whole(store, id)
    assert now.interaction.status is Status.UNDELIVERABLE
    assert now.interaction.outcome is not None
    assert now.interaction.outcome.reason == "there is no such channel"
    assert [one.state for one in now.publications] == [PublicationState.FAILED]


async def test_a_fallback_that_means_nobody_any_more_is_passed_over_and_said(store: Store, context: Context) -> None:
    id = await asked(context, policy={"fallback": ["person:ana"]})
    async with store.work() as work:
        await work.remove_person(HERE, "per_ana")
        await work.commit()
    (claimed,) = await claim(store)
    await deliver.unreachable(context, claimed, await begun(context, claimed), "there is no such channel")
    outcome = (await whole(store, id)).interaction.outcome
    assert outcome is not None
    assert outcome.status is Status.UNDELIVERABLE
    assert outcome.reason == "there is no such channel; person:ana: there is nobody with the handle ana"


async def test_a_copy_that_a_press_proved_is_not_failed_by_an_older_attempt(store: Store, context: Context) -> None:
    id = await asked(context)
    (claimed,) = await claim(store)
    ready = await begun(context, claimed)
    async with store.work() as work:
        seen = {"state": PublicationState.POSTED, "channel": "C1", "message": "1.1"}
        await work.save_publication(ready.publication.model_copy(update=seen))
        await work.commit()
    await deliver.unreachable(context, claimed, ready, "there is no such channel")
    assert (await copy_of(store, id)).state is PublicationState.POSTED
    assert (await whole(store, id)).interaction.is_pending
    assert await claim(store, after=3600) == []


@pytest.mark.parametrize("noted", ["not sent", "unreachable"])
async def test_a_worker_that_lost_its_claim_marks_nothing(store: Store, context: Context, noted: str) -> None:
    id = await asked(context)
    (old,) = await claim(store, "w1")
    ready = await begun(context, old)
    (_,) = await claim(store, "w2", after=30)
    if noted == "not sent":
        await deliver.not_sent(context, old, ready, NOW, "busy")
    else:
        await deliver.unreachable(context, old, ready, "there is no such channel")
    assert (await copy_of(store, id)).state is PublicationState.SENDING
    assert (await whole(store, id)).interaction.is_pending


async def test_a_result_is_told_once_in_each_conversation_however_many_copies_are_there(
    store: Store, context: Context
) -> None:
    id = await asked(context, to=["slack:T1.C1", "slack:T1.C2"])
    for claimed in await claim(store):
        ready = await begun(context, claimed)
        place = ready.publication.place
        await deliver.posted(context, claimed, ready, Posted(place, "1.1"))
        if place == "C1":  # a lost post that turned up as well
            await deliver.posted(context, claimed, ready, Posted(place, "1.2"))
    assert len((await whole(store, id)).publications) == 3
    await reply(context, HERE, id, "Shipped.", BUILDER)
    said = [one.delivery.task for one in await claim(store)]
    assert sorted(task.channel for task in said if isinstance(task, Say)) == ["C1", "C2"]
    assert len(said) == 2
    events: Sequence[Event] = await store.records.events(HERE, None)
    assert events[-1].type == "interaction.replied"

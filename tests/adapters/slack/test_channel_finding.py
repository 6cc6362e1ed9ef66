"""A post whose answer was lost is found again, against the stand-in, or said to be unfindable."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.sandbox.slack.faults import FaultKind
from core.errors import (
    Ambiguous,
    Transient,
)
from core.publications import Surface
from tests.adapters.slack.rooms import Room, publication, room
from tests.blocks.slack.cards import card, choice, confirmation, labels, numbered, questions

ASKED = card(questions(choice("Yes", "No"), body="Body."))


@pytest.fixture
async def own() -> AsyncIterator[Room]:
    async with room() as made:
        yield made


async def test_a_post_whose_answer_was_lost_is_found(own: Room) -> None:
    await own.post(card(confirmation()))
    own.slack.fail(FaultKind.DROP_AFTER, "chat.postMessage")
    wanted = publication(id="pub_2", attempt_at=datetime.now(UTC))
    with pytest.raises(Ambiguous):
        await own.adapter.channel.post(ASKED, wanted)
    found = await own.adapter.channel.find(wanted)
    assert found is not None
    assert (found.channel, found.surface) == ("CGEN", Surface.NATIVE)
    assert labels(list(own.message(found).blocks))[0] == "Yes"


async def test_a_review_card_is_found_as_one(own: Room) -> None:
    await own.post(card(questions(choice(*numbered(101)))))
    found = await own.adapter.channel.find(publication(attempt_at=datetime.now(UTC)))
    assert found is not None
    assert found.surface is Surface.REVIEW


async def test_a_lost_post_is_found_in_its_thread_and_in_a_direct_message(own: Room) -> None:
    parent = await own.post(card(confirmation()))
    for place, thread in (("CGEN", parent.message), ("UANA", None)):
        copy = publication(place, id=f"pub_{place}", thread=thread, attempt_at=datetime.now(UTC))
        posted = await own.adapter.channel.post(ASKED, copy)
        assert await own.adapter.channel.find(copy) == posted


async def test_what_never_arrived_is_not_found(own: Room) -> None:
    await own.post(ASKED)
    assert await own.adapter.channel.find(publication(id="pub_9", attempt_at=datetime.now(UTC))) is None
    assert await own.adapter.channel.find(publication()) is None, "it was never tried"


async def test_nobody_elses_message_is_taken_for_ours(own: Room) -> None:
    posted = await own.post(ASKED)
    world = own.slack.platform.world
    message = world.message("CGEN", posted.message)
    assert message is not None
    world.edit_message(message, at=posted.message, changes={"user": "UBEN", "bot_id": "BOTHER"})
    assert await own.adapter.channel.find(publication(attempt_at=datetime.now(UTC))) is None


async def test_a_lost_post_is_found_behind_more_messages_than_a_page(own: Room) -> None:
    posted = await own.post(ASKED)
    for number in range(120):
        await own.ben.write(f"chatter {number}", channel="CGEN")
    assert await own.adapter.channel.find(publication(attempt_at=datetime.now(UTC))) == posted


async def test_an_old_message_is_not_looked_for(own: Room) -> None:
    await own.post(ASKED)
    late = publication(attempt_at=datetime.now(UTC) + timedelta(hours=1))
    assert await own.adapter.channel.find(late) is None


async def test_a_chat_that_may_not_be_read_cannot_be_searched(own: Room) -> None:
    own.slack.workspace.grant("chat:write", "users:read", "im:write")
    with pytest.raises(Ambiguous, match="missing_scope"):
        await own.adapter.channel.find(publication(attempt_at=datetime.now(UTC)))


async def test_trouble_while_looking_is_a_reason_to_look_again(own: Room) -> None:
    own.slack.fail(FaultKind.RATE_LIMITED, "conversations.history", seconds=30)
    with pytest.raises(Transient):
        await own.adapter.channel.find(publication(attempt_at=datetime.now(UTC)))

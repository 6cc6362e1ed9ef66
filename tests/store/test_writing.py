"""Messages that reply to a card, on a real database: what they count as, and when they count."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.moment import SystemIds
from core.acts import Patch
from core.addresses import Provider
from core.asking import ASK, content_of
from core.audience import A_BOT, ANONYMOUS
from core.people import Identity, Standing
from core.ports import Context
from core.publications import PublicationState
from core.records import Interaction, Status
from core.replies import Reply, Saved, Told
from core.store import Store
from core.use_cases.arrivals import Message
from core.use_cases.ask import ask
from core.use_cases.change import change
from core.use_cases.write import write
from tests.rules.making import NOW
from tests.store.making import BUILDER, HERE, settle_in

DORA = Standing(name="Dora")
TEXT = {"id": "q1", "prompt": "What happened?", "type": "text"}
COLOURS = {
    "id": "q1",
    "prompt": "Which?",
    "options": [{"id": "red", "label": "Red"}, {"id": "blue", "label": "Blue"}],
}


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = NOW

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def context(store: Store, clock: Clock) -> Context:
    await settle_in(store)
    return Context(store.work, clock, SystemIds(), "https://sayso.example.com/review/")


def body(question: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "kind": "questions",
        "to": "telegram:ask_bot.-7",
        "title": "T",
        "payload": {"questions": [question]},
    } | changes


async def shown(context: Context, asked: dict[str, Any]) -> str:
    """A card that was posted to the group as message 31."""
    id: str = (await ask(context, ASK.validate_python(asked, strict=False), BUILDER)).snapshot["id"]
    async with context.work() as work:
        (copy,) = await work.publications(id)
        posted = {"state": PublicationState.POSTED, "channel": "-7", "message": "31", "shown_revision": 1}
        await work.save_publication(copy.model_copy(update=posted))
        await work.commit()
    return id


async def said(context: Context, text: str, *, key: str = "telegram:1:1", standing: Standing = DORA) -> Reply:
    message = Message(
        key=key,
        workspace=HERE,
        provider=Provider.TELEGRAM,
        account="ask_bot",
        identity=Identity(provider="telegram", user="77"),
        standing=standing,
        channel="-7",
        message="32",
        private=False,
        reply_to="31",
        text=text,
    )
    return await write(context, message)


async def card(store: Store, id: str) -> Interaction:
    whole = await store.records.interaction(HERE, id, None)
    assert whole is not None
    return whole.interaction


@pytest.mark.parametrize(
    ("question", "status", "event"),
    [
        (TEXT, Status.ANSWERED, "interaction.answered"),  # words are what was asked for
        ({**COLOURS, "type": "choice", "custom": True}, Status.ANSWERED, "interaction.answered"),  # "Other"
        ({**COLOURS, "type": "choice"}, Status.PENDING, "interaction.commented"),  # words are no option
        ({**COLOURS, "type": "choices", "custom": True}, Status.PENDING, None),  # beside the ticks, until Submit
    ],
)
async def test_a_reply_to_a_card_is_what_its_question_takes(
    store: Store, context: Context, question: dict[str, Any], status: Status, event: str | None
) -> None:
    id = await shown(context, body(question))
    await said(context, "teal")
    assert (await card(store, id)).status is status
    told = [one for one in await store.records.events(HERE, None) if one.type != "interaction.created"]
    assert [one.type for one in told] == ([event] if event else [])
    if event == "interaction.commented":
        assert told[0].data["text"] == "teal"
        assert told[0].data["by"]["identity"] == "telegram:77"


async def test_own_words_after_the_time_end_the_card_instead_of_being_noted(
    store: Store, context: Context, clock: Clock
) -> None:
    asked = body({**COLOURS, "type": "choices", "custom": True}, policy={"expires_in": "10m", "starts": "asked"})
    id = await shown(context, asked)
    clock.moment += timedelta(minutes=10)
    reply = await said(context, "teal")
    assert isinstance(reply, Told)
    assert "The time to answer ended" in reply.text
    assert (await card(store, id)).status is Status.EXPIRED


async def test_a_reply_to_what_was_changed_meanwhile_is_refused(store: Store, context: Context) -> None:
    id = await shown(context, body(TEXT))
    changed = content_of(ASK.validate_python(body({**TEXT, "prompt": "What else?"}), strict=False))
    await change(context, HERE, id, Patch(1, changed), BUILDER)
    reply = await said(context, "it fell over")
    assert isinstance(reply, Told)
    assert "was changed" in reply.text
    assert (await card(store, id)).is_pending
    assert isinstance(await said(context, "it fell over", key="telegram:1:1"), Told), "a redelivery is told the same"


@pytest.mark.parametrize(("standing", "why"), [(Standing(bot=True), A_BOT), (Standing(anonymous=True), ANONYMOUS)])
async def test_whoever_is_nobody_becomes_nobody_by_writing(
    store: Store, context: Context, standing: Standing, why: str
) -> None:
    id = await shown(context, body(TEXT))
    before = await store.records.people(HERE)
    assert await said(context, "mine", standing=standing) == Told(why)
    assert await store.records.people(HERE) == before
    assert (await card(store, id)).is_pending


async def test_the_same_message_delivered_again_is_told_the_same_and_changes_nothing(
    store: Store, context: Context
) -> None:
    id = await shown(context, body(TEXT))
    first = await said(context, "it fell over")
    assert isinstance(first, Saved)
    assert await said(context, "it fell over") == first
    assert len([one for one in await store.records.receipts(HERE, id) if one.type.value == "answered"]) == 1
    assert len(await store.records.receipts(HERE, id)) == 2

"""Work orders over the real client: posted once, found again when the answer was lost, redrawn, asked for in forms."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.sandbox.slack.faults import FaultKind
from core.channels import LoopChannel, Posted
from core.errors import Ambiguous, Fault, MessageGone, Misrendered
from core.ids import make_id
from core.loops.controls import LoopAction, LoopControl
from core.loops.owed import AskLoopWords, OfferAgain
from core.loops.replies import OpenLoopForm
from core.loops.values import LoopCopy, Slot
from core.replies import Saved, Wrong
from tests.adapters.slack.rooms import ANA, Room, pressed, room, submitted
from tests.blocks.slack.cards import CODEC, labels, shown
from tests.blocks.slack.loops import LOOP_ID, alert_card, card_of, ended, loop

CONTROL = LoopControl(LOOP_ID, LoopAction.DONE)


@pytest.fixture
async def own() -> AsyncIterator[Room]:
    async with room() as made:
        yield made


def copy(**more: Any) -> LoopCopy:
    known = {"provider": "slack", "account": "T0ACME", "place": "CGEN", "attempt_at": datetime.now(UTC)}
    return LoopCopy.model_validate({**known, **more})


def at(posted: Posted) -> LoopCopy:
    return copy(channel=posted.channel, message=posted.message)


async def test_a_connection_to_slack_shows_work_orders(own: Room) -> None:
    assert isinstance(own.adapter.channel, LoopChannel)


async def test_an_order_is_posted_and_found_again_and_no_other_is(own: Room) -> None:
    posted = await own.adapter.channel.post_loop(card_of(loop()), copy())
    assert "Acknowledge" in labels(list(own.message(posted).blocks))
    assert await own.adapter.channel.find_loop(loop(), copy()) == posted
    other = loop(id=make_id("lop", 1_796_205_600_000, 3))
    assert await own.adapter.channel.find_loop(other, copy()) is None
    assert await own.adapter.channel.find_loop(loop(), copy(attempt_at=None)) is None


async def test_an_order_whose_answer_was_lost_is_there_once_and_is_found(own: Room) -> None:
    later = loop(id=make_id("lop", 1_796_205_600_000, 4))
    own.slack.fail(FaultKind.DROP_AFTER, "chat.postMessage")
    with pytest.raises(Ambiguous):
        await own.adapter.channel.post_loop(card_of(later), copy())
    found = await own.adapter.channel.find_loop(later, copy())
    assert found is not None
    assert "Audit the exec endpoints" in shown(list(own.message(found).blocks))


async def test_an_order_in_a_thread_is_found_in_its_thread(own: Room) -> None:
    root = await own.adapter.channel.post_alert(alert_card(), copy())
    assert await own.adapter.channel.find_alert(alert_card().alert, copy()) == root
    reply = await own.adapter.channel.post_loop(card_of(loop()), copy(thread=root.message))
    assert own.message(reply).thread_ts == root.message
    assert await own.adapter.channel.find_loop(loop(), copy(thread=root.message)) == reply


async def test_a_redraw_shows_how_it_ended_and_takes_the_buttons_away(own: Room) -> None:
    posted = await own.adapter.channel.post_loop(card_of(loop()), copy())
    await own.adapter.channel.redraw_loop(card_of(ended(summary="fine")), at(posted))
    blocks = list(own.message(posted).blocks)
    assert "✓ Closed by Ana in Slack" in shown(blocks)
    assert labels(blocks) == ["Open page"]
    with pytest.raises(MessageGone):
        await own.adapter.channel.redraw_loop(card_of(loop()), copy())


async def test_what_slack_refuses_to_redraw_becomes_words_without_controls(own: Room) -> None:
    posted = await own.adapter.channel.post_loop(card_of(loop()), copy())
    own.slack.fail(FaultKind.ERROR, "chat.update", error="invalid_blocks")
    await own.adapter.channel.redraw_loop(card_of(ended(summary="fine")), at(posted))
    message = own.message(posted)
    assert list(message.blocks) == []
    assert "✓ Closed by Ana in Slack" in message.text


async def test_an_alert_is_posted_and_leads_to_its_order(own: Room) -> None:
    posted = await own.adapter.channel.post_alert(alert_card(), copy())
    assert labels(list(own.message(posted).blocks)) == ["Open a work order"]
    await own.adapter.channel.redraw_alert(alert_card(order="wo-1"), at(posted))
    assert "Answered by work order wo-1" in shown(list(own.message(posted).blocks))


async def test_a_slot_chosen_from_the_menu_is_a_claim_of_that_slot(own: Room) -> None:
    slots = (Slot(number=1), Slot(number=2, task="writes"))
    posted = await own.adapter.channel.post_loop(card_of(loop(slots=slots)), copy())
    own.intake.arrived.clear()
    own.intake.replies(Saved("Slot 2 of wo-1 is yours; 1 of 2 are free."))
    await own.ana.choose("Slot 2: writes", channel="CGEN", ts=posted.message)
    assert CODEC.unpack_any(pressed(own).token) == LoopControl(LOOP_ID, LoopAction.CLAIM, 2)


@pytest.mark.parametrize("text", ["Ana declined “Audit” (wo-1): not mine", "why " * 5_000])
async def test_what_the_sender_is_told_has_one_button_however_long_it_is(own: Room, text: str) -> None:
    offer = OfferAgain(loop=LOOP_ID, text=text, provider="slack", account="T0ACME", channel="UANA")
    own.intake.arrived.clear()
    posted = await own.adapter.channel.offer_again(offer)
    blocks = list(own.message(posted).blocks)
    assert labels(blocks) == ["Dispatch again"]
    sent = "".join(str(call) for call in own.calls("chat.postMessage"))
    assert text.strip()[:2_000] in sent


async def test_no_prompt_is_ever_sent(own: Room) -> None:
    known = {"loop": LOOP_ID, "action": LoopAction.DONE, "provider": "slack", "account": "T0ACME", "channel": "CGEN"}
    prompt = AskLoopWords.model_validate({**known, "person": "per_1", "user": "UANA", "name": "Ana"})
    before = len(own.calls("chat.postMessage"))
    with pytest.raises(Misrendered):
        await own.adapter.channel.ask_loop_words(prompt, loop())
    assert len(own.calls("chat.postMessage")) == before


async def test_a_press_opens_the_form_of_a_result_and_what_is_sent_arrives(own: Room) -> None:
    posted = await own.adapter.channel.post_loop(card_of(loop()), copy())
    own.intake.arrived.clear()
    own.intake.replies(OpenLoopForm(loop(), CONTROL))
    opened = await own.ana.press("Done…", channel="CGEN", ts=posted.message, watch=5)
    assert CODEC.unpack_any(pressed(own).token) == CONTROL
    assert opened.modal is not None
    own.intake.replies(Wrong((Fault("/summary", "say what came of it"),), ("result",)))
    await own.ana.fill_in({"What came of it": "x"})
    assert (await own.ana.submit()).errors == {"result:1": "say what came of it"}
    own.intake.replies(Saved("The result of wo-1 is kept."))
    await own.ana.fill_in({"What came of it": "OK all <well> & good"})
    sent = await own.ana.submit()
    assert (sent.errors, sent.modal) == ({}, None)
    arrival = submitted(own)
    assert arrival.fields == {"result": "OK all <well> & good"}
    assert CODEC.unpack_any(arrival.token, str(ANA)) == CONTROL

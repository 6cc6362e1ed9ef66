"""Work orders over the real client: posted once, redrawn, asked for by a prompt, and never searched for."""

from __future__ import annotations

import pytest

from bot.sandbox.telegram.faults import FaultKind
from bot.sandbox.telegram.messages import Message
from core.addresses import Provider
from core.channels import LoopChannel, Posted
from core.errors import Ambiguous, MessageGone, Transient
from core.loops.controls import LoopAction
from core.loops.owed import AskLoopWords, OfferAgain
from core.loops.values import LoopCopy
from tests.adapters.telegram.connected import Connected, ana_in, connected
from tests.blocks.telegram.test_loop import LOOP_ID, alert_card, card_of, ended, loop


def _copy(chat: int, posted: Posted | None = None, *, thread: int | None = None) -> LoopCopy:
    return LoopCopy(
        provider=Provider.TELEGRAM,
        account="b",
        place=str(chat),
        thread=None if thread is None else str(thread),
        channel=posted.channel if posted else None,
        message=posted.message if posted else None,
    )


def _shown(one: Connected, posted: Posted) -> Message:
    found = one.stand_in.world.message(int(posted.channel), int(posted.message))
    assert found is not None
    return found


async def test_an_order_is_posted_in_its_topic_and_redrawn_until_it_is_gone() -> None:
    async with connected(polls=True) as one:
        channel = one.adapter.channel
        assert isinstance(channel, LoopChannel)
        ana = ana_in(one)
        forum = one.stand_in.scene.create_group("Plans", [ana], is_forum=True)
        topic = one.stand_in.scene.create_topic(forum.id, "Audits", by=ana)
        posted = await channel.post_loop(card_of(loop()), _copy(forum.id, thread=topic.id))
        assert _shown(one, posted).topic == topic.id
        assert "Acknowledge" in _shown(one, posted).buttons
        for _ in range(2):  # that it says so already is no error
            await channel.redraw_loop(card_of(ended(summary="All well")), _copy(forum.id, posted))
        assert "Closed by Ana" in _shown(one, posted).text
        assert _shown(one, posted).buttons == ["Open page"]
        await channel._client.delete(posted.channel, posted.message)
        with pytest.raises(MessageGone):
            await channel.redraw_loop(card_of(loop()), _copy(forum.id, posted))


async def test_an_order_whose_answer_was_lost_is_neither_sent_again_nor_found() -> None:
    async with connected(polls=True) as one:
        group = one.stand_in.scene.create_group("Ops", [ana_in(one)]).id
        one.stand_in.fail(FaultKind.DROP_AFTER, "sendMessage", chat_id=group)
        with pytest.raises(Ambiguous):
            await one.adapter.channel.post_loop(card_of(loop()), _copy(group))
        assert len(one.stand_in.journal.of("sendMessage")) == 1
        with pytest.raises(Ambiguous, match="cannot search"):
            await one.adapter.channel.find_loop(loop(), _copy(group))
        with pytest.raises(Ambiguous, match="cannot search"):
            await one.adapter.channel.find_alert(alert_card().alert, _copy(group))
        one.stand_in.fail(FaultKind.DROP_AFTER, "getChat", chat_id=group)
        with pytest.raises(Transient):
            await one.adapter.channel.find_loop(loop(), _copy(group))


async def test_a_prompt_opens_the_reply_box_of_the_one_it_is_for() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        group = one.stand_in.scene.create_group("Ops", [ana]).id
        card = await one.adapter.channel.post_loop(card_of(loop()), _copy(group))
        asked = AskLoopWords(
            loop=LOOP_ID,
            action=LoopAction.DECLINE,
            provider="telegram",
            account="b",
            channel=str(group),
            reply_to=card.message,
            person="per_1",
            user=str(ana),
            name="Ana",
        )
        prompt = _shown(one, await one.adapter.channel.ask_loop_words(asked, loop()))
        assert (prompt.reply_to, prompt.notified) == (int(card.message), (ana,))
        assert "why you decline “" in prompt.text
        assert one.stand_in.human.prompt(ana, group) is not None


async def test_an_alert_shows_the_order_that_was_opened_from_it() -> None:
    async with connected(polls=True) as one:
        group = one.stand_in.scene.create_group("Ops", [ana_in(one)]).id
        posted = await one.adapter.channel.post_alert(alert_card(), _copy(group))
        assert _shown(one, posted).buttons == ["Open a work order"]
        await one.adapter.channel.redraw_alert(alert_card(order="wo-7"), _copy(group, posted))
        assert "Work order wo-7" in _shown(one, posted).text
        assert _shown(one, posted).buttons == ["Open page"]


async def test_what_the_sender_is_told_has_one_button_below_all_of_it() -> None:
    async with connected(polls=True) as one:
        group = one.stand_in.scene.create_group("Ops", [ana_in(one)]).id
        for text in ("Ana declined “Audit” (wo-1): not mine", "why " * 2_000):
            offer = OfferAgain(loop=LOOP_ID, text=text, provider="telegram", account="b", channel=str(group))
            posted = await one.adapter.channel.offer_again(offer)
            assert _shown(one, posted).buttons == ["Dispatch again"]
            assert text.strip().endswith(_shown(one, posted).text.strip()[-20:])

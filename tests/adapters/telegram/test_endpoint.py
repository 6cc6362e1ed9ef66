"""What people do in Telegram and what they are told: by webhook and by polling, against the stand-in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adapters.inbound import Changed, Commanded, Moved, Pressed, Wrote
from adapters.telegram.telling import IN_PRIVATE, START_FIRST
from bot.sandbox.telegram.faults import Failure, FaultKind
from bot.sandbox.telegram.messages import Guise
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.places import GroupKind
from core.channels import Posted
from core.controls import Action
from core.errors import Fault
from core.outbox import AskWords
from core.replies import Helped, Listed, Quiet, Reply, Saved, Told, Wrong
from core.use_cases.opening import WRITE_HERE
from tests.adapters.telegram.connected import BOTH_WAYS, Connected, ana_in, connected, last_words, publication, saves
from tests.blocks.telegram.cards import CODEC, ID, card, choice, choices, confirmation, questions

ASKED = questions(choice("Red", "Green"))
TEXT = questions({"id": "q", "prompt": "What happened?", "type": "text"})


async def _posted(one: Connected, place: int, content: Mapping[str, Any] = ASKED, **more: Any) -> Posted:
    return await one.adapter.channel.post(card(content, **more), publication(place))


@BOTH_WAYS
async def test_a_press_arrives_and_its_answer_is_a_toast(polls: bool) -> None:
    async with connected(polls=polls) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana)
        one.intake.reply = saves("Saved: Red")
        tap = await one.stand_in.human.press(ana, ana, "Red", message_id=int(posted.message))
        assert tap.answer is not None
        assert (tap.text, tap.answer.show_alert) == ("Saved: Red", False)
        press = next(one for one in one.intake.arrivals.values() if isinstance(one, Pressed))
        assert (press.channel, press.message, press.hint.name) == (str(ana), posted.message, "Ana Ruiz")
        control = CODEC.unpack(press.token)
        assert (control.interaction, control.action, control.option) == (ID, Action.ANSWER, 0)


@pytest.mark.parametrize(
    ("reply", "shown", "alert"),
    [
        (Told("Bob answered this."), "Bob answered this.", True),
        (Wrong((Fault("/answers/q", "choose at least 1"),), ("q0",)), "Choose at least 1.", True),
        (Told("x" * 300), "x" * 198 + "…", True),
        (Told(WRITE_HERE), WRITE_HERE, False),
        (Saved("Saved."), "Saved.", False),
        (Quiet(), "", False),
    ],
)
async def test_a_press_is_always_answered(reply: Reply, shown: str, alert: bool) -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana)
        one.intake.reply = lambda _arrival: reply
        tap = await one.stand_in.human.press(ana, ana, "Red", message_id=int(posted.message))
        assert tap.answer is not None
        assert (tap.text, tap.answer.show_alert) == (shown, alert)


async def test_a_forged_token_arrives_as_it_is() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana)
        await one.stand_in.human.press(ana, ana, data="forged", message_id=int(posted.message), forged=True)
        assert [one.token for one in one.intake.arrivals.values() if isinstance(one, Pressed)] == ["forged"]


async def test_an_answer_that_comes_too_late_harms_nothing() -> None:
    async with connected(polls=True, answer_window=-1.0) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana)
        one.intake.reply = saves("Saved.")
        await one.stand_in.human.press(ana, ana, "Red", message_id=int(posted.message), wait=0.2)
        (call,) = one.stand_in.journal.of("answerCallbackQuery")
        assert call.description is not None
        assert "query is too old" in call.description
        one.stand_in.human.write(ana, ana, "still there?")
        await one.intake.first(3)


@BOTH_WAYS
async def test_ticks_are_redrawn_and_submitted(polls: bool) -> None:
    asked = questions(choices("Red", "Green", "Blue"))
    async with connected(polls=polls) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana, asked)
        for label, ticked in (("☐ Red", ("o0",)), ("☐ Blue", ("o0", "o2"))):
            await one.stand_in.human.press(ana, ana, label, message_id=int(posted.message))
            await one.adapter.channel.redraw(card(asked, draft={"q0": ticked}), publication(ana, posted=posted))
        shown = one.stand_in.world.message(ana, int(posted.message))
        assert shown is not None
        assert shown.buttons[:4] == ["☑ Red", "☐ Green", "☑ Blue", "Submit"]
        await one.stand_in.human.press(ana, ana, "Submit", message_id=int(posted.message))
        pressed = [(control.action, control.option) for control in one.intake.controls()]
        assert pressed == [(Action.TOGGLE, 0), (Action.TOGGLE, 2), (Action.SUBMIT, 1)]


async def test_pages_turn() -> None:
    asked = questions(choice(*(f"An option that needs a row of its own {n}" for n in range(9))))
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana, asked)
        await one.stand_in.human.press(ana, ana, "›", message_id=int(posted.message))
        (turn,) = one.intake.controls()
        await one.adapter.channel.redraw(card(asked, page=turn.option), publication(ana, posted=posted))
        shown = one.stand_in.world.message(ana, int(posted.message))
        assert shown is not None
        assert shown.buttons[:3] == ["An option that needs a row of its own 8", "‹", "2/2"]


@BOTH_WAYS
async def test_a_prompt_is_answered_by_replying_to_it(polls: bool) -> None:
    async with connected(polls=polls) as one:
        ana = ana_in(one)
        group = one.stand_in.scene.create_group("Ops", [ana])
        posted = await _posted(one, group.id, TEXT)
        prompt = await one.adapter.channel.ask_words(
            AskWords(
                interaction=ID, publication=1, revision=1, action=Action.WRITE, provider="telegram",
                account=one.me.username, channel=str(group.id), thread=None, reply_to=posted.message, person="per_1",
                user=str(ana), name="Ana",
            ),
            card(TEXT),
        )  # fmt: skip
        one.intake.reply = saves("Saved: all <well>")
        theirs = one.stand_in.human.answer_prompt(ana, group.id, "all <well>")
        await one.stand_in.until(lambda: last_words(one, group.id) == "Saved: all <well>")
        wrote = next(one for one in one.intake.arrivals.values() if isinstance(one, Wrote))
        assert (wrote.text, wrote.reply_to, wrote.private) == ("all <well>", prompt.message, False)
        assert one.stand_in.world.history(group.id)[-1].reply_to == theirs.id


async def test_a_card_is_answered_by_replying_to_it() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana, TEXT)
        one.stand_in.human.write(ana, ana, "it fell over", reply_to=int(posted.message))
        _start, wrote = await one.intake.first(2)
        assert isinstance(wrote, Wrote)
        assert (wrote.reply_to, wrote.private) == (posted.message, True)


async def test_a_reply_in_a_topic_is_told_there() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        forum = one.stand_in.scene.create_group("Ops", [ana], is_forum=True)
        topic = one.stand_in.scene.create_topic(forum.id, "Deploys", by=ana)
        where = publication(forum.id, thread=str(topic.id))
        posted = await one.adapter.channel.post(card(TEXT), where)
        one.intake.reply = lambda _arrival: Told("Not yours.")
        one.stand_in.human.write(ana, forum.id, "mine", reply_to=int(posted.message), topic=topic.id)
        await one.stand_in.until(lambda: last_words(one, forum.id) == "Not yours.")
        assert one.stand_in.world.history(forum.id)[-1].topic == topic.id


async def test_an_anonymous_administrator_is_nobody_when_writing_and_somebody_when_pressing() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        group = one.stand_in.scene.create_group("Ops", [ana])
        posted = await _posted(one, group.id, TEXT)
        one.stand_in.human.write(ana, group.id, "as nobody", reply_to=int(posted.message), guise=Guise.ANONYMOUS_ADMIN)
        await one.stand_in.human.press(ana, group.id, "Answer…", message_id=int(posted.message))
        wrote = next(one for one in one.intake.arrivals.values() if isinstance(one, Wrote))
        press = next(one for one in one.intake.arrivals.values() if isinstance(one, Pressed))
        assert (wrote.hint.anonymous, wrote.hint.bot, wrote.sender.user) == (True, False, "1087968824")
        assert (press.hint.anonymous, press.sender.user) == (False, str(ana))


async def test_start_carries_its_code() -> None:
    async with connected(polls=True) as one:
        user = one.stand_in.scene.create_user("Ana").id
        one.intake.reply = lambda _arrival: Helped("Welcome & hello")
        one.stand_in.human.start(user, "one-time_code")
        await one.stand_in.until(lambda: last_words(one, user) == "Welcome & hello")
        (start,) = await one.intake.first()
        assert isinstance(start, Commanded)
        assert (start.name, start.argument, start.private) == ("start", "one-time_code", True)


async def test_a_list_of_open_cards_is_for_one_person_only() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        group = one.stand_in.scene.create_group("Ops", [ana])
        one.intake.reply = lambda _arrival: Listed((card(ASKED),))
        one.stand_in.human.write(ana, group.id, f"/inbox@{one.me.username}")
        await one.stand_in.until(lambda: last_words(one, group.id) == IN_PRIVATE)
        assert "• Release 4.2" in last_words(one, ana)
        one.stand_in.human.block(ana)
        one.stand_in.human.write(ana, group.id, f"/inbox@{one.me.username}")
        await one.stand_in.until(lambda: last_words(one, group.id) == START_FIRST)


async def test_a_person_who_blocks_the_bot_changed() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        one.stand_in.human.block(ana)
        _start, changed = await one.intake.first(2)
        assert isinstance(changed, Changed)
        assert changed.sender.user == str(ana)


@BOTH_WAYS
async def test_a_group_that_becomes_a_supergroup_moves_once(polls: bool) -> None:
    async with connected(polls=polls) as one:
        ana = ana_in(one)
        group = one.stand_in.scene.create_group("Ops", [ana], kind=GroupKind.GROUP, bot=Status.ADMINISTRATOR)
        new = one.stand_in.scene.migrate(group.id)
        one.stand_in.human.write(ana, new.id, "new here")
        arrivals = await one.intake.first(3)
        await one.intake.until(lambda: any(isinstance(arrival, Wrote) for arrival in one.intake.arrivals.values()))
        moves = [(arrival.old, arrival.new) for arrival in arrivals if isinstance(arrival, Moved)]
        assert moves == [(str(group.id), str(new.id))]


async def test_a_failure_to_tell_takes_nothing_back() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana)
        for method in ("answerCallbackQuery", "sendMessage"):
            one.stand_in.faults.plan(Failure(kind=FaultKind.DROP_BEFORE, method=method))
        one.intake.reply = saves("Saved.")
        await one.stand_in.human.press(ana, ana, "Red", message_id=int(posted.message), wait=0.1)
        one.stand_in.human.write(ana, ana, "said")
        assert len(await one.intake.first(3)) == 3
        assert len(one.intake.seen) == 3


async def test_a_press_that_is_nothing_to_us_is_answered_all_the_same() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana)
        user = {"id": ana, "is_bot": False, "first_name": "Ana"}
        query = {"id": "77", "from": user, "chat_instance": "1", "game_short_name": "g"}
        one.stand_in.wire.deliver({"callback_query": query})
        await one.stand_in.human.press(ana, ana, "Red", message_id=int(posted.message))
        answered = [call.args["callback_query_id"] for call in one.stand_in.journal.of("answerCallbackQuery")]
        assert "77" in answered


async def test_the_reason_of_a_reject_is_optional_on_the_card_itself() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await _posted(one, ana, confirmation(reject_label="Keep it"))
        await one.stand_in.human.press(ana, ana, "Keep it (no reason)", message_id=int(posted.message))
        assert [control.action for control in one.intake.controls()] == [Action.REJECT]

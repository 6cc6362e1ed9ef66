"""The ways of Telegram, through the whole service: shared ticks, own words, pages, prompts, topics and moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.telegram.faults import FaultKind
from bot.sandbox.telegram.messages import Guise, Message
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.places import GroupKind
from tests.flows.rig import TG_ANA, TG_BEA, Rig, choice, confirmation, eventually, question, rig, sqlite_at

TEXT = {"id": "q1", "prompt": "What happened?", "type": "text"}


def _ticks(*labels: str, **more: Any) -> dict[str, Any]:
    return {**choice(*labels, **more), "type": "choices"}


def _form(asked: dict[str, Any]) -> dict[str, Any]:
    return {"questions": [asked]}


def _card(r: Rig, asked: dict[str, Any]) -> Message:
    message: Message = r.telegram_message(asked["publications"][0])
    return message


async def _shows(r: Rig, asked: dict[str, Any], *labels: str) -> None:
    async def look() -> bool:
        return [label for label in _card(r, asked).buttons if label in labels] == list(labels)

    await eventually(look)


async def _said(r: Rig, chat: int, words: str) -> Message:
    await r.telegram.until(lambda: any(words in one.text for one in r.telegram.world.history(chat)), 10)
    return next(one for one in reversed(r.telegram.world.history(chat)) if words in one.text)


async def test_what_is_suggested_is_ticked_and_submitted_as_it_stands(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        form = _form(_ticks("Red", "Green", "Blue", initial=["green"]))
        asked = await r.posted((await r.ask(to=f"telegram:{TG_ANA}", payload=form))["id"])
        await _shows(r, asked, "☐ Red", "☑ Green", "☐ Blue")
        tap = await r.telegram.human.press(TG_ANA, TG_ANA, "Submit")
        assert tap.text == "Saved: Green"
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"values": ["green"]}}
        assert _card(r, settled).buttons == []


async def test_own_words_join_the_ticks_and_wait_for_submit(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        form = _form(_ticks("Red", "Green", initial=["green"], custom=True))
        asked = await r.posted((await r.ask(to=f"telegram:{TG_ANA}", payload=form))["id"])
        await r.telegram.human.press(TG_ANA, TG_ANA, "Other…")
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, TG_ANA))
        r.telegram.human.answer_prompt(TG_ANA, TG_ANA, "teal <b>")
        await r.telegram.until(lambda: "Own words: teal <b>" in _card(r, asked).text, 10)
        await r.telegram.human.press(TG_ANA, TG_ANA, "☐ Red", message_id=_card(r, asked).id)
        await _shows(r, asked, "☑ Red", "☑ Green")
        await r.telegram.human.press(TG_ANA, TG_ANA, "Submit", message_id=_card(r, asked).id)
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"values": ["red", "green"], "custom": "teal <b>"}}


# What cannot be deleted is given up as tests/flows/test_taking_back.py has it.
STAYS = pytest.param(False, id="what cannot be deleted stays", marks=pytest.mark.slow)


@pytest.mark.parametrize("deletes", [pytest.param(True, id="they are deleted"), STAYS])
async def test_a_form_that_was_submitted_leaves_no_prompt_in_the_group(tmp_path: Path, deletes: bool) -> None:
    form = {"questions": [TEXT, {**TEXT, "id": "q2", "prompt": "And then?"}]}
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", payload=form))["id"])
        before = {one.id for one in r.telegram.world.history(r.group)}
        card = _card(r, asked).id
        await r.telegram.human.press(TG_ANA, r.group, "Answer", message_id=card)
        for words in ("it fell over", "it got up"):
            await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, r.group))
            r.telegram.human.answer_prompt(TG_ANA, r.group, words)
            await _said(r, r.group, words)
        if not deletes:
            refusal = "Bad Request: message can't be deleted"
            r.telegram.fail(FaultKind.ERROR, "deleteMessage", status=400, description=refusal)
        await _shows(r, asked, "Submit")
        await r.telegram.human.press(TG_ANA, r.group, "Submit", message_id=card)
        await r.shown_settled(asked["id"])

        def left() -> list[str]:
            return [one.text for one in r.telegram.world.history(r.group) if one.id not in before]

        await r.telegram.until(lambda: len(left()) == (2 if deletes else 3), 10)
        assert {"it fell over", "it got up"} <= set(left()), "what people wrote is theirs"


async def test_in_a_group_one_person_at_a_time_fills_in_a_form(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        form = _form(_ticks("Red", "Green"))
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", payload=form))["id"])
        await r.telegram.human.press(TG_ANA, r.group, "☐ Red")
        await r.telegram.until(lambda: "Ana is answering…" in _card(r, asked).text, 10)
        refused = await r.telegram.human.press(TG_BEA, r.group, "☐ Green")
        assert refused.answer is not None
        assert refused.answer.show_alert
        assert "Ana is filling this in" in str(refused.text)
        submitted = await r.telegram.human.press(TG_BEA, r.group, "Submit")
        assert "Ana is filling this in" in str(submitted.text)
        await r.telegram.human.press(TG_ANA, r.group, "Submit")
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"values": ["red"]}}
        assert settled["outcome"]["by"]["identity"] == f"telegram:{TG_ANA}"


async def test_a_long_list_is_turned_to_and_chosen_from(tmp_path: Path) -> None:
    labels = [f"An option that needs a row of its own {number:03}" for number in range(40)]
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", payload=_form(choice(*labels))))["id"])
        for page in range(2, 6):
            await r.telegram.human.press(TG_ANA, r.group, "›")
            await _shows(r, asked, f"{page}/5")
        await r.telegram.human.press(TG_ANA, r.group, labels[39])
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"value": labels[39].lower()}}


async def test_an_optional_reason_is_given_or_left_out(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        one = await r.posted((await r.ask(**confirmation(to=f"telegram:{TG_ANA}")))["id"])
        await r.telegram.human.press(TG_ANA, TG_ANA, "Hold (no reason)")
        settled = await r.shown_settled(one["id"])
        assert (settled["status"], settled["outcome"]["reason"]) == ("rejected", None)
        two = await r.posted((await r.ask(**confirmation(to=f"telegram:{TG_ANA}")))["id"])
        await r.telegram.human.press(TG_ANA, TG_ANA, "Hold", message_id=_card(r, two).id)
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, TG_ANA))
        r.telegram.human.answer_prompt(TG_ANA, TG_ANA, "too <risky>")
        settled = await r.shown_settled(two["id"])
        assert settled["outcome"]["reason"] == "too <risky>"
        assert "Reason: too <risky>" in _card(r, settled).text


async def test_nobody_but_the_one_who_was_asked_answers_a_prompt(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", payload=_form(TEXT)))["id"])
        await r.telegram.human.press(TG_ANA, r.group, "Answer…")
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, r.group))
        prompt = r.telegram.human.prompt(TG_ANA, r.group)
        assert prompt is not None
        r.telegram.human.write(TG_BEA, r.group, "mine", reply_to=prompt.message_id)
        await _said(r, r.group, "waits for someone else's words")
        assert (await r.get(asked["id"]))["status"] == "pending"
        r.telegram.human.answer_prompt(TG_ANA, r.group, "it fell over")
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"value": "it fell over"}}


async def test_a_reply_by_an_anonymous_administrator_changes_nothing_and_their_press_is_their_own(
    tmp_path: Path,
) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", payload=_form(TEXT)))["id"])
        card = _card(r, asked).id
        r.telegram.human.write(TG_ANA, r.group, "as nobody", reply_to=card, guise=Guise.ANONYMOUS_ADMIN)
        await _said(r, r.group, "writing anonymously")
        assert (await r.get(asked["id"]))["status"] == "pending"
        r.telegram.human.write(TG_ANA, r.group, "as myself", reply_to=card)
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["by"]["identity"] == f"telegram:{TG_ANA}"


async def test_words_that_do_not_pass_are_told_what_is_wrong_and_may_be_sent_again(tmp_path: Path) -> None:
    form = _form({**TEXT, "min_length": 10})
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{TG_ANA}", payload=form))["id"])
        card = _card(r, asked).id
        r.telegram.human.write(TG_ANA, TG_ANA, "short", reply_to=card)
        for words in ("now 5", "now 3"):
            refused = await _said(r, TG_ANA, f"This was not counted. Write at least 10 characters ({words}).")
            await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, TG_ANA))
            prompt = r.telegram.human.prompt(TG_ANA, TG_ANA)
            assert prompt is not None
            assert prompt.message_id == refused.id, "the refusal is what can be replied to"
            r.telegram.human.answer_prompt(TG_ANA, TG_ANA, "no!" if words == "now 5" else "long enough now")
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"value": "long enough now"}}


async def test_a_card_in_a_topic_is_answered_there(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        forum = r.telegram.scene.create_group("Forum", [TG_ANA, TG_BEA], is_forum=True)
        topic = r.telegram.scene.create_topic(forum.id, "Deploys", by=TG_ANA)
        asked = await r.posted((await r.ask(to=f"telegram:{forum.id}/{topic.id}", payload=_form(TEXT)))["id"])
        assert _card(r, asked).topic == topic.id
        await r.telegram.human.press(TG_BEA, forum.id, "Answer…")
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_BEA, forum.id, topic.id))
        r.telegram.human.answer_prompt(TG_BEA, forum.id, "it fell over", topic.id)
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["by"]["identity"] == f"telegram:{TG_BEA}"


async def test_an_open_card_follows_its_group_into_the_supergroup(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        group = r.telegram.scene.create_group("Small", [TG_ANA, TG_BEA], kind=GroupKind.GROUP, bot=Status.ADMINISTRATOR)
        asked = await r.posted((await r.ask(to=f"telegram:{group.id}"))["id"])
        new = r.telegram.scene.migrate(group.id)
        await r.telegram.until(lambda: any("Yes" in one.buttons for one in r.telegram.world.history(new.id)), 10)
        await r.telegram.human.press(TG_BEA, new.id, "Yes")
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["by"]["identity"] == f"telegram:{TG_BEA}"


async def test_a_card_for_the_old_id_of_a_group_arrives_once_where_the_group_is(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        group = r.telegram.scene.create_group("Small", [TG_ANA, TG_BEA], kind=GroupKind.GROUP)
        new = r.telegram.scene.migrate(group.id)
        asked = await r.posted((await r.ask(to=f"telegram:{group.id}"))["id"])
        assert asked["publications"][0]["channel"] == str(new.id)
        await r.telegram.human.press(TG_BEA, new.id, "Yes")
        await r.shown_settled(asked["id"])
        assert len([one for one in r.telegram.world.history(new.id) if "Release" in one.text]) == 1


async def test_open_cards_are_listed_and_only_to_whom_they_wait_for(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        await r.posted((await r.ask(to=f"telegram:{TG_ANA}", title="For <Ana>"))["id"])
        r.telegram.human.write(TG_BEA, TG_BEA, "/inbox")
        await _said(r, TG_BEA, "Nothing waits for you.")
        await r.telegram.human.press(TG_ANA, TG_ANA, "Reply in words…")
        r.telegram.human.write(TG_ANA, TG_ANA, "/inbox")
        listed = await _said(r, TG_ANA, "One question waits for you:")
        assert "For <Ana>" in listed.text
        r.telegram.human.write(TG_ANA, r.group, f"/inbox@{r.telegram.bot_username}")
        told = await _said(r, r.group, "private chat")
        assert "For <Ana>" not in told.text


async def test_a_press_of_somebody_the_card_is_not_for_changes_nothing(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        stranger = r.telegram.scene.create_user("Stranger").id
        audience = {"answerers": [f"telegram:{TG_ANA}"]}
        asked = await r.posted((await r.ask(**question(to=f"telegram:{r.group}", audience=audience)))["id"])
        r.telegram.scene.set_status(r.group, stranger, Status.MEMBER, by=TG_ANA)
        tap = await r.telegram.human.press(stranger, r.group, "Yes")
        assert tap.answer is not None
        assert tap.answer.show_alert
        assert "for other people" in str(tap.text)
        assert (await r.get(asked["id"]))["status"] == "pending"


def _reply_of_ana(r: Rig, asked: dict[str, Any], **content: Any) -> dict[str, Any]:
    """A message of a shape that the stand-in's people do not write."""
    chat = {"id": r.group, "type": "supergroup", "title": "Ops"}
    card = {"message_id": _card(r, asked).id, "date": 1, "chat": chat, "text": "What happened?"}
    sender = {"id": TG_ANA, "is_bot": False, "first_name": "Ana"}
    return {"message_id": 900, "from": sender, "chat": chat, "date": 2, "reply_to_message": card, **content}


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(
            {"via_bot": {"id": 9, "is_bot": True, "first_name": "Other", "username": "other_bot"}},
            id="another bot made them",
            marks=pytest.mark.slow,  # told apart where tests/adapters reads messages, and refused alike
        ),
        pytest.param(
            {"forward_origin": {"type": "hidden_user", "sender_user_name": "Somebody", "date": 1}},
            id="they are forwarded",
        ),
    ],
)
async def test_words_that_are_not_their_senders_own_answer_nothing(tmp_path: Path, made: dict[str, Any]) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", payload=_form(TEXT)))["id"])
        words = _reply_of_ana(r, asked, text="approved", **made)
        r.telegram.wire.deliver({"message": words})
        await _said(r, r.group, "reply in your own words")
        assert (await r.get(asked["id"]))["status"] == "pending"


async def test_an_album_answers_nothing_and_gets_one_hint(tmp_path: Path) -> None:
    """What stands under a picture may mean little without it ("this one"), so it is not taken for the answer."""
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}", payload=_form(TEXT)))["id"])
        photo = {"photo": [{"file_id": "A", "file_unique_id": "a", "width": 90, "height": 60}], "media_group_id": "1"}
        for number, more in ((900, {"caption": "this one"}), (901, {})):
            message = {**_reply_of_ana(r, asked, **photo, **more), "message_id": number}
            r.telegram.wire.deliver({"message": message})
        r.telegram.wire.deliver({"message": {**_reply_of_ana(r, asked, text="the left one"), "message_id": 902}})
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["answer"] == {"q1": {"value": "the left one"}}
        await _said(r, r.group, "only text")
        assert sum("only text" in one.text for one in r.telegram.world.history(r.group)) == 1

"""What people see and do: prompts, stale keyboards, who is rung, and what no client would let them do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from telegram import Bot, ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, ReplyParameters

from bot.sandbox.telegram import TelegramStandIn
from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.messages import Guise
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.places import Group, GroupKind
from tests.adapters.telegram.bots import bot_of, serving

CARD = InlineKeyboardMarkup(
    [
        [InlineKeyboardButton("Yes", callback_data="y"), InlineKeyboardButton("No", callback_data="n")],
        [InlineKeyboardButton("Open full form", url="https://example.org/review/1")],
    ]
)


@pytest.fixture
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving() as found:
        found.scene.create_user("Ana", user_id=42, username="ana")
        found.scene.create_user("Ben", user_id=43, username="ben")
        found.scene.create_user("Cleo", user_id=44)
        found.human.start(42)
        yield found


@pytest.fixture
async def bot(stand_in: TelegramStandIn) -> AsyncIterator[Bot]:
    async with bot_of(stand_in) as found:
        yield found


@pytest.fixture
def group(stand_in: TelegramStandIn) -> Group:
    return stand_in.scene.create_group("Ops", [42, 43])


async def test_a_prompt_opens_a_reply_until_the_person_writes_or_closes_it(stand_in: TelegramStandIn, bot: Bot) -> None:
    asked = await bot.send_message(42, "Why?", reply_markup=ForceReply(input_field_placeholder="Reason"))
    shown = stand_in.human.prompt(42, 42)
    assert shown is not None
    assert (shown.message_id, shown.text, shown.placeholder) == (asked.message_id, "Why?", "Reason")
    answer = stand_in.human.answer_prompt(42, 42, "Canary is red")
    assert answer.reply_to == asked.message_id
    assert stand_in.human.prompt(42, 42) is None
    await bot.send_message(42, "Really?", reply_markup=ForceReply())
    stand_in.human.dismiss_prompt(42, 42)
    assert stand_in.human.prompt(42, 42) is None
    with pytest.raises(Impossible, match="no reply prompt is shown"):
        stand_in.human.answer_prompt(42, 42, "late")


async def test_a_selective_prompt_opens_only_for_whom_it_is_aimed_at(
    stand_in: TelegramStandIn, bot: Bot, group: Group
) -> None:
    question = stand_in.human.write(43, group.id, "/why")
    await bot.send_message(group.id, "To everyone", reply_markup=ForceReply())
    assert stand_in.human.prompt(42, group.id) is not None
    await bot.send_message(
        group.id,
        "To Ben",
        reply_parameters=ReplyParameters(question.id),
        reply_markup=ForceReply(selective=True),
    )
    aimed = {who: stand_in.human.prompt(who, group.id) for who in (42, 43)}
    assert [prompt and prompt.text for prompt in aimed.values()] == ["To everyone", "To Ben"]
    await bot.send_message(
        group.id,
        '<a href="tg://user?id=42">Ana</a>, why?',
        parse_mode="HTML",
        reply_markup=ForceReply(selective=True),
    )
    ana, ben = stand_in.human.prompt(42, group.id), stand_in.human.prompt(43, group.id)
    assert ana is not None
    assert ben is not None
    assert (ana.text, ben.text) == ("Ana, why?", "To Ben")


async def test_a_client_that_has_not_redrawn_still_presses_the_old_keyboard(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    sent = await bot.send_message(42, "Deploy?", reply_markup=CARD)
    await bot.edit_message_text("Deployed", 42, sent.message_id)
    with pytest.raises(Impossible, match="no message has that button"):
        await stand_in.human.press(42, 42, "Yes", wait=0)
    tap = await stand_in.human.press(42, 42, "Yes", message_id=sent.message_id, version=0, wait=0)
    assert tap.data == "y"
    forged = await stand_in.human.press(42, 42, data="v1:guess", message_id=sent.message_id, forged=True, wait=0)
    assert (forged.data, forged.answer) == ("v1:guess", None)


async def test_people_are_rung_by_mentions_and_replies_but_not_inside_code(
    stand_in: TelegramStandIn, bot: Bot, group: Group
) -> None:
    theirs = stand_in.human.write(43, group.id, "hello")
    await bot.send_message(group.id, "Careful @ana and @nobody")
    await bot.send_message(group.id, "<code>@ana</code> @\u200bana a@ana.example", parse_mode="HTML")
    await bot.send_message(group.id, "here", reply_parameters=ReplyParameters(theirs.id))
    rung = [message.notified for message in stand_in.world.history(group.id) if message.author == stand_in.bot_id]
    assert rung == [(42,), (), (43,)]


async def test_a_text_longer_than_a_message_goes_as_several_and_only_the_first_replies(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    asked = await bot.send_message(42, "Why?", reply_markup=ForceReply())
    stand_in.human.answer_prompt(42, 42, "a" * 5000)
    first, second = stand_in.world.history(42)[-2:]
    assert (len(first.text), first.reply_to) == (4096, asked.message_id)
    assert (len(second.text), second.reply_to) == (904, None)


async def test_a_group_link_adds_the_bot_and_hands_it_the_payload(stand_in: TelegramStandIn, bot: Bot) -> None:
    group = stand_in.scene.create_group("New", [42], bot=Status.LEFT)
    stand_in.human.start_in_group(42, group.id, "code")
    updates = await bot.get_updates()
    assert updates[-3].my_chat_member is not None
    assert updates[-2].message is not None
    assert [member.id for member in updates[-2].message.new_chat_members] == [stand_in.bot_id]
    assert updates[-1].message is not None
    assert updates[-1].message.text == f"/start@{stand_in.bot_username} code"


async def test_an_administrator_bot_hears_who_comes_and_goes(stand_in: TelegramStandIn, bot: Bot) -> None:
    group = stand_in.scene.create_group("Ops", [42], bot=Status.ADMINISTRATOR)
    await bot.get_updates(allowed_updates=["chat_member"])
    stand_in.scene.set_status(group.id, 43, Status.MEMBER)
    stand_in.scene.set_status(group.id, 43, Status.KICKED, by=42)
    changes = [update.chat_member for update in await bot.get_updates() if update.chat_member]
    assert [(change.from_user.id, change.new_chat_member.status) for change in changes] == [
        (43, "member"),
        (42, "kicked"),
    ]


IMPOSSIBLE: list[tuple[Callable[[TelegramStandIn, int], Any], str]] = [
    (lambda s, g: s.human.write(44, g, "x"), "account 44 is not in chat"),
    (lambda s, g: s.human.write(43, 43, "x"), "press Start first"),
    (lambda s, g: s.human.write(43, 42, "x"), "a private chat is its owner's alone"),
    (lambda s, g: s.human.write(42, 42, "  "), "an empty message cannot be sent"),
    (lambda s, g: s.human.write(43, g, "x", guise=Guise.ANONYMOUS_ADMIN), "only administrators can do that"),
    (lambda s, g: s.human.write(42, g, "x", topic=5), "there is no topic 5"),
    (lambda s, g: s.human.write(42, g, "x", reply_to=999), "there is no message 999 to reply to"),
    (lambda s, g: s.human.start(42, "a b"), "a deep link carries at most 64"),
    (lambda s, g: s.human.start(42, "a" * 65), "a deep link carries at most 64"),
    (lambda s, g: s.human.start(s.bot_id), "a bot cannot start a bot"),
    (lambda s, g: s.human.edit(43, 42, 1, "x"), "only its author edits a message"),
    (lambda s, g: s.human.delete(43, 42, 1), "only its author or an administrator deletes a message"),
    (lambda s, g: s.scene.create_user("Twin", user_id=42), "account 42 exists already"),
    (lambda s, g: s.scene.create_topic(g, "x", by=42), "only a forum has topics"),
    (lambda s, g: s.scene.migrate(g), "only a basic group becomes a supergroup"),
    (lambda s, g: s.wire.deliver({"update_id": 1}), "an update has exactly one kind"),
]


@pytest.mark.parametrize(("act", "words"), IMPOSSIBLE)
async def test_what_no_client_would_let_them_do_is_refused(
    stand_in: TelegramStandIn, group: Group, act: Callable[[TelegramStandIn, int], Any], words: str
) -> None:
    with pytest.raises(Impossible, match=words):
        act(stand_in, group.id)


async def test_a_link_button_sends_no_press_and_an_unclear_one_none_either(stand_in: TelegramStandIn, bot: Bot) -> None:
    await bot.send_message(42, "Deploy?", reply_markup=CARD)
    with pytest.raises(Impossible, match="opens something else"):
        await stand_in.human.press(42, 42, "Open full form")
    with pytest.raises(Impossible, match="no message has that button"):
        await stand_in.human.press(42, 42, "Maybe")
    with pytest.raises(Impossible, match="account 44 is not in chat"):
        await stand_in.human.press(44, stand_in.scene.create_group("Ops", [42]).id, "Yes")


async def test_nobody_writes_in_a_closed_topic_or_an_abandoned_group(stand_in: TelegramStandIn) -> None:
    forum = stand_in.scene.create_group("Forum", [42, 43], is_forum=True)
    topic = stand_in.scene.create_topic(forum.id, "Releases", by=42)
    stand_in.scene.set_topic(forum.id, topic.id, closed=True)
    with pytest.raises(Impossible, match="this topic is closed"):
        stand_in.human.write(43, forum.id, "x", topic=topic.id)
    assert stand_in.human.write(42, forum.id, "administrators may", topic=topic.id).topic == topic.id
    old = stand_in.scene.create_group("Ops", [42], kind=GroupKind.GROUP)
    stand_in.scene.migrate(old.id)
    with pytest.raises(Impossible, match="this group is closed"):
        stand_in.human.write(42, old.id, "x")

"""Updates as Telegram sends them, and the arrivals they are."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.inbound import AnyArrival, Changed, Commanded, Moved, Pressed, Wrote
from adapters.telegram.parse import Receiver, album_of, parse, query_id, update_id
from core.addresses import Provider
from core.people import Identity, Standing

ME = Receiver(bot_id=7_000_000_001, account="sayso_demo_bot")
KEY = "telegram:7000000001:500000001"
ANA = {"id": 42, "is_bot": False, "first_name": "Ana", "last_name": "Ruiz", "username": "ana_r", "language_code": "es"}
PRIVATE = {"id": 42, "type": "private", "first_name": "Ana"}
GROUP = {"id": -4001, "type": "group", "title": "Ops", "all_members_are_administrators": True}
SUPERGROUP = {"id": -1001234567890, "type": "supergroup", "title": "Ops"}
FORUM = {**SUPERGROUP, "is_forum": True}
BOT = {"id": 7_000_000_001, "is_bot": True, "first_name": "sayso", "username": "sayso_demo_bot"}
CARD = {"message_id": 31, "from": BOT, "date": 1_796_200_000, "text": "Ship it?"}


def _update(**kind: Any) -> dict[str, Any]:
    return {"update_id": 500_000_001, **kind}


def _message(
    chat: dict[str, Any], text: str | None = "hello", *, sender: dict[str, Any] = ANA, **more: Any
) -> dict[str, Any]:
    body = {"message_id": 77, "from": sender, "chat": chat, "date": 1_796_200_100, **more}
    return _update(message=body if text is None else {**body, "text": text})


def _press(message: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    query = {"id": "4382", "from": ANA, "chat_instance": "-53", "data": "TOKEN", **more}
    return _update(callback_query=query if message is None else {**query, "message": message})


def _status(user: dict[str, Any], status: str) -> dict[str, Any]:
    return {"user": user, "status": status, **({"until_date": 0} if status == "kicked" else {})}


def _common(raw: dict[str, Any], **hint: Any) -> dict[str, Any]:
    return {
        "key": KEY,
        "provider": Provider.TELEGRAM,
        "account": "sayso_demo_bot",
        "sender": Identity(provider="telegram", user="42"),
        "hint": Standing(**{"name": "Ana Ruiz", **hint}),
        "raw": raw,
    }


def _wrote(raw: dict[str, Any], channel: str, *, text: str = "hello", **more: Any) -> Wrote:
    fields = {"thread": None, "reply_to": None, "private": False, "message": "77", **more}
    fields.setdefault("to_us", fields["reply_to"] is not None)
    sender = fields.pop("sender", None)
    hint = fields.pop("hint", {})
    common = _common(raw, **hint)
    if sender is not None:
        common["sender"] = Identity(provider="telegram", user=sender)
    return Wrote(**common, channel=channel, text=text, **fields)


def _commanded(raw: dict[str, Any], name: str, argument: str = "", *, private: bool = True) -> Commanded:
    channel = "42" if private else "-1001234567890"
    return Commanded(**_common(raw), channel=channel, thread=None, name=name, argument=argument, private=private)


def _pressed(raw: dict[str, Any], channel: str, thread: str | None = None, *, carried: bool = True) -> Pressed:
    return Pressed(**_common(raw), channel=channel, thread=thread, message="31", token="TOKEN", carried=carried)


def _with(*data: str) -> dict[str, Any]:
    return {"reply_markup": {"inline_keyboard": [[{"text": one, "callback_data": one}] for one in data]}}


_press_private = _press({**CARD, **_with("OTHER", "TOKEN"), "chat": PRIVATE})
_press_group = _press({**CARD, **_with("TOKEN"), "chat": SUPERGROUP, "message_thread_id": 12})
_press_topic = _press({**CARD, **_with("TOKEN"), "chat": FORUM, "message_thread_id": 7, "is_topic_message": True})
_press_elsewhere = _press({**CARD, **_with("OTHER"), "chat": SUPERGROUP})
_press_on_words = _press({**CARD, "chat": SUPERGROUP})
_press_old = _press({"message_id": 31, "chat": SUPERGROUP, "date": 0})
_reply = _message(PRIVATE, reply_to_message={**CARD, "chat": PRIVATE})
_plain = _message(SUPERGROUP)
_formatted = _message(SUPERGROUP, "see [ACK x]", entities=[{"type": "code", "offset": 4, "length": 7}])
_to_ben = _message(SUPERGROUP, reply_to_message={**CARD, "from": {**ANA, "id": 43}, "chat": SUPERGROUP})
_threaded = _message(SUPERGROUP, message_thread_id=31, reply_to_message={**CARD, "chat": SUPERGROUP})
_opener = {"message_id": 7, "from": ANA, "chat": FORUM, "date": 1, "message_thread_id": 7,
           "is_topic_message": True, "forum_topic_created": {"name": "Deploys", "icon_color": 7322096}}  # fmt: skip
_in_topic = _message(FORUM, message_thread_id=7, is_topic_message=True, reply_to_message=_opener)
_in_topic_reply = _message(
    FORUM, message_thread_id=7, is_topic_message=True,
    reply_to_message={**CARD, "chat": FORUM, "message_thread_id": 7, "is_topic_message": True},
)  # fmt: skip
_anonymous = _message(
    SUPERGROUP,
    sender={"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"},
    sender_chat=SUPERGROUP,
)  # fmt: skip
_as_channel = _message(
    SUPERGROUP,
    sender={"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"},
    sender_chat={"id": -1009, "type": "channel", "title": "News"},
)  # fmt: skip
_another_bot = _message(SUPERGROUP, sender={**BOT, "id": 9, "first_name": "other"})
_via_bot = _message(PRIVATE, reply_to_message={**CARD, "chat": PRIVATE}, via_bot={**BOT, "id": 9})
_forwarded = _message(PRIVATE, forward_origin={"type": "user", "sender_user": {**ANA, "id": 43}, "date": 1_796_200_000})
PHOTO: dict[str, Any] = {"photo": [{"file_id": "A", "file_unique_id": "a", "width": 90, "height": 60}]}
_photo = _message(PRIVATE, None, caption="yes", reply_to_message={**CARD, "chat": PRIVATE}, **PHOTO)
_voice = _message(SUPERGROUP, None, voice={"file_id": "A", "file_unique_id": "a", "duration": 3},
                  reply_to_message={**CARD, "chat": SUPERGROUP})  # fmt: skip
_photo_with_a_command = _message(PRIVATE, None, caption="/inbox", **PHOTO)
_start = _message(PRIVATE, "/start a_one-Time0code", entities=[{"type": "bot_command", "offset": 0, "length": 6}])
_inbox_here = _message(SUPERGROUP, "/inbox@Sayso_Demo_Bot")
_help = _message(PRIVATE, "/help  me\nplease ")
_unknown_command = _message(PRIVATE, "/etc/hosts is wrong")
_grown = _message(GROUP, None, migrate_to_chat_id=-1001234567890)
_blocked = _update(my_chat_member={
    "chat": PRIVATE, "from": ANA, "date": 1, "old_chat_member": _status(BOT, "member"),
    "new_chat_member": _status(BOT, "kicked"),
})  # fmt: skip
_unblocked = _update(my_chat_member={
    "chat": PRIVATE, "from": ANA, "date": 1, "old_chat_member": _status(BOT, "kicked"),
    "new_chat_member": _status(BOT, "member"),
})  # fmt: skip

ARRIVALS: list[tuple[str, dict[str, Any], AnyArrival]] = [
    ("a press in private", _press_private, _pressed(_press_private, "42")),
    ("a press in a group whose replies have a number", _press_group, _pressed(_press_group, "-1001234567890")),
    ("a press in a topic", _press_topic, _pressed(_press_topic, "-1001234567890", "7")),
    ("a press on a message too old to be shown", _press_old, _pressed(_press_old, "-1001234567890", carried=False)),
    ("a press that names another message", _press_elsewhere,
     _pressed(_press_elsewhere, "-1001234567890", carried=False)),
    ("a press that names a message without buttons", _press_on_words,
     _pressed(_press_on_words, "-1001234567890", carried=False)),
    ("a reply in private", _reply, _wrote(_reply, "42", reply_to="31", private=True)),
    ("a reply to somebody else", _to_ben, _wrote(_to_ben, "-1001234567890", reply_to="31", to_us=False)),
    ("a message in a group", _plain, _wrote(_plain, "-1001234567890")),
    ("words with code among them", _formatted,
     _wrote(_formatted, "-1001234567890", text="see [ACK x]", spoken="see `[ACK x]`")),
    ("a reply in a group, in a chain of replies", _threaded, _wrote(_threaded, "-1001234567890", reply_to="31")),
    ("a message in a topic answers nothing", _in_topic, _wrote(_in_topic, "-1001234567890", thread="7")),
    ("a reply in a topic", _in_topic_reply, _wrote(_in_topic_reply, "-1001234567890", thread="7", reply_to="31")),
    ("an anonymous administrator", _anonymous,
     _wrote(_anonymous, "-1001234567890", sender="1087968824", hint={"anonymous": True, "name": "Group"})),
    ("somebody as a channel", _as_channel,
     _wrote(_as_channel, "-1001234567890", sender="136817688", hint={"anonymous": True, "name": "Channel"})),
    ("another bot", _another_bot,
     _wrote(_another_bot, "-1001234567890", sender="9", hint={"bot": True, "name": "other"})),
    ("words that another bot made", _via_bot, _wrote(_via_bot, "42", reply_to="31", private=True, own=False)),
    ("somebody else's words", _forwarded, _wrote(_forwarded, "42", private=True, own=False)),
    ("a photo, whatever stands under it", _photo,
     _wrote(_photo, "42", text="", reply_to="31", private=True, attached=True, spoken="yes")),
    ("a voice message", _voice, _wrote(_voice, "-1001234567890", text="", reply_to="31", attached=True)),
    ("a photo with a command under it", _photo_with_a_command,
     _wrote(_photo_with_a_command, "42", text="", private=True, attached=True, spoken="/inbox")),
    ("a deep link", _start, _commanded(_start, "start", "a_one-Time0code")),
    ("a command for this bot in a group", _inbox_here, _commanded(_inbox_here, "inbox", private=False)),
    ("a command with words behind it", _help, _commanded(_help, "help", "me\nplease")),
    ("words that begin with a slash", _unknown_command,
     _wrote(_unknown_command, "42", text="/etc/hosts is wrong", private=True)),
    ("a group became a supergroup", _grown, Moved(**_common(_grown), old="-4001", new="-1001234567890")),
    ("the bot was blocked", _blocked, Changed(**_common(_blocked))),
    ("the bot may write again", _unblocked, Changed(**_common(_unblocked))),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "arrival"), [pytest.param(raw, arrival, id=name) for name, raw, arrival in ARRIVALS])
def test_an_update_is_read(raw: dict[str, Any], arrival: AnyArrival) -> None:
    assert parse(raw, ME) == arrival


NOTHING: list[tuple[str, dict[str, Any]]] = [
    ("the other half of becoming a supergroup", _message(SUPERGROUP, None, migrate_from_chat_id=-4001)),
    ("an edited message", _update(edited_message=_plain["message"])),
    ("a message without anything in it", _message(PRIVATE, None, photo=[])),
    ("a message was pinned", _message(SUPERGROUP, None, pinned_message={**CARD, "chat": SUPERGROUP})),
    ("a command for another bot", _message(SUPERGROUP, "/inbox@other_bot")),
    ("an automatic forward from a channel", _message(SUPERGROUP, is_automatic_forward=True)),
    ("a press on a message of an inline mode", _press(None, inline_message_id="AAA")),
    ("a press on a game", _press({**CARD, "chat": PRIVATE}, data=None, game_short_name="g")),
    ("the bot joined a group", _update(my_chat_member={
        "chat": SUPERGROUP, "from": ANA, "date": 1, "old_chat_member": _status(BOT, "left"),
        "new_chat_member": _status(BOT, "member"),
    })),
    ("a message from nobody with an id", _message(PRIVATE, sender={**ANA, "id": "42"})),
    ("a message in no place", _message({**PRIVATE, "id": None})),
    ("a message without a chat", _update(message={**_plain["message"], "chat": None})),
    ("a press of nobody", _press({**CARD, "chat": PRIVATE}, **{"from": None})),
    ("a name that is an object", _message(PRIVATE, sender={**ANA, "first_name": {"a": 1}, "last_name": None})),
    ("a date that no calendar has", _message(PRIVATE, date=10**30)),
    ("a topic that is a word", _message(FORUM, message_thread_id="7", is_topic_message=True)),
    ("a poll answer", _update(poll_answer={"poll_id": "1", "user": ANA, "option_ids": [0]})),
    ("a kind of the future", _update(thought={"of": ANA})),
    ("a message without a chat", _update(message={"message_id": 1, "date": 1})),
    ("a message that is text", _update(message="hello")),
    ("no update at all", {"ok": True}),
]  # fmt: skip


@pytest.mark.parametrize("raw", [pytest.param(raw, id=name) for name, raw in NOTHING])
def test_what_is_no_concern_of_ours_is_no_arrival(raw: dict[str, Any]) -> None:
    assert parse(raw, ME) is None


def test_a_press_shows_the_real_person_also_where_they_write_anonymously() -> None:
    press = parse(_press_group, ME)
    assert isinstance(press, Pressed)
    assert not press.hint.anonymous


@pytest.mark.parametrize("raw", [{}, {"update_id": "1"}, {"update_id": True}, {"update_id": None}, {"update_id": 1.0}])
def test_an_update_has_a_whole_number(raw: dict[str, Any]) -> None:
    assert update_id(raw) is None


def test_a_press_is_answered_by_its_own_id() -> None:
    assert query_id(_press_group) == "4382"
    assert query_id(_plain) == ""
    assert query_id({"callback_query": "x"}) == ""


def test_the_photos_of_an_album_belong_together() -> None:
    assert album_of(_message(PRIVATE, None, media_group_id="134", **PHOTO)) == "134"
    assert album_of(_photo) == ""
    assert album_of({"message": {"media_group_id": 134}}) == ""

"""Telegram's refusals and what follows from each."""

from __future__ import annotations

import json

import pytest
from telegram.error import NetworkError, TelegramError, TimedOut

from adapters.telegram.errors import (
    TABLE,
    AlreadySo,
    ApiRefusal,
    Follows,
    GatewayAnswer,
    channel_error,
    find_row,
    read_refusal,
)
from bot.sandbox.telegram import refusals
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    Transient,
    Unreachable,
)

REFUSALS: list[tuple[int, str, type[ChannelError]]] = [
    # code, description as the server sends it, what it is to us
    (400, "Bad Request: message is not modified: specified new message content and reply markup are…", AlreadySo),
    (400, "Bad Request: query is too old and response timeout expired or query ID is invalid", AlreadySo),
    (400, "Bad Request: message to edit not found", MessageGone),
    (400, "Bad Request: message can't be edited", MessageGone),
    (400, "Bad Request: MESSAGE_ID_INVALID", MessageGone),
    (400, "Bad Request: there is no text in the message to edit", MessageGone),
    (400, "Bad Request: chat not found", Unreachable),
    (400, "Bad Request: message thread not found", Unreachable),
    (400, "Bad Request: TOPIC_CLOSED", Unreachable),
    (400, "Bad Request: not enough rights to send text messages to the chat", Unreachable),
    (400, "Bad Request: need administrator rights in the channel chat", Unreachable),
    (400, "Bad Request: CHAT_WRITE_FORBIDDEN", Unreachable),
    (400, 'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 3', Misrendered),
    (400, "Bad Request: message is too long", Misrendered),
    (400, "Bad Request: BUTTON_DATA_INVALID", Misrendered),
    (400, "Bad Request: reply markup is too long", Misrendered),
    (400, "Bad Request: something nobody has seen before", Misrendered),
    (401, "Unauthorized", InstallationDead),
    (404, "Not Found", InstallationDead),
    (403, "Forbidden: bot was blocked by the user", Unreachable),
    (403, "Forbidden: user is deactivated", Unreachable),
    (403, "Forbidden: bot can't initiate conversation with a user", Unreachable),
    (403, "Forbidden: bot was kicked from the supergroup chat", Unreachable),
    (403, "Forbidden: bot is not a member of the channel chat", Unreachable),
    (403, "Forbidden: the group chat was deleted", Unreachable),
    (403, "Forbidden: something new", Unreachable),
    (409, "Conflict: terminated by other getUpdates request", Transient),
    (413, "Request Entity Too Large", Misrendered),
    (429, "Too Many Requests: retry after 5", Transient),
    (418, "I'm a teapot", Misrendered),
    (500, "Internal Server Error: restart", Ambiguous),
]


@pytest.mark.parametrize(("code", "description", "kind"), REFUSALS)
def test_a_refusal_is_sorted_by_what_follows_from_it(code: int, description: str, kind: type[ChannelError]) -> None:
    assert type(channel_error(ApiRefusal(code, description))) is kind
    assert type(channel_error(ApiRefusal(code, description.upper()))) is kind


def test_every_row_is_the_first_to_fit_its_own_words() -> None:
    assert [row for row in TABLE if find_row(row.code, row.begins + " and more") is not row] == []


def test_whoever_asked_is_told_a_reason_wherever_a_place_cannot_be_reached() -> None:
    assert [row for row in TABLE if (row.follows is Follows.UNREACHABLE) is not bool(row.reason)] == []


def test_the_reason_is_plain_and_the_code_is_one_word_of_the_table() -> None:
    error = channel_error(ApiRefusal(403, "Forbidden: bot was blocked by the user"))
    assert isinstance(error, Unreachable)
    assert error.reason == "the person has blocked the bot"
    assert error.code == "bot_was_blocked_by_the_user"
    assert {row.code for row in TABLE if not row.word.replace("_", "").isalpha()} == set()


def test_what_a_refusal_quotes_of_a_text_is_left_out() -> None:
    quoting = ApiRefusal(400, 'Bad Request: can\'t parse entities: unsupported start tag "our-secret-plan" at byte 5')
    assert str(channel_error(quoting)) == 'Bad Request: can\'t parse entities: unsupported start tag "…" at byte 5'


def _stand_ins_refusals() -> dict[str, tuple[int, str]]:
    found = {name: value for name, value in vars(refusals).items() if name.isupper()}
    return {name: (value.code, value.description) for name, value in found.items() if hasattr(value, "description")}


# Refusals of calls that are never made, or whose arguments would be a mistake of ours.
MISTAKES = {
    "NO_ADMINS_IN_PRIVATE", "MEMBERS_HIDDEN", "REPLY_NOT_FOUND", "QUOTE_INVALID", "DELETE_NOT_FOUND",
    "CANNOT_DELETE", "DELETE_NO_IDS", "DELETE_TOO_MANY", "WRONG_ACTION", "MARKUP_UNREADABLE", "WEBHOOK_URL_INVALID",
    "WEBHOOK_NOT_HTTPS", "WEBHOOK_PORT",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(_stand_ins_refusals()))
def test_every_refusal_of_the_stand_in_is_known(name: str) -> None:
    code, description = _stand_ins_refusals()[name]
    assert (find_row(code, description).follows is Follows.OURS) is (name in MISTAKES)


def test_how_long_to_wait_and_where_a_chat_went_are_read() -> None:
    slow = read_refusal(429, _body("Too Many Requests: retry after 7", retry_after=7))
    error = channel_error(slow)
    assert isinstance(error, Transient)
    assert error.retry_after == 7
    moved = channel_error(read_refusal(400, _body("Bad Request: group chat was upgraded", migrate_to_chat_id=-1009)))
    assert str(moved) == "the conversation moved to -1009"


def _body(description: str, **parameters: int) -> bytes:
    return json.dumps({"ok": False, "description": description, "parameters": parameters}).encode()


@pytest.mark.parametrize(
    ("code", "kind"), [(400, Transient), (403, Transient), (404, Transient), (502, Ambiguous), (302, Ambiguous)]
)
@pytest.mark.parametrize("page", [b"<html>Bad Gateway</html>", b"[]", b'{"error": "no"}', b"\xff"])
def test_the_page_of_a_gateway_says_nothing_of_a_chat(code: int, kind: type[ChannelError], page: bytes) -> None:
    refusal = read_refusal(code, page)
    assert isinstance(refusal, GatewayAnswer)
    error = channel_error(refusal)
    assert type(error) is kind
    assert not isinstance(error, Ambiguous) or error.answered


class ConnectTimeout(Exception):
    """Named like what the HTTP library raises."""


class PoolTimeout(Exception):
    """The same."""


class ConnectError(Exception):
    """The same."""


class ReadTimeout(Exception):
    """The same."""


class RemoteProtocolError(Exception):
    """The same."""


LOST: list[tuple[TelegramError, Exception, type[ChannelError]]] = [
    # what the library raises, its cause, what it is to us
    (TimedOut(), ConnectTimeout(), Transient),
    (TimedOut("Pool timeout"), PoolTimeout(), Transient),
    (NetworkError("httpx.ConnectError"), ConnectError(), Transient),
    (TimedOut(), ReadTimeout(), Ambiguous),
    (NetworkError("httpx.RemoteProtocolError"), RemoteProtocolError(), Ambiguous),
    (TelegramError("Invalid server response"), ValueError(), Ambiguous),
]


@pytest.mark.parametrize(("error", "cause", "kind"), LOST)
def test_what_cannot_have_left_may_be_sent_again(
    error: TelegramError, cause: Exception, kind: type[ChannelError]
) -> None:
    error.__cause__ = cause
    found = channel_error(error)
    assert type(found) is kind
    assert type(cause).__name__ in str(found)
    assert not isinstance(found, Ambiguous) or not found.answered

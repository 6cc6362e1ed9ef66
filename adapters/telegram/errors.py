"""Telegram's errors as ours, by one table: the code, how the description begins, and what follows from it.

The descriptions are those of the Bot API server and of Telegram behind it; they may change, so they are matched by
their beginning and in lower case, and a 400 that is not known counts as a mistake of ours. What happened on the way
is sorted by whether the request can have left: if it cannot, it may be made again; if it may have, nobody knows.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Final, assert_never

from telegram.error import TelegramError

from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)


class AlreadySo(ChannelError):
    """What was wanted is so already, or matters no more."""


class ApiRefusal(TelegramError):
    """The server's refusal as it was sent: python-telegram-bot's own errors keep neither code nor parameters."""

    def __init__(
        self, code: int, description: str, *, retry_after: float | None = None, moved_to: str | None = None
    ) -> None:
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.moved_to = moved_to
        super().__init__(description)


class GatewayAnswer(TelegramError):
    """Something between us and the Bot API answered with `code` and no JSON of the Bot API."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"HTTP {code} from a gateway")


class Follows(Enum):
    """What follows from a refusal."""

    DONE = auto()  # what was wanted is so already, or matters no more
    GONE = auto()  # the message is not there, or is none that can be edited
    UNREACHABLE = auto()  # this destination will not work as it is
    DEAD = auto()  # the token does not work
    OURS = auto()  # the request was wrong: our mistake
    AGAIN = auto()  # nothing was done; the same may be tried again


@dataclass(frozen=True, slots=True)
class Row:
    """A refusal: its code, how its description begins, what follows, and what the asker is told."""

    code: int
    begins: str
    follows: Follows
    reason: str = ""

    @property
    def word(self) -> str:
        """The refusal in one short word of its own, for counting."""
        said = self.begins.partition(": ")[2] or HTTPStatus(self.code).phrase.lower()
        return re.sub(r"[^a-z]+", "_", said.replace("'", "")).strip("_")


_NO_CHAT: Final = "there is no such chat, or the bot has never been in it"
_NO_RIGHT: Final = "the bot may not write in this chat"
_NO_TOPIC: Final = "the topic does not exist any more"

# The first row that fits counts; a row without a beginning fits every description of its code.
TABLE: Final[tuple[Row, ...]] = (
    Row(400, "bad request: message is not modified", Follows.DONE),
    Row(400, "bad request: query is too old", Follows.DONE),
    Row(400, "bad request: message to edit not found", Follows.GONE),
    Row(400, "bad request: message can't be edited", Follows.GONE),
    Row(400, "bad request: message_id_invalid", Follows.GONE),
    Row(400, "bad request: message identifier is not specified", Follows.GONE),
    Row(400, "bad request: there is no text in the message to edit", Follows.GONE),
    Row(400, "bad request: there is no caption in the message to edit", Follows.GONE),
    Row(400, "bad request: chat not found", Follows.UNREACHABLE, _NO_CHAT),
    Row(400, "bad request: user not found", Follows.UNREACHABLE, _NO_CHAT),
    Row(400, "bad request: peer_id_invalid", Follows.UNREACHABLE, _NO_CHAT),
    Row(400, "bad request: chat_id is empty", Follows.UNREACHABLE, _NO_CHAT),
    Row(400, "bad request: have no access", Follows.UNREACHABLE, _NO_CHAT),
    Row(400, "bad request: group chat was upgraded", Follows.UNREACHABLE, "the group has become another chat"),
    Row(400, "bad request: group chat was deactivated", Follows.UNREACHABLE, "the group does not exist any more"),
    Row(400, "bad request: message thread not found", Follows.UNREACHABLE, _NO_TOPIC),
    Row(400, "bad request: topic_deleted", Follows.UNREACHABLE, _NO_TOPIC),
    Row(400, "bad request: topic_closed", Follows.UNREACHABLE, "the topic is closed"),
    Row(400, "bad request: not enough rights", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "bad request: have no write access", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "bad request: have no rights", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "bad request: need administrator rights", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "bad request: chat_admin_required", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "bad request: chat_write_forbidden", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "bad request: chat_restricted", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "bad request: chat_send_plain_forbidden", Follows.UNREACHABLE, _NO_RIGHT),
    Row(400, "", Follows.OURS),
    Row(401, "", Follows.DEAD),
    Row(403, "forbidden: bot was blocked by the user", Follows.UNREACHABLE, "the person has blocked the bot"),
    Row(403, "forbidden: user is deactivated", Follows.UNREACHABLE, "this Telegram account is deactivated"),
    Row(403, "forbidden: bot can't initiate", Follows.UNREACHABLE, "the person has not started a chat with the bot"),
    Row(403, "forbidden: bot was kicked", Follows.UNREACHABLE, "the bot was removed from this chat"),
    Row(403, "forbidden: bot is not a member", Follows.UNREACHABLE, "the bot is not in this chat"),
    Row(403, "forbidden: the group chat was deleted", Follows.UNREACHABLE, "the group does not exist any more"),
    Row(403, "forbidden: bot can't send messages to", Follows.UNREACHABLE, "a bot cannot be asked"),
    Row(403, "forbidden: the bot can't send messages to", Follows.UNREACHABLE, "a bot cannot be asked"),
    Row(403, "", Follows.UNREACHABLE, "Telegram does not let the bot write there"),
    Row(404, "", Follows.DEAD),
    Row(409, "", Follows.AGAIN),
    Row(413, "", Follows.OURS),
    Row(429, "", Follows.AGAIN),
)
_QUOTED: Final = re.compile(r'"[^"]*"')
"""What a description quotes of the text that was sent."""
# How the HTTP library calls what kept a request from leaving; after anything else it may have arrived.
NEVER_LEFT: Final = frozenset(
    {"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol", "InvalidURL"}
)
DEAD: Final = "Telegram does not know this token: check TELEGRAM_BOT_TOKEN and TELEGRAM_API_URL"


def read_refusal(code: int, payload: bytes) -> ApiRefusal | GatewayAnswer:
    """Read an answer that is no success."""
    try:
        body = json.loads(payload)
    except ValueError:
        return GatewayAnswer(code)
    if not isinstance(body, dict) or body.get("ok") is not False:
        return GatewayAnswer(code)
    parameters = body.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    retry_after, moved_to = parameters.get("retry_after"), parameters.get("migrate_to_chat_id")
    return ApiRefusal(
        code,
        str(body.get("description") or f"HTTP {code}"),
        retry_after=float(retry_after) if isinstance(retry_after, int | float) else None,
        moved_to=str(moved_to) if isinstance(moved_to, int) else None,
    )


def channel_error(error: TelegramError) -> ChannelError:
    """What an error of a call means. No token and no address is in it."""
    match error:
        case ApiRefusal():
            return _refused(error)
        case GatewayAnswer(code=code) if 400 <= code < 500:
            return Transient(f"a gateway before Telegram answered HTTP {code}")
        case GatewayAnswer(code=code):
            return Ambiguous(f"a gateway before Telegram answered HTTP {code}", answered=True)
        case _:
            return _lost(error)


def _refused(refusal: ApiRefusal) -> ChannelError:
    code, description = refusal.code, refusal.description
    if refusal.moved_to is not None:
        return PlaceMoved(refusal.moved_to)
    if code >= 500:
        return Ambiguous(f"Telegram answered {code}: {description}", answered=True)
    row = find_row(code, description)
    match row.follows:
        case Follows.DONE:
            return AlreadySo(description)
        case Follows.GONE:
            return MessageGone(description)
        case Follows.UNREACHABLE:
            return Unreachable(row.word, row.reason)
        case Follows.DEAD:
            return InstallationDead(DEAD)
        case Follows.OURS:
            return Misrendered(_QUOTED.sub('"…"', description))
        case Follows.AGAIN:
            return Transient(description, retry_after=refusal.retry_after)
        case _:
            assert_never(row.follows)


def find_row(code: int, description: str) -> Row:
    """The row for a refusal; a code that is not in the table is a mistake of ours."""
    said = description.strip().lower()
    fits = (row for row in TABLE if row.code == code and said.startswith(row.begins))
    return next(fits, Row(code, "", Follows.OURS))


def _lost(error: TelegramError) -> ChannelError:
    """What became of a call without an answer, by the cause that python-telegram-bot keeps."""
    cause = type(error.__cause__ or error).__name__
    if cause in NEVER_LEFT:
        return Transient(f"Telegram could not be reached: {cause}")
    return Ambiguous(f"Telegram's answer was lost: {cause}")

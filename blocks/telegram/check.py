"""What the Bot API would refuse about a request, before it is sent.

`check` takes the parameters of a method as plain dicts and returns the first refusal in the server's
wording, or None; None means that nothing known stands against the request itself. What depends on the world
(is there such a chat, is the message still there) only the server can say. The numbers come from `limits`.
Two rules are ours, both stricter than the server: text is counted in UTF-16 units, and buttons may not lead
to the reader's own machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from blocks.telegram import limits
from blocks.telegram.check_keyboard import check_keyboard
from blocks.telegram.entities import Entity, Formatted, normalise
from blocks.telegram.parse_html import HtmlError, parse_html
from blocks.telegram.refusal import ChatKind, Refusal, bad_request

__all__ = ["ChatKind", "Refusal", "check", "formatted"]

_SECRET: Final = re.compile(r"[A-Za-z0-9_-]*")
_COMMAND: Final = re.compile(r"[a-z0-9_]+")


def check(method: str, request: Mapping[str, object], chat: ChatKind = "private") -> Refusal | None:
    """Return the first thing the server would refuse about `request`, or None.

    `chat` is the kind of the chat it goes to: some buttons exist only in private chats. Methods that are
    not in the table have nothing to check.
    """
    for rule in _RULES.get(method, ()):
        if found := rule(request, chat):
            return found
    return None


def formatted(request: Mapping[str, object]) -> Formatted | Refusal:
    """Return what a person will read of `text` (with its `parse_mode` or `entities`), or why it cannot be
    read.
    """
    text = request.get("text")
    if not isinstance(text, str) or not text:
        return bad_request("message text is empty", "/text")
    if limits.size(text) > limits.MESSAGE_SOURCE.number:
        return bad_request("text is too long", "/text")
    mode = request.get("parse_mode") or ""
    if not isinstance(mode, str) or mode.lower() not in ("", "none", "html"):
        return bad_request("unsupported parse_mode", "/parse_mode")
    if mode.lower() == "html":
        try:
            return parse_html(text)
        except HtmlError as error:
            return bad_request(f"can't parse entities: {error}", "/text")
    given = request.get("entities") or ()
    if not isinstance(given, Sequence) or isinstance(given, str):
        return bad_request("can't parse entities JSON object", "/entities")
    entities: list[Entity] = []
    for index, raw in enumerate(given):
        found = _entity(raw, f"/entities/{index}")
        if isinstance(found, Refusal):
            return found
        entities.append(found)
    return normalise(text, entities)


def _entity(raw: object, at: str) -> Entity | Refusal:
    if not isinstance(raw, Mapping):
        return bad_request("can't parse MessageEntity: expected an Object", at)
    kind, offset, length = raw.get("type"), raw.get("offset"), raw.get("length")
    if not isinstance(kind, str):
        return bad_request("can't parse MessageEntity: can't find field \"type\"", at)
    if not isinstance(offset, int) or not isinstance(length, int) or offset < 0 or length < 0:
        return bad_request('can\'t parse MessageEntity: field "offset" must be of type Number', at)
    user = raw.get("user")
    arguments = [raw.get(name) for name in ("url", "language", "custom_emoji_id", "unix_time")]
    arguments.append(user.get("id") if isinstance(user, Mapping) else None)
    argument = next((value for value in arguments if value is not None), "")
    return Entity(kind, offset, length, str(argument))


def _text(request: Mapping[str, object], _chat: ChatKind) -> Refusal | None:
    found = formatted(request)
    if isinstance(found, Refusal):
        return found
    if not found.text:
        return bad_request("text must be non-empty", "/text")
    if limits.utf16_length(found.text) > limits.MESSAGE_TEXT.number:
        return bad_request("message is too long", "/text")
    return None


def _any_markup(request: Mapping[str, object], chat: ChatKind) -> Refusal | None:
    return check_keyboard(request.get("reply_markup"), chat, inline_only=False)


def _inline_markup(request: Mapping[str, object], chat: ChatKind) -> Refusal | None:
    return check_keyboard(request.get("reply_markup"), chat, inline_only=True)


def _reply(request: Mapping[str, object], _chat: ChatKind) -> Refusal | None:
    reply = request.get("reply_parameters")
    if reply is None:
        return None
    if not isinstance(reply, Mapping):
        return bad_request("object expected as reply parameters", "/reply_parameters")
    quote = reply.get("quote")
    if isinstance(quote, str) and limits.utf16_length(quote) > limits.REPLY_QUOTE.number:
        return bad_request("message quote is too long", "/reply_parameters/quote")
    return None


def _tap_answer(request: Mapping[str, object], _chat: ChatKind) -> Refusal | None:
    text = request.get("text") or ""
    if not isinstance(text, str) or limits.utf16_length(text) > limits.TAP_TEXT.number:
        return bad_request("MESSAGE_TOO_LONG", "/text")
    return None


def _commands(request: Mapping[str, object], _chat: ChatKind) -> Refusal | None:
    commands = request.get("commands") or ()
    if not isinstance(commands, Sequence) or isinstance(commands, str):
        return bad_request("expected an Array of BotCommand", "/commands")
    if len(commands) > limits.COMMANDS.number:
        return bad_request("BOT_COMMANDS_TOO_MUCH", "/commands")
    for index, command in enumerate(commands):
        at = f"/commands/{index}"
        name = command.get("command") if isinstance(command, Mapping) else None
        about = command.get("description") if isinstance(command, Mapping) else None
        if not isinstance(name, str) or not name:
            return bad_request("command must be non-empty", at)
        if not _COMMAND.fullmatch(name) or len(name) > limits.COMMAND_NAME.number:
            return bad_request("BOT_COMMAND_INVALID", f"{at}/command")
        if not isinstance(about, str) or not about:
            return bad_request("command description must be non-empty", f"{at}/description")
        if limits.utf16_length(about) > limits.COMMAND_DESCRIPTION.number:
            return bad_request(
                f"command description length must not exceed {limits.COMMAND_DESCRIPTION.number}",
                f"{at}/description",
            )
    return None


def _secret(request: Mapping[str, object], _chat: ChatKind) -> Refusal | None:
    secret = request.get("secret_token") or ""
    if not isinstance(secret, str) or len(secret) > limits.WEBHOOK_SECRET.number:
        return bad_request("secret token is too long", "/secret_token")
    if not _SECRET.fullmatch(secret):
        return bad_request("secret token contains unallowed characters", "/secret_token")
    return None


_Rule = Callable[[Mapping[str, object], ChatKind], Refusal | None]
_RULES: Final[Mapping[str, tuple[_Rule, ...]]] = {
    "sendMessage": (_text, _any_markup, _reply),
    "editMessageText": (_text, _inline_markup),
    "editMessageReplyMarkup": (_inline_markup,),
    "answerCallbackQuery": (_tap_answer,),
    "setMyCommands": (_commands,),
    "setWebhook": (_secret,),
}

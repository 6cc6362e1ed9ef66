"""What the Bot API would refuse about a `reply_markup`: inline keyboards and reply prompts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from blocks.telegram import limits
from blocks.telegram.links import check_link, is_local
from blocks.telegram.refusal import ChatKind, Refusal, bad_request

# What an inline button may do, in the order in which the server looks. Exactly one of them makes a button.
# `disabled` exists since Bot API 10.3.
ACTIONS: Final = (
    "url",
    "callback_data",
    "callback_game",
    "pay",
    "switch_inline_query",
    "switch_inline_query_chosen_chat",
    "switch_inline_query_current_chat",
    "login_url",
    "web_app",
    "copy_text",
    "disabled",
)
STYLES: Final = frozenset({"danger", "success", "primary"})
_AT: Final = "/reply_markup"


def keyboard_bytes(markup: Mapping[str, object]) -> int:
    """Return the bytes `markup` uses of `limits.KEYBOARD_BYTES`: its compact JSON in UTF-8."""
    return limits.size(json.dumps(markup, ensure_ascii=False, separators=(",", ":")))


def check_keyboard(markup: object, chat: ChatKind, *, inline_only: bool) -> Refusal | None:
    """Return the first thing refused about `markup`. With `inline_only` (an edit) nothing else may be sent.

    None stands for "no markup" and is always taken; so is a keyboard without rows, which means the same.
    """
    if markup is None:
        return None
    if not isinstance(markup, Mapping):
        return bad_request("object expected as reply markup", _AT)
    if markup.get("inline_keyboard"):
        return _check_inline(markup, chat)
    if "inline_keyboard" in markup or not markup:
        return None
    if inline_only:
        return bad_request("inline keyboard expected", _AT)
    return _check_placeholder(markup.get("input_field_placeholder"))


def _check_placeholder(text: object) -> Refusal | None:
    limit = limits.REPLY_PLACEHOLDER
    fits = isinstance(text, str) and limit.minimum <= limits.utf16_length(text) <= limit.number
    if text is None or fits:
        return None
    return bad_request("INPUT_FIELD_PLACEHOLDER_INVALID", f"{_AT}/input_field_placeholder")


def _check_inline(markup: Mapping[str, object], chat: ChatKind) -> Refusal | None:
    at = f"{_AT}/inline_keyboard"
    rows = _rows(markup["inline_keyboard"])
    if rows is None:
        return bad_request('field "inline_keyboard" must be an Array of Arrays', at)
    for r, row in enumerate(rows):
        for b, button in enumerate(row):
            if found := _check_button(button, chat, f"{at}/{r}/{b}"):
                return found
    too_long = (
        any(len(row) > limits.ROW_BUTTONS.number for row in rows)
        or sum(len(row) for row in rows) > limits.KEYBOARD_BUTTONS.number
        or keyboard_bytes(markup) > limits.KEYBOARD_BYTES.number
    )
    return bad_request("reply markup is too long", at) if too_long else None


def _rows(value: object) -> Sequence[Sequence[object]] | None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    return value if all(isinstance(row, Sequence) and not isinstance(row, str) for row in value) else None


def _check_button(button: object, chat: ChatKind, at: str) -> Refusal | None:
    if not isinstance(button, Mapping):
        return _unreadable("InlineKeyboardButton must be an Object", at)
    text = button.get("text")
    if not isinstance(text, str):
        return _unreadable('Can\'t find field "text"', f"{at}/text")
    if button.get("style") not in (None, *STYLES):
        return _unreadable("invalid button style specified", f"{at}/style")
    given = [action for action in ACTIONS if _is_given(button, action)]
    if not given:
        return _unreadable("Text buttons are unallowed in the inline keyboard", at)
    if len(given) > 1:
        # The server silently takes the first; two actions are always a mistake of the sender.
        return _unreadable(f"exactly one action is allowed, found {' and '.join(given)}", at)
    if not text.strip():
        return bad_request("inline keyboard button text must be non-empty", f"{at}/text")
    rule = _CONTENT.get(given[0])
    return rule(button[given[0]], chat, f"{at}/{given[0]}") if rule else None


def _is_given(button: Mapping[str, object], action: str) -> bool:
    """Whether the button has the action; an empty url or callback_data counts as absent."""
    return bool(button.get(action)) if action in ("url", "callback_data") else action in button


def _check_url(url: object, _chat: ChatKind, at: str) -> Refusal | None:
    if not isinstance(url, str):
        return _unreadable('Field "url" must be of type String', at)
    if complaint := check_link(url):
        return bad_request(f"inline keyboard button URL '{url}' is invalid: {complaint}", at)
    return bad_request("BUTTON_URL_INVALID", at) if is_local(url) else None


def _check_data(data: object, _chat: ChatKind, at: str) -> Refusal | None:
    fits = isinstance(data, str) and limits.size(data) <= limits.CALLBACK_DATA.number
    return None if fits else bad_request("BUTTON_DATA_INVALID", at)


def _check_app(app: object, chat: ChatKind, at: str) -> Refusal | None:
    if chat != "private":
        return bad_request("BUTTON_TYPE_INVALID", at)
    return _check_https(app, "Web App", at)


def _check_login(login: object, _chat: ChatKind, at: str) -> Refusal | None:
    return _check_https(login, "login", at)


def _check_https(value: object, name: str, at: str) -> Refusal | None:
    url = value.get("url") if isinstance(value, Mapping) else None
    if not isinstance(url, str):
        return _unreadable('Can\'t find field "url"', f"{at}/url")
    if complaint := check_link(url, http_only=True, https_only=True):
        return bad_request(f"inline keyboard button {name} URL '{url}' is invalid: {complaint}", f"{at}/url")
    return None


def _check_copy(value: object, _chat: ChatKind, at: str) -> Refusal | None:
    text = value.get("text") if isinstance(value, Mapping) else None
    fits = isinstance(text, str) and 1 <= limits.utf16_length(text) <= limits.COPY_TEXT.number
    return None if fits else bad_request("BUTTON_COPY_TEXT_INVALID", f"{at}/text")


def _unreadable(reason: str, at: str) -> Refusal:
    return bad_request(f"can't parse inline keyboard button: {reason}", at)


# The actions not named here carry nothing that could be wrong.
_CONTENT: Final[Mapping[str, Callable[[object, ChatKind, str], Refusal | None]]] = {
    "url": _check_url,
    "callback_data": _check_data,
    "web_app": _check_app,
    "login_url": _check_login,
    "copy_text": _check_copy,
}

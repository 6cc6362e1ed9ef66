"""Finding a button as a person does: by what is written on it, on the message as they see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.messages import Content, Message


def find_buttons(content: Content, label: str | None, data: str | None) -> Sequence[Mapping[str, Any]]:
    """Return the buttons with this label and this data; None stands for any."""
    return [
        button
        for button in content.buttons()
        if label in (None, button["text"]) and data in (None, button.get("callback_data"))
    ]


def the_button(message: Message | None, label: str | None, data: str | None, version: int | None = None) -> str:
    """Return what pressing the one button meant sends; raise `Impossible` if it is not there, or sends
    nothing.
    """
    if message is None or (message.deleted and version is None):
        raise Impossible("no message has that button")
    content = message.content if version is None else _as_it_was(message, version)
    found = find_buttons(content, label, data)
    if len(found) != 1 or (label is None and data is None):
        labels = [str(button["text"]) for button in content.buttons()]
        raise Impossible(f"{len(found)} buttons match; message {message.id} has {labels}")
    sent = found[0].get("callback_data")
    if not sent:
        raise Impossible(f"the button {found[0]['text']!r} opens something else: it sends no press")
    return str(sent)


def _as_it_was(message: Message, version: int) -> Content:
    shown = [*(earlier.content for earlier in message.history), message.content]
    if not 0 <= version < len(shown):
        raise Impossible(f"message {message.id} has versions 0 to {len(shown) - 1}")
    return shown[version]

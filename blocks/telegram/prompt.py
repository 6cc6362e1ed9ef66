"""Prompts: messages whose reply is the words a card asks for, since Telegram has no forms.

In a group the prompt mentions the one it is for, because a selective ForceReply opens the reply box only for
people who are mentioned; everyone else sees an ordinary message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from blocks.telegram import limits
from blocks.telegram.keyboard import caption
from blocks.telegram.lists import NOT_COUNTED, corrections
from blocks.telegram.parts import fits, joined, shortened
from blocks.telegram.text import escape
from blocks.telegram.wanted import wanted
from blocks.words import isolate
from core.cards import Card
from core.errors import Fault
from core.outbox import AskWords

DEFAULT_BOX: Final = "Your answer"


@dataclass(frozen=True, slots=True)
class Prompted:
    """One prompt: its HTML text and what stands in the empty reply box. `selective`: only for whom it mentions."""

    text: str
    placeholder: str
    selective: bool

    def markup(self) -> Mapping[str, object]:
        """The `reply_markup`. A message with it can never be edited, so a prompt says only what stays true."""
        box = {"force_reply": True, "input_field_placeholder": self.placeholder}
        return {**box, "selective": True} if self.selective else box


def prompt(asked: AskWords, card: Card) -> Prompted:
    """Ask for the words of `asked`, in the chat it names."""
    private = asked.channel == asked.user
    lead = "" if private else f"{_mention(asked)}, please "
    found = wanted(asked, card)
    asks = [f"{lead}{what}" for what in found.versions]
    if private:
        asks = [ask[:1].upper() + ask[1:] for ask in asks]
    texts = [joined((_refusal(asked, ask), ask)) for ask in asks]
    text = next((one for one in texts if fits(one)), asks[-1])
    return Prompted(text, _placeholder(found.box), selective=not private)


def _refusal(asked: AskWords, ask: str) -> str:
    """What was wrong with the words before, which were not counted, unless `ask` says that itself."""
    if not asked.fault:
        return ""
    is_said = escape(asked.fault.strip().rstrip(".")) in ask
    return NOT_COUNTED if is_said else escape(f"{NOT_COUNTED} {corrections((Fault('', asked.fault),))}")


def _mention(asked: AskWords) -> str:
    name = escape(shortened(isolate(asked.name))) or "you"
    return f'<a href="tg://user?id={asked.user}">{name}</a>'


def _placeholder(text: str) -> str:
    """Text for the empty box, which takes no more than a line; a longer one stands on the card, whole."""
    line = caption(text)
    return line if line and limits.utf16_length(line) <= limits.REPLY_PLACEHOLDER.number else DEFAULT_BOX

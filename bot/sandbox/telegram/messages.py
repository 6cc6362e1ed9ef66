"""Messages as the stand-in keeps them: who wrote them, what they say now, and what they said before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from blocks.telegram.entities import Entity

Json = dict[str, Any]


class Guise(StrEnum):
    """How an author appears: as themselves, as the whole group, or as a channel."""

    SELF = "self"
    ANONYMOUS_ADMIN = "anonymous_admin"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceReply:
    """A prompt: clients open a reply to the message. `selective` limits it to people it is aimed at."""

    placeholder: str = ""
    selective: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What an edit changes: text with its formatting, and the inline keyboard beneath it."""

    text: str
    entities: tuple[Entity, ...] = ()
    keyboard: tuple[tuple[Mapping[str, Any], ...], ...] = ()

    def buttons(self) -> Iterator[Mapping[str, Any]]:
        """Yield the buttons in reading order."""
        for row in self.keyboard:
            yield from row


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Content that an edit replaced, and when (Unix seconds) the edit came."""

    content: Content
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `author` is the real account; `guise` says how it appears.

    `service` is the Bot API field of a service message, `channel` the chat it appears as with
    `Guise.CHANNEL`. `fixed` marks a message with a reply keyboard or prompt, which can never be edited.
    `notified` are the people whose client rings for it although they may have muted the chat.
    """

    chat_id: int
    id: int
    date: int
    author: int
    content: Content
    elapsed: float
    guise: Guise = Guise.SELF
    channel: int | None = None
    reply_to: int | None = None
    quote: str | None = None
    topic: int | None = None
    thread: int | None = None
    service: Mapping[str, Any] | None = None
    prompt: ForceReply | None = None
    fixed: bool = False
    silent: bool = False
    edit_date: int | None = None
    history: tuple[Version, ...] = ()
    deleted: bool = False
    notified: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """What it says now."""
        return self.content.text

    @property
    def buttons(self) -> list[str]:
        """The labels on its buttons in reading order."""
        return [str(button["text"]) for button in self.content.buttons()]


def keyboard_rows(markup: Mapping[str, Any] | None) -> tuple[tuple[Mapping[str, Any], ...], ...]:
    """Return the rows of an InlineKeyboardMarkup, without empty ones; none for no or another markup."""
    rows: Sequence[Sequence[Mapping[str, Any]]] = (markup or {}).get("inline_keyboard") or ()
    return tuple(tuple(row) for row in rows if row)

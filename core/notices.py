"""What a surface is given to say about time: a reminder under a card, and a list of what waits for somebody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.cards import Card
from core.people import Identity
from core.waiting import Entry


@dataclass(frozen=True)
class Named:
    """Somebody to be called in a chat: the account that the chat knows, and the name they go by."""

    identity: Identity
    name: str


@dataclass(frozen=True)
class ReminderNotice:
    """A reminder of `card`, sent under it. `number` of `of`; 0 of 0: `calls` asked for it. `calls` are those it waits
    for and that this chat can call by name; empty: everybody there. Once the card is settled it says how it ended.

    `now` and `zone` (an IANA name) are for saying how long there is left, and until when.
    """

    card: Card
    number: int
    of: int
    calls: tuple[Named, ...]
    now: datetime
    zone: str


@dataclass(frozen=True)
class DigestNotice:
    """What waits for somebody. `held`: it takes the place of reminders that were too many; else it is the list of the
    morning. `more` counts those that are not listed."""

    entries: tuple[Entry, ...]
    more: int
    held: bool
    now: datetime
    zone: str
    inbox_url: str
    link_ok: bool

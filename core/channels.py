"""The port to a chat: what every connection to one must be able to do. Each passes the contract suite."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from core.addresses import Provider
from core.cards import Card
from core.loops.cards import AlertCard, LoopCard
from core.loops.owed import AskLoopWords, OfferAgain
from core.loops.places import Alert
from core.loops.values import Loop, LoopCopy
from core.notices import DigestNotice, ReminderNotice
from core.outbox import AskWords, Say, SendDigest
from core.people import Identity, Membership, Standing
from core.publications import Publication, Surface


@dataclass(frozen=True)
class Posted:
    """Where a message is: the conversation it landed in (a direct message may differ from the address) and its id."""

    channel: str
    message: str
    surface: Surface | None = None


Another = Callable[[], Awaitable[bool]]
"""Waits until one more message may be sent. False: that takes too long."""


class Channel(Protocol):
    """One connection to a chat. Every method raises only `ChannelError`s."""

    provider: Provider
    account: str
    deleted_at_once: int
    """So many messages one call deletes."""

    async def post(self, card: Card, publication: Publication) -> Posted:
        """Post a card, once, without retrying: an unknown outcome is `Ambiguous`."""

    async def find(self, publication: Publication) -> Posted | None:
        """Look for a post whose answer was lost. None: it is not there. `Ambiguous`: this chat cannot be searched."""

    async def redraw(self, card: Card, publication: Publication) -> Surface:
        """Make the posted copy show the card as it is. Repeating it is harmless."""

    async def say(self, words: Say, another: Another | None = None) -> Posted:
        """Send plain words. Where they take several messages, `another` is waited for before each but the first."""

    async def ask_words(self, prompt: AskWords, card: Card) -> Posted:
        """Send a prompt whose reply will be the words asked for."""

    async def take_back(self, channel: str, messages: Sequence[str]) -> None:
        """Delete messages of ours, at most `deleted_at_once`. `MessageGone` or `Misrendered`: one of them cannot be, as
        it is gone or too old, and where there are several they are to be tried one by one."""

    async def remind(self, notice: ReminderNotice, publication: Publication) -> Posted:
        """Send a reminder under a posted copy, once, without retrying."""

    async def end_reminder(self, notice: ReminderNotice, publication: Publication, where: Posted) -> None:
        """Make a reminder that was sent say how its card ended. `MessageGone` when it is not there any more."""

    async def digest(self, digest: DigestNotice, where: SendDigest) -> Posted:
        """Send the list of what waits for somebody, once, without retrying."""

    async def standing(self, identity: Identity) -> Standing:
        """What the provider says of an identity now; `known=False` when it could not be asked."""

    async def membership(self, identity: Identity, channel: str) -> Membership:
        """Whether an identity is now a member of a conversation."""

    def message_url(self, channel: str, message: str, thread: str | None) -> str | None:
        """Where people of that conversation find a message; None: it has no address."""

    async def place_name(self, place: str) -> str:
        """What a conversation, or the person whose direct message it is, is called; empty when it has no name."""


@runtime_checkable
class LoopChannel(Protocol):
    """What a chat that shows work orders can do besides. Every method raises only `ChannelError`s.

    `copy.thread` is the thread or topic to post into, `copy.reply_to` the message to hang it under.
    """

    async def post_loop(self, card: LoopCard, copy: LoopCopy) -> Posted:
        """Post a loop's card, once, without retrying: an unknown outcome is `Ambiguous`."""

    async def find_loop(self, loop: Loop, copy: LoopCopy) -> Posted | None:
        """Look for a post whose answer was lost. None: it is not there. `Ambiguous`: this chat cannot be searched."""

    async def redraw_loop(self, card: LoopCard, copy: LoopCopy) -> None:
        """Make the posted card show the loop as it is. Repeating it is harmless."""

    async def ask_loop_words(self, prompt: AskLoopWords, loop: Loop) -> Posted:
        """Send a prompt whose reply will be the result or the reason asked for."""

    async def offer_again(self, offer: OfferAgain, another: Another | None = None) -> Posted:
        """Send the words of an offer with its one button, once, without retrying. `another` as for `Channel.say`."""

    async def post_alert(self, card: AlertCard, copy: LoopCopy) -> Posted:
        """Post an alert, once, without retrying."""

    async def find_alert(self, alert: Alert, copy: LoopCopy) -> Posted | None:
        """As `find_loop`."""

    async def redraw_alert(self, card: AlertCard, copy: LoopCopy) -> None:
        """Make a posted alert show that there is an order for it."""

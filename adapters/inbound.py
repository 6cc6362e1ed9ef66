"""What arrives from a chat, in neutral words, with the payload it came in.

`key` is what the provider guarantees to be the same for a redelivery and different otherwise; it is the inbox key.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.addresses import Provider
from core.loops.replies import LoopReply
from core.people import Identity, Standing
from core.touches import Touch


@dataclass(frozen=True)
class Arrival:
    """Common to all. `account` is the connection it came through, `sender` who acted.

    `hint` is what the payload itself says of the sender (a bot, anonymous, another workspace, a display name);
    it can only rule out: what it leaves open is asked of the provider.
    """

    key: str
    provider: Provider
    account: str
    sender: Identity
    hint: Standing
    raw: Mapping[str, Any] = field(repr=False)

    def __post_init__(self) -> None:
        """Raise TypeError where an odd payload put something else in a word's place: nobody further in looks again."""
        found = (getattr(self, name, None) for name in WORDS)
        if not all(word is None or isinstance(word, str) for word in (*found, *getattr(self, "picked", ()))):
            raise TypeError("a payload has no text where one belongs")


WORDS = (
    "key",
    "account",
    "channel",
    "thread",
    "message",
    "token",
    "text",
    "reply_to",
    "name",
    "argument",
    "old",
    "new",
)
"""The members of arrivals that are texts, or None."""


@dataclass(frozen=True)
class Pressed(Arrival):
    """A control on a message. `picked` are the tokens ticked or chosen in the message's other controls when it was
    pressed (for Submit). `touch`: the control is a group of boxes, and `picked` are those ticked in it now. `carried`:
    the provider itself says that this message has this control; where it leaves that to the presser's client, any
    message of a conversation may be named with any token."""

    channel: str
    thread: str | None
    message: str
    token: str
    picked: tuple[str, ...] = ()
    touch: Touch | None = None
    carried: bool = True


@dataclass(frozen=True)
class Submitted(Arrival):
    """A form that only the sender had. `token` was sealed for them; `fields` as in `core.fields.Fields`. `picked` are
    the tokens of options chosen in it, sealed for them too; `named` is the account of somebody picked in it."""

    token: str
    fields: Mapping[str, str | tuple[str, ...]]
    channel: str | None = None
    picked: tuple[str, ...] = ()
    named: Identity | None = None


@dataclass(frozen=True)
class Closed(Arrival):
    """The sender closed a form that only they had, without submitting it."""

    token: str


@dataclass(frozen=True)
class Wrote(Arrival):
    """A message. `reply_to` is the id of the message it answers, and `to_us` says that this one is known to be of our
    own; `private` says it is a one-to-one chat, `own` that its
    sender wrote it: not a forwarded one, and not one that another bot made for them to send. `attached`: it is a photo,
    a recording or the like. Then there is no text: what stands under a picture may mean little without it. `spoken`
    is what may hold sentences about work, where that is not the text: what stands under a picture, or the text with
    marks for its code and quotes, where the chat keeps those apart from it."""

    channel: str
    thread: str | None
    message: str
    text: str
    reply_to: str | None
    private: bool
    own: bool = True
    attached: bool = False
    to_us: bool = False
    spoken: str | None = None


@dataclass(frozen=True)
class Commanded(Arrival):
    """A command by name, without its slash: `sayso`, `inbox`, `start`, `help`."""

    channel: str
    thread: str | None
    name: str
    argument: str
    private: bool


@dataclass(frozen=True)
class Opened(Arrival):
    """The sender opened the app's own tab (Slack's Home)."""


@dataclass(frozen=True)
class Moved(Arrival):
    """A conversation has a new id."""

    old: str
    new: str


@dataclass(frozen=True)
class Changed(Arrival):
    """The provider says that an identity changed (guest, name): forget what was cached of it. `hint.deleted`: its
    account was deactivated."""


AnyArrival = Pressed | Submitted | Closed | Wrote | Commanded | Opened | Moved | Changed
Intake = Callable[[AnyArrival], Awaitable[LoopReply]]
"""Takes an arrival, commits what follows from it, and returns what to tell the sender. Never raises: a failure of ours
is a `Told` that says to try again (or the exception reaches the endpoint before anything is acknowledged)."""

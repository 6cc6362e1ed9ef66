"""What is owed to the outside because of loops. Each of these looks at the state again in its claim."""

from __future__ import annotations

from typing import Literal

from core.loops.controls import LoopAction
from core.people import Value


class PostLoop(Value):
    """Post a loop's card for the first time (or find the one whose answer was lost). `where` is its conversation
    (`slack:T1.C1`), by which calls are paced."""

    task: Literal["post_loop"] = "post_loop"
    loop: str
    where: str


class RedrawLoop(Value):
    """Make a posted card show the loop as it is. `where` as in `PostLoop`."""

    task: Literal["redraw_loop"] = "redraw_loop"
    loop: str
    where: str


class SayNudge(Value):
    """Write the reminder `number` of a loop to its recipient, unless the loop has ended or came further meanwhile."""

    task: Literal["say_nudge"] = "say_nudge"
    loop: str
    number: int
    where: str


class SayThere(Value):
    """Say words in a conversation, wherever that is by then: one that begins with a card waits for the card."""

    task: Literal["say_there"] = "say_there"
    conversation: str
    text: str
    where: str


class OfferAgain(Value):
    """Tell somebody in `text` what became of an order of theirs, with a button that dispatches it again."""

    task: Literal["offer_again"] = "offer_again"
    loop: str
    text: str
    provider: str
    account: str
    channel: str


class AskLoopWords(Value):
    """Send a prompt whose reply is the result or the reason that `action` asked for; used where a chat has no modal."""

    task: Literal["ask_loop_words"] = "ask_loop_words"
    loop: str
    action: LoopAction
    slot: int | None = None
    provider: str
    account: str
    channel: str
    thread: str | None = None
    reply_to: str | None = None
    person: str
    user: str
    name: str


class PostAlert(Value):
    """Post an alert's card. `where` as in `PostLoop`."""

    task: Literal["post_alert"] = "post_alert"
    alert: str
    where: str


class RedrawAlert(Value):
    """Make a posted alert show that there is an order for it."""

    task: Literal["redraw_alert"] = "redraw_alert"
    alert: str
    where: str


LoopTask = PostLoop | RedrawLoop | SayNudge | SayThere | OfferAgain | AskLoopWords | PostAlert | RedrawAlert

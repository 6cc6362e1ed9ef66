"""What a surface is given to show of a loop or an alert."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from core.loops.controls import LoopAction
from core.loops.outcomes import LoopState
from core.loops.places import Alert
from core.loops.values import Loop


@dataclass(frozen=True)
class LoopCard:
    """A loop, ready to render. `url` is its page; `link_ok`: that address is public https, so a chat may carry it as a
    control, otherwise it is printed. `sentences`: the order as a sentence and how to reply, which agents read; empty
    where no agent could. `message_url`, in a list, is where the reader finds the card in the chat they read it in.
    """

    loop: Loop
    url: str
    link_ok: bool
    sentences: str = ""
    message_url: str | None = None

    @property
    def controls(self) -> tuple[LoopAction, ...]:
        """What can be pressed as things stand, in this order."""
        return controls_of(self.loop)


@dataclass(frozen=True)
class AlertCard:
    """An alert, ready to render. `url` is the page of the order that was opened from it, if one was."""

    alert: Alert
    url: str | None
    link_ok: bool

    @property
    def controls(self) -> tuple[LoopAction, ...]:
        """What can be pressed as things stand."""
        return () if self.alert.order else (LoopAction.ORDER,)


_ENDS = (LoopAction.DONE, LoopAction.DECLINE, LoopAction.NO_ACTION)


def controls_of(loop: Loop) -> tuple[LoopAction, ...]:
    """What a loop's card offers in its state. With slots, others may be free after the first was claimed."""
    match loop.state:
        case LoopState.OPEN:
            return (LoopAction.ACKNOWLEDGE, LoopAction.CLAIM, *_ENDS)
        case LoopState.ACKNOWLEDGED:
            return (LoopAction.CLAIM, *_ENDS)
        case LoopState.CLAIMED | LoopState.RUNNING:
            return (LoopAction.CLAIM, *_ENDS) if loop.free_slots else _ENDS
        case LoopState.DECLINED:
            return (LoopAction.DISPATCH_AGAIN,)
        case LoopState.CLOSED | LoopState.NO_ACTION:
            return ()
        case _:
            assert_never(loop.state)

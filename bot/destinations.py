"""Where a delivery goes: what it is paced by, and whose trouble it is when it fails."""

from __future__ import annotations

from typing import assert_never

from core.addresses import ChatAddress, Provider, parse_address
from core.loops.owed import (
    AskLoopWords,
    OfferAgain,
    PostAlert,
    PostLoop,
    RedrawAlert,
    RedrawLoop,
    SayNudge,
    SayThere,
)
from core.outbox import (
    AskWords,
    EndReminder,
    Hear,
    PostCard,
    RedrawCard,
    Remind,
    Say,
    SendDigest,
    TakeBack,
    Task,
)


def place_of(task: Task) -> tuple[Provider, str, str] | None:
    """Provider, account and conversation that a task's call is paced by; None: it is no call to a chat."""
    match task:
        case AskWords() | TakeBack() | Say() | SendDigest() | AskLoopWords() | OfferAgain():
            return Provider(task.provider), task.account, task.channel
        case (
            PostCard()
            | RedrawCard()
            | Remind()
            | EndReminder()
            | PostLoop()
            | RedrawLoop()
            | SayNudge()
            | SayThere()
            | PostAlert()
            | RedrawAlert()
        ):
            address = parse_address(task.where)
            if not isinstance(address, ChatAddress):
                return None
            return address.provider, address.account or "", address.place
        case Hear():
            return None
        case _:
            assert_never(task)

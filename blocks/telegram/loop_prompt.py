"""Prompts of work orders: messages whose reply is a result or a reason, since Telegram has no forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from blocks.telegram.parts import shortened
from blocks.telegram.prompt import Prompted
from blocks.telegram.text import escape, inside
from blocks.words import isolate
from core.loops.controls import LoopAction
from core.loops.owed import AskLoopWords
from core.loops.values import Loop

_ASKS: Final[Mapping[LoopAction, tuple[str, str]]] = {
    LoopAction.DONE: ("what came of", "What came of it"),
    LoopAction.DECLINE: ("why you decline", "Why it is declined"),
    LoopAction.NO_ACTION: ("why nothing needs to be done about", "Why nothing needs to be done"),
}


def loop_prompt(asked: AskLoopWords, loop: Loop) -> Prompted:
    """Ask for the words of `asked`, in the chat it names; in a group it mentions the one it is for."""
    private = asked.channel == asked.user
    what, box = _ASKS[asked.action]
    share = f" (slot {asked.slot})" if asked.slot is not None else ""
    mention = f'<a href="tg://user?id={asked.user}">{escape(shortened(isolate(asked.name))) or "you"}</a>'
    lead = "Reply" if private else f"{mention}, please reply"
    text = f"{lead} to this message with {what} “{inside(loop.title)}”{share}."
    return Prompted(text, box, selective=not private)

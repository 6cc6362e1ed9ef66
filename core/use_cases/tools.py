"""Operations that a sentence called, run once: in the transaction of the message that called them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, assert_never

from pydantic import ValidationError

from core.asking import ASK
from core.dues import DueKind
from core.errors import Fault, Forbidden, Invalid, NotFound, Settled
from core.kinds.base import pointer
from core.loops.access import AgentSpeaks, Speaker, check_may_speak
from core.loops.outcomes import LoopState
from core.loops.places import Conversation, FollowUp, FollowUpState
from core.loops.wording import unknown_words
from core.ports import Context, Work
from core.telling import when
from core.tools import (
    AskInteraction,
    CancelFollowUp,
    CreateFollowUp,
    ListLoops,
    Op,
    Permission,
    ShowLoop,
    ToolArguments,
    read_call,
)
from core.tools.limits import FOLLOW_UPS_IN_AN_HOUR, FOLLOW_UPS_WAITING, HOUR
from core.use_cases.ask import ask_in
from core.use_cases.loop_recording import shown

NOBODY_HEARS = (
    "Nobody would hear a follow-up here: programs hear of it as an event of a work order or of an alert, and there is "
    "neither. Open a work order first."
)
MOST_READ = 200
"""Loops of a conversation that are looked through for a list."""


@dataclass(frozen=True)
class Ran:
    """What an operation came to: `words` for people, `result` for programs."""

    op: str
    words: str
    result: dict[str, Any]

    @property
    def text(self) -> str:
        """What stands in the conversation."""
        return f"{self.op}: {self.words}\n{json.dumps(self.result, ensure_ascii=False, sort_keys=True)}"

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {"op": self.op, "words": self.words, "result": self.result}


def check_may_run(op: Op, speaker: Speaker) -> None:
    """Raise `NotAnAnswerer`, `IdentityUndetermined` or `Forbidden` unless they may run it in the conversation."""
    check_may_speak(speaker)
    if op.permission is Permission.AGENT and not isinstance(speaker, AgentSpeaks):
        raise Forbidden(f"Only programs that an operator let in may run {op.name}.")


async def run(
    work: Work, context: Context, conversation: Conversation, speaker: Speaker, op: str, arguments: str
) -> Ran:
    """Run an operation in a conversation, inside the caller's transaction. Raises any `Refused`; then nothing ran."""
    known, given = read_call(op, arguments)
    check_may_run(known, speaker)
    words, result = await _run(work, context, conversation, speaker, given)
    return Ran(op, words, result)


async def _run(
    work: Work, context: Context, conversation: Conversation, speaker: Speaker, given: ToolArguments
) -> tuple[str, dict[str, Any]]:
    match given:
        case CreateFollowUp():
            return await _create(work, context, conversation, speaker, given)
        case CancelFollowUp():
            return await _cancel(work, conversation, speaker, given)
        case ListLoops():
            return await _list(work, context, conversation, given)
        case ShowLoop():
            loop = await work.loop_named(conversation.workspace, given.id)
            if loop is None or loop.conversation != conversation.id:
                raise NotFound(unknown_words(given.id))
            return f"{loop.name} is {loop.state.value}", _told_here(shown(context, loop, conversation))
        case AskInteraction():
            return await _ask(work, context, conversation, speaker, given)
        case _:
            assert_never(given)


async def _create(
    work: Work, context: Context, conversation: Conversation, speaker: Speaker, given: CreateFollowUp
) -> tuple[str, dict[str, Any]]:
    now = context.clock.now()
    if given.loop is not None:
        loop = await work.loop_named(conversation.workspace, given.loop)
        if loop is None or loop.conversation != conversation.id:
            raise NotFound(unknown_words(given.loop))
    elif not await _would_be_heard(work, conversation):
        raise Forbidden(NOBODY_HEARS)
    waiting, lately = await work.count_follow_ups(conversation, speaker.by, now - HOUR)
    if FOLLOW_UPS_WAITING.reached(waiting):
        raise Forbidden(FOLLOW_UPS_WAITING.words)
    if FOLLOW_UPS_IN_AN_HOUR.reached(lately):
        raise Forbidden(FOLLOW_UPS_IN_AN_HOUR.words)
    follow_up = FollowUp(
        id=context.ids.new("fup"),
        workspace=conversation.workspace,
        conversation=conversation.id,
        loop=given.loop,
        prompt=given.prompt,
        due_at=now + timedelta(minutes=given.in_m),
        by=speaker.by,
        created_at=now,
    )
    await work.add_follow_up(follow_up)
    await work.set_due(DueKind.FOLLOWUP, follow_up.id, follow_up.workspace, follow_up.due_at)
    return f"{follow_up.id} is said at {when(follow_up.due_at)}", follow_up.wire()


async def _would_be_heard(work: Work, conversation: Conversation) -> bool:
    """People read what is said; programs alone hear of it as an event of a work order or of an alert."""
    if conversation.is_chat or await work.loops_in(conversation.id, limit=1):
        return True
    return await work.newest_alert(conversation.id) is not None


async def _cancel(
    work: Work, conversation: Conversation, speaker: Speaker, given: CancelFollowUp
) -> tuple[str, dict[str, Any]]:
    follow_up = await work.follow_up(conversation.workspace, given.id)
    if follow_up is None or follow_up.conversation != conversation.id:
        raise NotFound(f"There is no follow-up {given.id} here.")
    if not (speaker.is_operator or follow_up.by.is_same(speaker.by)):
        raise Forbidden(f"{given.id} is somebody else's.")
    if follow_up.state is not FollowUpState.WAITING:
        return f"{given.id} is {follow_up.state.value} already", follow_up.wire()
    after = follow_up.model_copy(update={"state": FollowUpState.CANCELLED})
    await work.save_follow_up(after)
    await work.set_due(DueKind.FOLLOWUP, after.id, after.workspace, None)
    return f"{given.id} is cancelled", after.wire()


async def _list(
    work: Work, context: Context, conversation: Conversation, given: ListLoops
) -> tuple[str, dict[str, Any]]:
    found = await work.loops_in(conversation.id, open_only=given.state in (None, "overdue"), limit=MOST_READ)
    match given.state:
        case None:
            wanted = found
        case "overdue":
            wanted = tuple(one for one in found if one.overdue_at is not None)
        case LoopState():
            wanted = tuple(one for one in found if one.state is given.state)
        case _:
            assert_never(given.state)
    listed = wanted[: given.limit]
    names = ", ".join(f"{one.name} ({one.state.value})" for one in listed) or "none"
    items = [_line(shown(context, one, conversation)) for one in listed]
    return names, {"items": items, "more": len(wanted) - len(listed)}


def _told_here(loop: dict[str, Any]) -> dict[str, Any]:
    """An order as everybody in its conversation may read it: where its sender hears of it is between the two of us."""
    return {name: value for name, value in loop.items() if name != "continuation"}


def _line(loop: dict[str, Any]) -> dict[str, Any]:
    return {name: loop[name] for name in ("id", "title", "state", "overdue", "due", "to")}


async def _ask(
    work: Work, context: Context, conversation: Conversation, speaker: Speaker, given: AskInteraction
) -> tuple[str, dict[str, Any]]:
    if not isinstance(speaker, AgentSpeaks):
        raise Forbidden("Only programs that an operator let in may ask.")
    here = conversation.address if conversation.is_chat else ""
    try:
        request = ASK.validate_json(json.dumps(given.request(here)), strict=True)
    except ValidationError as error:
        faults = [
            Fault(pointer(*one["loc"]), f"{'.'.join(map(str, one['loc']))}: {one['msg']}") for one in error.errors()
        ]
        raise Invalid(faults, f"The card was not asked: {'; '.join(fault.detail for fault in faults[:3])}.") from None
    asked = await ask_in(work, context, request, speaker.agent, via=speaker.via)
    if isinstance(asked, Settled):
        raise asked
    id = asked.snapshot["id"]
    return f"{id} is asked", {"id": id, "status": asked.snapshot["status"], "to": asked.snapshot["to"]}

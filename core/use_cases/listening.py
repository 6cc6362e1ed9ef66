"""What was said where loops are talked about: every sentence in it counts, once, in the order it was said.

A sentence that names nothing known, or that its speaker may not say, changes nothing and is answered plainly.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final, assert_never

from core.blank import is_blank
from core.errors import Invalid, LoopEnded, Refused
from core.loops.access import Speaker, check_may_speak
from core.loops.acts import Acknowledge, Claim, Decline, LoopAct, NoAction, Result
from core.loops.deciding import decide
from core.loops.places import Conversation, HandoverKind, Saying
from core.loops.values import Loop
from core.ports import Context, Work
from core.sentences import (
    Ack,
    ContractFooter,
    Directive,
    FleetAlert,
    JobMarker,
    Nudge,
    RuntimeContext,
    Sentence,
    SubagentUpdate,
    ToolCall,
    WorkOrder,
    around,
    parse,
)
from core.sentences import Claim as ClaimSaid
from core.sentences import Decline as DeclineSaid
from core.sentences import NoAction as NoActionSaid
from core.sentences import Result as ResultSaid
from core.tools.limits import SENTENCES_IN_A_MESSAGE
from core.use_cases.alerts import raise_in
from core.use_cases.ears import Ear, Listened
from core.use_cases.loop_moving import move_in
from core.use_cases.recording import stamp_for
from core.use_cases.relaying import keep, relay, tell_agents
from core.use_cases.working import call_tool, check_room, job, order

Moving = Ack | ClaimSaid | ResultSaid | DeclineSaid | NoActionSaid
"""What moves a loop when it is said."""
TOLD_FOR: Final = timedelta(minutes=10)
"""For how long whoever was told how a loop ended is not told so again, however often they speak of it."""


async def listen(
    work: Work,
    context: Context,
    conversation: Conversation,
    speaker: Speaker,
    saying: Saying,
    provider_event: str | None = None,
    about: Loop | None = None,
) -> Listened:
    """Do what the sentences of a message say, inside the caller's transaction. `about` is the loop whose card it
    replies to."""
    ear = Ear(work, context, conversation, speaker, saying, provider_event, Listened(), about)
    sentences = parse(saying.text)
    for said, sentence in enumerate(sentences):
        if SENTENCES_IN_A_MESSAGE.reached(said):
            ear.heard.refusals.append(SENTENCES_IN_A_MESSAGE.words)
            break
        try:
            await _hear(ear, sentence)
        except Refused as refused:
            ear.heard.refusals.append(str(refused))
    words = around(saying.text, sentences)
    if words:
        await tell_agents(ear, words)
    return ear.heard


async def _hear(ear: Ear, sentence: Sentence) -> None:
    match sentence:
        case WorkOrder():
            await order(ear, sentence)
        case Ack() | ClaimSaid() | ResultSaid() | DeclineSaid() | NoActionSaid():
            await _move(ear, sentence)
        case JobMarker():
            await job(ear, sentence)
        case ToolCall(op=op, arguments=arguments):
            await call_tool(ear, op, arguments)
        case FleetAlert(severity=severity, message=message):
            check_may_speak(ear.speaker)
            if is_blank(message):
                raise Invalid.at("", "An alert says what happened.")
            check_room(ear)
            await raise_in(ear.work, ear.context, ear.conversation, severity, message, ear.speaker.by)
            ear.heard.raised += 1
        case Directive(text=text):
            await keep(ear, HandoverKind.DIRECTIVE, text)
        case RuntimeContext(url=url):
            await keep(ear, HandoverKind.RUNTIME, url)
        case SubagentUpdate():
            await relay(ear, sentence)
        case Nudge() | ContractFooter():
            # Reminders are the scheduler's to write, and a footer is nobody's reply: said by others they are words.
            pass
        case _:
            assert_never(sentence)


async def _move(ear: Ear, sentence: Moving) -> None:
    loop, act = await ear.loop(sentence.reference.loop), _act_of(sentence)
    said = loop.conversation == ear.conversation.id
    work, context = ear.work, ear.context
    try:
        moved = await move_in(work, context, loop, act, ear.speaker, said=said, provider_event=ear.provider_event)
    except LoopEnded as ended:
        if not await _was_told(ear, loop):
            raise
        ear.heard.told.append(str(ended))
    else:
        ear.heard.moved.append(moved)


def _act_of(sentence: Moving) -> LoopAct:
    match sentence:
        case Ack():
            return Acknowledge()
        case ClaimSaid(reference=reference):
            return Claim(reference.slot)
        case ResultSaid(reference=reference, summary=summary, status=status):
            return Result(summary, status, reference.slot)
        case DeclineSaid(reference=reference, reason=reason):
            return Decline(reason, reference.slot)
        case NoActionSaid(reference=reference, reason=reason):
            return NoAction(reason, reference.slot)
        case _:
            assert_never(sentence)


async def _was_told(ear: Ear, loop: Loop) -> bool:
    """Whether the same speaker said something of this loop here lately that came too late, and so was answered."""
    if loop.outcome is None:
        return False
    since = max(loop.outcome.at, ear.saying.at - TOLD_FOR)
    earlier = await ear.work.said_since(ear.conversation.id, since)
    own = (one for one in earlier if one.id != ear.saying.id and one.by is not None and one.by.is_same(ear.speaker.by))
    said = (sentence for one in own for sentence in parse(one.text) if isinstance(sentence, Moving))
    return any(one.reference.loop == loop.name and _is_late(ear, loop, _act_of(one)) for one in said)


def _is_late(ear: Ear, loop: Loop, act: LoopAct) -> bool:
    """Whether it was no repetition of what ended the loop, which is answered by nothing."""
    try:
        decide(loop, act, stamp_for(ear.context, ear.speaker.by, ear.speaker.via))
    except LoopEnded:
        return True
    return False

"""What becomes of the work orders of a revoked agent, or of somebody who is forgotten: what it ordered ends, as its
cards are withdrawn; of what they were to do, the sender and the operators are told, who may dispatch it again."""

from __future__ import annotations

from dataclasses import dataclass

from core.loops.access import AgentSpeaks
from core.loops.acts import Escalate, NoAction
from core.loops.deciding import decide
from core.loops.values import Loop
from core.loops.wording import abandoned_words
from core.people import TIMER, Agent, Via
from core.ports import Context, Work
from core.use_cases.loop_moving import move_in
from core.use_cases.loop_recording import record_decision
from core.use_cases.loop_telling import tell_all
from core.use_cases.recording import stamp_for

SENDER_ENDED = "The key it was ordered with was revoked."
RECIPIENT_ENDED = "The agent that was to do it was revoked."


@dataclass(frozen=True)
class Left:
    """Names of work orders: those that ended, and those that others have to see to."""

    ended: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


async def leave_loops(work: Work, context: Context, agent: Agent) -> Left:
    """End what `agent` ordered and tell of what it was to do, inside the caller's transaction. `agent` is as it was
    before it was revoked."""
    ended, told = list[str](), list[str]()
    for found in await work.loops_of_agent(agent.workspace, agent):
        loop = await work.loop(found.workspace, found.id)
        if loop is None or not loop.is_open:
            continue
        if loop.sender.id == agent.id:
            await move_in(work, context, loop, NoAction(SENDER_ENDED), AgentSpeaks(agent, takes_part=True))
            ended.append(loop.name)
        else:
            await tell_of(work, context, loop, RECIPIENT_ENDED, abandoned_words(loop, agent.name))
            told.append(loop.name)
    return Left(tuple(ended), tuple(told))


async def tell_of(work: Work, context: Context, loop: Loop, reason: str, text: str) -> None:
    """Escalate a work order that nobody is to do any more, or that nobody sees; tell the sender and the operators."""
    conversation = await work.conversation(loop.workspace, loop.conversation)
    if conversation is None:
        raise LookupError(f"{loop.id} is in no conversation")
    stamp = stamp_for(context, TIMER, Via.TIMER)
    decision = decide(loop, Escalate(reason), stamp)
    await record_decision(work, context, loop, decision, conversation, stamp.now)
    await tell_all(work, context, decision.after, text, stamp.now)

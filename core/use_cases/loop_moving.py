"""Work orders move: by a press, a sentence or a call, which are the same act, in the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.loops.access import Speaker, check_may_move, overrules
from core.loops.acts import Claim, Decline, LoopAct, NoAction, Result, Start, Track
from core.loops.deciding import decide
from core.loops.decisions import LoopDecision
from core.loops.outcomes import LoopState
from core.loops.values import Loop
from core.loops.wording import act_words, declined_words
from core.people import Agent, AgentRole
from core.ports import Context, Work
from core.use_cases.loop_recording import record_decision, say_there, shown
from core.use_cases.loop_telling import tell_sender
from core.use_cases.recording import stamp_for


@dataclass(frozen=True)
class Moved:
    """What stands after an act. `receipt` is the id of the receipt that stands for it, the first one if `repeated`;
    `slot` is the share that it was about, also where it named none."""

    loop: Loop
    snapshot: dict[str, Any]
    receipt: str
    repeated: bool
    slot: int | None = None


async def may_read(work: Work, loop: Loop, agent: Agent) -> bool:
    """Whether a key may know of a loop."""
    if agent.role is AgentRole.OPERATOR or loop.sender.id == agent.id or loop.recipient == f"agent:{agent.name}":
        return True
    return await work.takes_part(loop.conversation, agent.id)


async def move_in(
    work: Work,
    context: Context,
    loop: Loop,
    act: LoopAct,
    speaker: Speaker,
    *,
    said: bool = False,
    provider_event: str | None = None,
) -> Moved:
    """The same inside the caller's transaction. `said`: the sentence stands in the conversation already.

    Raises any `Refused`; then nothing has been written.
    """
    check_may_move(loop, speaker)
    conversation = await work.conversation(loop.workspace, loop.conversation)
    if conversation is None:
        raise LookupError(f"{loop.id} is in no conversation")
    stamp = stamp_for(context, speaker.by, speaker.via, provider_event)
    decision = decide(loop, act, stamp, overrules=overrules(loop, speaker))
    if decision.repeated:
        return Moved(loop, shown(context, loop, conversation), decision.receipt, True, slot_of(act, decision))
    snapshot = await record_decision(work, context, loop, decision, conversation, stamp.now)
    sentence = None if said else act_words(loop, act, speaker.by, slot_of(act, decision))
    if sentence is not None:
        await say_there(work, context, conversation, sentence, stamp.now)
    if decision.after.state is LoopState.DECLINED:
        await tell_sender(work, context, decision.after, declined_words(decision.after), stamp.now, offers=True)
    return Moved(decision.after, snapshot, decision.receipt, False, slot_of(act, decision))


def slot_of(act: LoopAct, decision: LoopDecision) -> int | None:
    """The slot that an act was about, also where it named none."""
    said = decision.said.get("slot")
    if isinstance(said, int):
        return said
    return act.slot if isinstance(act, Claim | Start | Result | Decline | NoAction | Track) else None

"""Time and work orders: reminders in growing gaps, the overdue mark, the word to others, follow-ups.

One transaction each time: the loop is locked and looked at again in it, so nothing is recorded or owed for one that has
ended.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from core.dues import Due, DueKind
from core.events import LoopEventType
from core.loops.acts import Escalate, LoopAct, MarkOverdue, Nudged
from core.loops.deciding import decide
from core.loops.owed import SayNudge
from core.loops.places import Conversation, FollowUp, FollowUpState
from core.loops.timing import Step
from core.loops.values import Loop
from core.loops.wording import due_prompt, escalation_words, nudge_words
from core.outbox import Lane
from core.people import TIMER, Via
from core.ports import Context, Work
from core.reminding import LoopReminder, ReminderState
from core.use_cases.loop_places import hears_words, raiser_hears_words
from core.use_cases.loop_recording import (
    announce_alert,
    announce_loop,
    coming,
    record_decision,
    say_there,
    shown,
    whose,
)
from core.use_cases.loop_telling import tell_all
from core.use_cases.nudge import held_until, is_still
from core.use_cases.recording import owe, stamp_for


async def fire_loop(work: Work, context: Context, due: Due) -> None:
    """Do what time does to a loop now, and set when it does something next."""
    loop = await work.loop(due.workspace, due.subject)
    if not await is_still(work, due):
        return
    conversation = await work.conversation(due.workspace, loop.conversation) if loop is not None else None
    if loop is None or conversation is None or not loop.is_open:
        await work.set_due(DueKind.LOOP, due.subject, due.workspace, None)
        return
    now = context.clock.now()
    done: set[Step] = set()
    while True:
        step = await coming(work, loop)
        if step is None or step.at > now or step.step in done:
            # A reminder that is late is written once, whatever was missed: the next one is counted from now.
            break
        done.add(step.step)
        loop = await _do(work, context, loop, conversation, step.step)
    await work.set_due(DueKind.LOOP, loop.id, loop.workspace, step.at if step else None)


async def _do(work: Work, context: Context, loop: Loop, conversation: Conversation, step: Step) -> Loop:
    stamp = stamp_for(context, TIMER, Via.TIMER)
    act: LoopAct
    match step:
        case Step.OVERDUE:
            act = MarkOverdue()
        case Step.NUDGE:
            act = Nudged(loop.nudges + 1)
        case Step.ESCALATE:
            act = Escalate()
        case _:
            assert_never(step)
    decision = decide(loop, act, stamp)
    if step is Step.NUDGE:
        # Programs that are in no chat read it here.
        words = nudge_words(decision.after, decision.after.nudges, due_prompt(decision.after, stamp.now))
        decision = replace(decision, said={"sentence": words})
    await record_decision(work, context, loop, decision, conversation, stamp.now)
    after = decision.after
    if step is Step.NUDGE and conversation.is_chat:
        await _remind(work, context, after, conversation, stamp.now)
    if step is Step.ESCALATE:
        await tell_all(work, context, after, escalation_words(after), stamp.now)
    return after


async def _remind(work: Work, context: Context, loop: Loop, conversation: Conversation, now: datetime) -> None:
    """Say it in the conversation, or hold it where its recipient had too many: those become one message."""
    person = await whose(work, loop)
    until = await held_until(work, loop.workspace, person.id, now) if person is not None else None
    if person is not None:
        state = ReminderState.OWED if until is None else ReminderState.HELD
        reminder = LoopReminder(context.ids.new("rem"), loop.workspace, loop.id, person.id, now, state)
        await work.add_loop_reminder(reminder)
    if person is not None and until is not None:
        await work.set_due(DueKind.HELD, person.id, loop.workspace, until)
        return
    task = SayNudge(loop=loop.id, number=loop.nudges, where=conversation.where)
    await owe(work, context, loop.workspace, Lane.NUDGE, conversation.where, task, now)


async def fire_followup(work: Work, context: Context, due: Due) -> None:
    """Say again what somebody asked to be said, once; the agents of the conversation hear it as an event."""
    follow_up = await work.follow_up(due.workspace, due.subject)
    if not await is_still(work, due):
        return
    await work.set_due(DueKind.FOLLOWUP, due.subject, due.workspace, None)
    if follow_up is None or follow_up.state is not FollowUpState.WAITING:
        return
    now = context.clock.now()
    done = follow_up.model_copy(update={"state": FollowUpState.DONE})
    await work.save_follow_up(done)
    conversation = await work.conversation(done.workspace, done.conversation)
    if conversation is None:
        return
    await say_there(work, context, conversation, f"Follow-up: {done.prompt}", now)
    loop = await _loop_of(work, done)
    if loop is not None:
        data = {"loop": shown(context, loop, conversation), "followup": done.wire()}
        await announce_loop(work, context, loop, LoopEventType.FOLLOWUP, data, now)
        return
    alert = await work.newest_alert(done.conversation)
    if alert is not None and (alert.by.is_same(done.by) or await raiser_hears_words(work, alert)):
        await announce_alert(work, context, alert, LoopEventType.FOLLOWUP, {"followup": done.wire()}, now)


async def _loop_of(work: Work, follow_up: FollowUp) -> Loop | None:
    """The loop that a follow-up is about: the one it names, else the newest of its conversation that whoever made it
    ordered, or whose sender hears what is said there."""
    if follow_up.loop is not None:
        return await work.loop_named(follow_up.workspace, follow_up.loop)
    still = await work.loops_in(follow_up.conversation, open_only=True)
    found = still or await work.loops_in(follow_up.conversation, limit=1)
    own = next((one for one in found if one.sender.is_same(follow_up.by)), None)
    if own is not None or not found:
        return own
    return found[0] if await hears_words(work, found[0]) else None

"""A press on a loop's card or an alert's, and the form that a press opens: checked, judged, decided and committed with
its inbox key in one transaction. Pressing is saying the sentence, which then stands in the conversation."""

from __future__ import annotations

from typing import assert_never

from core.errors import Forged, Invalid, LoopEnded, Refused
from core.loops.access import PersonSpeaks, check_may_move
from core.loops.acts import Acknowledge, Claim, Decline, LoopAct, NoAction, Result
from core.loops.controls import OPENS_LOOP_FORM, REASON_FIELD, RESULT_FIELD, LoopAction, LoopControl
from core.loops.owed import AskLoopWords
from core.loops.replies import LoopReply, OpenLoopForm
from core.loops.values import Loop
from core.loops.wording import done_sentence, ended_words
from core.outbox import Lane
from core.people import Membership
from core.ports import Context, Work
from core.replies import Quiet, Reply, Saved, Told, Wrong
from core.sentences import split_status
from core.use_cases.alerts import order_by_press
from core.use_cases.checking import tell_refused, tell_unknown
from core.use_cases.loop_arrivals import ELSEWHERE, LoopForm, LoopPress, shown_once
from core.use_cases.loop_moving import move_in
from core.use_cases.loop_opening import again_in
from core.use_cases.loop_recording import redraw_loop
from core.use_cases.once import once
from core.use_cases.people import recognise
from core.use_cases.recording import owe

UNKNOWN = "I do not know this work order, so nothing was done."
WRITE_HERE = "Reply to my message with your words."


async def press_loop(context: Context, arrival: LoopPress) -> LoopReply:
    """Handle one press; never raises a `Refused`."""
    forms: list[OpenLoopForm] = []

    async def inner(work: Work) -> Reply:
        forms.clear()
        try:
            reply = await _press_in(work, context, arrival)
        except Refused as refused:
            return await tell_refused(work, arrival.workspace, refused, arrival.identity)
        if isinstance(reply, OpenLoopForm):
            forms.append(reply)
            return Quiet()
        return reply

    reply = await once(context, arrival.key, arrival.provider, inner)
    return forms[0] if forms and isinstance(reply, Quiet) else reply


async def _press_in(work: Work, context: Context, arrival: LoopPress) -> LoopReply:
    control = arrival.control
    if control.action is LoopAction.ORDER:
        return await order_by_press(work, context, arrival)
    loop = await work.loop(arrival.workspace, control.subject)
    if loop is None:
        return await tell_unknown(work, control.subject, UNKNOWN)
    if control.action is LoopAction.DISPATCH_AGAIN:
        speaker = await _offered(work, context, loop, arrival)
        made = await again_in(work, context, loop, speaker, arrival.key)
        return Saved(f"It was dispatched again as {made.name}.")
    loop = await adopt(work, context, loop, arrival)
    speaker = await speaker_of(work, context, arrival)
    if control.action in OPENS_LOOP_FORM:
        return await _ask(work, context, loop, arrival, speaker)
    act: LoopAct = Acknowledge() if control.action is LoopAction.ACKNOWLEDGE else Claim(control.slot)
    moved = await move_in(work, context, loop, act, speaker, provider_event=arrival.key)
    return Saved(done_sentence(moved.loop, act, moved.slot), unseen=moved.repeated)


async def speaker_of(work: Work, context: Context, arrival: LoopPress) -> PersonSpeaks:
    """The presser, whom the press proves to be there."""
    person = await recognise(work, context, arrival.workspace, arrival.identity, arrival.standing)
    await work.note_seen(arrival.workspace, person.id, arrival.conversation, context.clock.now())
    return PersonSpeaks(person, arrival.identity, arrival.standing, Membership.YES, arrival.via)


async def adopt(work: Work, context: Context, loop: Loop, arrival: LoopPress) -> Loop:
    """Match the pressed message to the loop's card. A press proves that a card whose post was lost is there. Raises
    `Forged` when the control is from elsewhere."""
    card = await shown_once(work, context, loop.card, arrival)
    if card is loop.card:
        return loop
    after = loop.model_copy(update={"card": card})
    await work.save_loop(loop, after)
    await redraw_loop(work, context, after, context.clock.now())
    return after


async def _offered(work: Work, context: Context, loop: Loop, arrival: LoopPress) -> PersonSpeaks:
    """The presser of an offer: on the card, which proves them to be where it is talked about, or on what they were told
    elsewhere, which proves nothing."""
    card = loop.card
    if card is not None and (arrival.provider, arrival.channel, arrival.message) == (
        card.provider,
        card.channel,
        card.message,
    ):
        return await speaker_of(work, context, arrival)
    person = await recognise(work, context, arrival.workspace, arrival.identity, arrival.standing)
    return PersonSpeaks(person, arrival.identity, arrival.standing, Membership.NO, arrival.via)


async def _ask(work: Work, context: Context, loop: Loop, arrival: LoopPress, speaker: PersonSpeaks) -> LoopReply:
    """Ask for the words of a result or a reason."""
    check_may_move(loop, speaker)
    if loop.outcome is not None:
        raise LoopEnded(ended_words(loop), loop.outcome)
    if not arrival.prompts:
        return OpenLoopForm(loop, arrival.control)
    prompt = AskLoopWords(
        loop=loop.id,
        action=arrival.control.action,
        slot=arrival.control.slot,
        provider=arrival.provider.value,
        account=arrival.account,
        channel=arrival.channel,
        thread=arrival.thread,
        # The message that was pressed may be a second one, which is about to be taken out.
        reply_to=loop.card.message if loop.card is not None else arrival.message,
        person=speaker.person.id,
        user=arrival.identity.user,
        name=speaker.person.name,
    )
    await owe(work, context, loop.workspace, Lane.TALK, arrival.conversation, prompt, context.clock.now())
    return Told(WRITE_HERE)


def act_of(control: LoopControl, words: str) -> LoopAct:
    """What the words of a form or a prompt are. Raises `Forged` for a control that asks for none."""
    match control.action:
        case LoopAction.DONE:
            status, summary = split_status(words)
            return Result(summary, status, control.slot)
        case LoopAction.DECLINE:
            return Decline(words, control.slot)
        case LoopAction.NO_ACTION:
            return NoAction(words, control.slot)
        case LoopAction.ACKNOWLEDGE | LoopAction.CLAIM | LoopAction.DISPATCH_AGAIN | LoopAction.ORDER:
            raise Forged(ELSEWHERE)
        case _:
            assert_never(control.action)


def field_of(control: LoopControl) -> str:
    """The one field of the form that a control opens."""
    return RESULT_FIELD if control.action is LoopAction.DONE else REASON_FIELD


async def submit_loop(context: Context, form: LoopForm) -> Reply:
    """Handle one submitted form; never raises a `Refused`."""

    async def inner(work: Work) -> Reply:
        try:
            return await _submit_in(work, context, form)
        except Invalid as invalid:
            return Wrong(invalid.faults, tuple(field_of(form.control) for _ in invalid.faults))
        except Refused as refused:
            return await tell_refused(work, form.workspace, refused, form.identity)

    return await once(context, form.key, form.provider, inner)


async def _submit_in(work: Work, context: Context, form: LoopForm) -> Reply:
    loop = await work.loop(form.workspace, form.control.subject)
    if loop is None:
        return await tell_unknown(work, form.control.subject, UNKNOWN)
    person = await recognise(work, context, form.workspace, form.identity, form.standing)
    speaker = PersonSpeaks(person, form.identity, form.standing, form.membership, form.via)
    words = form.fields.get(field_of(form.control), "")
    act = act_of(form.control, words if isinstance(words, str) else "")
    moved = await move_in(work, context, loop, act, speaker, provider_event=form.key)
    return Saved(done_sentence(moved.loop, act, moved.slot), unseen=moved.repeated)

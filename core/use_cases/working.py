"""Sentences about work that is given out and done: orders, job markers, calls of operations."""

from __future__ import annotations

from core.blank import is_blank
from core.errors import Forbidden, Invalid
from core.loops.access import check_may_speak
from core.loops.acts import Start, Track
from core.loops.asking import LONGEST_DUE
from core.loops.steps import may_start
from core.loops.values import LONGEST_BODY, LONGEST_TITLE, Loop, Slot, claimers
from core.sentences import JobMarker, WorkOrder
from core.tools.limits import CALLS_IN_A_MESSAGE, CARDS_IN_A_MESSAGE
from core.use_cases.ears import Ear
from core.use_cases.loop_moving import move_in
from core.use_cases.loop_opening import Opening, open_in
from core.use_cases.loop_recording import say_there
from core.use_cases.recording import stamp_for
from core.use_cases.tool_reviews import ask_first
from core.use_cases.tools import run

TITLE_TOO_LONG = f"The title of an order has at most {LONGEST_TITLE} characters: put the rest behind a dash."
BODY_TOO_LONG = f"An order has at most {LONGEST_BODY} characters."
DUE_TOO_FAR = f"An order is due within {LONGEST_DUE.days} days."
TASK_TOO_LONG = f"A task has at most {LONGEST_BODY} characters."
NO_TITLE = "An order says what is to be done."


async def order(ear: Ear, sentence: WorkOrder) -> None:
    """Open a loop, once. Raises `Invalid` for one that cannot be, or whose name is taken."""
    check_may_speak(ear.speaker)
    if is_blank(sentence.title):
        raise Invalid.at("", NO_TITLE)
    if len(sentence.title) > LONGEST_TITLE:
        raise Invalid.at("", TITLE_TOO_LONG)
    if len(sentence.body) > LONGEST_BODY:
        raise Invalid.at("", BODY_TOO_LONG)
    if sentence.due is not None and abs(sentence.due - ear.context.clock.now()) > LONGEST_DUE:
        raise Invalid.at("", DUE_TOO_FAR)
    known = await ear.work.loop_named(ear.conversation.workspace, sentence.id)
    if known is not None:
        same = known.sender.is_same(ear.speaker.by) and known.conversation == ear.conversation.id
        if same and (known.title, known.body) == (sentence.title, sentence.body):
            return  # the same order once more
        raise Invalid.at("", f"The name {sentence.id} is taken by another work order, so this one was not opened.")
    loop = await _open(ear, sentence.id, sentence.title, sentence.body, sentence)
    ear.heard.opened.append(loop)


async def _open(
    ear: Ear, name: str, title: str, body: str, said: WorkOrder | None = None, slots: tuple[Slot, ...] = ()
) -> Loop:
    """Open a loop for whoever is in the conversation."""
    check_room(ear)
    conversation = ear.conversation
    recipient = conversation.address if conversation.is_chat else f"agent:{conversation.place}"
    return await open_in(
        ear.work,
        ear.context,
        conversation,
        Opening(
            by=ear.speaker.by,
            via=ear.speaker.via,
            recipient=recipient,
            title=title,
            body=body,
            name=name,
            priority=said.priority if said else None,
            due_at=said.due if said else None,
            sender_label=said.claimed_sender if said else None,
            slots=slots,
            provider_event=ear.provider_event,
        ),
    )


def check_room(ear: Ear) -> None:
    """Raise `Forbidden` where one message opens more than people can look at."""
    if CARDS_IN_A_MESSAGE.reached(len(ear.heard.opened) + ear.heard.raised):
        raise Forbidden(CARDS_IN_A_MESSAGE.words)


async def job(ear: Ear, sentence: JobMarker) -> None:
    """A marker before work that is given out makes it tracked; one before work that comes back is progress."""
    name, slot = sentence.reference.loop, sentence.reference.slot
    if len(sentence.task) > LONGEST_BODY:
        raise Invalid.at("", TASK_TOO_LONG)
    known = await ear.work.loop_named(ear.conversation.workspace, name)
    if known is None and not is_blank(sentence.task):
        check_may_speak(ear.speaker)
        title = " ".join(sentence.task.split())
        slots = (Slot(number=slot, task=sentence.task),) if slot is not None else ()
        is_title = len(title) <= LONGEST_TITLE
        body = "" if slots or is_title else sentence.task
        opened = await _open(ear, name, title if is_title else f"Job {name}", body, slots=slots)
        ear.heard.opened.append(opened)
        return
    loop = await ear.loop(name)
    if await _progress(ear, loop, slot):
        return
    if slot is not None and loop.slot(slot) is None:
        ear.heard.moved.append(
            await move_in(
                ear.work,
                ear.context,
                loop,
                Track(slot, sentence.task),
                ear.speaker,
                said=True,
                provider_event=ear.provider_event,
            )
        )


async def _progress(ear: Ear, loop: Loop, slot: int | None = None) -> bool:
    """Whether this is progress of whoever has the loop; the first makes it running."""
    stamp = stamp_for(ear.context, ear.speaker.by, ear.speaker.via, ear.provider_event)
    holders = claimers(loop.slots) if loop.slots else ((loop.claimed.by,) if loop.claimed else ())
    own = loop.is_open and any(one.is_same(ear.speaker.by) for one in holders)
    if own and may_start(loop, stamp):
        ear.heard.moved.append(
            await move_in(
                ear.work,
                ear.context,
                loop,
                Start(slot),
                ear.speaker,
                said=True,
                provider_event=ear.provider_event,
            )
        )
    return own


async def progress_here(ear: Ear) -> None:
    """Work is being done by the speaker: on whatever they have claimed here."""
    for one in await ear.work.loops_in(ear.conversation.id, open_only=True):
        holders = claimers(one.slots) if one.slots else ((one.claimed.by,) if one.claimed else ())
        if not any(by.is_same(ear.speaker.by) for by in holders):
            continue
        loop = await ear.work.loop(one.workspace, one.id)
        if loop is not None:
            await _progress(ear, loop)


async def call_tool(ear: Ear, op: str, arguments: str) -> None:
    """Run an operation and show its result, or ask people about it first. Whoever has work here is at it. Raises
    `Forbidden` for one too many of a message."""
    if CALLS_IN_A_MESSAGE.reached(len(ear.heard.ran) + len(ear.heard.waiting)):
        raise Forbidden(CALLS_IN_A_MESSAGE.words)
    asked = await ask_first(ear.work, ear.context, ear.conversation, ear.speaker, op, arguments, ear.provider_event)
    ran = asked or await run(ear.work, ear.context, ear.conversation, ear.speaker, op, arguments)
    (ear.heard.ran if asked is None else ear.heard.waiting).append(ran)
    await say_there(ear.work, ear.context, ear.conversation, ran.text, ear.context.clock.now())
    await progress_here(ear)

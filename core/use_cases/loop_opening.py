"""Work orders come into being: the loop, its card, its first receipt and event, in the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from core.addresses import ChatAddress, Provider
from core.errors import Invalid, LoopEnded, NotAnAnswerer
from core.loops.access import Speaker, check_may_move, overrules
from core.loops.acts import NoAction
from core.loops.deciding import opened
from core.loops.outcomes import LoopState
from core.loops.places import Conversation
from core.loops.values import Loop, Reminders, Slot
from core.loops.wording import NOT_YOURS, order_words
from core.people import By, Via
from core.ports import Context, Work
from core.records import Continuation
from core.use_cases.loop_moving import move_in
from core.use_cases.loop_places import Addressed, copy_in
from core.use_cases.loop_recording import post_loop, record_decision
from core.use_cases.recording import stamp_for

SHORT = 8
"""Characters of a name that nobody chose, unless it is taken."""


@dataclass(frozen=True)
class Opening:
    """What a new loop is made of, whoever opens it. `name` None: it gets one."""

    by: By
    via: Via
    recipient: str
    title: str
    body: str = ""
    name: str | None = None
    priority: str | None = None
    due_at: datetime | None = None
    sender_label: str | None = None
    slots: tuple[Slot, ...] = ()
    reminders: Reminders = field(default_factory=Reminders)
    continuation: Continuation = field(default_factory=Continuation)
    parent: str | None = None
    from_alert: str | None = None
    provider_event: str | None = None


async def open_in(work: Work, context: Context, conversation: Conversation, opening: Opening) -> Loop:
    """Open a loop in a conversation, inside the caller's transaction. Raises `Invalid` when its name is taken."""
    stamp = stamp_for(context, opening.by, opening.via, opening.provider_event)
    id = context.ids.new("lop")
    name = opening.name or await _free_name(work, conversation.workspace, id)
    if opening.name is not None and await work.loop_named(conversation.workspace, name) is not None:
        raise Invalid.at("/id", f"there is a work order {name} already")
    loop = Loop(
        id=id,
        workspace=conversation.workspace,
        name=name,
        conversation=conversation.id,
        title=opening.title,
        body=opening.body,
        priority=opening.priority,
        due_at=opening.due_at,
        sender=opening.by,
        sender_label=opening.sender_label,
        recipient=opening.recipient,
        reminders=opening.reminders,
        continuation=opening.continuation,
        parent=opening.parent,
        from_alert=opening.from_alert,
        created_at=stamp.now,
        slots=opening.slots,
        card=copy_in(conversation),
    )
    order_words(loop)  # what no agent could read is no order
    await record_decision(work, context, None, opened(loop, stamp), conversation, stamp.now)
    await post_loop(work, context, loop, stamp.now)
    return loop


async def _free_name(work: Work, workspace: str, id: str) -> str:
    whole = id.partition("_")[2]
    short = whole[-SHORT:]
    return short if await work.loop_named(workspace, short) is None else whole


def names_again(loop: Loop) -> tuple[str, str]:
    """What the order is called that follows a declined or escalated one: the first of these that was free."""
    stem = f"{loop.name[:56]}-again"
    return stem, f"{stem[:56]}-{loop.id[-7:]}"


async def _name_again(work: Work, loop: Loop) -> str:
    """A free name that tells whose successor it is. Raises `LoopEnded` when the successor is there already."""
    names = names_again(loop)
    for name in names:
        known = await work.loop_named(loop.workspace, name)
        if known is None:
            return name
        if known.parent == loop.name and loop.outcome is not None:
            raise LoopEnded(f"{loop.name} was dispatched again as {known.name}.", loop.outcome)
    raise Invalid.at("", f"call the order anew by hand: {names[0]} is the name of another one")


async def _for_whom_again(work: Work, loop: Loop, conversation: Conversation) -> str:
    """Whom an order is for when it is given once more: the same one or, when that one is gone, whoever is in the
    conversation. Raises `Invalid` where nobody would see it."""
    kind, _, name = loop.recipient.partition(":")
    if kind == "agent":
        agent = await work.agent_by_name(loop.workspace, name)
        gone = agent is None or agent.revoked
    else:
        gone = kind == "person" and await work.person_by_handle(loop.workspace, name) is None
    if not gone:
        return loop.recipient
    if not conversation.is_chat:
        raise Invalid.at("/to", f"{name} is not here any more: name somebody else, or give a new order")
    provider = Provider(conversation.provider)
    return str(ChatAddress(provider, conversation.account, conversation.place, conversation.thread))


def _hears(loop: Loop, speaker: Speaker) -> bool:
    """Whether an order that they give again is heard of where the first one was: a program's own address is nobody
    else's to know, and takes no other program's signature."""
    return loop.sender.is_same(speaker.by) or speaker.by.type != "agent"


async def again_in(
    work: Work,
    context: Context,
    loop: Loop,
    speaker: Speaker,
    provider_event: str | None = None,
    *,
    elsewhere: Addressed | None = None,
    due_at: datetime | None = None,
) -> Loop:
    """Open a declined order anew, in the same conversation and for the same recipient unless `elsewhere` says others
    or that one is gone.
    One that was escalated and is still open ends by this, for its sender and operators. Once: whoever asks after that
    is told of it.

    Raises any `Refused`.
    """
    check_may_move(loop, speaker)
    stem = await _name_again(work, loop)
    ends = loop.is_open and loop.escalated_at is not None
    if ends and not overrules(loop, speaker):
        raise NotAnAnswerer(NOT_YOURS)
    if not ends and loop.state is not LoopState.DECLINED:
        raise Invalid.at("", f"{loop.name} was neither declined nor escalated, so it cannot be dispatched again")
    conversation = elsewhere.conversation if elsewhere else await work.conversation(loop.workspace, loop.conversation)
    if conversation is None:
        raise LookupError(f"{loop.id} is in no conversation")
    recipient = elsewhere.recipient if elsewhere else await _for_whom_again(work, loop, conversation)
    if ends:  # with all that may refuse it behind us, for a refusal is committed with what was written before it
        await move_in(work, context, loop, NoAction(f"dispatched again as {stem}"), speaker)
    still_ahead = loop.due_at if loop.due_at is not None and loop.due_at > context.clock.now() else None
    return await open_in(
        work,
        context,
        conversation,
        Opening(
            by=speaker.by,
            via=speaker.via,
            recipient=recipient,
            title=loop.title,
            body=loop.body,
            name=stem,
            priority=loop.priority,
            due_at=due_at or still_ahead,
            slots=tuple(Slot(number=one.number, task=one.task) for one in loop.slots),
            reminders=loop.reminders,
            continuation=loop.continuation if _hears(loop, speaker) else Continuation(),
            parent=loop.name,
            provider_event=provider_event,
        ),
    )

"""What is said for agents: kept for their next event, passed on to where the work came from, told as it was said."""

from __future__ import annotations

from typing import Any

from core.errors import Refused
from core.events import LoopEventType
from core.loops.access import check_may_speak
from core.loops.places import Conversation, Handover, HandoverKind
from core.loops.values import Loop
from core.sentences import SubagentUpdate, speakable_update, spell
from core.use_cases.ears import Ear
from core.use_cases.loop_places import hears_words, raiser_hears_words
from core.use_cases.loop_recording import announce_alert, announce_loop, say_there, shown
from core.use_cases.working import progress_here


async def keep(ear: Ear, kind: HandoverKind, text: str) -> None:
    """Keep a directive or a runtime context for the agents of the conversation."""
    check_may_speak(ear.speaker)
    await ear.work.add_handover(
        Handover(
            id=ear.context.ids.new("hnd"),
            workspace=ear.conversation.workspace,
            conversation=ear.conversation.id,
            kind=kind,
            text=text,
            by=ear.speaker.by,
            at=ear.context.clock.now(),
        )
    )


async def relay(ear: Ear, sentence: SubagentUpdate) -> None:
    """Pass an update on to the conversation whose work this is a part of; there its agents hear of it as well."""
    check_may_speak(ear.speaker)
    await progress_here(ear)
    parent = await _parent_of(ear, sentence.short_id)
    target = parent or ear.conversation
    now = ear.context.clock.now()
    if parent is not None:
        await say_there(ear.work, ear.context, parent, spell(speakable_update(sentence)), now)
    update = {"title": sentence.title, "id": sentence.short_id, "details": sentence.details or None}
    await _announce_in(ear, target, {"subagent": update, "message": ear.saying.wire()})


async def _parent_of(ear: Ear, short_id: str) -> Conversation | None:
    """Where an update goes: where the order of this conversation came from, or that of the loop which it names."""
    id = ear.conversation.parent
    if id is None:
        loop = await ear.work.loop_named(ear.conversation.workspace, short_id)
        # A name alone opens no door: whoever does not know the order here reaches nobody above it.
        known = loop if loop is not None and await ear.knows(loop) else None
        above = await ear.work.loop_named(known.workspace, known.parent) if known is not None and known.parent else None
        id = above.conversation if above is not None else None
    if id is None or id == ear.conversation.id:
        return None
    return await ear.work.conversation(ear.conversation.workspace, id)


async def tell_agents(ear: Ear, words: str) -> None:
    """What was said to people is an event of the work that it was said about."""
    try:
        check_may_speak(ear.speaker)
    except Refused:
        return
    await _announce_in(ear, ear.conversation, {"message": ear.saying.wire(), "words": words})


async def _announce_in(ear: Ear, conversation: Conversation, data: dict[str, Any]) -> None:
    """Announce something said, with the loop of the conversation that it is most likely about, else with its alert."""
    about, now = await _about(ear, conversation), ear.context.clock.now()
    if about is not None:
        now_shown = {"loop": shown(ear.context, about, conversation), **data}
        await announce_loop(ear.work, ear.context, about, LoopEventType.MESSAGE, now_shown, now)
        return
    alert = await ear.work.newest_alert(conversation.id)
    if alert is not None and await raiser_hears_words(ear.work, alert):
        await announce_alert(ear.work, ear.context, alert, LoopEventType.MESSAGE, data, now)


async def _about(ear: Ear, conversation: Conversation) -> Loop | None:
    named = [*ear.heard.opened, *(one.loop for one in ear.heard.moved)]
    here = [loop for loop in named if loop.conversation == conversation.id]
    if here:
        return here[-1]
    if ear.about is not None and ear.about.conversation == conversation.id:
        return ear.about
    still = await ear.work.loops_in(conversation.id, open_only=True)
    found = still or await ear.work.loops_in(conversation.id, limit=1)
    if not found or not await hears_words(ear.work, found[0]):
        # It may be meant for another one's work or for none, and what is not its own is not passed on.
        return None
    return found[0]

"""Which work orders a person may read, judged now: theirs by name or deed, and those of conversations they are in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.authority import Authority
from core.addresses import Provider
from core.audience import Candidate
from core.loops.keeping import Ordered
from core.loops.places import Conversation
from core.loops.values import Loop
from core.people import Identity, Membership, Person, Role
from core.publications import Publication


def has_part(person: Person, loop: Loop) -> bool:
    """Whether it is for a person by name, or they ordered it or did something about it."""
    of_slots = [mark for slot in loop.slots for mark in (slot.claimed, slot.done)]
    marks = (loop.acknowledged, loop.claimed, loop.outcome, *of_slots)
    acted = (loop.sender, *(mark.by for mark in marks if mark is not None))
    is_named = loop.recipient == f"person:{person.handle}"
    return is_named or any(by.type == "person" and by.id == person.id for by in acted)


async def reach(
    authority: Authority, person: Person, identity: Identity | None, found: Sequence[Ordered]
) -> dict[str, Membership]:
    """By the id of each, whether they may read it. A chat is asked about each conversation once, and only where it
    matters."""
    known = {one.loop.id: _unasked(person, one) for one in found}
    copies = [copy for one in found if known[one.loop.id] is None for copy in copies_of(one.conversation)]
    if copies:
        candidate = await authority.candidate(person, identity, copies)
        for one in found:
            if known[one.loop.id] is None:
                known[one.loop.id] = membership_in(candidate, one.conversation)
    return {id: membership or Membership.NO for id, membership in known.items()}


def _unasked(person: Person, one: Ordered) -> Membership | None:
    is_theirs = person.role is Role.OPERATOR or has_part(person, one.loop)
    return Membership.YES if is_theirs else None


def membership_in(candidate: Candidate, conversation: Conversation | None) -> Membership:
    """What is known of somebody in a conversation that a chat was asked about."""
    for copy in copies_of(conversation):
        return candidate.memberships.get(copy.conversation, Membership.NO)
    return Membership.NO


def copies_of(conversation: Conversation | None) -> Iterable[Publication]:
    """A conversation as the chat is asked about it. Programs' own have no members."""
    if conversation is not None and conversation.is_chat:
        yield Publication(
            id=conversation.id,
            workspace=conversation.workspace,
            interaction="",
            number=1,
            provider=Provider(conversation.provider),
            account=conversation.account,
            place=conversation.place,
            channel=conversation.channel,
        )

"""The accounts of one person: given and taken away, by an operator who vouches for them or by proof of both sides.

An account is a person's when it is theirs in the directory, and only that counts: who signed in with one of two
accounts has proved nothing of the other, until both were proved in one browser and its person said that they are one.
"""

from __future__ import annotations

from typing import Final

from pydantic import JsonValue

from core.addresses import ChatAddress, Provider
from core.audit import Actor, Changed, about_person
from core.errors import Invalid, NotFound
from core.installations import may_be_in
from core.outbox import Lane, Say
from core.people import Identity, Person
from core.ports import Context, Work
from core.use_cases.auditing import note
from core.use_cases.recording import owe
from core.use_cases.settings import schedule_digest
from core.use_cases.transact import transact

GONE: Final = "You are not signed in with this account any more. Sign in again."


def as_actor(person: Person, identity: Identity) -> Actor:
    """A person who does something with their own accounts, signed in with one of them."""
    return Actor(type="person", id=person.id, handle=person.handle, identity=str(identity))


async def give(work: Work, context: Context, person: Person, identity: Identity, by: Actor | None = None) -> Person:
    """Make an account somebody's, with whoever it was by itself until then. Raises `Invalid` where it is somebody
    else's who was added."""
    owner = await work.person_by_identity(person.workspace, identity)
    if owner is not None and owner.id == person.id:
        return owner
    await work.add_identity(person.id, person.workspace, identity)
    if owner is not None:
        person = await note_merged(work, context, owner, person, by)
    about = about_person(person)
    await note(work, context, person.workspace, Changed.ACCOUNT_ADDED, about, after={"account": str(identity)}, by=by)
    return await work.person(person.workspace, person.id) or person


async def merge(context: Context, workspace: str, old: str, handle: str, by: Actor | None = None) -> Person:
    """Make two people one, on the word of an operator who knows that they are: the one with the handle `old` is known
    by `handle` from then on. Raises `NotFound`, and `Invalid` for one and the same."""

    async def inner(work: Work) -> Person:
        found = [await work.person_by_handle(workspace, one) for one in (old, handle)]
        for name, one in zip((old, handle), found, strict=True):
            if one is None:
                raise NotFound(f"There is nobody with the handle {name}.")
        other, person = (one for one in found if one is not None)
        if other.id == person.id:
            raise Invalid.at("/handle", f"{old} and {handle} are one already")
        await work.locked_operators(workspace)
        await work.merge_people(other, person)
        await note_merged(work, context, other, person, by)
        return await work.person(workspace, person.id) or person

    return await transact(context, inner)


async def note_merged(work: Work, context: Context, old: Person, person: Person, by: Actor | None = None) -> Person:
    """Keep that somebody who was `old` as well is `person`, as they were before that; and send their morning list when
    it is to come now."""
    current = await work.person(person.workspace, person.id) or person
    about = about_person(current)
    before: dict[str, JsonValue] = {"person": old.handle, "accounts": [str(one) for one in old.identities]}
    after: dict[str, JsonValue] = {"person": current.handle}
    await note(work, context, current.workspace, Changed.PERSON_MERGED, about, before=before, after=after, by=by)
    if current.role is not person.role:
        was, now = {"role": person.role.value}, {"role": current.role.value}
        await note(work, context, current.workspace, Changed.PERSON_ROLE, about, before=was, after=now, by=by)
    await schedule_digest(work, context, current)
    return current


async def link(work: Work, context: Context, person: Person, mine: Identity, other: Identity) -> Person:
    """Make two accounts one person's, both of which were proved just now: `mine` is that of the session, `person` whose
    it was then. Returns who has both: a person who was added stays rather than one that an account made by itself.

    Raises `NotFound` where the session proves nothing any more, and `Invalid` where both are people who were added.
    """
    now_mine = await work.person_by_identity(person.workspace, mine)
    if now_mine is None or now_mine.id != person.id:
        raise NotFound(GONE)
    owner = await work.person_by_identity(person.workspace, other)
    if owner is not None and owner.id == person.id:
        return owner
    joins = now_mine.automatic and owner is not None and not owner.automatic
    stays, comes = (owner, mine) if joins and owner is not None else (now_mine, other)
    had = stays.identities
    linked = await give(work, context, stays, comes, as_actor(now_mine, mine))
    text = f"The account {comes} was linked to yours. You are {linked.handle} with either now."
    await _tell(work, context, stays, had, text)
    return linked


async def unlink(work: Work, context: Context, person: Person, mine: Identity, identity: Identity) -> Person:
    """Take an account away from whoever is signed in with `mine`, another one of theirs. Raises `NotFound`, and
    `Invalid` for the one they are signed in with, which makes that the last one stays."""
    current = await work.person_by_identity(person.workspace, mine)
    if current is None or current.id != person.id:
        raise NotFound(GONE)
    if identity == mine:
        raise Invalid.at("/account", "You are signed in with this account. Sign in with another one to unlink it.")
    if not await work.remove_identity(person.workspace, person.id, identity):
        raise NotFound("This account is not yours any more.")
    before = {"account": str(identity)}
    by = as_actor(current, mine)
    await note(work, context, person.workspace, Changed.ACCOUNT_REMOVED, about_person(current), before=before, by=by)
    await _tell(work, context, current, current.identities, f"The account {identity} was unlinked from yours.")
    return await work.person(person.workspace, person.id) or current


async def _tell(work: Work, context: Context, person: Person, accounts: tuple[Identity, ...], text: str) -> None:
    """Say it to the accounts in chats that somebody had before: whoever took one of them over cannot do it unseen."""
    connections = await work.connections(person.workspace)
    for one in accounts:
        way = next((way for way in connections if may_be_in(one, way.provider, way.account)), None)
        if way is None:
            continue
        where = ChatAddress(Provider(one.provider), way.account, one.user)
        say = Say(
            provider=where.provider.value,
            account=way.account,
            channel=where.place,
            text=f"{text} If it was not you who did this, tell an operator at once.",
        )
        await owe(work, context, person.workspace, Lane.TALK, str(where), say, context.clock.now())

"""People come in: added by an operator, with accounts the operator vouches for or that a one-time link proves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pydantic import JsonValue

from core.access import Link
from core.addresses import HANDLE
from core.audit import Actor, Changed, about_person
from core.errors import Invalid, NotFound
from core.people import Identity, Person, Role
from core.ports import Context, Work
from core.use_cases.accounts import give, note_merged
from core.use_cases.auditing import note
from core.use_cases.transact import transact

LINK_GOOD_FOR = timedelta(minutes=15)


async def add_person(
    context: Context, workspace: str, handle: str, name: str, role: Role, identities: Sequence[Identity]
) -> Person:
    """Add a person. Whoever acted with one of these accounts before, unknown to anybody, turns out to be them.

    Raises `Invalid` when the handle is taken or an account is someone else's.
    """
    if not HANDLE.fullmatch(handle):
        raise Invalid.at("/handle", "a handle is 1 to 64 of a-z 0-9 . _ - and starts with a letter or digit")

    async def inner(work: Work) -> Person:
        taken = await work.person_by_handle(workspace, handle)
        if taken is not None and not (taken.automatic and set(taken.identities) & set(identities)):
            known = "`sayso person list` shows who that is, and `sayso person set` and `link` change them"
            raise Invalid.at("/handle", f"there is somebody with the handle {handle} already: {known}")
        person = Person(id=context.ids.new("per"), workspace=workspace, handle=handle, name=name, role=role)
        if taken is not None:
            # The same account got this very handle by itself: that member becomes the person.
            own = {"id": taken.id, "timezone": taken.timezone, "digest": taken.digest}
            person = person.model_copy(update=own)
            await work.save_person(person)
        else:
            await work.add_person(person)
        for identity in identities:
            owner = await work.person_by_identity(workspace, identity)
            await work.add_identity(person.id, workspace, identity)
            if owner is not None and owner.id != person.id:
                person = await note_merged(work, context, owner, person)
        after: dict[str, JsonValue] = {"role": role.value, "accounts": [str(one) for one in identities]}
        await note(work, context, workspace, Changed.PERSON_ADDED, about_person(person), after=after)
        return await work.person(workspace, person.id) or person

    return await transact(context, inner)


async def set_role(context: Context, workspace: str, handle: str, role: Role, by: Actor | None = None) -> Person:
    """Say what somebody may do. Raises `NotFound`, and `Invalid` where nobody would be left to operate."""

    async def inner(work: Work) -> Person:
        operators = await work.locked_operators(workspace)
        person = await _known(work, workspace, handle)
        if person.role is role:
            return person
        if role is not Role.OPERATOR and set(operators) <= {person.id}:
            raise Invalid.at("/role", f"{handle} is the last operator; make somebody else one first")
        changed = person.model_copy(update={"role": role})
        await work.save_person(changed)
        before, after = {"role": person.role.value}, {"role": role.value}
        await note(
            work, context, workspace, Changed.PERSON_ROLE, about_person(person), before=before, after=after, by=by
        )
        return changed

    return await transact(context, inner)


async def add_account(context: Context, workspace: str, handle: str, identity: Identity) -> Person:
    """Give somebody who was added another account that an operator vouches for. Raises `NotFound`, and `Invalid` for an
    account that is someone else's."""

    async def inner(work: Work) -> Person:
        person = await _known(work, workspace, handle)
        return await give(work, context, person, identity)

    return await transact(context, inner)


async def offer_link(context: Context, workspace: str, handle: str, code_hash: str) -> Link:
    """Keep a one-time code (as its hash) with which a person may show an account of theirs."""

    async def inner(work: Work) -> Link:
        person = await _known(work, workspace, handle)
        now = context.clock.now()
        link = Link(
            code=code_hash, workspace=workspace, person=person.id, created_at=now, expires_at=now + LINK_GOOD_FOR
        )
        await work.add_link(link)
        return link

    return await transact(context, inner)


async def claims_of(context: Context, workspace: str, handle: str) -> tuple[Link, ...]:
    """The links of a person that were used and wait to be confirmed, oldest first."""
    async with context.work() as work:
        person = await _known(work, workspace, handle)
        return tuple(link for link in await work.claimed_links(workspace) if link.person == person.id)


async def confirm_link(context: Context, workspace: str, code_hash: str) -> Person:
    """An operator has seen the account that used a link and says that it is the person's. Raises `NotFound`,
    `Invalid`."""

    async def inner(work: Work) -> Person:
        link = await work.link(code_hash)
        if link is None or link.workspace != workspace or link.claimed is None or link.confirmed_at is not None:
            raise NotFound("There is no such link to confirm.")
        person = await work.person(workspace, link.person)
        if person is None:
            raise NotFound("The person was removed meanwhile.")
        await work.save_link(replace(link, confirmed_at=context.clock.now()))
        return await give(work, context, person, link.claimed)

    return await transact(context, inner)


async def _known(work: Work, workspace: str, handle: str) -> Person:
    person = await work.person_by_handle(workspace, handle)
    if person is None:
        raise NotFound(f"There is nobody with the handle {handle}.")
    return person

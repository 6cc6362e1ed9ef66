"""Keeping no longer than wanted: content is purged and people are forgotten in small transactions, so that nobody
waits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from core.audit import About, Changed
from core.errors import Invalid, NotFound
from core.people import Person, Role
from core.ports import Context, Work
from core.pseudonyms import names_of, pseudonym
from core.retention import Swept
from core.use_cases.auditing import note
from core.use_cases.left_alone import settle_left_alone
from core.use_cases.transact import transact

BATCH = 100
"""Cards in one transaction."""
SOONEST = timedelta(days=1)
"""What was settled less than this ago is never purged: people may still come late, and chats be redrawn."""


async def purge(context: Context, workspaces: Sequence[str], before: datetime, *, batch: int = BATCH) -> Swept:
    """Purge what was settled before and left alone since, of these workspaces. What was purged when this is cut off
    stays purged, and the rest is found the next time."""
    now, swept = context.clock.now(), Swept()
    before = min(before, now - SOONEST)
    for workspace in workspaces:

        async def asked(work: Work, of: str = workspace) -> int:
            return await work.purge_interactions(of, before, now, batch)

        async def ordered(work: Work, of: str = workspace) -> int:
            return await work.purge_loops(of, before, now, batch)

        async def said(work: Work, of: str = workspace) -> int:
            return await work.purge_said(of, before, batch)

        swept += Swept(await _all(context, asked), await _all(context, ordered), await _all(context, said))
    return swept


async def _all(context: Context, purge_some: Callable[[Work], Awaitable[int]]) -> int:
    total = 0
    while some := await transact(context, purge_some):
        total += some
    return total


async def forget_person(context: Context, workspace: str, handle: str) -> str:
    """Put a pseudonym in the place of a person wherever they are named, and remove them; return the pseudonym.

    Cards that only they could answer are settled as undeliverable. Raises `NotFound`.
    """

    async def found(work: Work) -> Person:
        person = await work.person_by_handle(workspace, handle)
        if person is None:
            raise NotFound(f"There is nobody with the handle {handle}.")
        return person

    person = await transact(context, found)
    alias = pseudonym(person)

    async def removed(work: Work) -> None:
        operators = await work.locked_operators(workspace)
        current = await work.person(workspace, person.id) or person
        if current.role is Role.OPERATOR and set(operators) <= {person.id}:
            raise Invalid.at("/handle", f"{handle} is the last operator; make somebody else one first")
        await work.remove_person(workspace, person.id)
        for identity in current.identities:
            await work.forget_standing(workspace, identity)
        await settle_left_alone(work, context, workspace, [*names_of(current), f"person:{alias}"])
        await note(work, context, workspace, Changed.PERSON_FORGOTTEN, About(type="person", id=person.id, name=alias))

    # Once before, so that whoever is cut off finds them again; once more for what they did meanwhile.
    await _redact(context, person, alias)
    await transact(context, removed)
    await _redact(context, person, alias)
    return alias


async def _redact(context: Context, person: Person, alias: str) -> None:
    after: str | None = ""
    while after is not None:

        async def some(work: Work, mark: str = after) -> str | None:
            return await work.redact_person(person, alias, context.clock.now(), mark, BATCH)

        after = await transact(context, some)

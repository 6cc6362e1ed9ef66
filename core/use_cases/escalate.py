"""Bring in others: they may answer from then on, and each of them who has a chat gets the card there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.acts import Escalate
from core.addresses import ChatAddress, PersonAddress, parse_address
from core.errors import Invalid
from core.interactions import decide
from core.people import TIMER, Person, Role, Via
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.use_cases.destinations import new_publication, resolve
from core.use_cases.recipients import opens_in, people_among, zone_of_person
from core.use_cases.recording import post, record, stamp_for

MOST_COPIES = 8
"""How many more copies one escalation posts."""


async def escalate_in(
    work: Work, context: Context, before: Interaction, publications: Sequence[Publication]
) -> Interaction:
    """Let the policy's others answer, inside the caller's transaction."""
    nudges = before.policy.nudges
    to = nudges.escalate_to if nudges is not None else ()
    copies, not_told = await copies_for(work, context, before, publications, to)
    stamp = stamp_for(context, TIMER, Via.TIMER)
    decision = decide(before, Escalate(to, not_told), stamp)
    await add_copies(work, context, copies)
    await record(work, context, before, decision, (*publications, *copies), stamp.now)
    return decision.after


async def others_hear_at(work: Work, interaction: Interaction, at: datetime) -> datetime:
    """When those whom the policy brings in may be disturbed, from `at` on. Programs may always be, and so may people
    whom its hours would leave alone for good."""
    nudges = interaction.policy.nudges
    to = nudges.escalate_to if nudges is not None else ()
    people = [*await people_among(work, interaction.workspace, to)]
    if "role:operator" in to:
        people += await operators(work, interaction.workspace)
    if not people:
        return at
    zones = [await zone_of_person(work, person) for person in people]
    known = tuple(dict.fromkeys(zone for zone in zones if zone is not None))
    calendar = await work.calendar(interaction.workspace)
    return opens_in(known, at, nudges, calendar) or at


async def add_copies(work: Work, context: Context, copies: Sequence[Publication]) -> None:
    """Owe the card to more conversations."""
    for copy in copies:
        await work.add_publication(copy)
        await post(work, context, copy, context.clock.now())


async def copies_for(
    work: Work, context: Context, interaction: Interaction, publications: Sequence[Publication], to: Sequence[str]
) -> tuple[tuple[Publication, ...], tuple[str, ...]]:
    """A copy for each of these answerers in a chat of their own, unless it is there already; and who has no chat."""
    places: list[ChatAddress] = []
    not_told: list[str] = []
    for answerer in to:
        found = await _chats(work, interaction.workspace, answerer)
        if found is None:
            not_told.append(answerer)
        else:
            places += found
    there = {(one.provider, one.account, one.place) for one in publications}
    fresh = [one for one in dict.fromkeys(places) if (one.provider, one.account or "", one.place) not in there]
    first = max((one.number for one in publications), default=0) + 1
    copies = [
        new_publication(context, interaction, number, one) for number, one in enumerate(fresh[:MOST_COPIES], first)
    ]
    return tuple(copies), tuple(not_told)


async def _chats(work: Work, workspace: str, answerer: str) -> list[ChatAddress] | None:
    """The private chats of an answerer; None when no chat reaches them, as none does a program."""
    if answerer == "role:operator":
        return [
            place
            for one in await operators(work, workspace)
            for place in await _chats(work, workspace, f"person:{one.handle}") or []
        ] or None
    if answerer.startswith("agent:"):
        return None
    address = parse_address(answerer)
    if not isinstance(address, ChatAddress | PersonAddress):
        return None
    try:
        return await resolve(work, workspace, [address], [""])
    except Invalid:
        return None


async def operators(work: Work, workspace: str) -> tuple[Person, ...]:
    """The people who operate the workspace."""
    return tuple(one for one in await work.people(workspace) if one.role is Role.OPERATOR)

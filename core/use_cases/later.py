"""What somebody who may answer a card can do about its time instead: put it off, hand it on, ask whom it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from core.acts import Act, Delegate, Snooze
from core.addresses import Provider
from core.audience import Candidate
from core.controls import Action, Control
from core.dues import DueKind
from core.errors import Forged, IdentityUndetermined, Invalid, NotFound, Refused, Settled
from core.fields import Fields
from core.interactions import decide, too_late
from core.moments import SNOOZES, parse_moment, snoozed_until
from core.people import Identity, Person, Standing, Target, Via, by_person
from core.ports import Context, Work
from core.publications import Publication
from core.quiet import zone_of
from core.records import Interaction
from core.use_cases.answer import admit, expire_in
from core.use_cases.escalate import add_copies, copies_for
from core.use_cases.people import recognise
from core.use_cases.recipients import Lookups, zone_of_person
from core.use_cases.recording import record, stamp_for
from core.use_cases.schedule import snooze_key
from core.use_cases.transact import transact

MOST_SUGGESTED = 10
UNCHECKED = "I could not check who that is just now. Please try again in a moment."
T = TypeVar("T")


async def zone_for(work: Lookups, person: Person) -> str:
    """The zone in which a person says and reads times."""
    calendar = await work.calendar(person.workspace)
    return await zone_of_person(work, person) or (calendar.zone if calendar else "UTC")


async def until_of(work: Work, control: Control, fields: Fields, person: Person, now: datetime) -> datetime:
    """Until when a control, or the words of its form, put a card off. `Invalid` at `/until`."""
    zone = zone_of(await zone_for(work, person))
    if control.action is Action.SNOOZE:
        if control.option >= len(SNOOZES):
            raise Forged("This control does not belong to this card, so nothing was done.")
        return snoozed_until(control.option, now, zone)
    given = fields.get("until")
    try:
        return parse_moment(given if isinstance(given, str) else "", now, zone)
    except (ValueError, OverflowError) as error:
        raise Invalid.at("/until", str(error)) from None


async def put_off_in(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    candidate: Candidate,
    via: Via,
    until: datetime,
    *,
    publication: int = 0,
    provider_event: str | None = None,
) -> Interaction:
    """Leave somebody alone with a card until then. Raises a `Refused`."""
    act = Snooze(until, publication)
    after = await _act(work, context, interaction, publications, candidate, act, via, provider_event)
    subject = snooze_key(interaction.id, candidate.person.id)
    await work.set_due(DueKind.SNOOZE, subject, interaction.workspace, until)
    return after


async def hand_on_in(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    candidate: Candidate,
    via: Via,
    target: Target,
    *,
    provider_event: str | None = None,
) -> tuple[Interaction, Person]:
    """Let somebody else answer as well, and bring the card to them. Raises a `Refused`; `Invalid` at `/to`."""
    person = await _person_of(work, context, interaction, target)
    if person.id == candidate.person.id:
        raise Invalid.at("/to", "that is you; name somebody else")
    answerer = _answerer_of(person)
    act = Delegate(answerer, person.name)
    copies, _ = await copies_for(work, context, interaction, publications, (answerer,))
    after = await _act(work, context, interaction, publications, candidate, act, via, provider_event, copies=copies)
    return after, person


def _answerer_of(person: Person) -> str:
    """How an audience names them. The handle of somebody whom nobody added is gone once they turn out to be somebody
    known, so they are named by their account."""
    accounts = [one for one in person.identities if one.provider != "oidc"]
    return str(accounts[0]) if person.automatic and accounts else f"person:{person.handle}"


async def _act(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    candidate: Candidate,
    act: Act,
    via: Via,
    provider_event: str | None,
    copies: Sequence[Publication] = (),
) -> Interaction:
    stamp = stamp_for(context, by_person(candidate.person, candidate.identity), via, provider_event)
    if not interaction.is_pending:
        raise too_late(interaction)
    if interaction.is_due(stamp.now):
        raise too_late(await expire_in(work, context, interaction, publications))
    decision = decide(interaction, act, stamp)
    await add_copies(work, context, copies)
    await record(work, context, interaction, decision, (*publications, *copies), stamp.now)
    return decision.after


async def _person_of(work: Work, context: Context, interaction: Interaction, target: Target) -> Person:
    """The person somebody names. A card must not go to whoever it is closed to."""
    if target.identity is None or target.standing is None:
        handle = (target.handle or "").strip().lstrip("@").lower()
        person = await work.person_by_handle(interaction.workspace, handle)
        if person is None:
            raise Invalid.at("/to", await _nobody(work, interaction.workspace))
        known = [await _last_known(work, person, one) for one in person.identities if one.provider != "oidc"]
        if person.automatic:
            # Nobody vouched for them: under a handle they are what their accounts are.
            for standing in known:
                _check_open_to(interaction, standing)
        elif known and all(standing.known and _closed_to(interaction, standing) for standing in known):
            _check_open_to(interaction, known[0])
        return person
    _check_open_to(interaction, target.standing)
    return await recognise(work, context, interaction.workspace, target.identity, target.standing)


async def _last_known(work: Work, person: Person, identity: Identity) -> Standing:
    """What the provider last said of an account. Telegram says nothing of one beforehand, and has no guests."""
    if identity.provider != Provider.SLACK.value:
        return Standing()
    return await work.kept_standing(person.workspace, identity) or Standing(known=False)


def _check_open_to(interaction: Interaction, standing: Standing) -> None:
    if not standing.known:
        raise IdentityUndetermined(UNCHECKED)
    closed_to = _closed_to(interaction, standing)
    if closed_to is not None:
        raise Invalid.at("/to", closed_to)


def _closed_to(interaction: Interaction, standing: Standing) -> str | None:
    if standing.bot or standing.anonymous:
        return "only people can be asked; name a person"
    if standing.deleted:
        return "that account is deactivated; name somebody else"
    if (standing.guest or standing.external) and not interaction.audience.guests:
        return "this card is not for guests or people of other workspaces; name somebody else"
    return None


async def _nobody(work: Work, workspace: str) -> str:
    known = [one.handle for one in await work.people(workspace) if not one.automatic][:MOST_SUGGESTED]
    return f"there is nobody with that handle here{'; there are ' + ', '.join(known) if known else ''}"


async def put_off(
    context: Context, workspace: str, id: str, candidate: Candidate, via: Via, *, option: int | None, words: str = ""
) -> tuple[Interaction, datetime]:
    """The same outside a chat: `option` is the number of one of `SNOOZES`, else `words` are a time. Raises a
    `Refused`."""

    async def inner(work: Work) -> tuple[Interaction, datetime] | Refused:
        interaction, publications = await _admitted(work, workspace, id, candidate)
        action = Action.PUT_OFF if option is None else Action.SNOOZE
        control = Control(id, 0, interaction.revision, "00000000", action, option=option or 0)
        until = await until_of(work, control, {"until": words}, candidate.person, context.clock.now())
        try:
            after = await put_off_in(work, context, interaction, publications, candidate, via, until)
        except Settled as over:
            # An expiry that was due is settled in this very transaction.
            return over
        return after, until

    return _raised(await transact(context, inner))


async def hand_on(
    context: Context, workspace: str, id: str, candidate: Candidate, via: Via, target: Target
) -> tuple[Interaction, Person]:
    """The same outside a chat. Raises a `Refused`."""

    async def inner(work: Work) -> tuple[Interaction, Person] | Refused:
        interaction, publications = await _admitted(work, workspace, id, candidate)
        try:
            return await hand_on_in(work, context, interaction, publications, candidate, via, target)
        except Settled as over:
            return over

    return _raised(await transact(context, inner))


async def _admitted(
    work: Work, workspace: str, id: str, candidate: Candidate
) -> tuple[Interaction, tuple[Publication, ...]]:
    interaction = await work.interaction(workspace, id)
    if interaction is None:
        raise NotFound("There is no such interaction.")
    publications = await work.publications(id)
    admit(interaction, publications, candidate)
    return interaction, publications


def _raised(result: T | Refused) -> T:
    if isinstance(result, Refused):
        raise result
    return result

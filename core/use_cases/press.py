"""A press on a card: checked, judged, decided and committed with its inbox key in one transaction."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from core.addresses import ChatAddress, Provider
from core.audience import Candidate
from core.controls import Action, Control
from core.errors import Fault, Forged, Raced, Refused, Settled, StaleRevision
from core.people import Identity, Membership, Standing, Via
from core.ports import Context, Work
from core.publications import Publication, PublicationState
from core.records import Interaction
from core.replies import Helped, Listed, OpenForm, Quiet, Reply, Saved, Told, Wrong
from core.telling import outcome_sentence
from core.use_cases.answer import admit
from core.use_cases.form import act_on_control
from core.use_cases.people import recognise
from core.use_cases.recording import redraw_all
from core.use_cases.transact import transact

UNKNOWN = "I do not know this card, so nothing was done. Ask for the question to be sent again."
ELSEWHERE = "This control belongs to another message, so nothing was done."
TRY_AGAIN = "This was not saved: too much happened at once. Please press again."


@dataclass(frozen=True)
class Press:
    """A press as the endpoint understood it. `carried`: the provider vouches that the message has this control;
    `prompts`: this chat has no modal, so forms are asked by a prompt."""

    key: str
    raw: str
    workspace: str
    provider: Provider
    account: str
    channel: str
    thread: str | None
    message: str
    control: Control
    picked: tuple[Control, ...]
    carried: bool
    identity: Identity
    standing: Standing
    prompts: bool

    @property
    def via(self) -> Via:
        """The surface."""
        return Via(self.provider.value)

    @property
    def conversation(self) -> str:
        """Where it was pressed, without the thread."""
        return str(ChatAddress(self.provider, self.account, self.channel))


Inner = Callable[[Work], Awaitable[Reply]]


async def once(context: Context, key: str, provider: Provider, raw: str, inner: Inner) -> Reply:
    """Run `inner` in one transaction with the arrival's inbox row, so that a redelivery changes nothing and is
    told the same again. A lost race is run again from what then stands."""

    async def in_inbox(work: Work) -> Reply:
        now = context.clock.now()
        if not await work.first_seen(key, provider.value, raw, now):
            return _unpack(await work.arrival_reply(key))
        reply = await inner(work)
        await work.arrival_done(key, _pack(reply), now)
        return reply

    try:
        return await transact(context, in_inbox)
    except Raced:
        return Told(TRY_AGAIN)


def _pack(reply: Reply) -> str | None:
    match reply:
        case Saved():
            return json.dumps({"saved": reply.text, "unseen": reply.unseen})
        case Told():
            return json.dumps({"told": reply.text})
        case Wrong():
            return json.dumps({"wrong": [[one.pointer, one.detail] for one in reply.faults], "fields": reply.fields})
        case OpenForm() | Quiet() | Listed() | Helped():
            # A form is opened with a trigger that is used up, so there is nothing to say again.
            return None
        case _:
            assert_never(reply)


def _unpack(stored: str | None) -> Reply:
    if stored is None:
        return Quiet()
    known = json.loads(stored)
    if "wrong" in known:
        return Wrong(tuple(Fault(*one) for one in known["wrong"]), tuple(known["fields"]))
    return Saved(known["saved"], known["unseen"]) if "saved" in known else Told(known["told"])


async def press(context: Context, arrival: Press) -> Reply:
    """Handle one press; never raises a `Refused`."""

    async def inner(work: Work) -> Reply:
        return await _press_in(work, context, arrival)

    return await once(context, arrival.key, arrival.provider, arrival.raw, inner)


async def _press_in(work: Work, context: Context, arrival: Press) -> Reply:
    control = arrival.control
    if control.action is Action.HOLD:
        return Quiet()
    interaction = await work.interaction(arrival.workspace, control.interaction)
    if interaction is None:
        return Told(UNKNOWN)
    publications = await work.publications(interaction.id)
    try:
        publications = await adopt(work, context, interaction, publications, arrival)
        candidate = await candidate_of(work, context, arrival)
        admit(interaction, publications, candidate)
        check_seen(interaction, control)
        check_picked(control, arrival.picked)
        return await act_on_control(work, context, interaction, publications, arrival, candidate)
    except StaleRevision as stale:
        await redraw_all(work, context, interaction, publications, context.clock.now())
        return Told(str(stale))
    except Settled as late:
        return Told(late_words(interaction, late))
    except Refused as refused:
        return Told(str(refused))


def late_words(interaction: Interaction, late: Settled) -> str:
    """What someone the card is for is told when they come too late."""
    if late.outcome is None:
        return str(late)
    settled = interaction.model_copy(update={"outcome": late.outcome, "status": late.outcome.status})
    sentence = outcome_sentence(settled)
    return f"{sentence}{'' if sentence.endswith(('.', '!', '?', '…')) else '.'} Nothing has changed."


def check_seen(interaction: Interaction, control: Control) -> None:
    """A pending card is answered only as it was shown. A settled one goes on to be told what stands."""
    if not interaction.is_pending:
        return
    if control.revision != interaction.revision or control.seen != interaction.content.seen():
        raise StaleRevision("This card was changed after it was drawn. Look at it again, then answer.", None)


def check_picked(control: Control, picked: Sequence[Control]) -> None:
    """What was picked belongs to the same revision of the same card as the control that was pressed."""
    if any((one.interaction, one.revision) != (control.interaction, control.revision) for one in picked):
        raise Forged(ELSEWHERE)


async def candidate_of(work: Work, context: Context, arrival: Press) -> Candidate:
    """The presser. Raises `NotAnAnswerer` for whoever is nobody."""
    person = await recognise(work, context, arrival.workspace, arrival.identity, arrival.standing)
    await work.note_seen(arrival.workspace, person.id, arrival.conversation, context.clock.now())
    return Candidate(
        person=person,
        identity=arrival.identity,
        standing=arrival.standing,
        memberships={arrival.conversation: Membership.YES},
    )


async def adopt(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
) -> tuple[Publication, ...]:
    """Match the pressed message to its copy. A press proves that a copy whose post was lost is there; a second
    copy of the same post is taken in and settled with the rest. What such a copy shows is not known, so it is owed a
    redraw whatever becomes of the press. Raises `Forged` when the token is from elsewhere, or when only the presser
    says that the message has it: a redraw would put this card in the place of whatever the message is."""
    own = next((one for one in publications if one.number == arrival.control.publication), None)
    if own is None or own.provider is not arrival.provider or own.account != arrival.account:
        raise Forged(ELSEWHERE)
    if own.message == arrival.message and own.channel == arrival.channel:
        return tuple(publications)
    if any(one.message == arrival.message and one.channel == arrival.channel for one in publications):
        return tuple(publications)
    at_home = arrival.channel in (own.channel, own.place)
    in_private = own.channel is None and own.place == arrival.identity.user
    if not (at_home or in_private) or not arrival.carried:
        raise Forged(ELSEWHERE)
    if await work.publication_at(own.provider.value, own.account, arrival.channel, arrival.message) is not None:
        raise Forged(ELSEWHERE)
    seen = {
        "channel": arrival.channel,
        "message": arrival.message,
        "state": PublicationState.POSTED,
        "reason": None,
        "shown_revision": arrival.control.revision,
    }
    if own.message is None:
        copy = own.model_copy(update=seen)
        await work.save_publication(copy)
        known = tuple(copy if one is own else one for one in publications)
    else:
        number = max(one.number for one in publications) + 1
        copy = own.model_copy(update={**seen, "id": context.ids.new("pub"), "number": number})
        await work.add_publication(copy)
        known = (*publications, copy)
    await redraw_all(work, context, interaction, [copy], context.clock.now())
    return known

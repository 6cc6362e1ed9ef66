"""What the asker and operators do to an interaction: withdraw, patch, reply; cancel, skip, dismiss, reopen."""

from __future__ import annotations

from core.acts import Act, Cancel, Connected, Dismiss, Patch, Reopen, SetOut, Skip, Stamp, Withdraw
from core.asking import default_faults
from core.blank import is_blank
from core.content import Content
from core.errors import Expired, Forbidden, Invalid, NotFound, Refused
from core.interactions import decide, replied, voided_by_patch
from core.kinds import ConnectionRequest, Questions
from core.outbox import Lane, Say
from core.people import Agent, AgentRole, By, Identity, Person, Role, Via, by_agent, by_person
from core.ports import Context, Work
from core.publications import PublicationState
from core.records import Interaction
from core.use_cases.answer import Done, expire_in
from core.use_cases.held import seen
from core.use_cases.recording import owe, record, stamp_for
from core.use_cases.transact import transact

LONGEST_REPLY = 3_000


async def change(
    context: Context, workspace: str, id: str, act: Withdraw | Patch, agent: Agent, via: Via = Via.API
) -> Done:
    """Withdraw or patch, by the creating key or an operator's. Raises any `Refused`."""
    return await _apply(context, workspace, id, act, by_agent(agent), via, agent)


async def confirm_connection(context: Context, workspace: str, id: str, state: str, agent: Agent) -> Done:
    """The asker's side says that an operator arrived there with this state. Raises any `Refused`."""
    return await _apply(context, workspace, id, Connected(state), by_agent(agent), Via.API, agent, creator_only=True)


def may_grant(interaction: Interaction, person: Person) -> bool:
    """Whether a card waits on an operator although its audience may not name them: they alone grant a connection."""
    return person.role is Role.OPERATOR and isinstance(interaction.content.payload, ConnectionRequest)


async def operate(
    context: Context,
    workspace: str,
    id: str,
    act: Cancel | Skip | Dismiss | Reopen | Withdraw | SetOut,
    person: Person,
    identity: Identity,
) -> Done:
    """Close or mark a card, by an operator person whose session `identity` opened. Raises any `Refused`."""
    if person.role is not Role.OPERATOR:
        raise Forbidden("Only operators can do this.")
    return await _apply(context, workspace, id, act, by_person(person, identity), Via.REVIEW, None)


async def _apply(
    context: Context,
    workspace: str,
    id: str,
    act: Act,
    by: By,
    via: Via,
    agent: Agent | None,
    *,
    creator_only: bool = False,
) -> Done:
    async def inner(work: Work) -> Done | Refused:
        before = await _own(work, workspace, id, agent)
        if creator_only and agent is not None and before.creator.id != agent.id:
            raise Forbidden("Only the agent that asked can do this.")
        return await _apply_in(work, context, before, act, by, via)

    result = await transact(context, inner)
    if isinstance(result, Refused):
        raise result
    return result


async def _apply_in(work: Work, context: Context, before: Interaction, act: Act, by: By, via: Via) -> Done | Refused:
    publications = await work.publications(before.id)
    stamp = stamp_for(context, by, via, more_receipts=len(voided_by_patch(before)))
    if before.is_due(stamp.now):
        settled = await expire_in(work, context, before, publications)
        return Expired("The time to answer this is over.", settled.outcome)
    try:
        if isinstance(act, Patch):
            _check_default(before, act.content)
        if isinstance(act, Connected):
            await _check_still_operator(work, before)
        decision = decide(before, act, stamp)
    except Refused as refused:
        return refused
    if decision.repeated:
        return Done(before, await seen(work, context, before, publications, stamp.now), repeated=True)
    shown = await record(work, context, before, decision, publications, stamp.now)
    return Done(decision.after, shown, repeated=False)


def _check_default(before: Interaction, content: Content) -> None:
    """A patch may not leave the policy's default answer without its question."""
    if before.policy.default is None or not isinstance(content.payload, Questions):
        return
    faults = default_faults(content.payload, before.policy)
    if faults:
        raise Invalid(faults)


async def _check_still_operator(work: Work, before: Interaction) -> None:
    """Whoever set out grants it at the moment it is confirmed, so they must be an operator then."""
    if not before.is_pending or before.connecting is None:
        return
    by = before.connecting.by
    person = await work.person(before.workspace, by.id or "")
    has_account = person is not None and by.identity in {str(one) for one in person.identities}
    if person is None or person.role is not Role.OPERATOR or not has_account:
        raise Forbidden("Whoever set out to grant this is no operator here any more; another one must set out anew.")


async def _own(work: Work, workspace: str, id: str, agent: Agent | None) -> Interaction:
    """The interaction, for its creating key or an operator's. Another's is `NotFound`; a named answerer may know
    of it, so that is `Forbidden`."""
    found = await work.interaction(workspace, id)
    if found is None:
        raise NotFound("There is no such interaction.")
    if agent is None or agent.role is AgentRole.OPERATOR or found.creator.id == agent.id:
        return found
    if found.audience.names_agent(agent.name):
        raise Forbidden("Only the asker or an operator can do this.")
    raise NotFound("There is no such interaction.")


async def reply(context: Context, workspace: str, id: str, text: str, agent: Agent) -> Done:
    """Send the asker's result to every conversation where it was asked, once and under the card. Raises any
    `Refused`."""
    if is_blank(text):
        raise Invalid.at("/text", "write at least one character")
    if len(text) > LONGEST_REPLY:
        raise Invalid.at("/text", f"a reply may have at most {LONGEST_REPLY} characters")

    async def inner(work: Work) -> Done:
        before = await _own(work, workspace, id, agent)
        publications = await work.publications(id)
        stamp: Stamp = stamp_for(context, by_agent(agent), Via.API)
        decision = replied(before, text, stamp)
        shown = await record(work, context, before, decision, publications, stamp.now)
        shown_in = {
            (one.conversation, one.thread): one
            for one in publications
            if one.message is not None and one.state is not PublicationState.FAILED
        }
        for publication in shown_in.values():
            words = Say(
                provider=publication.provider.value,
                account=publication.account,
                channel=publication.channel or publication.place,
                thread=publication.thread,
                reply_to=publication.message,
                text=text,
                interaction=id,
            )
            # In the lane of cards: a result is owed until the chat takes it, however long the chat is away.
            await owe(work, context, workspace, Lane.POST, publication.conversation, words, stamp.now)
        return Done(before, shown, repeated=False)

    return await transact(context, inner)

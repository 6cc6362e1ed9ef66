"""An agent resolves a card from what a person wrote under it: the decision is the person's, read by the agent."""

from __future__ import annotations

from collections.abc import Sequence

from core.acts import Accept, Quoted, Reject
from core.audience import Candidate
from core.errors import Forbidden, Invalid, NotFound, Refused, StaleRevision
from core.people import Agent, AgentRole, By, Identity, Person, Via
from core.ports import Context, Work
from core.receipts import Receipt, ReceiptType
from core.records import Interaction
from core.use_cases.answer import Done, answer_in
from core.use_cases.transact import transact


def quoted_comment(interaction: Interaction, receipts: Sequence[Receipt], message: str) -> Receipt:
    """The receipt of the message that is pointed at, by its whole address or by its id alone.

    `Invalid` unless it is one, and the newest that a person wrote under the card; `StaleRevision` when the card changed
    since.
    """
    # Words that were said in a form or on the review page are no message to point at, yet they may take one back.
    comments = [one for one in receipts if one.type is ReceiptType.COMMENTED and one.by.type == "person"]
    named = [one for one in comments if _is(str(one.data.get("message") or ""), message)]
    if not named:
        raise Invalid.at("/message", "nobody who may answer wrote such a message under this card")
    if len({one.data["message"] for one in named}) > 1:
        raise Invalid.at("/message", "messages in several chats have this id; give the whole address of yours")
    if named[-1] is not comments[-1]:
        raise Invalid.at("/message", "somebody said more on this card since; read that first")
    if interaction.is_pending and named[-1].revision != interaction.revision:
        raise StaleRevision("This card was changed after the message was written.", None)
    return named[-1]


def _is(address: str, message: str) -> bool:
    return message in (address, address.rpartition("/")[2])


async def quoted(context: Context, workspace: str, id: str, message: str, agent: Agent) -> tuple[Person, Identity]:
    """Who wrote the message that is pointed at, with the account they used. Raises any `Refused`."""

    async def inner(work: Work) -> tuple[Person, Identity]:
        interaction = await _own(work, workspace, id, agent)
        by = quoted_comment(interaction, await work.receipts(id), message).by
        found = await _person(work, workspace, by)
        if found is None:
            raise Invalid.at("/message", "whoever wrote this message is not known here any more")
        return found

    return await transact(context, inner)


async def resolve_from_comment(
    context: Context,
    workspace: str,
    id: str,
    *,
    message: str,
    act: Accept | Reject,
    agent: Agent,
    candidate: Candidate,
) -> Done:
    """Decide as `candidate`, who wrote the message, and keep which agent read it so. Raises any `Refused`."""

    async def inner(work: Work) -> Done | Refused:
        interaction = await _own(work, workspace, id, agent)
        comment = quoted_comment(interaction, await work.receipts(id), message)
        author = await _person(work, workspace, comment.by)
        if author is None or author[0].id != candidate.person.id:
            raise Invalid.at("/message", "this message is someone else's")
        publications = await work.publications(id)
        read = Quoted(message=str(comment.data["message"]), agent=agent.name)
        return await answer_in(work, context, interaction, publications, act, candidate, Via.API, None, read)

    result = await transact(context, inner)
    if isinstance(result, Refused):
        raise result
    return result


async def _own(work: Work, workspace: str, id: str, agent: Agent) -> Interaction:
    """The interaction, for the agent that asked, where its policy lets it read decisions from words."""
    found = await work.interaction(workspace, id)
    if found is None:
        raise NotFound("There is no such interaction.")
    if found.creator.id != agent.id:
        if agent.role is AgentRole.OPERATOR or found.audience.names_agent(agent.name):
            raise Forbidden("Only the agent that asked can resolve it from a comment.")
        raise NotFound("There is no such interaction.")
    if not found.policy.resolve_from_comment:
        raise Forbidden("This card was asked without resolve_from_comment in its policy.")
    return found


async def _person(work: Work, workspace: str, by: By) -> tuple[Person, Identity] | None:
    """The person a receipt is by, now: by id, or by the account where an automatic member became someone known."""
    person = await work.person(workspace, by.id) if by.id else None
    if person is None and by.identity:
        provider, _, rest = by.identity.partition(":")
        account, _, user = rest.rpartition(".")
        if provider in ("slack", "telegram"):
            identity = Identity.model_validate({"provider": provider, "account": account, "user": user})
            person = await work.person_by_identity(workspace, identity)
    if person is None:
        return None
    own = next((one for one in person.identities if str(one) == by.identity), None)
    return (person, own) if own else None

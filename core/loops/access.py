"""Who may move a loop, open one or speak where loops are talked about: judged at that moment, from who the provider or
the key says it is, never from a name within a text."""

from __future__ import annotations

from dataclasses import dataclass

from core.audience import DELETED, NOT_SURE, check_somebody
from core.errors import IdentityUndetermined, NotAnAnswerer
from core.loops.values import Loop
from core.loops.wording import NOT_YOURS
from core.people import Agent, AgentRole, By, Identity, Membership, Person, Role, Standing, Via, by_agent, by_person

A_GUEST = (
    "Guests and people from other workspaces cannot do this unless an operator has added them. Nothing has changed."
)


@dataclass(frozen=True)
class PersonSpeaks:
    """A person, with everything known of them at this moment. `membership` is of the conversation in question: a
    message or a press from there proves it."""

    person: Person
    identity: Identity | None
    standing: Standing
    membership: Membership
    via: Via

    @property
    def by(self) -> By:
        """Who receipts say it was."""
        return by_person(self.person, self.identity)

    @property
    def is_operator(self) -> bool:
        """Whether they may do everything."""
        return self.person.role is Role.OPERATOR


@dataclass(frozen=True)
class AgentSpeaks:
    """A program, by its key or by a bot account that an operator linked to it (`identity`). `takes_part`: it is in the
    conversation in question."""

    agent: Agent
    takes_part: bool
    via: Via = Via.API
    identity: Identity | None = None

    @property
    def by(self) -> By:
        """Who receipts say it was."""
        used = str(self.identity) if self.identity else None
        return by_agent(self.agent).model_copy(update={"identity": used})

    @property
    def is_operator(self) -> bool:
        """Whether it may do everything."""
        return self.agent.role is AgentRole.OPERATOR


Speaker = PersonSpeaks | AgentSpeaks


def check_may_speak(speaker: Speaker) -> None:
    """Raise `NotAnAnswerer` or `IdentityUndetermined` unless they may open orders and use tools in the conversation."""
    if isinstance(speaker, AgentSpeaks):
        if speaker.agent.revoked or not (speaker.takes_part or speaker.is_operator):
            raise NotAnAnswerer(NOT_YOURS)
        return
    _check_account(speaker)
    if not speaker.is_operator:
        _check_member(speaker)


def check_may_move(loop: Loop, speaker: Speaker) -> None:
    """Raise `NotAnAnswerer` or `IdentityUndetermined` unless they may move this loop."""
    if is_recipient(loop, speaker) or overrules(loop, speaker):
        if isinstance(speaker, PersonSpeaks):
            _check_account(speaker)
        elif speaker.agent.revoked:
            raise NotAnAnswerer(NOT_YOURS)
        return
    check_may_speak(speaker)


def is_recipient(loop: Loop, speaker: Speaker) -> bool:
    """Whether the order names them."""
    if isinstance(speaker, AgentSpeaks):
        return loop.recipient == f"agent:{speaker.agent.name}"
    return loop.recipient == f"person:{speaker.person.handle}"


def overrules(loop: Loop, speaker: Speaker) -> bool:
    """Whether they may end what somebody else has claimed: the sender, and operators."""
    return speaker.is_operator or loop.sender.is_same(speaker.by)


def _check_account(speaker: PersonSpeaks) -> None:
    check_somebody(speaker.standing)
    if speaker.standing.deleted:
        raise NotAnAnswerer(DELETED)
    if not speaker.standing.known:
        raise IdentityUndetermined(NOT_SURE)
    if (speaker.standing.guest or speaker.standing.external) and speaker.person.automatic:
        raise NotAnAnswerer(A_GUEST)


def _check_member(speaker: PersonSpeaks) -> None:
    if speaker.membership is Membership.UNDETERMINED:
        raise IdentityUndetermined(NOT_SURE)
    if speaker.membership is not Membership.YES:
        raise NotAnAnswerer(NOT_YOURS)

"""Who may answer, judged at the moment of the answer from what is known then.

`judge` is the only place that admits anyone. It never guesses: what a provider could not say is
`IdentityUndetermined`, and an audience that names nobody admits nobody.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal, assert_never

from pydantic import AfterValidator, Field

from core.addresses import ChatAddress, Provider, parse_address
from core.errors import IdentityUndetermined, Invalid, NotAnAnswerer
from core.installations import is_organisation
from core.people import Agent, By, Identity, Membership, Person, Role, Standing, Value

_AGENT = re.compile(r"agent:[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def _check_answerer(text: str) -> str:
    if text in ("conversation", "role:operator") or _AGENT.fullmatch(text):
        return text
    if text.startswith("role:"):
        raise ValueError("the only role an audience can name is role:operator")
    if text.startswith("agent:"):
        raise ValueError("an agent is written agent:<name>")
    try:
        address = parse_address(text)
    except Invalid as error:
        raise ValueError(f"not an answerer: {error}") from None
    if isinstance(address, ChatAddress):
        if not address.is_user or address.thread:
            raise ValueError("a chat address among answerers must be a user's, such as slack:U1 or telegram:42")
    elif str(address) == "review":
        raise ValueError("review is a place, not a person")
    return text


Answerer = Annotated[str, AfterValidator(_check_answerer)]


MOST_ANSWERERS = 100
"""How many a card can name, with all who are brought in later."""


class Audience(Value):
    """`answerers` are `conversation`, `person:<handle>`, a user's address, `role:operator` or `agent:<name>`."""

    answerers: Annotated[tuple[Answerer, ...], Field(min_length=1, max_length=MOST_ANSWERERS)] = ("conversation",)
    exclude: tuple[Literal["creator"], ...] = ()
    quorum: Annotated[int, Field(ge=1, le=100)] = 1
    guests: bool = False

    def names_agent(self, name: str) -> bool:
        """Whether a key may answer and read."""
        return f"agent:{name}" in self.answerers


@dataclass(frozen=True)
class Candidate:
    """A person who wants to answer, with everything known of them at this moment.

    `memberships` maps a conversation of the card (`slack:T1.C1`) to what is known; a press from the
    conversation itself is a proof and is entered as YES. `signed_in_at` is when they signed in to the page they act
    from; None in a chat.
    """

    person: Person
    identity: Identity | None
    standing: Standing
    memberships: Mapping[str, Membership] = field(default_factory=dict)
    signed_in_at: datetime | None = None


ANONYMOUS = "You are writing anonymously here. Answer as yourself, or in a private chat with me."
A_BOT = "Bots cannot answer this."
DELETED = "This account is deactivated and cannot answer."
NOT_NAMED = "This question is for other people, so your answer was not counted. Nothing has changed."
A_GUEST = "Guests and people from other workspaces cannot answer this question. Nothing has changed."
NO_MEMBER = "Only people in the conversation where this was asked can answer it. Nothing has changed."
EXCLUDED = "Whoever asked a question may not answer it."
NOT_SURE = "I could not check who you are just now. Nothing has changed; please try again in a moment."


def check_somebody(standing: Standing) -> None:
    """Raise `NotAnAnswerer` for an account behind which there is no one person: a bot, an anonymous sender."""
    if standing.anonymous:
        raise NotAnAnswerer(ANONYMOUS)
    if standing.bot:
        raise NotAnAnswerer(A_BOT)


def judge_person(audience: Audience, creator: By, candidate: Candidate, handed: Collection[str] = ()) -> str:
    """Admit a person and return the answerer that admitted them, or raise why not. `handed` are the answerers that
    others who may answer named, not the asker: what the audience says of guests holds for those too.

    Raises `NotAnAnswerer` (no) or `IdentityUndetermined` (could not be told).
    """
    standing = candidate.standing
    check_somebody(standing)
    if standing.deleted:
        raise NotAnAnswerer(DELETED)
    if "creator" in audience.exclude and creator.type == "person" and creator.id == candidate.person.id:
        raise NotAnAnswerer(EXCLUDED)
    why_not = NOT_NAMED
    undetermined = False
    for answerer in audience.answerers:
        if answerer == "conversation":
            verdict = _in_conversation(audience, candidate)
            if verdict is True:
                return answerer
            if verdict is None:
                undetermined = True
            else:
                why_not = verdict
        elif _is_named(answerer, candidate):
            if not standing.known:
                undetermined = True
            elif answerer in handed and not audience.guests and _is_guest(standing):
                why_not = A_GUEST
            else:
                return answerer
    if undetermined:
        raise IdentityUndetermined(NOT_SURE)
    raise NotAnAnswerer(why_not)


def judge_agent(audience: Audience, creator: By, agent: Agent) -> str:
    """Admit a program, which is possible only by name."""
    if "creator" in audience.exclude and creator.type == "agent" and creator.id == agent.id:
        raise NotAnAnswerer(EXCLUDED)
    if audience.names_agent(agent.name):
        return f"agent:{agent.name}"
    raise NotAnAnswerer("A key answers only where the audience names agent:" + agent.name + ".")


def _in_conversation(audience: Audience, candidate: Candidate) -> Literal[True] | str | None:
    """True: admitted. None: undetermined. A sentence: why not."""
    known = candidate.memberships.values()
    if Membership.YES not in known:
        return None if Membership.UNDETERMINED in known else NO_MEMBER
    if audience.guests:
        return True
    if not candidate.standing.known:
        return None
    return A_GUEST if _is_guest(candidate.standing) else True


def _is_guest(standing: Standing) -> bool:
    return standing.guest or standing.external


def _is_named(answerer: str, candidate: Candidate) -> bool:
    if answerer == "role:operator":
        return candidate.person.role is Role.OPERATOR
    if answerer.startswith("agent:"):
        return False
    address = parse_address(answerer)
    if isinstance(address, ChatAddress):
        return any(_is_account(address, identity, candidate) for identity in candidate.person.identities)
    return str(address) == f"person:{candidate.person.handle}"


def _is_account(address: ChatAddress, identity: Identity, candidate: Candidate) -> bool:
    """Whether an address names this account. Slack counts users within a team; an address without one means ours."""
    if (identity.provider, identity.user) != (address.provider.value, address.place):
        return False
    match address.provider:
        case Provider.TELEGRAM:
            return True
        case Provider.SLACK if address.account is None:
            return not candidate.standing.external
        case Provider.SLACK:
            of_all = is_organisation(address.account or "") and not candidate.standing.external
            return identity.account == address.account or of_all
        case _:
            assert_never(address.provider)

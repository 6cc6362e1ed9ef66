"""Who acts: people and their proved identities, agents, the timer; and what a provider says of a person now."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value; change makes a new one."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Role(StrEnum):
    """What a person may do beyond answering."""

    MEMBER = "member"
    OPERATOR = "operator"


class AgentRole(StrEnum):
    """What a key may do: ask, or also see and withdraw everything in the workspace."""

    AGENT = "agent"
    OPERATOR = "operator"


class Identity(Value):
    """One account that is provably a person's: Slack team and user, Telegram user id, OIDC issuer and subject.

    Names, usernames and e-mail addresses are display, never identity.
    """

    provider: Literal["slack", "telegram", "oidc"]
    account: str = ""
    user: str

    def __str__(self) -> str:
        account = f"{self.account}." if self.account else ""
        return f"{self.provider}:{account}{self.user}"


class Person(Value):
    """A human of the workspace. `automatic`: made when an unknown account acted; nobody added them.

    `timezone` is what they set for themselves, as an IANA name, and `digest` the local time (`09:00`) at which they
    want the list of what waits for them; None: they do not."""

    id: str
    workspace: str
    handle: str
    name: str
    role: Role = Role.MEMBER
    identities: tuple[Identity, ...] = ()
    automatic: bool = False
    timezone: str | None = None
    digest: str | None = None


class Agent(Value):
    """A program with an API key."""

    id: str
    workspace: str
    name: str
    role: AgentRole = AgentRole.AGENT
    revoked: bool = False


class Via(StrEnum):
    """The surface an act came through."""

    SLACK = "slack"
    TELEGRAM = "telegram"
    REVIEW = "review"
    API = "api"
    MCP = "mcp"
    TIMER = "timer"


class By(Value):
    """Who did something, as receipts keep it. `name` is display only and stays out of the wire shape."""

    type: Literal["person", "agent", "timer"]
    id: str | None = None
    handle: str | None = None
    identity: str | None = None
    name: str | None = None

    def wire(self) -> dict[str, str | None]:
        """The four fields that API, events and receipts show."""
        return {"type": self.type, "id": self.id, "handle": self.handle, "identity": self.identity}

    def is_same(self, other: By) -> bool:
        """The same person or agent, whatever identity they used."""
        return self.type == other.type and self.id == other.id


TIMER = By(type="timer")


def by_person(person: Person, identity: Identity | None) -> By:
    """A person, with the identity they used."""
    used = str(identity) if identity else None
    return By(type="person", id=person.id, handle=person.handle, identity=used, name=person.name)


def by_agent(agent: Agent) -> By:
    """A program."""
    return By(type="agent", id=agent.id, handle=agent.name, name=agent.name)


class Standing(Value):
    """What the provider says of an identity now. `known=False`: it could not say."""

    known: bool = True
    bot: bool = False
    anonymous: bool = False
    deleted: bool = False
    guest: bool = False
    external: bool = False
    name: str = ""
    timezone: str | None = None


class Membership(StrEnum):
    """Whether an identity is a current member of a conversation."""

    YES = "yes"
    NO = "no"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True)
class Target:
    """Whom somebody names: by a handle, or by an account, with what its provider says of it now."""

    handle: str | None = None
    identity: Identity | None = None
    standing: Standing | None = None

"""Who the use cases are tried with, where they are, and a clock and ids that do as they are told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.addresses import Provider
from core.ids import make_id
from core.people import Agent, Identity, Person, Role
from tests.rules.making import NOW

HERE = "wsp_1"
SLACK, GROUP, PRIVATE = "slack:T1.C1", "telegram:sayso_bot.-100", "telegram:sayso_bot.42"
BUILDER = Agent(id="agt_1", workspace=HERE, name="builder")
OTHER_AGENT = Agent(id="agt_2", workspace=HERE, name="other")


def _person(handle: str, number: int, role: Role = Role.MEMBER) -> Person:
    slack = Identity(provider="slack", account="T1", user=f"U{number}")
    telegram = Identity(provider="telegram", user=str(41 + number))
    return Person(
        id=f"per_{handle}",
        workspace=HERE,
        handle=handle,
        name=handle.capitalize(),
        role=role,
        identities=(slack, telegram),
    )


ANA, BEN, OPAL = _person("ana", 1), _person("ben", 2), _person("opal", 3, Role.OPERATOR)


@dataclass
class MovedClock:
    """A clock that stands until it is moved."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@dataclass
class CountedIds:
    """Ids in order."""

    last: int = 0

    def new(self, prefix: str) -> str:
        self.last += 1
        return make_id(prefix, self.last, 0)


def identity_on(who: Person, provider: Provider) -> Identity:
    return next(one for one in who.identities if one.provider == provider.value)

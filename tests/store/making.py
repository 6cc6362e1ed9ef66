"""Values to store: a workspace with its agent and people, and cards, copies, receipts and deliveries by number."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from core.acts import Accept, Stamp
from core.addresses import Provider
from core.events import Event, EventType
from core.interactions import decide
from core.kinds import Kind
from core.outbox import Delivery, Lane, RedrawCard, Say, Task
from core.people import Agent, AgentRole, By, Identity, Person, Role, Via
from core.ports import Work
from core.publications import Publication
from core.receipts import ReceiptDraft, ReceiptType
from core.records import Interaction
from core.store import Store
from core.tasks import Task as AcceptedTask
from tests.rules.making import NOW, by, card

HERE, ELSEWHERE = "wsp_1", "wsp_2"
BUILDER = Agent(id="agt_1", workspace=HERE, name="builder")
OPERATOR = Agent(id="agt_9", workspace=HERE, name="boss", role=AgentRole.OPERATOR)
ANA = Person(
    id="per_ana",
    workspace=HERE,
    handle="ana",
    name="Ana",
    identities=(Identity(provider="slack", account="T1", user="U1"), Identity(provider="telegram", user="42")),
)
BEN = Person(id="per_ben", workspace=HERE, handle="ben", name="Ben", role=Role.OPERATOR)
SOON = NOW + timedelta(minutes=1)


async def settle_in(store: Store) -> None:
    """Make two workspaces, an agent and two people."""
    async with store.work() as work:
        await work.add_workspace(HERE, "Here", NOW)
        await work.add_workspace(ELSEWHERE, "Elsewhere", NOW)
        await work.add_agent(BUILDER, "hash-of-builders-key", "whsec_builder", NOW)
        await work.add_person(ANA)
        await work.add_person(BEN)
        await work.commit()


def named(prefix: str, number: int) -> str:
    return f"{prefix}_{number:026}"


def ask(number: int = 1, kind: Kind = Kind.CONFIRMATION, **changes: Any) -> Interaction:
    return card(kind).model_copy(update={"id": named("int", number), **changes})


async def add(store: Store, *interactions: Interaction) -> None:
    async with store.work() as work:
        for interaction in interactions:
            await work.add_interaction(interaction)
        await work.commit()


def accepted(before: Interaction, by: str = "per_ana", receipt: str = "rcp_1") -> Interaction:
    """The interaction as this person accepting it leaves it."""
    who = By(type="person", id=by, handle=by.removeprefix("per_"))
    return decide(before, Accept(before.revision), Stamp(NOW, who, Via.SLACK, receipt)).after


def copy_of(interaction: Interaction, number: int = 1, **changes: Any) -> Publication:
    return Publication(
        id=changes.pop("id", f"pub_{interaction.id}_{number}"),
        workspace=interaction.workspace,
        interaction=interaction.id,
        number=number,
        provider=changes.pop("provider", Provider.SLACK),
        account=changes.pop("account", "T1"),
        place=changes.pop("place", "C1"),
        **changes,
    )


def line(id: str, type_: ReceiptType = ReceiptType.COMMENTED, by: By | None = None) -> ReceiptDraft:
    return ReceiptDraft(
        id=id,
        type=type_,
        by=by or By(type="person", id=ANA.id, handle=ANA.handle, identity="slack:T1.U1"),
        via=Via.SLACK,
        revision=1,
        digest="sha256:00",
        policy={},
        at=NOW,
    )


def event(id: str, interaction: Interaction, type_: EventType = EventType.COMMENTED) -> Event:
    return Event(
        id=id,
        workspace=interaction.workspace,
        position=0,
        type=type_,
        at=NOW,
        interaction=interaction.id,
        data={"state": {"n": 1.0}},
    )


def say(text: str = "hello", **changes: Any) -> Say:
    return Say(provider="slack", account="T1", channel="C1", text=text, **changes)


def owed(number: int, key: str = "k", lane: Lane = Lane.TALK, task: Task | None = None, after: float = 0) -> Delivery:
    return Delivery(
        id=named("dlv", number),
        workspace=HERE,
        lane=lane,
        key=key,
        task=task or say(),
        due_at=NOW + timedelta(seconds=after),
    )


def redraw(number: int, publication: str = "pub_1", after: float = 0) -> Delivery:
    task = RedrawCard(publication=publication, where="slack:T1.C1")
    return owed(number, publication, Lane.REDRAW, task, after)


async def owe(store: Store, *deliveries: Delivery) -> None:
    async with store.work() as work:
        for delivery in deliveries:
            await work.owe(delivery)
        await work.commit()


async def finish(work: Work, *claims: Any) -> list[bool]:
    return [await work.finish(claim) for claim in claims]


def task(number: int = 1, **changes: Any) -> AcceptedTask:
    """An accepted task of the second card."""
    values = {"id": f"tsk_{number}", "key": f"k{number}", "title": "Write it down", "workspace": HERE}
    empty = dict.fromkeys(("description", "parent", "assignee", "priority"))
    made = {"interaction": ask(2).id, "by": by(), "at": NOW}
    return AcceptedTask.model_validate({**values, **empty, **made, **changes})


async def forget_all(work: Work, now: datetime) -> int:
    """Forget everything whose time is past; how many rows that were."""
    gone, after = 0, ""
    while True:
        step = await work.forget(now, after, 2)
        gone += step.done
        if step.mark is None:
            return gone
        after = step.mark

"""Workspaces never mix: every question and every write that names a workspace sees and touches its rows alone."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.access import Link, Session, SignIn
from core.addresses import Provider
from core.audience import Audience
from core.audit import SERVICE, AuditLine, Changed, about_person
from core.drafts import Draft
from core.dues import DueKind
from core.held import Queued
from core.outbox import Delivery, Lane, Say
from core.people import Identity, Person, Role, Standing
from core.ports import Connection
from core.publications import Publication
from core.quiet import WorkingCalendar
from core.records import Status
from core.reminding import Reminder, ReminderState
from core.store import Store
from core.store.queries import SqlRecords
from core.store.work import SqlWork
from core.upkeep import Attempt
from tests.rules.making import NOW
from tests.store import loop_questions
from tests.store.making import ANA, BUILDER, ELSEWHERE, HERE, SOON, add, ask, copy_of, event, line, settle_in, task

USER = ANA.identities[0]
OPEN = ask(1, audience=Audience(answerers=("person:ana",)), supersede_key="deploy", sole_key="connection github")
PAST = ask(2, status=Status.ACCEPTED)
EVERYBODYS = ask(3, audience=Audience())
DRAFT = Draft(
    interaction=OPEN.id, scope="review:per_ana", person=ANA.id, name="Ana", revision=1, fields={}, updated_at=NOW
)
REMINDER = Reminder("rem_1", HERE, OPEN.id, "pub_1", ANA.id, 1, 3, NOW)

LOST = Delivery(
    id="dlv_1",
    workspace=HERE,
    lane=Lane.TALK,
    key="ana",
    task=Say(provider="slack", account="T1", channel="C1", text="Done."),
    due_at=NOW,
)


async def _pending(records: SqlRecords, workspace: str) -> int:
    return (await records.counts(NOW, workspace)).pending


async def looked_at(asked: Awaitable[dict[str, Queued]]) -> Any:
    """When reminders are looked at next: what is elsewhere knows of none."""
    return (await asked)[OPEN.id].looked_at


LATER = NOW + timedelta(days=9)


async def much_to_purge(records: SqlRecords, workspace: str) -> int:
    return (await records.purgeable(workspace, LATER)).total


READS: dict[str, Callable[[SqlRecords, str], Awaitable[Any]]] = {
    "interaction": lambda records, workspace: records.interaction(workspace, OPEN.id, None),
    "interactions": lambda records, workspace: records.interactions(workspace, None),
    "receipts": lambda records, workspace: records.receipts(workspace, PAST.id),
    "draft": lambda records, workspace: records.draft(workspace, OPEN.id, "review:per_ana"),
    "has_acted": lambda records, workspace: records.has_acted(
        workspace, PAST.id, ANA.model_copy(update={"workspace": workspace})
    ),
    "open_for": lambda records, workspace: records.open_for(workspace, ANA),
    "unseen_places": lambda records, workspace: records.unseen_places(workspace, ANA, 10),
    "tasks": lambda records, workspace: records.tasks(workspace, None),
    "past_for": lambda records, workspace: records.past_for(workspace, ANA),
    "event": lambda records, workspace: records.event(workspace, "evt_1"),
    "events": lambda records, workspace: records.events(workspace, None),
    "announced": lambda records, workspace: records.announced(workspace, OPEN.id),
    "queued_reminders": lambda records, workspace: looked_at(records.queued_reminders(workspace, [OPEN.id])),
    "live_drafts": lambda records, workspace: records.live_drafts(workspace, OPEN.id),
    "last_position": lambda records, workspace: records.last_position(workspace),
    "agent": lambda records, workspace: records.agent(workspace, BUILDER.id),
    "agents": lambda records, workspace: records.agents(workspace),
    "person": lambda records, workspace: records.person(workspace, ANA.id),
    "person_by_handle": lambda records, workspace: records.person_by_handle(workspace, "ana"),
    "audited": lambda records, workspace: records.audited(workspace),
    "people": lambda records, workspace: records.people(workspace),
    "connections": lambda records, workspace: records.connections(workspace),
    "standing": lambda records, workspace: records.standing(workspace, USER),
    "person_by_identity": lambda records, workspace: records.person_by_identity(workspace, USER),
    "calendar": lambda records, workspace: records.calendar(workspace),
    "profile_zone": lambda records, workspace: records.profile_zone(workspace, USER),
    "profile_zones": lambda records, workspace: records.profile_zones(workspace, [USER]),
    "people_named": lambda records, workspace: records.people_named(workspace, ["ana"], [USER.user]),
    "counts": _pending,
    "given_up": lambda records, workspace: records.given_up(workspace, 5),
    "deliveries": lambda records, workspace: records.deliveries(workspace, NOW),
    "last_press": lambda records, workspace: records.last_press(workspace, Provider.SLACK),
    "bots_linked": lambda records, workspace: records.bots_linked(workspace, Provider.SLACK),
    "last_seen": lambda records, workspace: records.last_seen(workspace, USER, "slack:T1.C9"),
    "position_of": lambda records, workspace: records.position_of(workspace, "evt_1"),
    "purgeable": much_to_purge,
    **loop_questions.READS,
}
LOADS: dict[str, Callable[[SqlWork, str], Awaitable[Any]]] = {
    "interaction": lambda work, workspace: work.interaction(workspace, OPEN.id),
    "pending_by_key": lambda work, workspace: work.pending_by_key(workspace, BUILDER.id, "deploy"),
    "pending_by_sole_key": lambda work, workspace: work.pending_by_sole_key(workspace, BUILDER.id, "connection github"),
    "pending_by": lambda work, workspace: work.pending_by(workspace, BUILDER.id),
    "pending_naming": lambda work, workspace: work.pending_naming(workspace, "person:ana"),
    "open_copies_to": lambda work, workspace: work.open_copies_to(workspace, ANA, 10),
    "open_for": lambda work, workspace: work.open_for(workspace, ANA, 10),
    "person": lambda work, workspace: work.person(workspace, ANA.id),
    "person_by_handle": lambda work, workspace: work.person_by_handle(workspace, "ana"),
    "person_by_identity": lambda work, workspace: work.person_by_identity(workspace, USER),
    "kept_standing": lambda work, workspace: work.kept_standing(workspace, USER),
    "locked_operators": lambda work, workspace: work.locked_operators(workspace),
    "people": lambda work, workspace: work.people(workspace),
    "calendar": lambda work, workspace: work.calendar(workspace),
    "queued_reminders": lambda work, workspace: looked_at(work.queued_reminders(workspace, [OPEN.id])),
    "profile_zone": lambda work, workspace: work.profile_zone(workspace, USER),
    "profile_zones": lambda work, workspace: work.profile_zones(workspace, [USER]),
    "people_named": lambda work, workspace: work.people_named(workspace, ["ana"], [USER.user]),
    "held_reminders": lambda work, workspace: work.held_reminders(workspace, ANA.id),
    "reminded_at": lambda work, workspace: work.reminded_at(workspace, ANA.id, NOW - timedelta(hours=1)),
    "agent": lambda work, workspace: work.agent(workspace, BUILDER.id),
    "agent_by_name": lambda work, workspace: work.agent_by_name(workspace, "builder"),
    "connections": lambda work, workspace: work.connections(workspace),
    "signins_since": lambda work, workspace: work.signins_since(workspace, ANA.id, NOW),
    "claimed_links": lambda work, workspace: work.claimed_links(workspace),
    **loop_questions.LOADS,
}
WRITES: dict[str, Callable[[SqlWork, str], Awaitable[Any]]] = {
    "remove_identity": lambda work, of: work.remove_identity(of, ANA.id, ANA.identities[0]),
    "revoke_agent": lambda work, workspace: work.revoke_agent(workspace, BUILDER.id, NOW),
    "remove_person": lambda work, workspace: work.remove_person(workspace, ANA.id),
    "forget_standing": lambda work, workspace: work.forget_standing(workspace, USER),
    "keep_standing": lambda work, workspace: work.keep_standing(workspace, USER, Standing(deleted=True), SOON),
    "set_due": lambda work, workspace: work.set_due(DueKind.NUDGE, OPEN.id, workspace, SOON),
    "save_calendar": lambda work, workspace: work.save_calendar(workspace, WorkingCalendar(zone="Asia/Tokyo")),
    "note_seen": lambda work, workspace: work.note_seen(workspace, ANA.id, "slack:T1.C7", NOW),
    "purge_interactions": lambda work, workspace: work.purge_interactions(workspace, LATER, LATER, "", 10),
    "purge_loops": lambda work, workspace: work.purge_loops(workspace, LATER, LATER, "", 10),
    "purge_answers": lambda work, workspace: work.purge_answers(workspace, LATER, 10),
    "purge_said": lambda work, workspace: work.purge_said(workspace, LATER, 10),
    **loop_questions.WRITES,
}


def methods_that_name_a_workspace(of: type) -> set[str]:
    return {
        name
        for name, method in inspect.getmembers(of, inspect.iscoroutinefunction)
        if not name.startswith("_") and "workspace" in inspect.signature(method).parameters
    }


@pytest.fixture
async def lived_in(store: Store) -> Store:
    await settle_in(store)
    await add(store, OPEN, PAST, EVERYBODYS)
    async with store.work() as work:
        await work.add_publication(copy_of(EVERYBODYS, place="C5"))
        await work.add_publication(copy_of(EVERYBODYS, 2, place="U1"))
        await work.record(line("rcp_1"), PAST.id)
        await work.announce(event("evt_1", OPEN))
        await work.add_tasks([task()])
        await work.add_connection(Connection("con_1", HERE, Provider.SLACK, "T1", "Sayso", "U0"), NOW)
        await work.keep_standing(HERE, USER, Standing(timezone="Europe/Madrid"), NOW)
        await work.save_calendar(HERE, WorkingCalendar())
        await work.set_due(DueKind.NUDGE, OPEN.id, HERE, NOW)
        await work.add_reminder(REMINDER)
        await work.add_reminder(replace(REMINDER, id="rem_2", state=ReminderState.HELD))
        await work.note_seen(HERE, ANA.id, "slack:T1.C9", NOW)
        await work.add_session(Session("token", HERE, ANA.id, "csrf", NOW, SOON))
        await work.add_link(Link("code", HERE, ANA.id, NOW, SOON, used_at=NOW, claimed=USER))
        await work.save_draft(DRAFT)
        await work.add_signin(SignIn("sgn_1", HERE, ANA.id, "browser", "code", NOW, SOON))
        await work.owe(LOST)
        await loop_questions.fill(work)
        await work.add_person(OPERATOR)
        await work.note(AuditLine("aud_1", HERE, NOW, SERVICE, Changed.PERSON_ADDED, about_person(OPERATOR)))
        await work.commit()
    (claimed,) = await store.outbox.claim([Lane.TALK], NOW, SOON, "me", 1)
    async with store.work() as work:
        await work.abandon(claimed, "channel_not_found")
        await work.note_attempt(Attempt("evt_1", 1, NOW, 500))
        await work.commit()
    return store


OPERATOR = Person(id="per_op", workspace=HERE, handle="op", name="Op", role=Role.OPERATOR)


def test_no_question_is_forgotten_here() -> None:
    assert methods_that_name_a_workspace(SqlRecords) == set(READS)
    # `add_identity` is refused below and what foresees tells nothing; what adds or saves a value has its workspace in
    # the value.
    others = {"add_identity", "foresee_answer", "foresee_posts"}
    assert methods_that_name_a_workspace(SqlWork) == {*LOADS, *WRITES, *others}


async def test_a_reader_elsewhere_sees_nothing_of_what_is_here(lived_in: Store) -> None:
    assert {name for name, look in READS.items() if await look(lived_in.records, HERE)} == set(READS)
    assert {name for name, look in READS.items() if await look(lived_in.records, ELSEWHERE)} == set()


async def test_a_transaction_elsewhere_loads_nothing_of_what_is_here(lived_in: Store) -> None:
    async with lived_in.work() as work:
        assert {name for name, load in LOADS.items() if await load(work, HERE)} == set(LOADS)
        assert {name for name, load in LOADS.items() if await load(work, ELSEWHERE)} == set()


async def everything_here(store: Store) -> list[Any]:
    seen = [await READS[name](store.records, HERE) for name in READS]
    due = await store.dues.next_due()
    return [*seen, due, await store.records.session("token", NOW), await store.records.agent_by_key(KEY, NOW)]


KEY = "hash-of-builders-key"


async def test_a_write_elsewhere_leaves_what_is_here_as_it_was(lived_in: Store) -> None:
    before = await everything_here(lived_in)
    for name, write in WRITES.items():
        async with lived_in.work() as work:
            await write(work, ELSEWHERE)
            await work.commit()
        assert await everything_here(lived_in) == before, name


async def test_a_person_elsewhere_cannot_be_given_an_identity(lived_in: Store) -> None:
    async with lived_in.work() as work:
        with pytest.raises(LookupError):
            await work.add_identity(ANA.id, ELSEWHERE, Identity(provider="telegram", user="7"))


async def test_a_card_saved_as_another_workspaces_is_refused(lived_in: Store) -> None:
    async with lived_in.work() as work:
        moved = OPEN.model_copy(update={"workspace": ELSEWHERE, "version": 2})
        with pytest.raises(ValueError, match="no successor"):
            await work.save_interaction(OPEN, moved, None)


async def test_a_person_or_connection_saved_elsewhere_is_not_there(lived_in: Store) -> None:
    async with lived_in.work() as work:
        with pytest.raises(LookupError):
            await work.save_person(ANA.model_copy(update={"workspace": ELSEWHERE}))
        (chat,) = await work.connections(HERE)
        with pytest.raises(LookupError):
            await work.save_connection(replace(chat, workspace=ELSEWHERE))


async def test_a_copy_names_the_workspace_of_its_interaction(lived_in: Store) -> None:
    copy: Publication = copy_of(OPEN)
    async with lived_in.work() as work:
        await work.add_publication(copy)
        found = await work.publication(copy.id)
        assert found
        assert found.workspace == HERE

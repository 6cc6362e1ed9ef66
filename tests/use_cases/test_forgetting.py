"""A person is forgotten: a pseudonym takes their place in every table, what waited for them goes on without them, and
receipts still verify."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import text

from core.controls import Action
from core.errors import NotFound
from core.kinds import Kind
from core.loops.asking import AlertBody
from core.loops.controls import LoopAction
from core.loops.outcomes import LoopState
from core.outbox import Delivery, Lane, RedrawCard, Say, TakeBack, Task
from core.people import Identity, Person, Role, Standing, Target
from core.pseudonyms import Pseudonym
from core.publications import PublicationState
from core.records import Status
from core.replies import Saved
from core.store import Store
from core.store.tables import metadata
from core.use_cases import directory
from core.use_cases.alerts import raise_alert
from core.use_cases.forgetting import forget_person
from core.use_cases.transact import transact
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE, OPAL, OTHER_AGENT, SLACK
from tests.use_cases.clockwork import Clockwork
from tests.use_cases.floor import Floor
from tests.use_cases.keeping import World, checked, live_in, signed_world

USER, NUMBER = "U9ZEPHYR", "987654321"
ACCOUNTS = [Identity(provider="slack", account="T1", user=USER), Identity(provider="telegram", user=NUMBER)]
OWN = (f"slack:T1.{USER}", f"telegram:sayso_bot.{NUMBER}")
TRACES = ("Zephyrine", "zephyrine", USER, NUMBER)


@pytest.fixture
async def world(store_url: str) -> AsyncIterator[World]:
    """On each database in turn."""
    async with signed_world(store_url) as made:
        yield made


@pytest.fixture
async def zoe(world: World) -> Person:
    await directory.add_person(world.b.context, HERE, "zephyrine", "Zephyrine", Role.MEMBER, ACCOUNTS)
    found = await world.b.store.records.person_by_handle(HERE, "zephyrine")
    assert found is not None
    return found


async def columns_with(store: Store, needle: str) -> set[str]:
    """Where it stands, in all tables."""
    found: set[str] = set()
    async with store.engine.connect() as connection:
        for table in metadata.tables:
            for row in (await connection.execute(text(f'SELECT * FROM "{table}"'))).mappings():
                found |= {f"{table}.{name}" for name, value in row.items() if needle in str(value)}
    return found


async def act_everywhere(world: World, zoe: Person) -> None:
    """Let her do, and have done to her, whatever leaves a name."""
    b, f = world.b, Floor(world.b)
    nudges = {"every": "10m", "max": 3, "escalate_to": [f"telegram:sayso_bot.{NUMBER}"]}
    asked = await b.open(Kind.CONFIRMATION, policy={"nudges": nudges}, audience={"answerers": [OWN[0], "person:ana"]})
    await Clockwork(b).tick(minutes=11)
    await b.press(zoe, asked, Action.SNOOZE, option=0)
    control = await b.control(asked, Action.DELEGATE)
    to_ben = Target(identity=BEN.identities[0], standing=Standing(name="Ben"))
    assert isinstance(await b.submit(zoe, control, {}, target=to_ben), Saved)
    to_her = Target(identity=zoe.identities[0], standing=Standing(name="Zephyrine"))
    handed = await b.open(Kind.CONFIRMATION, audience={"answerers": ["person:ana"]})
    assert isinstance(await b.submit(ANA, await b.control(handed, Action.DELEGATE), {}, target=to_her), Saved)
    quorum = await b.open(Kind.CONFIRMATION, audience={"answerers": ["conversation"], "quorum": 2})
    await b.press(zoe, quorum, Action.ACCEPT)
    ticked = await b.open(Kind.CHECKLIST)
    await b.press(zoe, ticked, Action.TICK, 0, 0)
    judged = await b.open(Kind.ITEM_VERDICTS)
    await b.press(zoe, judged, Action.JUDGE, 0, 0)
    tasks = await b.open(Kind.SUGGESTED_TASKS)
    await b.press(zoe, tasks, Action.SUBMIT, picked=((Action.PICK, 0),))
    for place in OWN:
        remarked = await b.open(Kind.CONFIRMATION, to=[place, SLACK])
        await b.write(zoe, await b.copy(remarked), "What is this?")
    form = await b.open(Kind.CONFIRMATION, to=OWN[1])
    await b.press(zoe, form, Action.REJECT)
    f.numbers = iter(range(1_000, 10**6))
    order = await f.order(id="wo-claimed", to=f"person:{zoe.handle}")
    await f.press(zoe, order, LoopAction.CLAIM)
    shared = await f.order(id="wo-shared")
    await f.write(zoe, await f.place(shared), "[CLAIM wo-shared]")
    await f.write(zoe, await f.place(shared), "[RESULT wo-shared] OK all healthy")
    for number, place in enumerate(OWN):
        await f.order(id=f"wo-{number}", to=place)
        await raise_alert(b.context, AlertBody(to=place, severity="high", message="Look"), BUILDER)
    await f.deliver()


async def test_they_are_named_in_no_table(world: World, zoe: Person) -> None:
    await act_everywhere(world, zoe)
    before = {trace: await columns_with(world.b.store, trace) for trace in TRACES}
    assert {"interactions.audience", "events.data", "receipts.line", "audit.about"} <= before["zephyrine"]
    assert {"loops.recipient", "events.data", "conversations.place", "publications.place"} <= before[NUMBER]
    await forget_person(world.b.context, HERE, zoe.handle)
    await Floor(world.b).deliver()
    await world.b.owed()
    for trace in TRACES:
        assert await columns_with(world.b.store, trace) == set(), trace
    report = checked(await world.export(), await world.public())
    assert report.faults == []
    assert report.redacted > 0


async def test_direct_message_channels_are_named_no_more_either(world: World, zoe: Person) -> None:
    b = world.b
    id = await b.open(Kind.CONFIRMATION, to=[OWN[0], SLACK])
    copy = await b.copy(id)
    await transact(b.context, lambda work: work.save_publication(copy.model_copy(update={"channel": "D7ZEPHYR"})))
    await b.write(zoe, await b.copy(id), "What is this?")
    await forget_person(b.context, HERE, zoe.handle)
    (taken,) = [one for one in await b.owed() if isinstance(one, TakeBack)]
    assert (taken.channel, taken.messages) == ("D7ZEPHYR", (copy.message,))
    assert await columns_with(b.store, "D7ZEPHYR") == set()


async def test_open_cards_go_on_without_them(world: World, zoe: Person) -> None:
    b = world.b
    shared = await b.open(Kind.CONFIRMATION, to=[OWN[0], SLACK], audience={"answerers": ["person:ana", OWN[0]]})
    alone = await b.open(Kind.CONFIRMATION, audience={"answerers": [OWN[1]]})
    falls_back = await b.open(Kind.CONFIRMATION, to=OWN[1], audience={"answerers": ["role:operator"]}, policy={
        "fallback": [SLACK],
    })  # fmt: skip
    unseen = await b.open(Kind.CONFIRMATION, to=OWN[0], audience={"answerers": ["role:operator"]})
    alias = await forget_person(b.context, HERE, zoe.handle)
    assert [one.state for one in await b.copies(shared)] == [PublicationState.FAILED, PublicationState.POSTED]
    assert (await b.get(shared)).audience.answerers == ("person:ana", f"person:{alias}")
    assert (await b.get(alone)).status is Status.UNDELIVERABLE
    assert [one.place for one in await b.copies(falls_back)] == [alias, "C1"]
    outcome = (await b.get(unseen)).outcome
    assert outcome is not None
    assert (outcome.status, outcome.reason) == (Status.UNDELIVERABLE, "Whoever this was sent to was forgotten.")
    owed = await b.owed()
    assert sorted(one.channel for one in owed if isinstance(one, TakeBack)) == sorted([NUMBER, USER, USER])
    assert isinstance(await b.press(ANA, shared, Action.ACCEPT, on=2), Saved)
    assert checked(await world.export(), await world.public()).holds


async def test_work_that_was_theirs_is_told_of_and_what_they_ordered_of_themselves_ends(
    world: World, zoe: Person
) -> None:
    b, f = world.b, Floor(world.b)
    mine = await f.order(id="wo-mine", to=OWN[1], by=OTHER_AGENT)
    has = await f.order(id="wo-has")
    await f.press(zoe, has, LoopAction.CLAIM)
    others = await f.order(id="wo-others")
    f.said.clear()
    alias = await forget_person(b.context, HERE, zoe.handle)
    await f.deliver()
    assert [(await f.loop(one)).escalated_at is not None for one in ("wo-mine", "wo-has", "wo-others")] == [
        True, True, False,
    ]  # fmt: skip
    assert len([one for one in f.offers if "was forgotten" in one.text]) == 2, "an operator is told, and may dispatch"
    assert (await f.loop("wo-mine")).recipient == f"person:{alias}"
    assert [type_ for type_, _ in await f.events(OTHER_AGENT)][-1] == "loop.escalated"
    assert isinstance(await f.press(OPAL, others, LoopAction.CLAIM), Saved)
    assert mine.card is not None
    assert (await f.loop("wo-others")).state is LoopState.CLAIMED


async def test_what_is_owed_to_others_still_is(world: World, zoe: Person) -> None:
    b = world.b
    id = await b.open(Kind.CONFIRMATION, to=[OWN[0], SLACK])
    copies = await b.copies(id)
    tasks: list[tuple[Lane, Task]] = [
        (Lane.REDRAW, RedrawCard(publication=copies[1].id, where=copies[1].conversation)),
        (Lane.REDRAW, RedrawCard(publication=copies[0].id, where=copies[0].conversation)),
        (Lane.POST, Say(provider="slack", account="T1", channel="U2", text="Zephyrine has it.")),
        (Lane.POST, Say(provider="slack", account="T1", channel=USER, text="You have it.")),
    ]
    async with b.store.work() as work:
        for number, (lane, task) in enumerate(tasks):
            made = Delivery(
                id=f"dlv_{number}", workspace=HERE, lane=lane, key=f"k{number}", task=task, due_at=b.clock.now()
            )
            await work.owe(made)
        await work.commit()
    await forget_person(b.context, HERE, zoe.handle)
    owed = await b.owed()
    assert [one.publication for one in owed if isinstance(one, RedrawCard)] == [copies[1].id]
    assert [one.channel for one in owed if isinstance(one, Say)] == ["U2"]


async def test_whoever_was_sending_to_them_finds_nothing_to_end(world: World, zoe: Person) -> None:
    b = world.b
    await b.asked(Kind.CONFIRMATION, to=OWN[1], audience={"answerers": ["role:operator"]})
    now = b.clock.now()
    (claimed,) = await b.store.outbox.claim([Lane.POST], now, now + timedelta(minutes=1), "someone", 10)
    await forget_person(b.context, HERE, zoe.handle)
    assert not await transact(b.context, lambda work: work.finish(claimed))
    assert await columns_with(b.store, NUMBER) == set()


async def test_whoever_is_cut_off_forgets_them_the_next_time(world: World, zoe: Person) -> None:
    b = world.b
    await act_everywhere(world, zoe)
    alias = await _cut_off(world, zoe)
    assert await b.store.records.person_by_handle(HERE, zoe.handle) is not None
    assert await forget_person(b.context, HERE, zoe.handle) == alias
    await b.owed()
    for trace in TRACES:
        assert await columns_with(b.store, trace) == set(), trace
    assert checked(await world.export(), await world.public()).holds


async def _cut_off(world: World, zoe: Person) -> str:
    """Redact a part, and come no further."""
    alias = f"forgotten-{zoe.id.rpartition('_')[2][-12:]}"
    after: str | None = ""
    for _ in range(4):
        async with world.b.store.work() as work:
            who = Pseudonym(zoe, alias, await work.chats_of(zoe))
            after = await work.redact_person(who, world.b.clock.now(), after or "", 3)
            await work.commit()
    return alias


async def test_people_go_on_pressing_meanwhile(world: World, zoe: Person) -> None:
    b = world.b
    ids = [await b.open(Kind.CONFIRMATION) for _ in range(6)]
    for id in ids[:3]:
        await b.press(zoe, id, Action.ACCEPT)
    _, *replies = await asyncio.gather(
        forget_person(b.context, HERE, zoe.handle), *(b.press(ANA, id, Action.ACCEPT) for id in ids[3:])
    )
    assert all(isinstance(one, Saved) for one in replies)
    assert [(await b.get(id)).status for id in ids] == [Status.ACCEPTED] * 6
    assert await columns_with(b.store, "zephyrine") == set()


async def test_somebody_else_with_a_similar_account_stays(world: World, zoe: Person) -> None:
    """An account of another team, and a group whose number ends alike, are not theirs."""
    b = world.b
    other = Identity(provider="slack", account="T2", user=USER)
    await directory.add_person(b.context, HERE, "other", "Other", Role.MEMBER, [other])
    id = await b.open(
        Kind.CONFIRMATION,
        to=[f"telegram:sayso_bot.-100{NUMBER}"],
        audience={"answerers": [f"slack:T2.{USER}", "agent:builder"]},
    )
    await forget_person(b.context, HERE, zoe.handle)
    now = await b.get(id)
    assert now.audience.answerers == (f"slack:T2.{USER}", "agent:builder")
    assert (await b.copy(id)).place == f"-100{NUMBER}"
    assert await b.store.records.person_by_identity(HERE, other) is not None
    assert now.is_pending


async def test_a_person_is_forgotten_and_a_pseudonym_takes_their_place(world: World) -> None:
    b = world.b
    ids = await live_in(world)
    tied = await b.open(Kind.CONFIRMATION, audience={"answerers": ["person:ana", "person:ben"]})
    alone = await b.open(Kind.CONFIRMATION, audience={"answerers": ["person:ana"]})
    f = Floor(b)
    await f.order(to="person:ana", id="wo-3")
    alias = await forget_person(b.context, HERE, "ana")
    records = b.store.records
    assert await records.person_by_handle(HERE, "ana") is None
    assert (await b.get(alone)).status is Status.UNDELIVERABLE
    assert (await b.get(tied)).audience.answerers == (f"person:{alias}", "person:ben")
    lines = await world.export()
    everything = b"".join(lines).decode()
    for trace in ('"handle":"ana"', "person:ana", "slack:T1.U1", '"Ana"', "telegram:42"):
        assert trace not in everything, trace
    assert alias in everything
    report = checked(lines, await world.public())
    assert report.faults == []
    assert report.redacted > 0
    outcome = (await b.get(ids["accepted"])).outcome
    assert outcome is not None
    assert (outcome.by.id, outcome.by.handle, outcome.by.identity) == (ANA.id, alias, None)
    await b.press(BEN, tied, Action.ACCEPT)
    assert checked(await world.export()).holds
    with pytest.raises(NotFound):
        await forget_person(b.context, HERE, "ana")

"""After the database went back: what is open is shown again, what is owed is looked for, and nobody is let in by what
was over."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.engine import URL

from bot.restored import Marking
from core.access import Session
from core.controls import Action
from core.ids import make_id
from core.kinds import Kind
from core.loops import LoopAction
from core.loops.asking import AlertBody
from core.outbox import Lane, PostCard, RedrawCard, Say
from core.publications import PublicationState
from core.reminding import Reminder, ReminderState
from core.replies import Told
from core.restoring import Timeline, lost_in
from core.store import Store, open_engine
from core.store.tables import sessions
from core.use_cases.alerts import raise_alert
from core.use_cases.checking import LOST, UNKNOWN
from core.use_cases.recording import owe
from core.use_cases.restoring import doubt_timeline, find_timeline, restore
from tests import postgres
from tests.chains import first_break
from tests.rules.making import NOW
from tests.stores import make_tables, opened
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BUILDER, GROUP, HERE, SLACK, CountedIds
from tests.use_cases.floor import Floor


@pytest.fixture
async def b(store_url: str) -> AsyncIterator[Bench]:
    """On each database in turn, with ids as of now."""
    async with opened(store_url) as store:
        made = Bench(store, ids=CountedIds(int(NOW.timestamp() * 1000)))
        await made.begin()
        yield made


async def test_a_database_that_goes_on_is_left_alone(b: Bench) -> None:
    first = await find_timeline(b.context, "here", None, marked=False)
    assert first is not None
    assert first.known_until is None
    await b.open(Kind.CONFIRMATION)
    assert await find_timeline(b.context, "here", None, marked=False) == first


async def test_one_that_is_elsewhere_or_was_doubted_is_restored_once(b: Bench) -> None:
    await find_timeline(b.context, "here", None, marked=False)
    for home in ("there", "there again"):
        assert await find_timeline(b.context, home, None, marked=False) is None
        begun = await restore(b.context, home, "me")
        assert await find_timeline(b.context, home, None, marked=False) == begun
    await doubt_timeline(b.context)
    assert await find_timeline(b.context, "there again", None, marked=False) is None


async def test_one_that_was_never_started_here_can_be_doubted_too(b: Bench) -> None:
    await doubt_timeline(b.context)
    assert await find_timeline(b.context, "here", None, marked=False) is None


async def test_open_cards_are_shown_again_and_settled_ones_stay(b: Bench) -> None:
    is_open = await b.open(Kind.CONFIRMATION, to=[SLACK, GROUP])
    settled = await b.open(Kind.CONFIRMATION)
    await b.press(ANA, settled, Action.ACCEPT)
    await b.owed()
    begun = await restore(b.context, "here", "me")
    assert begun is not None
    drawn = [one for one in await b.owed() if isinstance(one, RedrawCard)]
    assert {one.publication for one in drawn} == {copy.id for copy in await b.copies(is_open)}
    assert await b.types(is_open) == ["created", "restored"]
    assert await b.types(settled) == ["created", "accepted"]
    assert first_break(await b.receipts(is_open)) is None
    known_until = (await b.receipts(is_open))[-1].data["known_until"]
    assert begun.known_until is not None
    assert str(known_until).startswith(begun.known_until.date().isoformat())
    events = await b.store.records.events(HERE, None, after=begun.positions[HERE])
    assert [(one.type.value, one.interaction) for one in events] == [("interaction.restored", is_open)]
    await b.press(ANA, is_open, Action.ACCEPT)
    assert await b.types(is_open) == ["created", "restored", "accepted"]


async def test_more_than_one_batch_is_restored_whole(b: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.use_cases.restoring.BATCH", 2)
    ids = [await b.open(Kind.CONFIRMATION) for _ in range(5)]
    await restore(b.context, "here", "me")
    assert [await b.types(id) for id in ids] == [["created", "restored"]] * 5


async def test_what_may_have_been_posted_is_to_be_looked_for(b: Bench) -> None:
    made = await b.asked(Kind.CONFIRMATION, to=[SLACK, GROUP])
    id: str = made.snapshot["id"]
    b.clock.move(minutes=30)
    await restore(b.context, "here", "me")
    in_slack, in_telegram = await b.copies(id)
    assert (in_slack.state, in_telegram.state) == (PublicationState.UNKNOWN, PublicationState.UNKNOWN)
    assert (in_slack.posts, in_telegram.posts) == (1, 1)
    # Slack's history is read from when it was asked for; in Telegram a press has its usual time to prove it.
    assert in_slack.attempt_at == NOW
    assert in_telegram.attempt_at == b.clock.now()
    assert {type(one) for one in await b.owed()} == {PostCard}


async def test_orders_and_alerts_are_shown_again(b: Bench) -> None:
    f = Floor(b)
    await f.order()
    await raise_alert(b.context, AlertBody(to=SLACK, severity="high", message="the queue is full"), BUILDER)
    await f.deliver()
    assert f.alerts == [("HIGH", "the queue is full")]
    f.redrawn.clear()
    await restore(b.context, "here", "me")
    await f.deliver()
    assert f.redrawn == ["open", "incident"]
    chain = await f.receipts()
    assert [one.type.value for one in chain] == ["opened", "restored"]
    assert first_break(chain) is None
    await f.press(ANA, await f.loop(), LoopAction.CLAIM)
    assert (await f.loop()).claimed is not None


async def test_what_is_of_the_moment_is_not_said_late_nor_a_reminder_twice(
    b: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.work.restoring.ENDED_AT_ONCE", 2)
    id = await b.open(Kind.CONFIRMATION)
    (copy,) = await b.copies(id)
    words = {"provider": "slack", "account": "T1", "channel": "C1"}
    one = Reminder("rem_1", HERE, id, copy.id, "slack:T1.C1", 1, 3, NOW)

    async with b.store.work() as work:
        codes = [{"text": f"Your code is {number}."} for number in (12345678, 87654321, 11112222)]
        for said in (*codes, {"text": "It is out.", "interaction": id}):
            await owe(work, b.context, HERE, Lane.TALK, "k", Say.model_validate({**words, **said}), NOW)
        await work.add_reminder(one)
        await work.add_session(Session("hash", HERE, ANA.id, "csrf", NOW, NOW + timedelta(days=1)))
        await work.commit()
    await restore(b.context, "here", "me")
    assert [task.text for task in await b.owed() if isinstance(task, Say)] == ["It is out."]
    async with b.store.work() as work:
        (now_is,) = await work.reminders(id)
    assert now_is.state is ReminderState.SENDING
    async with b.store.engine.connect() as connection:
        assert (await connection.execute(select(func.count()).select_from(sessions))).scalar_one() == 0


async def test_a_press_on_what_was_asked_after_the_copy_is_told_so(b: Bench) -> None:
    known = await b.open(Kind.CONFIRMATION)
    b.clock.move(hours=2)
    await restore(b.context, "here", "me")
    control = await b.control(known, Action.ACCEPT)
    hour = timedelta(hours=1)
    for at, said in ((NOW + hour, LOST), (NOW - hour, UNKNOWN), (NOW + 3 * hour, UNKNOWN)):
        gone = make_id("int", int(at.timestamp() * 1000), 7)
        reply = await b.press(ANA, known, Action.ACCEPT, control=replace(control, interaction=gone))
        assert reply == Told(said), at
    f = Floor(b)
    loop = await f.order()
    lost = loop.model_copy(update={"id": make_id("lop", int((NOW + hour).timestamp() * 1000), 7)})
    assert await f.press(ANA, lost, LoopAction.CLAIM) == Told(LOST)


def test_an_id_is_lost_between_the_copy_and_its_first_use() -> None:
    def at(hours: float) -> str:
        return make_id("evt", int((NOW + timedelta(hours=hours)).timestamp() * 1000), 1)

    first = Timeline("tln_1", "a", NOW)
    second = Timeline("tln_2", "a", NOW + timedelta(hours=4), NOW + timedelta(hours=2), {HERE: 20})
    third = Timeline("tln_3", "a", NOW + timedelta(hours=9), NOW + timedelta(hours=1), {HERE: 10})
    cases = [
        # When it was made, the timeline that began without it, and why.
        (0.5, None, "both copies had it"),
        (1.5, third, "only the last copy is older than it"),
        (3, second, "it came after the copy that was used first"),
        (8, third, "it came after the first restoring, and the copy used then is older"),
        (10, None, "nothing began after it"),
    ]
    for hours, expected, why in cases:
        assert lost_in([first, third, second], at(hours)) is expected, why
    assert lost_in([first, second], "evt_nonsense") is None


@pytest.fixture
def file(sqlite_template: Path, tmp_path: Path) -> Path:
    path = tmp_path / "store.sqlite3"
    shutil.copyfile(sqlite_template, path)
    return path


async def started(file: Path, *, asks: int = 0, ids: int = 0) -> bool:
    """Whether a life of the service found that the database went back; it asks so many cards before it ends."""
    async with opened(f"sqlite:///{file}") as store:
        b = Bench(store, ids=CountedIds(int(NOW.timestamp() * 1000) + ids))
        marking = Marking(f"sqlite:///{file}")
        store.work._wake = marking.committed
        try:
            went_back = await marking.make_true(b.context, store.records, "me")
            if ids == 0:
                await b.begin()
            for _ in range(asks):
                await b.asked(Kind.CONFIRMATION)
        finally:
            marking.close()
    return went_back


async def test_a_file_is_known_by_its_mark(file: Path, tmp_path: Path) -> None:
    mark, copy, older = file.with_name(f"{file.name}-mark"), tmp_path / "copy", tmp_path / "older"
    assert not await started(file, asks=1)
    assert mark.stat().st_mode & 0o777 == 0o600
    shutil.copyfile(file, older)
    assert not await started(file, asks=2, ids=1000)
    shutil.copyfile(older, file)  # the same file, with what it had before
    assert await started(file, ids=2000)
    assert not await started(file, asks=3, ids=3000)
    shutil.copyfile(older, file)  # of an earlier timeline
    assert await started(file, ids=4000)
    mark.unlink()
    assert await started(file, ids=5000)
    mark.write_text("nonsense")
    assert await started(file, ids=6000)
    assert not await started(file, ids=7000)
    shutil.copyfile(file, copy)
    copy.replace(file)  # another file, though with the same mark beside it
    assert await started(file, ids=8000)


async def test_a_dump_that_is_restored_is_known_as_another_database(postgres_server: URL) -> None:
    first = postgres.create_database(postgres_server)
    address = first.render_as_string(hide_password=False)
    await make_tables(address)

    async def found(url: str) -> bool:
        store = Store(open_engine(url))
        try:
            b = Bench(store)
            return await Marking(url).make_true(b.context, store.records, "me")
        finally:
            await store.close()

    assert not await found(address)
    assert not await found(address)
    second = postgres.create_database(postgres_server, str(first.database))
    try:
        other = second.render_as_string(hide_password=False)
        assert await found(other)
        assert not await found(other)
    finally:
        for one in (first, second):
            postgres.drop_database(one)


async def test_one_process_restores_and_the_others_wait_for_it(postgres_store_url: str) -> None:
    async with opened(postgres_store_url) as store, opened(postgres_store_url) as other:
        b = Bench(store)
        await b.begin()
        id = await b.open(Kind.CONFIRMATION)
        await doubt_timeline(b.context)
        both = [(b.context, store), (Bench(other, ids=CountedIds(10_000)).context, other)]
        did = await asyncio.gather(
            *(
                Marking(postgres_store_url).make_true(context, one.records, f"p{n}")
                for n, (context, one) in enumerate(both)
            )
        )
        assert sorted(did) == [False, True]
        assert await b.types(id) == ["created", "restored"]

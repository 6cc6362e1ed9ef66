"""Going back to a copy in many steps: whoever is cut off leaves it to the next one, and a reminder follows its card."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from core.controls import Action
from core.kinds import Kind
from core.ports import Context, Work
from core.reminding import ReminderState
from core.restoring import LEASE, LEASE_KEPT
from core.use_cases.restoring import find_timeline, restore
from core.use_cases.transact import transact
from tests.chains import first_break
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA
from tests.use_cases.clockwork import Clockwork, asked


async def test_a_reminder_that_says_how_its_card_ended_reminds_again_and_is_ended_once_more(b: Bench) -> None:
    work = Clockwork(b)
    id = await asked(b, {"every": "30m"})
    assert await work.tick(minutes=30) == 1
    # It was answered after the copy, and the reminder said so.
    await restore(b.context, "here", "me")
    assert await work.send() == 0
    assert [one.card.interaction.is_pending for one in work.ended] == [True]
    await b.press(ANA, id, Action.ACCEPT)
    await work.send()
    assert [one.card.interaction.is_pending for one in work.ended] == [True, False]
    async with b.store.work() as reading:
        assert [one.state for one in await reading.reminders(id)] == [ReminderState.OVER]


async def test_a_restoring_that_is_cut_off_is_done_again_and_breaks_no_trail(
    b: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.use_cases.restoring.BATCH", 2)
    ids = [await b.open(Kind.CONFIRMATION) for _ in range(5)]
    await find_timeline(b.context, "here", None, marked=False)
    steps = 0

    async def until_the_second(context: Context, inner: Callable[[Work], Awaitable[object]]) -> object:
        nonlocal steps
        steps += 1
        if steps == 2:
            raise KeyboardInterrupt
        return await transact(context, inner)

    with monkeypatch.context() as patch:
        patch.setattr("core.use_cases.batches.transact", until_the_second)
        with pytest.raises(KeyboardInterrupt):
            await restore(b.context, "there", "me")
    assert [(await b.types(id))[1:] for id in ids] == [["restored"], ["restored"], [], [], []]
    assert await find_timeline(b.context, "there", None, marked=False) is None
    b.clock.move(seconds=LEASE_KEPT.total_seconds())
    await restore(b.context, "there", "another")
    assert await find_timeline(b.context, "there", None, marked=False) is not None
    for id in ids:
        assert first_break(await b.receipts(id)) is None
        assert (await b.types(id))[-1] == "restored"


async def test_whoever_took_over_the_restoring_does_all_of_it_and_the_first_one_stops(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION)
    now = b.clock.now()
    assert await transact(b.context, lambda work: work.take_lease(LEASE, "another", now, now + LEASE_KEPT)) is not None
    assert await restore(b.context, "here", "me") is None
    assert await b.types(id) == ["created"]
    b.clock.move(seconds=LEASE_KEPT.total_seconds())
    assert await restore(b.context, "here", "me") is not None

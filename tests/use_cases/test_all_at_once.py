"""Presses, forms, changes and the clock all at once, on a database of each kind: one end, and everything adds up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Any

import pytest

from core.acts import Patch, Withdraw
from core.controls import Action
from core.errors import Raced, Refused
from core.kinds import Kind
from core.people import Person
from core.receipts import Receipt, ReceiptType
from core.records import Interaction, Status
from core.use_cases.answer import expire_due
from core.use_cases.change import change
from tests.stores import store_url
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP, HERE, OPAL, PRIVATE, SLACK

__all__ = ["store_url"]

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
"""One order in which they come, and in the long run others."""
PEOPLE = (ANA, BEN, OPAL)
ITEMS = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(8)]
OPTIONS = [{"id": f"o{number}", "label": f"Option {number}"} for number in range(12)]
TASKS = [
    {"key": f"t{number}", "title": f"Task {number}", **({"parent": "t0"} if number else {})} for number in range(5)
]
ENDS = frozenset(ReceiptType(status.value) for status in Status if status is not Status.PENDING)


@pytest.fixture
async def either(store_url: str) -> AsyncIterator[Bench]:
    async with bench(store_url) as made:
        yield made


async def _at_once(acts: Sequence[Awaitable[Any]], chance: random.Random) -> None:
    """Do all of them, in any order and side by side. Whoever comes too late is refused, and nothing else goes wrong."""
    shuffled = list(acts)
    chance.shuffle(shuffled)
    for done in await asyncio.gather(*shuffled, return_exceptions=True):
        if isinstance(done, BaseException) and not isinstance(done, Refused | Raced):
            raise done


async def _expired(b: Bench) -> None:
    b.clock.move(hours=2)
    await expire_due(b.context, b.store.records)


async def _ended_once(b: Bench, id: str) -> tuple[Interaction, list[Receipt]]:
    """Whatever came first, there is one end, nothing but late answers after it, and no half-filled form is left."""
    now, receipts = await b.get(id), await b.receipts(id)
    assert now.outcome is not None
    assert [one.id for one in receipts if one.type in ENDS] == [now.outcome.receipt]
    rest = receipts[[one.id for one in receipts].index(now.outcome.receipt) + 1 :]
    assert {one.type for one in rest} <= {ReceiptType.LATE_ANSWER}
    assert [one.seq for one in receipts] == list(range(1, len(receipts) + 1))
    for scope in (GROUP, PRIVATE, *(str(who.identities[0]) for who in PEOPLE)):
        assert await b.draft(id, scope) is None
    return now, receipts


def _ids(value: object) -> list[str]:
    assert isinstance(value, list | dict)
    return [str(one) for one in value]


def _ticked(receipts: Sequence[Receipt]) -> set[str]:
    """What the receipts alone say is ticked: a change of the card takes all ticks back."""
    found: set[str] = set()
    for one in receipts:
        if one.type is ReceiptType.PATCHED:
            found.clear()
        if one.type is ReceiptType.TICKED:
            found |= set(_ids(one.data["tick"]))
            found -= set(_ids(one.data["untick"]))
    return found


@pytest.mark.parametrize("seed", SEEDS)
async def test_ticks_submits_a_change_a_withdrawal_and_the_clock(either: Bench, seed: int) -> None:
    b, chance = either, random.Random(seed)
    id = await b.open(Kind.CHECKLIST, {"items": ITEMS}, to=[SLACK, GROUP], policy={"expires_in": "1h"})
    content = (await b.get(id)).content
    await b.press(ANA, id, Action.TICK, 0, 0)

    def press(action: Action, item: int = 0) -> Awaitable[Any]:
        return b.press(chance.choice(PEOPLE), id, action, 0, item, on=chance.choice((1, 2)))

    acts = [press(chance.choice((Action.TICK, Action.UNTICK)), chance.randrange(8)) for _ in range(20)]
    acts.append(change(b.context, HERE, id, Patch(1, content.model_copy(update={"body": "Now."})), BUILDER))
    ends = (press(Action.SUBMIT), change(b.context, HERE, id, Withdraw(), BUILDER), _expired(b))
    await _at_once([*acts, *ends], chance)
    now, receipts = await _ended_once(b, id)
    assert {one.item for one in now.ticks if one.on} == _ticked(receipts)
    if now.status is Status.COMPLETED and now.outcome is not None and now.outcome.answer is not None:
        assert set(_ids(now.outcome.answer["selected"])) == _ticked(receipts)


async def test_verdicts_on_every_item_from_both_chats_and_the_form(either: Bench) -> None:
    b, chance = either, random.Random(1)
    id = await b.open(Kind.ITEM_VERDICTS, {"items": ITEMS}, to=[SLACK, GROUP])
    reject = [await b.control(id, Action.JUDGE, 1, item) for item in range(8)]
    acts: list[Awaitable[Any]] = [b.submit(BEN, control, {"reason": f"no {n}"}) for n, control in enumerate(reject)]
    acts += [b.press(ANA, id, Action.VERDICT, 0, item, on=2) for item in range(8)]
    acts += [b.press(OPAL, id, Action.VERDICT, 2, item) for item in range(8)]
    await _at_once(acts, chance)
    now, receipts = await _ended_once(b, id)
    said = [item for one in receipts if one.type is ReceiptType.JUDGED for item in _ids(one.data["verdicts"])]
    assert sorted(said) == sorted(one["id"] for one in ITEMS), "each item was judged once"
    assert all((one.reason is not None) == (one.verdict == "reject") for one in now.verdicts)


async def test_everything_that_one_person_ticks_at_once_is_in_what_they_submit(either: Bench) -> None:
    b = either
    payload = {"questions": [{"id": "q", "prompt": "Which?", "type": "choices", "options": OPTIONS}]}
    id = await b.open(Kind.QUESTIONS, payload, to=PRIVATE)
    await _at_once([b.press(ANA, id, Action.TOGGLE, 0, option) for option in range(12)], random.Random(1))
    await b.press(ANA, id, Action.SUBMIT, option=1)
    now, _ = await _ended_once(b, id)
    assert now.outcome is not None
    assert now.outcome.answer == {"q": {"values": [one["id"] for one in OPTIONS]}}


@pytest.mark.parametrize("seed", SEEDS)
async def test_toggles_and_submits_of_a_shared_form_race_a_withdrawal(either: Bench, seed: int) -> None:
    b, chance = either, random.Random(seed)
    payload = {"questions": [{"id": "q", "prompt": "Which?", "type": "choices", "options": OPTIONS}]}
    id = await b.open(Kind.QUESTIONS, payload, to=[GROUP, SLACK])
    acts: list[Awaitable[Any]] = [
        b.press(chance.choice(PEOPLE), id, Action.TOGGLE, 0, chance.randrange(12)) for _ in range(12)
    ]
    acts += [b.press(who, id, Action.SUBMIT, option=1) for who in PEOPLE]
    await _at_once([*acts, change(b.context, HERE, id, Withdraw(), BUILDER)], chance)
    now, _ = await _ended_once(b, id)
    assert now.status in (Status.ANSWERED, Status.WITHDRAWN)


@pytest.mark.parametrize("who", [(ANA, BEN), (ANA, ANA)], ids=["two people", "one person twice"])
async def test_tasks_are_those_of_one_choice(either: Bench, who: tuple[Person, Person]) -> None:
    b = either
    id = await b.open(Kind.SUGGESTED_TASKS, {"tasks": TASKS})
    picks = (((Action.PICK, 0), (Action.PICK, 1)), ((Action.PICK, 0), (Action.PICK, 2), (Action.PICK, 3)))
    await _at_once(
        [b.press(one, id, Action.SUBMIT, picked=picked) for one, picked in zip(who, picks, strict=True)],
        random.Random(1),
    )
    now, _ = await _ended_once(b, id)
    tasks = await b.store.records.tasks(HERE, None, interaction=id, limit=50)
    assert now.outcome is not None
    assert now.outcome.answer is not None
    assert sorted(one.key for one in tasks) == _ids(now.outcome.answer["selected"])
    assert now.outcome.answer["selected"] in (["t0", "t1"], ["t0", "t2", "t3"])

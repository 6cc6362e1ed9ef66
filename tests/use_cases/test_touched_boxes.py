"""Boxes of a checklist that are touched before the card is drawn again: each touch is what its person did by it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from core.acts import Patch
from core.controls import Action
from core.kinds import Kind
from core.people import Person, Standing
from core.replies import Quiet, Reply, Saved, Told
from core.touches import MOST_GROUPS, Touch
from core.use_cases.change import change
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE

NOTES, CANARY, ONCALL = range(3)
DRAWN = frozenset({NOTES})
"""The example has its first item ticked from the start."""


async def _touch(
    b: Bench,
    who: Person,
    id: str,
    at: float,
    *ticked: int,
    drawn: frozenset[int] = DRAWN,
    group: str = "g1",
    **more: Any,
) -> Reply:
    picked = tuple((Action.TICK, item) for item in ticked)
    return await b.press(who, id, Action.TICKS, picked=picked, touch=Touch(group, drawn, at), **more)


async def _ticked(b: Bench, id: str) -> dict[str, tuple[bool, str | None]]:
    return {one.item: (one.on, one.by.handle) for one in (await b.get(id)).ticks}


async def test_a_touch_changes_what_its_person_changed_and_nothing_else(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    await b.press(BEN, id, Action.TICK, 0, CANARY)
    assert await _touch(b, ANA, id, 1, ONCALL) == Saved("Saved: 2 of 3 ticked.")
    assert await _ticked(b, id) == {"canary": (True, "ben"), "oncall": (True, "ana"), "notes": (False, "ana")}


async def test_a_tick_taken_back_before_the_card_is_drawn_again_is_taken_back(b: Bench) -> None:
    """Whichever process takes the second touch: nothing is remembered in one."""
    id = await b.open(Kind.CHECKLIST)
    await _touch(b, ANA, id, 1, NOTES, CANARY)
    await _touch(b, ANA, id, 2, NOTES)
    await _touch(b, ANA, id, 3)
    await _touch(b, ANA, id, 4, NOTES)
    assert {item: on for item, (on, _) in (await _ticked(b, id)).items()} == {"canary": False, "notes": True}
    assert (await b.types(id)).count("ticked") == 4
    assert (await b.card(id)).answering == ()


async def test_a_tick_says_nothing_anew_of_what_the_same_person_ticked_before(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    await _touch(b, ANA, id, 1, NOTES, CANARY)
    await b.press(BEN, id, Action.UNTICK, 0, CANARY)
    await _touch(b, ANA, id, 2, NOTES, CANARY, ONCALL)
    assert await _ticked(b, id) == {"canary": (False, "ben"), "oncall": (True, "ana")}
    await _touch(b, BEN, id, 3, NOTES, CANARY)
    assert (await _ticked(b, id))["canary"] == (True, "ben"), "Ben's own client showed it unticked"


async def test_a_touch_of_what_somebody_else_ticked_already_is_taken_back_all_the_same(b: Bench) -> None:
    """It left no receipt, and yet its person's client shows it ticked."""
    id = await b.open(Kind.CHECKLIST)
    await b.press(BEN, id, Action.TICK, 0, CANARY)
    assert isinstance(await _touch(b, ANA, id, 1, NOTES, CANARY), Saved)
    await _touch(b, ANA, id, 2, NOTES)
    assert await _ticked(b, id) == {"canary": (False, "ana")}


async def test_a_tick_that_was_not_saved_goes_with_the_next(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    assert isinstance(await _touch(b, ANA, id, 1, NOTES, CANARY, standing=Standing(guest=True)), Told)
    assert isinstance(await _touch(b, ANA, id, 2, NOTES, CANARY, ONCALL), Saved)
    assert set(await _ticked(b, id)) == {"canary", "oncall"}


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
async def test_touches_that_meet_end_as_the_later_one_shows(b: Bench, order: tuple[int, int]) -> None:
    id = await b.open(Kind.CHECKLIST)
    shown = {1: (NOTES, CANARY), 2: (NOTES,)}
    replies = await asyncio.gather(*(_touch(b, ANA, id, at, *shown[at]) for at in order))
    assert all(isinstance(one, Saved | Quiet) for one in replies)
    assert not (await _ticked(b, id)).get("canary", (False, None))[0]


async def test_one_that_changes_nothing_and_one_that_was_overtaken_are_silent(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    assert await _touch(b, ANA, id, 5, NOTES) == Quiet()
    assert isinstance(await _touch(b, ANA, id, 7, NOTES, CANARY), Saved)
    assert await _touch(b, ANA, id, 6, NOTES, ONCALL) == Quiet()
    assert set(await _ticked(b, id)) == {"canary"}


async def test_a_group_that_is_drawn_again_is_compared_with_what_was_drawn(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    await _touch(b, ANA, id, 1, NOTES, CANARY)
    await _touch(b, ANA, id, 2, NOTES, drawn=frozenset({NOTES, CANARY}), group="g2")
    assert await _ticked(b, id) == {"canary": (False, "ana")}


async def test_as_many_groups_are_remembered_as_a_list_can_have(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    for at in range(MOST_GROUPS + 3):
        await _touch(
            b,
            ANA,
            id,
            at,
            NOTES,
            *((CANARY,) if at % 2 == 0 else ()),
            drawn=frozenset({NOTES, (CANARY, ONCALL)[at % 2 == 0]}),
            group=f"g{at}",
        )
    draft = await b.draft(id, "slack:T1.U1")
    assert draft is not None
    assert sorted(draft.fields) == sorted(f"g{at}" for at in range(3, MOST_GROUPS + 3))


async def test_what_a_client_showed_of_another_revision_says_nothing(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    await _touch(b, ANA, id, 1, NOTES, CANARY)
    content = (await b.get(id)).content.model_copy(update={"title": "Before 4.3"})
    await change(b.context, HERE, id, Patch(1, content), BUILDER)
    await _touch(b, ANA, id, 2, NOTES, ONCALL)
    assert set(await _ticked(b, id)) == {"oncall"}


@pytest.mark.parametrize("item", [3, 200])
async def test_boxes_of_items_that_there_are_not_change_nothing(b: Bench, item: int) -> None:
    id = await b.open(Kind.CHECKLIST)
    assert isinstance(await _touch(b, ANA, id, 1, NOTES, item), Told)
    assert isinstance(await _touch(b, ANA, id, 2, NOTES, drawn=frozenset({NOTES, item})), Told)
    assert await _ticked(b, id) == {}

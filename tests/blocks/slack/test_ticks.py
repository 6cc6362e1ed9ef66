"""What a touched group of boxes stands for: the difference between what was drawn and what is ticked now."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.slack import render
from blocks.slack.limits import BLOCK_ID, length
from blocks.slack.ticks import group_id, is_group, touched
from core.controls import Action
from core.kinds.checklist import Checklist, Ticks, apply_ticks, selected
from core.people import Via
from core.touches import Touch
from tests.blocks.slack.cards import ANA, BOB, CODEC, NOW, card, expect_sendable, numbered

LIST = {
    "kind": "checklist",
    "title": "Before the release",
    "payload": {"items": [{"id": str(number), "label": label} for number, label in enumerate(numbered(31))]},
}
PAYLOAD = Checklist.model_validate(LIST["payload"], strict=False)


def groups(ticks: Ticks = (), page: int = 0) -> list[dict[str, Any]]:
    """The groups of boxes of one page, as Slack has them."""
    rendered = render(replace(card(LIST, ticks=ticks), page=page), CODEC)
    expect_sendable(rendered)
    return [block for block in rendered.blocks if is_group(str(block.get("block_id", "")))]


def ticked(*items: int) -> Ticks:
    """Ana ticked these."""
    ticks, _, _ = apply_ticks(PAYLOAD, (), tick=[str(item) for item in items], untick=[], by=ANA, via=Via.SLACK, at=NOW)
    return ticks


def touch(group: dict[str, Any], *on: int) -> tuple[str, tuple[str, ...], Touch]:
    """What Slack would send once the boxes of these items are ticked in a group."""
    (boxes,) = group["elements"]
    values = [one["value"] for one in boxes["options"] if int(one["value"].split(".")[0]) in on]
    assert len(values) == len(on)
    found = touched(group["block_id"], boxes["action_id"], values, "1700.5")
    assert found is not None
    return found


def items(found: tuple[str, tuple[str, ...], Touch]) -> tuple[list[int], list[int]]:
    """The items that were ticked and unticked by the first touch of a group."""
    picked = [CODEC.unpack(token) for token in found[1]]
    assert {one.action for one in picked} <= {Action.TICK}
    now = {one.option for one in picked}
    return sorted(now - found[2].drawn), sorted(found[2].drawn - now)


CASES: list[tuple[str, tuple[int, ...], tuple[int, ...], list[int], list[int]]] = [
    # what it shows, what was drawn ticked, what is ticked now, what was ticked, what was unticked
    ("a first tick", (), (3,), [3], []),
    ("a tick beside others", (1, 2), (1, 2, 3), [3], []),
    ("an untick", (1, 2), (2,), [], [1]),
    ("the last untick leaves none to tell of", (1,), (), [], [1]),
    ("a tick taken back before the card was drawn again", (), (), [], []),
    ("both at once", (1, 9), (0, 9), [0], [1]),
]


@pytest.mark.parametrize(("why", "drawn", "now", "on", "off"), CASES, ids=[row[0] for row in CASES])
def test_only_the_difference_is_what_its_person_did(
    why: str, drawn: tuple[int, ...], now: tuple[int, ...], on: list[int], off: list[int]
) -> None:
    found = touch(groups(ticked(*drawn))[0], *now)
    assert items(found) == (on, off), why
    group = CODEC.unpack(found[0])
    assert (group.action, group.option) == (Action.TICKS, 0)


def test_groups_of_later_items_name_their_own() -> None:
    first, second, third = groups(ticked(25, 29))
    named = [touch(first)[0], touch(second)[0], touch(third, 25, 29)[0]]
    assert [CODEC.unpack(token).option for token in named] == [0, 10, 20]
    assert items(touch(third, 20, 25)) == ([20], [29])
    (last,) = groups(page=1)
    assert items(touch(last, 30)) == ([30], [])


def test_a_stale_view_takes_back_nothing_that_it_did_not_show() -> None:
    (stale, *_), ticks = groups(), ticked(0)
    found = touch(stale, 5)
    on, off = items(found)
    after, _, _ = apply_ticks(
        PAYLOAD, ticks, tick=[str(one) for one in on], untick=[str(one) for one in off], by=BOB, via=Via.SLACK, at=NOW
    )
    assert selected(PAYLOAD, after) == ("0", "5")


def test_a_group_is_a_new_block_whenever_it_is_drawn_otherwise() -> None:
    before, after = groups(), groups(ticked(3))
    assert before[0]["block_id"] != after[0]["block_id"]
    assert [one["block_id"] for one in before[1:]] == [one["block_id"] for one in after[1:]]
    assert [one["value"] for one in after[0]["elements"][0]["initial_options"]] == [
        one["value"] for one in after[0]["elements"][0]["options"] if one["value"].startswith("3.")
    ]


def test_a_group_that_is_drawn_as_before_is_a_new_block_all_the_same() -> None:
    """A client may remember what was touched under the id that it had then."""
    back, _, _ = apply_ticks(
        PAYLOAD, ticked(3), tick=[], untick=["3"], by=ANA, via=Via.SLACK, at=NOW + timedelta(milliseconds=1)
    )
    again, _, _ = apply_ticks(
        PAYLOAD, back, tick=["3"], untick=[], by=ANA, via=Via.SLACK, at=NOW + timedelta(milliseconds=2)
    )
    names = [groups(ticks)[0]["block_id"] for ticks in ((), ticked(3), back, again)]
    assert len(set(names)) == 4


def test_the_longest_name_is_one_that_slack_takes() -> None:
    assert length(group_id("x" * 48, range(190, 200))) <= BLOCK_ID.number


@pytest.mark.parametrize("name", ["", "ticks", "ticks.a", "ticks.a.1", "ticks.a.1.b.c", "ticks.a.xyz.b", "answer:1"])
def test_a_block_that_is_none_of_ours_stands_for_nothing(name: str) -> None:
    assert touched(name, "ticks.x", ["1.y"], "1.5") is None


@pytest.mark.parametrize("value", ["", "x", "x.y"])
def test_a_box_that_is_none_of_ours_stands_for_nothing(value: str) -> None:
    assert touched("ticks.token.0.mark", "ticks.x", [value], "1.5") is None


@given(st.lists(st.tuples(st.booleans(), st.sets(st.integers(0, 9))), min_size=1, max_size=8))
def test_whoever_ticks_in_whatever_view_the_sum_is_kept(acts: list[tuple[bool, set[int]]]) -> None:
    """Each act flips some boxes of the newest view, or of the first one."""
    ticks: Ticks = ()
    (first, *_) = groups()
    expected: set[int] = set()
    for is_fresh, flipped in acts:
        view = groups(ticks)[0] if is_fresh else first
        seen = expected if is_fresh else set()
        on, off = items(touch(view, *(seen ^ flipped)))
        assert (set(on), set(off)) == (flipped - seen, flipped & seen)
        expected = (expected | set(on)) - set(off)
        ticks, _, _ = apply_ticks(
            PAYLOAD, ticks, tick=[str(n) for n in on], untick=[str(n) for n in off], by=ANA, via=Via.SLACK, at=NOW
        )
        assert {int(id) for id in selected(PAYLOAD, ticks)} == expected

"""A checklist: ticks of several people, each saved when made, and when it may be completed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.acts import Accept, Act, Patch, Tick
from core.content import Content
from core.errors import AlreadySettled, Invalid, StaleRevision
from core.events import EventType
from core.interactions import decide
from core.kinds import Checklist, Kind
from core.kinds.checklist import selected
from core.progress import progress
from core.receipts import ReceiptType
from core.records import Interaction, Status
from tests.rules.making import by, card, content, stamp
from tests.rules.replaying import PEOPLE, Done, Story, told

ITEMS = ["a", "b", "c", "d", "e"]
CHECKED = {"a", "b"}


def listed(**more: Any) -> dict[str, Any]:
    return {"items": [{"id": id, "label": id, "checked": id in CHECKED} for id in ITEMS], **more}


def checklist(**more: Any) -> Interaction:
    return card(Kind.CHECKLIST, payload=listed(**more))


def ticked(interaction: Interaction) -> tuple[str, ...]:
    payload = interaction.content.payload
    assert isinstance(payload, Checklist)
    return selected(payload, interaction.ticks)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"items": []}, "there is nothing to tick"),
        ({"items": [{"id": "a", "label": "A"}] * 2}, "an id twice"),
        ({"items": [{"id": "", "label": "A"}]}, "an empty id"),
        (listed(min=6), "more wanted than there are"),
        (listed(max=6), "more allowed than there are"),
        (listed(max=0), "none may be ticked"),
        (listed(min=3, max=2), "at least more than at most"),
        (listed(accept_label=""), "a button without words"),
        ({"items": [{"id": str(n), "label": "x"} for n in range(201)]}, "one item more than there may be"),
    ],
)
def test_a_list_that_cannot_be_completed_is_refused_when_asked(payload: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError):
        content(Kind.CHECKLIST, **payload)


@pytest.mark.parametrize(
    ("act", "pointers", "reason"),
    [
        (Tick(1), [""], "nothing is named"),
        (Tick(1, ("nope",)), ["/tick/0"], "an unknown item"),
        (Tick(1, ("a", "x"), ("b", "y")), ["/tick/1", "/untick/1"], "each unknown item is pointed at"),
        (Tick(1, ("a",), ("b", "a")), ["/untick/1"], "on and off at once"),
        (Accept(1, ("a", "nope")), ["/selected/1"], "an unknown item"),
        (Accept(1, ("a", "a")), ["/selected"], "an item twice"),
    ],
)
def test_a_wrong_tick_is_pointed_at(act: Act, pointers: list[str], reason: str) -> None:
    with pytest.raises(Invalid) as refused:
        decide(checklist(), act, stamp(more=1))
    assert [fault.pointer for fault in refused.value.faults] == pointers, reason


@pytest.mark.parametrize(
    ("bounds", "chosen", "fits", "reason"),
    [
        ({}, (), True, "without bounds even none is fine"),
        ({"min": 2}, ("c",), False, "one below"),
        ({"min": 2}, ("c", "d"), True, "at the least"),
        ({"max": 3}, ("c", "d", "e"), True, "at the most"),
        ({"max": 3}, ("a", "c", "d", "e"), False, "one above"),
        ({"min": 5}, tuple(ITEMS), True, "all of them"),
        ({"min": 1, "max": 1}, ("e",), True, "exactly one"),
    ],
)
def test_counts_are_checked_when_it_is_completed(
    bounds: dict[str, int], chosen: tuple[str, ...], fits: bool, reason: str
) -> None:
    if fits:
        assert decide(checklist(**bounds), Accept(1, chosen), stamp(more=1)).after.status is Status.COMPLETED, reason
        return
    with pytest.raises(Invalid) as refused:
        decide(checklist(**bounds), Accept(1, chosen), stamp(more=1))
    assert [fault.pointer for fault in refused.value.faults] == ["/selected"], reason


def test_counts_are_not_checked_while_it_is_ticked() -> None:
    unticked = decide(checklist(min=2, max=2), Tick(1, (), ("a", "b")), stamp()).after
    assert ticked(unticked) == ()
    assert ticked(decide(unticked, Tick(1, tuple(ITEMS)), stamp()).after) == tuple(ITEMS)


def test_what_was_ticked_from_the_start_is_nobodys_until_somebody_ticks_it_again() -> None:
    after = told(checklist(), [(by("ana"), Tick(1, ("a",))), (by("ben"), Tick(1, (), ("b",)))]).card
    assert [(one.item, one.on, one.by.handle) for one in after.ticks] == [("b", False, "ben")]
    again = decide(after, Tick(1, ("b",)), stamp(by("ana"))).after
    assert [(one.item, one.on, one.by.handle) for one in again.ticks] == [("b", True, "ana")]


def test_a_tick_of_what_is_ticked_already_keeps_whoever_was_first() -> None:
    first = decide(checklist(), Tick(1, ("c",)), stamp(by("ana"))).after
    assert decide(first, Tick(1, ("c",)), stamp(by("ben"))).repeated
    both = decide(first, Tick(1, ("c", "d")), stamp(by("ben")))
    assert {one.item: one.by.handle for one in both.after.ticks} == {"c": "ana", "d": "ben"}
    assert both.receipts[0].data == {"tick": ["d"], "untick": []}


def test_whoever_ticked_before_the_end_repeats_themselves_without_reproach_and_others_do_not() -> None:
    ends = told(checklist(), [(by("ana"), Tick(1, ("c",), ("a",))), (by("ben"), Accept(1))]).card
    assert decide(ends, Tick(1, ("c",)), stamp(by("ana"))).repeated
    assert decide(ends, Tick(1, ("c",), ("a",)), stamp(by("ana"))).repeated
    assert decide(ends, Accept(1), stamp(by("ben"))).repeated
    late: list[Done] = [
        (by("ben"), Tick(1, ("c",))),  # it is ticked, but not by him
        (by("ana"), Tick(1, (), ("c",))),  # another act
        (by("ana"), Tick(1, ("c", "d"))),  # a part of it is new
        (by("ana"), Tick(1)),  # nothing is no act
        (by("ana"), Accept(1)),
    ]
    for who, act in late:
        with pytest.raises(AlreadySettled):
            decide(ends, act, stamp(who))


def test_completing_with_a_selection_ticks_it_first_with_a_receipt_of_its_own() -> None:
    story = told(checklist(), [(by("ana"), Tick(1, ("c",))), (by("ben"), Accept(1, ("c", "d", "a")))])
    ticked_first, ended = story.receipts[1:]
    assert (ticked_first.type, ticked_first.data) == (ReceiptType.TICKED, {"tick": ["d"], "untick": ["b"]})
    assert (ended.type, ended.by.handle) == (ReceiptType.COMPLETED, "ben")
    assert story.card.outcome is not None
    answer: Any = story.card.outcome.answer
    assert answer["selected"] == ["a", "c", "d"]
    assert [(one["id"], one["by"]["handle"]) for one in answer["ticks"]] == [("c", "ana"), ("d", "ben")]


def test_a_patch_takes_ticks_back_with_a_receipt_for_each() -> None:
    acts: list[Done] = [
        (by("ana"), Tick(1, ("c",))),
        (by("ben"), Tick(1, (), ("a",))),
        (by("ana"), Patch(1, content(Kind.CHECKLIST, **listed(min=1)))),
    ]
    story = told(checklist(), acts)
    assert story.card.ticks == ()
    assert ticked(story.card) == ("a", "b")
    voided = story.of(ReceiptType.TICK_VOIDED)
    assert [(one.data["item"], one.data["on"]) for one in voided] == [("c", True), ("a", False)]
    with pytest.raises(StaleRevision):
        decide(story.card, Tick(1, ("c",)), stamp())


SUBSETS = st.lists(st.sampled_from(ITEMS), unique=True).map(tuple)
TICKS = st.builds(Tick, st.just(1), SUBSETS, SUBSETS)
ACCEPTS = st.builds(Accept, st.integers(1, 2), st.none() | SUBSETS)
OTHER: Content = content(Kind.CHECKLIST, **listed(min=1, max=4))
ACTS = TICKS | st.builds(Tick, st.just(2), SUBSETS, SUBSETS) | ACCEPTS | st.just(Patch(1, OTHER))
STORIES = st.lists(st.tuples(PEOPLE, ACTS), max_size=12)


def by_receipts(story: Story) -> tuple[set[str], dict[str, str]]:
    """What is ticked, and by whom, from the receipts alone."""
    on, whose = set(CHECKED), dict[str, str]()
    for line in story.of(ReceiptType.TICKED, ReceiptType.TICK_VOIDED):
        if line.type is ReceiptType.TICK_VOIDED:
            on, whose = set(CHECKED), {}
            continue
        ticked_then: Any = line.data["tick"]
        unticked_then: Any = line.data["untick"]
        on = (on | set(ticked_then)) - set(unticked_then)
        whose |= dict.fromkeys(ticked_then, str(line.by.handle))
        whose = {item: who for item, who in whose.items() if item not in unticked_then}
    return on, whose


@given(STORIES)
def test_state_receipts_and_progress_agree_whatever_is_done(acts: list[Done]) -> None:
    story = told(checklist(min=1, max=4), acts)
    on, whose = by_receipts(story)
    assert set(ticked(story.card)) == on
    shown: Any = progress(story.card)
    assert shown["selected"] == [id for id in ITEMS if id in on]
    assert {one["id"]: one["by"]["handle"] for one in shown["ticks"]} == whose
    ended = [one for one in story.receipts if one.type is ReceiptType.COMPLETED]
    assert len(ended) == (0 if story.card.is_pending else 1)
    if story.card.outcome is not None:
        assert story.card.outcome.answer == shown == ended[0].data["answer"]
        assert 1 <= len(on) <= 4
    progressed = story.events.count(EventType.PROGRESSED)
    assert progressed + len(ended) + story.events.count(EventType.PATCHED) == len(story.events)


@given(st.lists(st.tuples(PEOPLE, SUBSETS), max_size=8), st.randoms(use_true_random=False))
def test_ticks_of_many_people_in_any_order_are_their_sum(given: list[tuple[Any, tuple[str, ...]]], order: Any) -> None:
    acts: list[Done] = [(who, Tick(1, items)) for who, items in given]
    shuffled = list(acts)
    order.shuffle(shuffled)
    wanted = CHECKED.union(*(items for _, items in given))
    for sequence in (acts, shuffled):
        story = told(checklist(), sequence)
        assert set(ticked(story.card)) == wanted
        ticks: list[Any] = [line.data["tick"] for line in story.of(ReceiptType.TICKED)]
        new = [item for items in ticks for item in items]
        assert sorted(new) == sorted(wanted - CHECKED)


@given(st.permutations(ITEMS), st.lists(PEOPLE, min_size=5, max_size=5))
def test_people_who_touch_different_items_never_undo_each_other(order: list[str], people: list[Any]) -> None:
    """Each turns one item round: from views that know nothing of each other."""
    acts: list[Done] = [
        (who, Tick(1, (), (item,)) if item in CHECKED else Tick(1, (item,)))
        for who, item in zip(people, order, strict=True)
    ]
    story = told(checklist(), acts)
    assert set(ticked(story.card)) == set(ITEMS) - CHECKED
    assert len(story.of(ReceiptType.TICKED)) == 5

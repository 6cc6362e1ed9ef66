"""Checklists on the page: what is ticked, by whom, and what of it is one person's own change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.web.checklist import as_changed
from blocks.web.parts import Asked, Choice, Pick
from blocks.web.reading import is_blank, read_form
from core.acts import Accept, Expire, Tick
from core.kinds import Checklist, Kind
from core.people import TIMER
from core.records import Interaction
from tests.blocks.web.test_page import settled
from tests.blocks.web.visits import fields, page, wrong
from tests.rules.making import NOW, by, card

ITEMS = [{"id": id, "label": id.upper()} for id in ("a", "b", "c")]


def checklist(**payload: Any) -> Interaction:
    return card(Kind.CHECKLIST, payload={"items": ITEMS, **payload})


def boxes(interaction: Interaction, **changes: Any) -> tuple[Choice, ...]:
    (field,) = fields(interaction, **changes)
    assert isinstance(field.control, Pick)
    return field.control.choices


def ticked(interaction: Interaction, **changes: Any) -> list[str]:
    return [choice.value for choice in boxes(interaction, **changes) if choice.chosen]


def test_each_item_says_who_ticked_it_and_when() -> None:
    asked = checklist(items=[{**ITEMS[0], "checked": True}, *ITEMS[1:]])
    one, two, three = boxes(settled(asked, Tick(1, ("b",), ())))
    assert (one.chosen, one.note) == (True, "Ticked from the start, by whoever asked.")
    assert (two.chosen, two.note) == (True, "Ticked by Ben, 2 Dec 2026, 14:05 UTC, in Slack.")
    assert (three.chosen, three.note) == (False, "")
    assert boxes(settled(asked, Tick(1, (), ("a",))))[0].note == "Unticked by Ben, 2 Dec 2026, 14:05 UTC, in Slack."


def test_the_form_carries_what_is_ticked_and_two_ways_to_save() -> None:
    form = page(settled(checklist(accept_label="All done"), Tick(1, ("b",)))).form
    assert form is not None
    assert (form.had, form.shared, form.guarded) == (("b",), True, True)
    assert [(one.act, one.label) for one in form.buttons] == [("accept", "All done"), ("ticks", "Save ticks")]


MERGED: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], list[str], str], ...] = (
    ((), ("a",), ("b",), ["a", "b"], "my tick and another's tick meanwhile"),
    (("a",), (), ("a", "b"), ["b"], "my untick, and another's tick"),
    (("a",), ("a",), ("b",), ["b"], "another's untick of what I left alone"),
    (("a", "b"), ("b", "c"), ("a",), ["c"], "another unticked b, I ticked c and unticked a"),
    ((), ("gone",), (), [], "an item that is there no more"),
)


@pytest.mark.parametrize(("had", "ticks", "now", "shown", "reason"), MERGED, ids=[row[-1] for row in MERGED])
def test_what_one_person_changed_stands_over_what_others_did(
    had: tuple[str, ...], ticks: tuple[str, ...], now: tuple[str, ...], shown: list[str], reason: str
) -> None:
    asked = settled(checklist(), Tick(1, now)) if now else checklist()
    assert ticked(asked, filled={"had": had, "ticks": ticks}) == shown


SOME = st.sets(st.sampled_from("abc"))


@given(had=SOME, ticks=SOME, now=SOME)
def test_every_item_shows_ones_own_change_or_else_how_it_stands(had: set[str], ticks: set[str], now: set[str]) -> None:
    payload = checklist().content.payload
    assert isinstance(payload, Checklist)
    shown = as_changed(payload, tuple(now), {"had": tuple(had), "ticks": tuple(ticks)})
    for id in "abc":
        mine = (id in had) != (id in ticks)
        assert (id in shown) == (id in (ticks if mine else now))


def test_a_form_is_read_with_what_it_was_drawn_from() -> None:
    payload = checklist(items=[{"id": "ä/ %", "label": "One"}, *ITEMS]).content.payload
    read = read_form(payload, {"ticks": ("%C3%A4%2F%20%25", "a", "x"), "had": ("b",)})
    assert read == {"ticks": ("ä/ %", "a"), "had": ("b",)}
    assert read_form(payload, {}) == {"ticks": (), "had": ()}
    assert is_blank(payload, {"seen": "x", "had": ("a",), "ticks": ("a",)})
    assert not is_blank(payload, {"had": ("a",), "ticks": ()})


RULES: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "“Submit” ends it, with whatever is ticked then."),
    ({"min": 2}, "At least 2 must be ticked when “Submit” is pressed."),
    ({"max": 2}, "At most 2 may be ticked when “Submit” is pressed."),
    ({"min": 1, "max": 2}, "From 1 to 2 must be ticked when “Submit” is pressed."),
    ({"min": 2, "max": 2, "accept_label": "Done"}, "Exactly 2 must be ticked when “Done” is pressed."),
)


@pytest.mark.parametrize(("payload", "rule"), RULES)
def test_how_many_must_be_ticked_is_said_before(payload: dict[str, Any], rule: str) -> None:
    assert fields(checklist(**payload))[0].hint == f"Everybody who may answer shares these ticks. {rule}"


def test_too_few_ticks_are_told_at_the_boxes() -> None:
    form = page(checklist(min=2), wrong=wrong(ticks="tick at least 2 (now 0)")).form
    assert form is not None
    assert [(one.target, one.text) for one in form.complaints] == [("ticks", "Tick at least 2 (now 0).")]


def test_a_completed_list_shows_every_item_and_its_tick() -> None:
    done = page(settled(settled(checklist(), Tick(1, ("b",))), Accept(1), more=1))
    assert done.ending is not None
    assert (done.ending.decided, done.progress, done.form) == (("1 of 3 ticked",), None, None)
    (asked,) = done.asked
    assert isinstance(asked, Asked)
    assert [(one.label, one.chosen) for one in asked.choices] == [("A", False), ("B", True), ("C", False)]
    assert (asked.word, asked.folds) == ("ticked", False)


def test_a_list_that_ended_otherwise_shows_how_far_it_came() -> None:
    halfway = settled(card(Kind.CHECKLIST, payload={"items": ITEMS}, expires_at=NOW), Expire(), TIMER)
    assert page(halfway).progress is not None
    before = settled(checklist(), Tick(1, ("b",)), by("ana"))
    progress = page(before).progress
    assert progress is not None
    assert (progress.done, progress.total, progress.text) == (1, 3, "1 of 3 ticked")


def test_ticks_that_came_too_late_are_shown_back() -> None:
    done = settled(settled(checklist(), Tick(1, ("b",))), Accept(1), more=1)
    late = page(done, filled={"had": ("b",), "ticks": ("a", "c")})
    assert late.unsent == (("You had ticked", "A\nC"), ("You had unticked", "B"))
    assert page(done, filled={"had": (), "ticks": ("b",)}).unsent == (), "the card shows the same"

"""Item verdicts on the page: what is decided stands in its place, the rest can be decided."""

from __future__ import annotations

from typing import Any

from blocks.web.parts import Field, Judged, Judging, Line
from blocks.web.reading import read_form
from core.acts import Cancel, Judge
from core.kinds import Kind
from core.kinds.item_verdicts import Given
from core.records import Interaction
from tests.blocks.web.test_page import settled
from tests.blocks.web.visits import fields, page, wrong
from tests.rules.making import card

ITEMS = [{"id": "a", "label": "First", "href": "https://example.com/a"}, {"id": "b", "label": "Second"}]


def verdicts(**payload: Any) -> Interaction:
    return card(Kind.ITEM_VERDICTS, payload={"items": ITEMS, **payload})


def judged(interaction: Interaction, *given: Given) -> Interaction:
    return settled(interaction, Judge(1, given), more=1)


def control(field: Field) -> Judging:
    assert isinstance(field.control, Judging)
    return field.control


def test_an_item_can_be_given_each_verdict_or_none_yet() -> None:
    first, second = fields(verdicts())
    assert (first.name, first.unit, first.place, first.href) == ("v0", "Item", "1 of 2", "https://example.com/a")
    assert [(one.value, one.label, one.reasoned, one.chosen) for one in control(second).choices] == [
        ("approve", "Approve", False, False),
        ("reject", "Reject", True, False),
        ("defer", "Defer", False, False),
        ("", "No verdict yet", False, True),
    ]
    reason = control(second).reason
    assert reason is not None
    assert (reason.name, reason.hint) == ("v1.reason", "Needed with “Reject”.")


def test_what_the_asker_advises_is_marked() -> None:
    advised = verdicts(items=[{**ITEMS[0], "recommended": True}, ITEMS[1]])
    assert [one.marks for one in fields(advised)] == [("recommended",), ()]
    assert [one.marks for one in page(advised, refusal="Not yours.").asked] == [(), ("recommended",), ()]


def test_verdicts_without_reasons_have_no_field_for_one() -> None:
    plain = [{"id": "y", "label": "Yes"}, {"id": "n", "label": "No"}]
    assert control(fields(verdicts(verdicts=plain))[0]).reason is None
    optional = [plain[0], {**plain[1], "reason": "optional"}]
    reason = control(fields(verdicts(verdicts=optional))[0]).reason
    assert reason is not None
    assert reason.hint == "Welcome with “No”."


def test_what_was_decided_says_by_whom_when_and_why_in_its_place() -> None:
    first, second = fields(judged(verdicts(), Given("a", "reject", "too\nrisky")))
    assert first.control == Judged("Reject", "Ben, 2 Dec 2026, 14:05 UTC, in Slack", "too\nrisky")
    assert isinstance(second.control, Judging)


def test_what_was_chosen_and_not_saved_stays() -> None:
    filled = {"v0": "reject", "v0.reason": "too risky", "v1": "gone"}
    first, second = fields(verdicts(), filled=filled)
    assert [one.value for one in control(first).choices if one.chosen] == ["reject"]
    reason = control(first).reason
    assert reason is not None
    assert reason.control == Line("too risky")
    assert [one.value for one in control(second).choices if one.chosen] == [""]


def test_a_missing_reason_is_told_beside_its_item() -> None:
    form = page(verdicts(), wrong=wrong(v1__reason="a reason is required")).form
    assert form is not None
    assert [(one.target, one.text) for one in form.complaints] == [("v1.reason", "Item 2: A reason is required.")]


def test_progress_is_shown_to_everybody_who_may_read() -> None:
    shown = page(judged(verdicts(), Given("a", "approve")), refusal="Not yours.")
    assert shown.progress is not None
    assert (shown.progress.text, shown.form) == ("1 of 2 decided", None)
    assert [one.said for one in shown.asked] == [None, ("Approve",), ()]


def test_200_items_keep_their_buttons_in_sight() -> None:
    many = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(200)]
    form = page(verdicts(items=many)).form
    assert form is not None
    assert (len(form.fields), form.long) == (200, True)
    few = page(verdicts()).form
    assert few is not None
    assert not few.long


def test_a_complete_card_shows_every_item_with_its_verdict() -> None:
    done = page(judged(verdicts(), Given("a", "reject", "no"), Given("b", "approve")))
    assert done.ending is not None
    assert (done.state, done.ending.decided) == ("Completed", ("1 Approve, 1 Reject",))
    choosing, first, second = done.asked
    assert choosing.hint == "Approve, Reject or Defer."
    assert (first.said, first.reason, first.note) == (("Reject",), "no", "Ben, 2 Dec 2026, 14:05 UTC, in Slack")
    assert (second.said, second.reason) == (("Approve",), "")


def test_verdicts_that_were_not_saved_in_time_are_shown_back() -> None:
    ended = settled(judged(verdicts(), Given("a", "approve")), Cancel())
    late = page(ended, filled={"v0": "defer", "v1": "reject", "v1.reason": "hm"})
    assert late.unsent == (("Second", "Reject: hm"),)


def test_a_form_is_read_by_item() -> None:
    posted = {"v0": ("approve",), "v0.reason": ("",), "v1": ("",), "v1.reason": ("a\r\nb",), "v2": ("x",)}
    assert read_form(verdicts().content.payload, posted) == {"v0": "approve", "v0.reason": "", "v1.reason": "a\nb"}

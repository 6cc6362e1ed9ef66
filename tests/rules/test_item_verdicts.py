"""Verdicts item by item: the first one stands, partial results stay, and the last one completes the card."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.acts import Accept, Act, Judge, Patch, Reject
from core.errors import AlreadySettled, Invalid
from core.events import EventType
from core.interactions import decide
from core.kinds import Kind
from core.kinds.item_verdicts import Given
from core.progress import progress
from core.receipts import ReceiptType
from core.records import Interaction, Status
from tests.rules.making import by, card, content, stamp
from tests.rules.replaying import PEOPLE, Done, Story, told

ITEMS = ["a", "b", "c"]
VERDICTS = [
    {"id": "ok", "label": "OK"},
    {"id": "no", "label": "No", "reason": "required"},
    {"id": "hm", "label": "Hm", "reason": "optional"},
]


def listed(**more: Any) -> dict[str, Any]:
    return {"items": [{"id": id, "label": id.upper()} for id in ITEMS], "verdicts": VERDICTS, **more}


def items() -> Interaction:
    return card(Kind.ITEM_VERDICTS, payload=listed())


def judged(*given: tuple[str, str] | tuple[str, str, str | None], revision: int = 1) -> Judge:
    return Judge(revision, tuple(Given(*one) for one in given))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"items": []}, "there is nothing to judge"),
        ({"items": [{"id": "a", "label": "A"}] * 2}, "an item twice"),
        ({"items": [{"id": str(n), "label": "x"} for n in range(201)]}, "one item more than there may be"),
        ({"verdicts": VERDICTS[:1]}, "one verdict is no choice"),
        ({"verdicts": [{"id": str(n), "label": "x"} for n in range(6)]}, "one verdict more than there may be"),
        ({"verdicts": [VERDICTS[0]] * 2}, "a verdict twice"),
        ({"verdicts": [{"id": "x", "label": "y" * 81}, VERDICTS[0]]}, "longer than a button"),
        ({"items": [{"id": "a", "label": "A", "href": "http://a.example"}]}, "not https"),
    ],
)
def test_what_cannot_be_judged_is_refused_when_asked(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError):
        content(Kind.ITEM_VERDICTS, **listed(**changes))


def test_approve_reject_with_a_reason_and_defer_are_there_unless_others_are_given() -> None:
    usual = card(Kind.ITEM_VERDICTS, payload={"items": [{"id": "a", "label": "A"}]})
    with pytest.raises(Invalid):
        decide(usual, judged(("a", "reject")), stamp(more=1))
    for verdict, reason in (("approve", None), ("reject", "not yet"), ("defer", None)):
        after = decide(usual, judged(("a", verdict, reason)), stamp(more=1)).after
        assert [(one.verdict, one.reason) for one in after.verdicts] == [(verdict, reason)]


@pytest.mark.parametrize(
    ("act", "pointers", "reason"),
    [
        (Judge(1, ()), ["/verdicts"], "none is given"),
        (judged(("x", "ok")), ["/verdicts/0/item"], "an unknown item"),
        (judged(("a", "maybe")), ["/verdicts/0/verdict"], "an unknown verdict"),
        (judged(("x", "maybe")), ["/verdicts/0/item", "/verdicts/0/verdict"], "both unknown"),
        (judged(("a", "ok"), ("a", "ok")), ["/verdicts/1/item"], "an item twice, even the same"),
        (judged(("a", "ok"), ("b", "no")), ["/verdicts/1/reason"], "its reason is required"),
        (judged(("a", "no", "  ")), ["/verdicts/0/reason"], "a blank is no reason"),
        (judged(("a", "ok", "because")), ["/verdicts/0/reason"], "no reason is taken"),
        (judged(("a", "hm", "x" * 3_001)), ["/verdicts/0/reason"], "a reason longer than may be"),
        (Accept(1), [""], "items are judged, not accepted"),
        (Reject(1), [""], "nor rejected"),
    ],
)
def test_a_wrong_verdict_is_pointed_at_and_none_beside_it_is_kept(act: Act, pointers: list[str], reason: str) -> None:
    before = items()
    with pytest.raises(Invalid) as refused:
        decide(before, act, stamp(more=1))
    assert [fault.pointer for fault in refused.value.faults] == pointers, reason
    assert before.verdicts == ()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("a", "ok"), None),
        (("a", "ok", ""), None),  # an empty one is none
        (("a", "hm"), None),
        (("a", "hm", "why not"), "why not"),
        (("a", "hm", " "), None),  # a blank one too
        (("a", "no", "too big"), "too big"),
        (("a", "no", "x" * 3_000), "x" * 3_000),  # as long as may be
    ],
)
def test_a_reason_is_kept_as_it_was_given(given: Any, kept: str | None) -> None:
    assert decide(items(), judged(given), stamp(more=1)).after.verdicts[0].reason == kept


def test_a_later_verdict_is_told_whose_stands_and_the_others_beside_it_are_kept() -> None:
    first = decide(items(), judged(("a", "ok")), stamp(by("ana"), more=1)).after
    mixed = decide(first, judged(("a", "no", "bad"), ("b", "ok")), stamp(by("ben"), more=1))
    assert [fault.pointer for fault in mixed.late] == ["/verdicts/0"]
    assert "Ana" in mixed.late[0].detail
    assert "OK" in mixed.late[0].detail
    assert [(one.item, one.by.handle) for one in mixed.after.verdicts] == [("a", "ana"), ("b", "ben")]
    assert mixed.receipts[0].data == {"verdicts": {"b": {"verdict": "ok", "reason": None}}}
    with pytest.raises(AlreadySettled, match="Ana has decided"):
        decide(first, judged(("a", "no", "bad")), stamp(by("ben"), more=1))


def test_the_same_verdict_once_more_is_no_news() -> None:
    first = decide(items(), judged(("a", "no", "bad")), stamp(more=1)).after
    assert decide(first, judged(("a", "no", "bad")), stamp(more=1)).repeated
    with_news = decide(first, judged(("a", "no", "bad"), ("b", "ok")), stamp(more=1))
    assert with_news.late == ()
    assert with_news.receipts[0].data["verdicts"] == {"b": {"verdict": "ok", "reason": None}}


def test_the_last_verdict_completes_it_with_a_receipt_for_itself_and_one_for_the_end() -> None:
    acts: list[Done] = [(by("ana"), judged(("c", "ok"), ("a", "hm", "so so"))), (by("ben"), judged(("b", "ok")))]
    story = told(items(), acts)
    assert story.card.status is Status.COMPLETED
    types = [line.type for line in story.receipts]
    assert types == [ReceiptType.JUDGED, ReceiptType.JUDGED, ReceiptType.COMPLETED]
    assert story.events == [EventType.PROGRESSED, EventType.COMPLETED]
    assert story.card.outcome is not None
    verdicts: Any = (story.card.outcome.answer or {})["verdicts"]
    assert list(verdicts) == ITEMS  # as they were asked, not as they were judged


def test_everybody_whose_verdict_stands_repeats_themselves_without_reproach_and_others_do_not() -> None:
    acts: list[Done] = [(by("ana"), judged(("a", "ok"), ("b", "ok"))), (by("ben"), judged(("c", "no", "bad")))]
    ends = told(items(), acts).card
    assert decide(ends, judged(("b", "ok")), stamp(by("ana"))).repeated
    assert decide(ends, judged(("c", "no", "bad")), stamp(by("ben"))).repeated
    assert decide(ends, judged(("a", "ok", " ")), stamp(by("ana"))).repeated  # a blank reason is none
    late: list[Done] = [
        (by("ben"), judged(("a", "ok"))),  # it stands, but is not his
        (by("ana"), judged(("a", "hm"))),  # another verdict
        (by("ana"), judged(("a", "ok"), ("c", "no", "bad"))),  # a part of it is another's
        (by("ben"), judged(("c", "no", "worse"))),  # another reason
        (by("ana"), Judge(1, ())),  # nothing is no act
    ]
    for who, act in late:
        with pytest.raises(AlreadySettled):
            decide(ends, act, stamp(who))


def test_a_patch_takes_verdicts_back_with_a_receipt_for_each() -> None:
    change = Patch(1, content(Kind.ITEM_VERDICTS, **listed()))
    story = told(items(), [(by("ana"), judged(("a", "ok"), ("b", "hm", "so so"))), (by("ana"), change)])
    assert story.card.verdicts == ()
    voided = story.of(ReceiptType.VERDICT_VOIDED)
    assert [(one.data["item"], one.data["verdict"], one.data["reason"]) for one in voided] == [
        ("a", "ok", None),
        ("b", "hm", "so so"),
    ]
    assert decide(story.card, judged(("a", "no", "bad"), revision=2), stamp(more=1)).after.verdicts


GIVEN = st.builds(
    Given, st.sampled_from(ITEMS), st.sampled_from(["ok", "no", "hm"]), st.sampled_from([None, "bad", "good"])
)
JUDGES = st.builds(Judge, st.integers(1, 2), st.lists(GIVEN, min_size=1, max_size=3).map(tuple))
STORIES = st.lists(
    st.tuples(PEOPLE, JUDGES | JUDGES | JUDGES | st.just(Patch(1, content(Kind.ITEM_VERDICTS, **listed())))),
    max_size=14,
)


def by_receipts(story: Story) -> dict[str, tuple[Any, Any, str | None]]:
    """The verdicts that stand, from the receipts alone. None is ever written over."""
    stands: dict[str, tuple[Any, Any, str | None]] = {}
    for line in story.receipts:
        if line.type is ReceiptType.JUDGED:
            new: Any = line.data["verdicts"]
            assert not stands.keys() & new.keys()
            stands |= {item: (one["verdict"], one["reason"], line.by.handle) for item, one in new.items()}
        elif line.type is ReceiptType.VERDICT_VOIDED:
            del stands[str(line.data["item"])]
    return stands


@given(STORIES)
def test_state_receipts_and_progress_agree_whatever_is_done(acts: list[Done]) -> None:
    story = told(items(), acts)
    stands = by_receipts(story)
    shown: Any = progress(story.card)
    assert stands == {
        item: (one["verdict"], one["reason"], one["by"]["handle"]) for item, one in shown["verdicts"].items()
    }
    assert story.card.is_pending is (len(stands) < len(ITEMS))
    ended = story.of(ReceiptType.COMPLETED)
    assert len(ended) == (0 if story.card.is_pending else 1)
    if story.card.outcome is not None:
        assert story.card.outcome.answer == shown == ended[0].data["answer"]
    # New verdicts raise one event each time; what was no news raises none.
    judgements = len(story.of(ReceiptType.JUDGED))
    assert story.events.count(EventType.PROGRESSED) + len(ended) == judgements


@given(st.permutations([(who, item) for who in ("ana", "ben", "cleo") for item in ITEMS]))
def test_of_many_people_who_judge_everything_the_first_on_each_item_stands(order: list[tuple[str, str]]) -> None:
    verdicts = {"ana": ("ok", None), "ben": ("no", "bad"), "cleo": ("hm", None)}
    story = told(items(), [(by(who), judged((item, *verdicts[who]))) for who, item in order])
    first: dict[str, str] = {}
    for who, item in order:
        first.setdefault(item, who)
    assert {one.item: one.by.handle for one in story.card.verdicts} == first
    assert len(story.refused) == len(order) - len(ITEMS)
    assert story.card.status is Status.COMPLETED

"""Bodies: one reading of JSON, and a pointer for every mistake."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.web.bodies import Body, Unreadable, parse, read_json
from bot.web.errors import problem
from core.asking import ASK
from core.errors import Fault, Invalid

UNIONS = ((), ("payload", "questions", "*"))
CHOICE = {"id": "ship", "prompt": "Ship?", "type": "choice", "options": [{"id": "yes", "label": "Yes"}]}


def asking(**changes: Any) -> dict[str, Any]:
    whole = {"kind": "questions", "to": "slack:C0123", "title": "Release", "payload": {"questions": [CHOICE]}}
    return {name: value for name, value in {**whole, **changes}.items() if value is not ...}


def faults(document: Any) -> dict[str, str]:
    raw = json.dumps(document).encode()
    with pytest.raises(Invalid) as refused:
        parse(ASK, Body(raw, read_json(raw)), UNIONS)
    return {fault.pointer: fault.detail for fault in refused.value.faults}


def test_a_whole_request_is_read() -> None:
    raw = json.dumps(asking()).encode()
    assert parse(ASK, Body(raw, read_json(raw)), UNIONS).title == "Release"


KINDS = "must be one of questions, confirmation, checklist, item_verdicts, suggested_tasks, connection"
ONE_MISTAKE: list[tuple[Any, str, str]] = [
    ([], "", "must be an object"),
    ({}, "/kind", "this is required"),
    (asking(kind="poll"), "/kind", KINDS),
    (asking(kind=5), "/kind", KINDS),
    (asking(title=...), "/title", "this is required"),
    (asking(title=5), "/title", "must be text"),
    (asking(title=""), "/title", "must have at least 1 character"),
    (asking(colour="red"), "/colour", "there is no such field here"),
    (asking(questions=[]), "/questions", "there is no such field here"),  # named like the kind
    (asking(to=5), "/to", "must be text or a list"),
    (asking(to=[]), "/to", "must have at least 1 item"),
    (asking(to=["slack:C1", 5]), "/to/1", "must be text"),
    (asking(payload=5), "/payload", "must be an object"),
    (asking(payload={}), "/payload/questions", "this is required"),
    (asking(payload={"questions": [{"id": "a"}]}), "/payload/questions/0/type", "this is required"),
    (
        asking(payload={"questions": [{"id": "a", "type": "slider"}]}),
        "/payload/questions/0/type",
        "must be one of text, choice, choices, number, date, boolean",
    ),
    (
        asking(payload={"questions": [CHOICE | {"choice": 1}]}),
        "/payload/questions/0/choice",
        "there is no such field here",  # named like the type
    ),
    (
        asking(payload={"questions": [CHOICE | {"initial": "no"}]}),
        "/payload/questions/0/initial",
        "initial is not the id of an option",
    ),
    (asking(audience={"answerers": []}), "/audience/answerers", "must have at least 1 item"),
    (asking(audience={"quorum": True}), "/audience/quorum", "must be a whole number"),
    (asking(policy={"starts": "later"}), "/policy/starts", "must be 'delivered' or 'asked'"),
    (asking(policy={"nudges": {"max": 0}}), "/policy/nudges/max", "must be greater than or equal to 1"),
    (asking(policy={"default": {"a/b": 5}}), "/policy/default/a~1b", "must be an object"),
    (asking(target="x"), "/target", "must be null"),
]


@pytest.mark.parametrize(("document", "pointer", "detail"), ONE_MISTAKE)
def test_one_mistake_is_one_fault_where_it_is(document: Any, pointer: str, detail: str) -> None:
    assert faults(document) == {pointer: detail}


def test_every_mistake_is_found_at_once() -> None:
    broken = asking(
        title=7,
        colour="red",
        payload={
            "questions": [
                {**CHOICE, "options": [{"id": 5, "label": "", "tint": 1}]},
                {"id": "", "type": "text", "max_length": 1.5, "pattern": "(?=a)"},
                7,
            ]
        },
    )
    assert faults(broken) == {
        "/title": "must be text",
        "/colour": "there is no such field here",
        "/payload/questions/0/options/0/id": "must be text",
        "/payload/questions/0/options/0/label": "must have at least 1 character",
        "/payload/questions/0/options/0/tint": "there is no such field here",
        "/payload/questions/1/id": "must have at least 1 character",
        "/payload/questions/1/prompt": "this is required",
        "/payload/questions/1/max_length": "must be a whole number",
        "/payload/questions/1/pattern": "RE2 does not accept this pattern: invalid perl operator: (?=",
        "/payload/questions/2": "must be an object",
    }


UNREADABLE = [
    (b"", "nothing"),
    (b"  \n", "nothing but space"),
    (b"{", "half an object"),
    (b"{'a': 1}", "Python's spelling"),
    (b'{"a": 1,}', "JavaScript's spelling"),
    (b'{"a": NaN}', "no number"),
    (b'{"a": Infinity}', "no number either"),
    (b'{"a": 1e999}', "infinity in disguise"),
    (b'{"a": ' + b"9" * 5000 + b"}", "more digits than are worth reading"),
    (b'{"a": 1, "a": 2}', "which of the two?"),
    (b'{"b": {"a": 1, "\\u0061": 2}}', "the same key, escaped"),
    (b'{"a": "\xff"}', "not UTF-8"),
    ('{"a": 1}'.encode("utf-16"), "another encoding"),
    (b"\xef\xbb\xbf{}", "a byte order mark"),
    (b"[" * 100_000, "nesting that would exhaust a recursive reader"),
    (b'{"a": "\n"}', "a bare line break in a string"),
]


@pytest.mark.parametrize(("raw", "reason"), UNREADABLE)
def test_what_is_not_json_is_unreadable(raw: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_json(raw)
    assert [fault.pointer for fault in refused.value.faults] == [""], reason


AMBIGUOUS = [
    (b'{"a": ["\\ud800"]}', "/a/0", "half a surrogate pair cannot be written as UTF-8"),
    (b'{"a": "x\\u0000y"}', "/a", "a database may cut at NUL"),
    (b'{"o": {"\\ud800": 1}}', "/o", "in a key as well"),
    (b'{"n": 9223372036854775808}', "/n", "beyond 64 bits"),
    (b'{"n": [-9223372036854775809]}', "/n/0", "beyond 64 bits"),
    (b'{"d": ' + b"[" * 70 + b"]" * 70 + b"}", "/d" + "/0" * 63, "deeper than anyone means"),
]


@pytest.mark.parametrize(("raw", "pointer", "reason"), AMBIGUOUS)
def test_what_readers_disagree_about_is_refused_with_its_place(raw: bytes, pointer: str, reason: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_json(raw)
    assert not isinstance(refused.value, Unreadable)
    assert [fault.pointer for fault in refused.value.faults] == [pointer], reason


TOO_MANY: list[tuple[str, Any]] = [
    ("values of another type", asking(to=[1] * 200_000)),
    ("fields that nobody knows", asking(**{f"x{number}": 1 for number in range(50_000)})),
    ("deep within", asking(payload={"questions": [{**CHOICE, "options": [{"a": 1, "b": 2}] * 128}] * 64})),
]


@pytest.mark.parametrize(("why", "document"), TOO_MANY, ids=[row[0] for row in TOO_MANY])
def test_so_many_mistakes_that_telling_them_would_hold_up_everybody_are_counted(why: str, document: Any) -> None:
    assert list(faults(document).values()) == ["there are more than 1,000 mistakes; so many are not told one by one"], (
        why
    )


def test_texts_that_cannot_be_kept_are_told_up_to_a_thousand() -> None:
    raw = b"[" + b",".join([b'"\\u0000"'] * 50_000) + b"]"
    with pytest.raises(Invalid) as refused:
        read_json(raw)
    assert len(refused.value.faults) == 1_000
    told = problem(Invalid([Fault(f"/answers/{number}", "unknown") for number in range(5_000)]))
    assert len(json.loads(bytes(told.body))["errors"]) == 1_000


def test_a_whole_pair_of_surrogates_is_a_character() -> None:
    assert read_json(b'{"a": "\\ud83d\\ude42"}') == {"a": "🙂"}


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)


@given(DOCUMENTS)
def test_all_other_json_is_read_as_it_is_and_never_crashes_the_check(document: Any) -> None:
    raw = json.dumps(document).encode()
    assert read_json(raw) == document
    with pytest.raises(Invalid) as refused:
        parse(ASK, Body(raw, document), UNIONS)
    assert refused.value.faults

"""What is said is heard, and what is heard can be said again, for sentences and texts that nobody thought of."""

from __future__ import annotations

import json
from datetime import UTC, time, timedelta, timezone
from itertools import accumulate
from typing import get_args

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.sentences import (
    Ack,
    Claim,
    ContractFooter,
    Decline,
    Directive,
    FleetAlert,
    JobMarker,
    NoAction,
    Nudge,
    Reference,
    Result,
    RuntimeContext,
    Sentence,
    Status,
    SubagentUpdate,
    ToolCall,
    WorkOrder,
    around,
    parse,
    speakable,
    speakable_title,
    speakable_update,
    spell,
    split_status,
)

MANY = 10_000

FRAGMENTS = (
    *("[", "]", "[[", "]]", "{", "}", '"', "'", "`", "``", "```", "~~~", "\\", "|", "/", ":", "—", " – ", " - ", ">"),
    *("\n", "\n\n", "\r\n", " ", "\t", "\u2028", "\xa0", "\x00", "\ud800", "ß", "- ", "1. ", "<", "OK ", "DONE: "),
    *("[WO:", "[WO:a] ", "[from ana] ", "[from ", "[priority high] ", "[due 2026-03-01T09:00:00+02:00] ", "[due "),
    *("[ACK:a]", "[ack a/1]", "[CLAIM b]", "[RESULT c]", "[RESULT c] OK ", "[DECLINE d]", "[NO-ACTION e]", "[JOB f] "),
    *("[TOOL op {", "[TOOL op {}]", '[TOOL op {"k": "]`"}]', "[NUDGE g] [nudge 1/3] Deadline 19:45 UTC:", "word "),
    *("[fleet-alert] ", "[fleet-alert] minor: ", "[Directive: ", "[Directive: [ACK a]]", "[Directive:\n"),
    *("[Runtime Context: ", "https://a.b/[c]", "[SUBAGENT-UPDATE] Subagent '", "t' (a1) has posted new output."),
    *("Reply: ", "Reply: [ACK a] seen | [CLAIM a]", "Reply: [ACK <id>] seen"),
)  # fmt: skip

texts = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.characters()), max_size=30).map("".join),
    st.text(),
)
sayable = texts.map(speakable)
sendable = st.text(st.characters(codec="utf-8")) | st.sampled_from(FRAGMENTS).filter(lambda text: text != "\ud800")
ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True)
references = st.builds(Reference, ids, st.none() | st.integers(0, 999_999_999))
senders = st.from_regex(r"[^\s\[\]`:](?:[^\n\[\]`]{0,20}[^\s\[\]`])?", fullmatch=True)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(timezones=offsets).filter(lambda moment: 1 < moment.year < 9999)
hours = st.builds(time, st.integers(0, 23), st.integers(0, 59), tzinfo=st.just(UTC))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | sendable,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(sendable, inner, max_size=3),
    max_leaves=6,
)


def result(reference: Reference, words: str, status: Status | None) -> Result:
    """A result in the words of somebody who may have begun with a status themselves."""
    own, summary = split_status(words)
    return Result(reference, summary, own or status)


def call(op: str, arguments: object) -> ToolCall:
    return ToolCall(op, json.dumps(arguments, sort_keys=True, ensure_ascii=False))


def balanced(url: str) -> bool:
    depths = list(accumulate((character == "[") - (character == "]") for character in url))
    return depths[-1] == 0 and min(depths) == 0


SENTENCES: dict[type, st.SearchStrategy[Sentence]] = {
    WorkOrder: st.builds(
        WorkOrder,
        ids,
        texts.map(speakable_title),
        sayable,
        st.none() | senders,
        st.none() | st.from_regex(r"[a-z0-9][a-z0-9_-]{0,31}", fullmatch=True),
        st.none() | moments,
    ).filter(lambda order: bool(order.title)),
    Ack: st.builds(Ack, references, st.none() | senders),
    Claim: st.builds(Claim, references),
    Result: st.builds(result, references, sayable, st.none() | st.sampled_from(Status)),
    Decline: st.builds(Decline, references, sayable),
    NoAction: st.builds(NoAction, references, sayable),
    ToolCall: st.builds(call, ids, st.dictionaries(sendable, json_values, max_size=4)),
    JobMarker: st.builds(JobMarker, references, sayable),
    Nudge: st.builds(Nudge, references, st.integers(1, 9999), st.integers(1, 9999), hours | moments, sayable),
    FleetAlert: st.builds(FleetAlert, st.from_regex(r"[A-Z][A-Z0-9_-]{0,31}", fullmatch=True), sayable),
    ContractFooter: st.builds(ContractFooter, references),
    Directive: st.builds(Directive, st.from_regex(r"[^\[\]\\`>~\n\s](?:[^\[\]\\`\n]*[^\[\]\\`\s])?", fullmatch=True)),
    RuntimeContext: st.builds(
        RuntimeContext, st.from_regex(r"https://[a-z.:0-9/\[\]?&=_-]{1,40}", fullmatch=True).filter(balanced)
    ),
    SubagentUpdate: st.builds(SubagentUpdate, st.from_regex(r"[\w -]{1,80}", fullmatch=True), ids, sayable),
}
sentences = st.one_of(*SENTENCES.values())


def check_said_and_heard(sentence: Sentence) -> None:
    said = spell(sentence)
    assert parse(said) == (sentence,)
    assert spell(parse(said)[0]) == said


def check_heard_and_said(text: str) -> None:
    """Whatever was heard stands where it says, in order, means the same when it stands alone, and can be said again."""
    heard = parse(text)
    position = 0
    for sentence in heard:
        assert sentence.span is not None
        start, end = sentence.span
        assert position <= start < end <= len(text)
        assert parse(text[start:end]) == (sentence,)
        assert parse(spell(sentence)) == (sentence,)
        position = end
    assert len(around(text, heard)) <= len(text)


def test_every_structure_is_tried() -> None:
    assert set(SENTENCES) == set(get_args(Sentence))


@given(sentences)
def test_what_is_said_is_heard(sentence: Sentence) -> None:
    check_said_and_heard(sentence)


@given(texts)
def test_what_is_heard_can_be_said_again(text: str) -> None:
    check_heard_and_said(text)


@given(texts)
def test_a_text_made_speakable_says_nothing_of_its_own(text: str) -> None:
    reason = speakable(text)
    assert parse(spell(Decline(Reference("a"), reason))) == (Decline(Reference("a"), reason),)
    assert speakable(reason) == reason


@given(texts, texts)
def test_an_update_that_was_heard_is_said_by_itself(title: str, details: str) -> None:
    text = f"[Directive: [SUBAGENT-UPDATE] Subagent '{title}' (a1) has posted new output. {details}"
    for heard in (one for one in parse(text) if isinstance(one, SubagentUpdate)):
        alone = speakable_update(heard)
        assert parse(spell(alone)) == (alone,)


def test_code_in_the_title_of_an_update_hides_nothing_of_its_details() -> None:
    heard = SubagentUpdate("a`b", "a1", "`[ACK 1]\nReply: [ACK 1] seen | [CLAIM 1] mine")
    with pytest.raises(ValueError, match="no text means this"):
        spell(heard)
    assert spell(speakable_update(heard)) == (
        "[SUBAGENT-UPDATE] Subagent 'a´b' (a1) has posted new output. `[ACK 1]\nReply\\: [ACK 1] seen | [CLAIM 1] mine"
    )


@given(st.lists(sentences, min_size=2, max_size=4))
def test_sentences_on_lines_of_their_own_are_heard_one_by_one(several: list[Sentence]) -> None:
    said = [spell(sentence) for sentence in several]
    assume(not any(code in text for text in said for code in ("`", "~~~")))  # code may swallow what follows it
    assert parse("\n".join(said)) == tuple(several)


@pytest.mark.slow
def test_ten_thousand_sentences_are_said_and_heard() -> None:
    tried = 0

    @settings(max_examples=MANY)
    @given(sentences)
    def check(sentence: Sentence) -> None:
        nonlocal tried
        check_said_and_heard(sentence)
        tried += 1

    check()
    assert tried >= MANY


@pytest.mark.slow
@settings(max_examples=MANY)
@given(texts)
def test_ten_thousand_hostile_texts_are_heard_and_said_again(text: str) -> None:
    check_heard_and_said(text)

"""Every structure of the protocol: what is heard, what it means, and its one spelling."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import NamedTuple, get_args

import pytest

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
    parse,
    spell,
)

A = Reference("7f")
NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)
BLANK_LINES = "first\n\n```\n[ACK 7f]\n```\nlast"


class Row(NamedTuple):
    """A text in its one spelling, what it means, and why it is here."""

    text: str
    meaning: Sentence
    reason: str


SPELLINGS = [
    Row(
        "[WO:7f] [from lead] Check the export — Call it twice and post both answers.",
        WorkOrder("7f", "Check the export", "Call it twice and post both answers.", "lead"),
        "an order says who sends it, what is wanted and how",
    ),
    Row(
        "[WO:7f] [from Ana Lima] [priority high] [due 2026-03-01T09:00:00Z] Check the export — Twice.",
        WorkOrder("7f", "Check the export", "Twice.", "Ana Lima", "high", NINE),
        "priority and due follow the sender",
    ),
    Row("[WO:7f] Check the export", WorkOrder("7f", "Check the export"), "a title may say it all"),
    Row(
        "[WO:7f] Check e-mail - now —",
        WorkOrder("7f", "Check e-mail - now"),
        "without a body, a dash at the end keeps the title whole",
    ),
    Row(
        f"[WO:7f] Check — {BLANK_LINES}",
        WorkOrder("7f", "Check", BLANK_LINES),
        "a body has paragraphs, and code in them",
    ),
    Row("[ACK:7f] [from 12]", Ack(A, "12"), "seen, and a name that is only a claim"),
    Row("[ACK:7f]", Ack(A), "seen, by whoever the provider says"),
    Row("[CLAIM 7f]", Claim(A), "mine alone"),
    Row("[CLAIM swarm-4a/3]", Claim(Reference("swarm-4a", 3)), "one slot of shared work"),
    Row(
        "[RESULT 7f] OK All 14 calls answered, none failed.",
        Result(A, "All 14 calls answered, none failed.", Status.OK),
        "a status and what was found",
    ),
    Row("[RESULT 7f] Nothing to report", Result(A, "Nothing to report"), "words without a status are the summary"),
    Row("[RESULT 7f] Ok so far", Result(A, "Ok so far"), "a status is in upper case"),
    Row("[RESULT 7f] OKAY", Result(A, "OKAY"), "and is a whole word"),
    Row("[RESULT 7f] DONE", Result(A, "", Status.DONE), "the loop may ask for more words; the parser does not"),
    Row(
        f"[RESULT 7f] PARTIAL {BLANK_LINES}",
        Result(A, BLANK_LINES, Status.PARTIAL),
        "evidence has paragraphs, and code that says nothing",
    ),
    Row("[DECLINE 7f] The host is being repaired.", Decline(A, "The host is being repaired."), "not I, and why"),
    Row(
        "[NO-ACTION 7f] The probe came back by itself.",
        NoAction(A, "The probe came back by itself."),
        "nobody needs to do anything, and why",
    ),
    Row(
        '[TOOL followup.create {"in_m": 5, "prompt": "Look again"}]',
        ToolCall("followup.create", '{"in_m": 5, "prompt": "Look again"}'),
        "an operation and its arguments",
    ),
    Row(
        '[TOOL loop.show {"a": "]} [ACK 7f] \\"`", "b": [[1], {"c": []}]}]',
        ToolCall("loop.show", '{"a": "]} [ACK 7f] \\"`", "b": [[1], {"c": []}]}'),
        "strings hold brackets and quotes, lists hold lists",
    ),
    Row(
        "[JOB swarm-4a/1] Slot 1: compare the two lists.",
        JobMarker(Reference("swarm-4a", 1), "Slot 1: compare the two lists."),
        "a slot that was given out, and its task",
    ),
    Row("[JOB 7f]", JobMarker(A), "work without slots"),
    Row(
        "[NUDGE 7f] [nudge 1/3] Deadline 19:45 UTC: How far is the check?",
        Nudge(A, 1, 3, time(19, 45, tzinfo=UTC), "How far is the check?"),
        "the first of three, for today",
    ),
    Row(
        "[NUDGE 7f] [nudge 3/3] Deadline 2026-03-01T09:00:00Z:",
        Nudge(A, 3, 3, NINE),
        "the last of three, with a date and nothing to add",
    ),
    Row(
        "[fleet-alert] CRITICAL: Port 22 does not answer, twice",
        FleetAlert("CRITICAL", "Port 22 does not answer, twice"),
        "how bad, and what",
    ),
    Row(
        "Reply: [ACK 7f] seen | [CLAIM 7f] mine | [RESULT 7f] done | [DECLINE 7f] | [NO-ACTION 7f].",
        ContractFooter(A),
        "how to reply, which replies to nothing",
    ),
    Row(
        "[Directive: Go on, or end with [RESULT 7f]]",
        Directive("Go on, or end with [RESULT 7f]"),
        "a directive quotes what it wants to hear",
    ),
    Row(
        "[Directive:\n> keep [this\nGo on.\n]",
        Directive("> keep [this\nGo on."),
        "a quote in a directive begins a line, so that its brackets do not count",
    ),
    Row(
        "[Runtime Context: https://example.com/thread/7f?a[]=1]",
        RuntimeContext("https://example.com/thread/7f?a[]=1"),
        "an address, in which brackets come in pairs",
    ),
    Row(
        "[SUBAGENT-UPDATE] Subagent 'check-export' (4a2b) has posted new output.",
        SubagentUpdate("check-export", "4a2b"),
        "which session below has news",
    ),
    Row(
        "[SUBAGENT-UPDATE] Subagent 'it's late' (4a2b) has posted new output. Two of nine differ.",
        SubagentUpdate("it's late", "4a2b", "Two of nine differ."),
        "and what the news is",
    ),
]


@pytest.mark.parametrize(("text", "meaning", "reason"), SPELLINGS)
def test_a_sentence_is_heard_and_said_the_same(text: str, meaning: Sentence, reason: str) -> None:
    assert parse(text) == (meaning,), reason
    assert spell(meaning) == text, reason


def test_every_structure_has_an_example() -> None:
    assert {type(row.meaning) for row in SPELLINGS} == set(get_args(Sentence))
    assert len(get_args(Sentence)) == 14


VARIANTS = [
    Row("[wo:7f] [FROM lead] Check – now", WorkOrder("7f", "Check", "now", "lead"), "capitals or not; an en dash"),
    Row("[WO:7f] Check - now", WorkOrder("7f", "Check", "now"), "a hyphen between spaces divides"),
    Row("[WO:7f] Check—now", WorkOrder("7f", "Check", "now"), "an em dash needs no spaces"),
    Row("[WO:7f] Fix 9–17 e-mail", WorkOrder("7f", "Fix 9–17 e-mail"), "other dashes do: ranges and words have them"),
    Row("[WO:7f] A - b – c — d — e", WorkOrder("7f", "A - b – c", "d — e"), "the clearest dash divides, and the first"),
    Row("[WO:7f]\nCheck\nTwice", WorkOrder("7f", "Check", "Twice"), "without a dash, the end of the line divides"),
    Row("[WO:7f]\n[from lead] Check", WorkOrder("7f", "[from lead] Check"), "marks stand on the line of the order"),
    Row("[WO 7f] Check", WorkOrder("7f", "Check"), "a space is as good as a colon"),
    Row(
        "[WO:7f][due 2026-03-01t11:00:00+02:00] [Priority HIGH] [from lead] Check",
        WorkOrder("7f", "Check", "", "lead", "high", NINE),
        "marks come in any order; a moment is kept in UTC",
    ),
    Row(
        "[WO:7f] [from a] [from b] Check", WorkOrder("7f", "[from b] Check", "", "a"), "a second sender is title"
    ),
    Row(
        "[WO:7f] [due tomorrow] Check", WorkOrder("7f", "[due tomorrow] Check"), "a moment that is none is not guessed"
    ),
    Row(
        "[WO:7f] [due 2026-02-30T09:00:00Z] Check",
        WorkOrder("7f", "[due 2026-02-30T09:00:00Z] Check"),
        "nor one that the calendar lacks",
    ),
    Row(
        "[WO:7f] [due 0001-01-01T00:00:00+23:00] Check",
        WorkOrder("7f", "[due 0001-01-01T00:00:00+23:00] Check"),
        "nor one before the calendar",
    ),
    Row("[WO:7f] [RESULT 9] is wrong", WorkOrder("7f", "[RESULT 9] is wrong"), "an order needs a title, this is it"),
    Row("[Ack 7f]", Ack(A), "seen, as people write it"),
    Row("[ ACK : 7f ]", Ack(A), "spaces beside brackets and colon do not matter"),
    Row("[ACK\xa07f]", Ack(A), "nor which space it is"),
    Row("[ACK:7f] [from: lead]", Ack(A, "lead"), "a colon may follow the word of a mark"),
    Row("[ACK:7f] [from ::lead]", Ack(A), "one colon, not two"),
    Row("[CLAIM:7f]", Claim(A), "a colon is as good as a space"),
    Row("[CLAIM a/007]", Claim(Reference("a", 7)), "a slot is a number"),
    Row("[RESULT 7f] FAIL: No answer", Result(A, "No answer", Status.FAIL), "a colon may follow the status"),
    Row("[RESULT 7f]\nERROR\nNo answer", Result(A, "No answer", Status.ERROR), "the status may stand on the next line"),
    Row("[RESULT 7f] > quoted [ACK 9]", Result(A, "> quoted [ACK 9]"), "a result quotes within its line"),
    Row("[no-action 7f]", NoAction(A), "a reason may be missing here; the loop asks for it"),
    Row('[TOOL op {"b":1,\n "a" : 1e2}\n]', ToolCall("op", '{"a": 100.0, "b": 1}'), "JSON may be laid out in any way"),
    Row("[NUDGE 7f] [NUDGE 1/2] deadline 09:00UTC:", Nudge(A, 1, 2, time(9, tzinfo=UTC)), "capitals again"),
    Row("[Fleet-Alert] minor : slow", FleetAlert("MINOR", "slow"), "a severity is in upper case, whoever writes it"),
    Row("[directive: a]", Directive("a"), "capitals again"),
    Row("[Directive: \\[ and `[` stay open]", Directive("\\[ and `[` stay open"), "escapes and code do not count"),
    Row(
        '[Directive: run [TOOL a {"b": "]]"}] then [ACK 7f]]',
        Directive('run [TOOL a {"b": "]]"}] then [ACK 7f]'),
        "nor the strings of a call that is quoted",
    ),
    Row("[runtime  context: <https://a.b>]", RuntimeContext("https://a.b"), "chats frame addresses"),
    Row(
        "[SUBAGENT-UPDATE] Subagent ‘a’ (b) has posted new output", SubagentUpdate("a", "b"), "chats make quotes curly"
    ),
    Row("reply: [ack 7f] ok", ContractFooter(A), "a line that begins so is a footer even with one reply in it"),
    Row("Reply: [ACK 7f] seen |\n[CLAIM 7f] mine", ContractFooter(A), "a bar at its end joins the next line"),
    Row("Reply: [ACK 7f] seen\n | [CLAIM 7f] mine", ContractFooter(A), "and so does one at the next line's beginning"),
    Row("**Reply:** [ACK 7f] seen | [CLAIM 7f] mine. [RESULT 7f] OK", ContractFooter(A), "all of its line is footer"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning", "reason"), VARIANTS)
def test_a_sentence_is_heard_however_it_is_written(text: str, meaning: Sentence, reason: str) -> None:
    assert parse(text) == (meaning,), reason
    assert parse(spell(meaning)) == (meaning,), reason


UNSAYABLE: list[tuple[Sentence, str]] = [
    (Claim(Reference("a/b")), "a slash divides loop and slot"),
    (Claim(Reference("")), "a loop has an id"),
    (Claim(Reference("a", -1)), "a slot is not negative"),
    (WorkOrder("7f", "one — two"), "the title would end at the dash"),
    (WorkOrder("7f", "one\ntwo", "three"), "a title is one line"),
    (WorkOrder("7f", "a", due=NINE.replace(tzinfo=None)), "nine o'clock where?"),
    (Ack(A, ":lead"), "the colon would be the mark's"),
    (Ack(A, "lead] [CLAIM 7f"), "a name ends at its bracket"),
    (Result(A, "OK then"), "the summary would be a status"),
    (Decline(A, "no\n[CLAIM 9]"), "a sentence that begins a line is said"),
    (Decline(A, "no. Reply: [ACK 9] | [CLAIM 9]"), "a footer never belongs to a sentence"),
    (ToolCall("op", '{"a": NaN}'), "JSON has no such number"),
    (ToolCall("op", '{"b": 1, "a": 1}'), "the keys are not in order"),
    (Nudge(A, 1, 3, time(19, 45)), "a quarter to eight where?"),
    (Nudge(A, 1, 3, time(19, 45, 30, tzinfo=UTC)), "a time of day has no seconds"),
    (FleetAlert("minor", "slow"), "a severity is in upper case"),
    (Directive("a] [CLAIM 7f"), "the directive would end at its bracket"),
    (RuntimeContext("javascript:alert()"), "an address is https"),
    (SubagentUpdate("a", "b c"), "an id is one word"),
]


@pytest.mark.parametrize(("sentence", "reason"), UNSAYABLE)
def test_what_would_mean_something_else_is_not_said(sentence: Sentence, reason: str) -> None:
    with pytest.raises(ValueError, match=r"no text means|without a zone"):
        pytest.fail(f"{spell(sentence)}, although {reason}")

"""What is shown without being said: quotes, code, footers, sentences within sentences; and the message around them."""

from __future__ import annotations

import pytest

from core.sentences import (
    Ack,
    Claim,
    ContractFooter,
    Decline,
    Directive,
    FleetAlert,
    JobMarker,
    Reference,
    Result,
    Sentence,
    Status,
    SubagentUpdate,
    ToolCall,
    WorkOrder,
    around,
    parse,
    speakable,
    speakable_title,
    spell,
    split_status,
)

A, B = Reference("a"), Reference("b")

UNSAID = [
    ("> [ACK a]", "a quote repeats what somebody else said"),
    ("  > [ACK a]", "however far in it stands"),
    ("- > [ACK a]", "in a list as well"),
    (">>> [ACK a]", "or a quote of a quote"),
    ("`[ACK a]`", "code shows how it is said"),
    ("`` ` [ACK a] ``", "with backticks in it"),
    ("`so\n[ACK a]\nso`", "over several lines of a paragraph"),
    ("```[ACK a]```", "a fence on one line is code"),
    ("```\n[ACK a]\n```", "a fence"),
    ("```text\n[ACK a]\n\n[ACK a]\n```", "with a language, over paragraphs"),
    ("see ```\n\n[ACK a]\n```", "one that begins within a line, as Slack has it"),
    ("- ```\n  [ACK a]\n  ```", "one in a list"),
    ("~~~\n```\n[ACK a]\n~~~", "one of tildes, which backticks do not close"),
    ("````\n```\n[ACK a]\n````", "one that only its own length closes"),
    ("```\n[ACK a]", "one that nobody closes"),
    ("```\r\n[ACK a]\r\n```", "one with the line ends of another system"),
    ("\\[ACK a]", "a backslash takes the meaning from a bracket"),
    ("[ACK a", "a bracket that stays open"),
    ("[ACK]", "no id"),
    ("[ACK a b]", "two words"),
    ("[ACK _a]", "an id begins with a letter or a digit"),
    ("[ACK a/]", "a slot is a number"),
    ("[ACK a/b]", "and digits alone"),
    ("[ACK a/1/2]", "and one"),
    ("[ACK a/1234567890]", "and has nine digits at most"),
    ("[ACK " + "a" * 65 + "]", "an id has 64 characters at most"),
    ("[ACKNOWLEDGE a]", "another word"),
    ("[ACKa]", "no space"),
    ("[A\u212a a]", "a sign that only looks like a K when folded"),
    ("[\uff21CK a]", "a letter that only looks like an A"),
    ("[ACK \u0661]", "a digit of another script"),
    ("[ACK\na]", "a tag does not break"),
    ("[WO:a/1] Check", "an order is for a loop, not for a slot"),
    ("[TOOL op]", "no arguments"),
    ("[TOOL op [1]]", "arguments are an object"),
    ("[TOOL op {'a': 1}]", "JSON has double quotes"),
    ('[TOOL op {"a": 1,}]', "and no comma at the end"),
    ('[TOOL op {"a": 1, "a": 2}]', "a key that stands twice could mean either"),
    ('[TOOL op {"a": NaN}]', "no number"),
    ('[TOOL op {"a": 1e999}]', "a number without end"),
    ('[TOOL op {"a": ' + "1" * 5000 + "}]", "a number without use"),
    ('[TOOL op {"a": "\\ud800"}]', "half a character"),
    ('[TOOL op {"a": ' + "[" * 70 + "]" * 70 + "}]", "lists within lists without end"),
    ('[TOOL op {"a": "b]', "a string that stays open"),
    ('[TOOL op {"a": 1} extra]', "more than the arguments"),
    ("[NUDGE a] [nudge 1/3] Deadline 25:00 UTC: Well?", "no such hour"),
    ("[NUDGE a] [nudge 1/3] Deadline 19:45: Well?", "a quarter to eight where?"),
    ("[NUDGE a] [nudge 0/3] Deadline 19:45 UTC: Well?", "reminders are counted from one"),
    ("[NUDGE a] Deadline 19:45 UTC: Well?", "which of how many?"),
    ("[fleet-alert] the port is closed", "how bad?"),
    ("[Directive do it]", "a directive has a colon"),
    ("[Directive: ]", "and says something"),
    ("[Directive: a [b]", "and every bracket in it closes"),
    ("[Runtime Context: http://example.com]", "an address is https"),
    ("[Runtime Context: https://a b]", "and one word"),
    ("[SUBAGENT-UPDATE] Subagent 'a' has posted new output.", "which one?"),
    ("Reply: [ACK <id>] seen | [CLAIM {id}] mine", "a footer that is about no loop"),
    ("Reply: [ACK …] seen | [RESULT a extra] done", "a footer in which no id can be read"),
]


@pytest.mark.parametrize(("text", "reason"), UNSAID)
def test_what_is_only_shown_is_not_said(text: str, reason: str) -> None:
    assert parse(text) == (), reason
    assert around(text, ()) == text.strip()


@pytest.mark.parametrize(("text", "reason"), UNSAID)
def test_what_is_only_shown_can_be_a_reason(text: str, reason: str) -> None:
    decline = Decline(A, speakable(text))
    assert parse(spell(decline)) == (decline,), reason


HEARD: list[tuple[str, tuple[Sentence, ...], str, str]] = [
    ("On it! [ACK a] Give me an hour.", (Ack(A),), "On it!\nGive me an hour.", "a sentence may stand in a message"),
    ("[ACK a] [CLAIM a]", (Ack(A), Claim(A)), "", "two on one line"),
    ("[DECLINE a] [CLAIM b]", (Decline(A), Claim(B)), "", "no reason begins with a sentence"),
    ("[JOB a] [RESULT a] OK", (JobMarker(A), Result(A, "", Status.OK)), "", "nor does a task"),
    ("[RESULT a] OK one\n[RESULT b] OK two", (Result(A, "one", Status.OK), Result(B, "two", Status.OK)), "", "by line"),
    ("- [DECLINE a] no\n2. [ACK b] yes", (Decline(A, "no"), Ack(B)), "yes", "by item"),
    ("[DECLINE a] no\n\u2003[ACK b]", (Decline(A, "no"), Ack(B)), "", "a wide space indents as well"),
    ("[RESULT a] I waited for [ACK b]", (Result(A, "I waited for [ACK b]"),), "", "a summary quotes in its line"),
    ("[RESULT a] so:\n> [ACK b]\ndone", (Result(A, "so:\n> [ACK b]\ndone"),), "", "and in quotes"),
    ("[WO:a] Check — say [ACK a] if seen", (WorkOrder("a", "Check", "say [ACK a] if seen"),), "", "so does an order"),
    ("[Directive: say [ACK a] [CLAIM a]]", (Directive("say [ACK a] [CLAIM a]"),), "", "as does a directive"),
    ('[TOOL op {"p": "[ACK a]"}]', (ToolCall("op", '{"p": "[ACK a]"}'),), "", "as does a call"),
    ("[fleet-alert] LOW: [ACK a] lost", (FleetAlert("LOW", "[ACK a] lost"),), "", "and an alert at once"),
    (
        "[SUBAGENT-UPDATE] Subagent '[ACK a]' (b) has posted new output. [ACK a]",
        (SubagentUpdate("[ACK a]", "b", "[ACK a]"),),
        "",
        "as does a relayed output",
    ),
    (
        "[WO:a] Check. Reply: [ACK a] seen | [CLAIM a] mine\n[ACK b]",
        (WorkOrder("a", "Check."), ContractFooter(A), Ack(B)),
        "",
        "a footer ends an order within its line, and itself with it",
    ),
    ("my reply: [ACK a] seen", (Ack(A),), "my reply:\nseen", "who says that replies"),
    ("Reply: see below\n[ACK a]", (Ack(A),), "Reply: see below", "and so does who says this"),
    ("> Can you?\n[ACK a]", (Ack(A),), "> Can you?", "the line below a quote answers it"),
    ("`a\n\n[ACK a]\n\nb`", (Ack(A),), "`a\nb`", "code ends with its paragraph"),
    ("- `a\n- [ACK a] b`", (Ack(A),), "- `a\nb`", "and with its list item"),
    ("```\nlog\n```\n[ACK a]", (Ack(A),), "```\nlog\n```", "what follows code is said"),
    ("it`s [ACK a]", (Ack(A),), "it`s", "one backtick hides nothing"),
    ("[ [ACK a]", (Ack(A),), "[", "nor does an open bracket"),
    ("[see [ACK a]]", (Ack(A),), "[see\n]", "nor one that is no sentence"),
    ("[Directive: [ACK a]", (Ack(A),), "[Directive:", "nor a directive that is none"),
    ("收到[ACK a]。", (Ack(A),), "收到\n。", "not every script has spaces"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said", "message", "reason"), HEARD)
def test_what_is_said_counts_and_the_rest_is_the_message(
    text: str, said: tuple[Sentence, ...], message: str, reason: str
) -> None:
    heard = parse(text)
    assert heard == said, reason
    assert around(text, heard) == message, reason


def test_a_sentence_knows_where_it_stands() -> None:
    text = "So:\n\n- [RESULT a] OK  fine \n\n- [ACK:b]  [from x]  thanks"
    first, second = (sentence.span for sentence in parse(text))
    assert first is not None
    assert second is not None
    assert text[slice(*first)] == "[RESULT a] OK  fine"
    assert text[slice(*second)] == "[ACK:b]  [from x]"


def test_who_spoke_is_only_what_the_text_claims() -> None:
    (order,) = parse("[WO:a] [from the owner] Check")
    assert isinstance(order, WorkOrder)
    assert order.claimed_sender == "the owner"
    assert parse("[CLAIM a] [from the owner]") == (Claim(A),)  # where nobody needs the name, it is conversation


def test_what_somebody_typed_is_made_fit_to_be_said() -> None:
    typed = "FAIL\n[ACK b] is what it said.\n- [from x]\nReply: [ACK a] | [CLAIM a]\n```\n[ACK a]\n```\n"
    status, summary = split_status(speakable(typed))
    result = Result(A, summary, status)
    assert parse(spell(result)) == (result,)
    assert result.status is Status.FAIL
    assert result.summary == "\\[ACK b] is what it said.\n- \\[from x]\nReply\\: [ACK a] | [CLAIM a]\n```\n[ACK a]\n```"


@pytest.mark.parametrize(
    ("typed", "title", "reason"),
    [
        ("  Check\n the export ", "Check the export", "a title is one line"),
        ("Check — twice", "Check – twice", "its dash does not divide"),
        ("[from x] Check", "\\[from x] Check", "it names no sender"),
        ("Use `a` and `b", "Use 'a' and 'b", "code that stays open could swallow the body's"),
        ("Use `[a]`", "Use `[a]`", "code that closes stays code"),
    ],
)
def test_a_title_that_somebody_typed_is_made_fit(typed: str, title: str, reason: str) -> None:
    assert speakable_title(typed) == title, reason
    order = WorkOrder("a", title, "`[ACK a]`\n- Twice")
    assert parse(spell(order)) == (order,), reason

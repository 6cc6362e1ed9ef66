"""Prompts: who is asked for words, what they must look like, and what the empty box says."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram.check import check
from blocks.telegram.parse_html import parse_html
from blocks.telegram.prompt import Prompted, prompt
from core.controls import OPENS_FORM, Action
from core.moments import HOW
from core.outbox import AskWords
from tests.blocks.telegram.cards import ID, card, choice, confirmation, connection, judged, questions, tasks

TEXT = {"id": "q", "prompt": "What happened?", "type": "text"}


def _asked(action: Action, *, group: bool = False, name: str = "Ana", question: int = 0, option: int = 0) -> AskWords:
    return AskWords(
        interaction=ID,
        publication=1,
        revision=1,
        action=action,
        question=question,
        option=option,
        provider="telegram",
        account="sayso_bot",
        channel="-1001" if group else "42",
        thread=None,
        reply_to="7",
        person="per_1",
        user="42",
        name=name,
    )


def _expect_sendable(made: Prompted) -> None:
    assert check("sendMessage", {"text": made.text, "parse_mode": "HTML", "reply_markup": made.markup()}) is None


CASES: list[tuple[Action, dict[str, Any], str, str]] = [
    # what is asked for, of which card, what the prompt says, what the empty box says
    (Action.WRITE, questions(TEXT), "Reply to this message with your answer to “Release 4.2”.", "Your answer"),
    (Action.WRITE, questions({**TEXT, "placeholder": "a line"}), "Reply to", "a line"),
    (Action.WRITE, questions({**TEXT, "placeholder": "p" * 65}), "Reply to", "Your answer"),
    (Action.WRITE, questions({**TEXT, "min_length": 3}), "The answer has at least 3 characters.", "Your answer"),
    (Action.WRITE, questions({"id": "q", "prompt": "?", "type": "number"}), "The answer is a number.", "A number"),
    (Action.WRITE, questions({"id": "q", "prompt": "?", "type": "date"}), "written YYYY-MM-DD.", "YYYY-MM-DD"),
    (Action.OTHER, questions(choice("Red", custom=True)), "with your own words for “Release 4.2”.", "Your words"),
    (Action.COMMENT, confirmation(), "nothing is decided by them.", "Your words"),
    (Action.REASON, confirmation(reason="required", reason_label="Why?"), "to reject “Delete it?”.", "Why?"),
    (Action.REASON, confirmation(reject_label="Keep it"), "press “Keep it (no reason)” on the card.", "Reason"),
    (Action.WRITE, questions({**TEXT, "initial": "as before"}), "Reply to", "as before"),
    (Action.WRITE, questions({"id": "q", "prompt": "?", "type": "number", "initial": 3}), "Reply to", "3"),
    (
        Action.WRITE,
        questions({"id": "q", "prompt": "?", "type": "date", "initial": "2026-12-24"}),
        "Reply",
        "2026-12-24",
    ),
    (Action.REASON, tasks("Rehearse"), "why none of the tasks of “Follow-ups” is to be created.", "The reason"),
    (Action.REASON, tasks("Rehearse"), "press “None of these (no reason)” on the card.", "The reason"),
    (Action.REASON, connection(), "with why you decline “Connect to GitHub”.", "The reason"),
    (Action.REASON, connection(), "press “Decline (no reason)” on the card.", "The reason"),
    (
        Action.SEARCH,
        questions(choice("Red")),
        "a part of the option that you look for in “Release 4.2”.",
        "A part of its name",
    ),
    (Action.PUT_OFF, confirmation(), "with when I am to remind you of “Delete it?”.", "20m, 18:30, mon 9:00"),
    (Action.PUT_OFF, confirmation(), "your time zone; /zone says which", "20m, 18:30, mon 9:00"),
    (Action.DELEGATE, confirmation(), "the person to hand “Delete it?” to, such as ana.", "A handle, such as ana"),
    (Action.JUDGE, judged("a <b> 2.1"), "with the reason for “Approve” on “a <b> 2.1” in “Updates”.", "The reason"),
]


@pytest.mark.parametrize(("action", "content", "says", "box"), CASES)
def test_a_prompt_says_what_is_expected(action: Action, content: dict[str, Any], says: str, box: str) -> None:
    made = prompt(_asked(action), card(content))
    assert says in parse_html(made.text).text
    assert made.placeholder == box
    assert "<" not in made.placeholder
    _expect_sendable(made)


FORM = questions(
    choice("Red", custom=True),
    {"id": "q2", "prompt": "How <many>?", "type": "number", "help": 'Count the "red" ones', "max": 9},
)


def test_in_a_form_a_prompt_says_the_question_that_the_card_has_left_behind() -> None:
    made = prompt(_asked(Action.WRITE, question=1), card(FORM))
    assert parse_html(made.text).text == (
        "Reply to this message with your answer to question 2 of 2 of “Release 4.2”.\n\n"
        'How <many>?\n\nCount the "red" ones\n\nThe answer is a number, 9 or less.'
    )
    own = parse_html(prompt(_asked(Action.OTHER), card(FORM)).text).text
    assert own == "Reply to this message with your own words for question 1 of 2 of “Release 4.2”.\n\nWhich?"
    found = parse_html(prompt(_asked(Action.SEARCH), card(FORM)).text).text
    assert found.endswith("that you look for in question 1 of 2 of “Release 4.2”.")


def test_in_a_form_a_prompt_leaves_out_what_one_message_does_not_hold() -> None:
    asked = {"id": "q2", "prompt": "p" * 2_100, "type": "text", "help": "h" * 2_100}
    text = parse_html(prompt(_asked(Action.WRITE, question=1), card(questions(choice("Red"), asked))).text).text
    assert "p" * 2_100 in text
    assert "h" not in text.rpartition("p")[2]
    longest = {**asked, "prompt": "p" * 4_000, "pattern": "a*", "pattern_hint": "🦆" * 1_000}
    made = prompt(_asked(Action.WRITE, question=1, group=True, name="𝕬" * 300), card(questions(choice("R"), longest)))
    assert "question 2 of 2" in made.text
    assert "🦆" * 1_000 in made.text
    _expect_sendable(made)


def test_a_verdict_with_an_optional_reason_names_the_way_without_one() -> None:
    verdicts = [{"id": "y", "label": "Yes"}, {"id": "n", "label": "No", "reason": "optional"}]
    made = prompt(_asked(Action.JUDGE, question=1, option=1), card(judged("one", "two", verdicts=verdicts)))
    text = parse_html(made.text).text
    assert "the reason for “No” on “two”" in text
    assert "press “No (no reason)” on the card." in text


def test_a_prompt_about_the_longest_item_is_one_message() -> None:
    verdicts = [{"id": "y", "label": "🦆" * 80, "reason": "optional"}, {"id": "n", "label": "No"}]
    content = {**judged("🦆" * 1_000, verdicts=verdicts), "title": "𝕿" * 240}
    _expect_sendable(prompt(_asked(Action.JUDGE, group=True, name="𝕬" * 300), card(content)))


def test_every_control_that_opens_a_form_has_its_prompt() -> None:
    """A form of its own is what a chat has where it needs no prompts."""
    assert {action for action, _, _, _ in CASES} == OPENS_FORM - {Action.FORM}


@pytest.mark.parametrize("action", sorted(set(Action) - OPENS_FORM | {Action.FORM}))
def test_no_other_control_asks_for_words(action: Action) -> None:
    with pytest.raises(ValueError, match="asks for no words"):
        prompt(_asked(action), card(confirmation()))


def test_in_a_group_the_prompt_is_for_the_one_it_mentions() -> None:
    made = prompt(_asked(Action.COMMENT, group=True, name="Ana <b> @everyone"), card(confirmation()))
    read = parse_html(made.text)
    assert read.text.startswith("Ana <b> @\u2060everyone, please reply to this message")
    assert [(entity.type, entity.argument) for entity in read.entities] == [("text_mention", "42")]
    assert made.markup() == {"force_reply": True, "selective": True, "input_field_placeholder": "Your words"}
    _expect_sendable(made)


def test_in_private_everyone_there_is_the_one_who_pressed() -> None:
    made = prompt(_asked(Action.COMMENT), card(confirmation()))
    assert made.markup() == {"force_reply": True, "input_field_placeholder": "Your words"}


def test_the_longest_hint_title_and_name_are_one_message() -> None:
    long = {**TEXT, "pattern": "a*", "pattern_hint": "🦆" * 1_000}
    content = questions(long, title="𝕿" * 240)
    _expect_sendable(prompt(_asked(Action.WRITE, group=True, name="𝕬" * 300), card(content)))


REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    # the question, what was wrong, how the prompt begins, why
    (TEXT, "write a <line>", "This was not counted. Write a <line>.\n\nReply to this message with", "as a sentence"),
    (
        {**TEXT, "pattern": "a+", "pattern_hint": "Only a & b."},
        "Only a & b.",
        "This was not counted.\n\nReply to",
        "once",
    ),
    (TEXT, "w" * 5_000, "Reply to this message with", "too long to stand in one message"),
]


@pytest.mark.parametrize(("question", "fault", "begins", "why"), REFUSED, ids=[row[-1] for row in REFUSED])
def test_a_prompt_after_words_that_did_not_pass_says_what_was_wrong(
    question: dict[str, Any], fault: str, begins: str, why: str
) -> None:
    asked = _asked(Action.WRITE).model_copy(update={"fault": fault})
    made = prompt(asked, card(questions(question)))
    assert parse_html(made.text).text.startswith(begins), why
    _expect_sendable(made)


def test_a_time_that_could_not_be_read_is_asked_for_without_saying_twice_how_to_write_one() -> None:
    first = prompt(_asked(Action.PUT_OFF), card(confirmation()))
    asked = _asked(Action.PUT_OFF).model_copy(update={"fault": HOW})
    again = parse_html(prompt(asked, card(confirmation())).text).text
    assert "For example 20m, 2h, 18:30" in parse_html(first.text).text
    assert "Write a time like 20m, 2h, 18:30" in again
    assert "For example" not in again

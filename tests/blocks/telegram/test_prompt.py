"""Prompts: who is asked for words, what they must look like, and what the empty box says."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram.check import check
from blocks.telegram.parse_html import parse_html
from blocks.telegram.prompt import Prompted, prompt
from core.controls import OPENS_FORM, Action
from core.outbox import AskWords
from tests.blocks.telegram.cards import ID, card, choice, confirmation, questions

TEXT = {"id": "q", "prompt": "What happened?", "type": "text"}


def _asked(action: Action, *, group: bool = False, name: str = "Ana") -> AskWords:
    return AskWords(
        interaction=ID,
        publication=1,
        revision=1,
        action=action,
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
]


@pytest.mark.parametrize(("action", "content", "says", "box"), CASES)
def test_a_prompt_says_what_is_expected(action: Action, content: dict[str, Any], says: str, box: str) -> None:
    made = prompt(_asked(action), card(content))
    assert says in parse_html(made.text).text
    assert made.placeholder == box
    _expect_sendable(made)


def test_every_control_that_opens_a_form_has_its_prompt() -> None:
    assert {action for action, _, _, _ in CASES} == OPENS_FORM


@pytest.mark.parametrize("action", sorted(set(Action) - OPENS_FORM))
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

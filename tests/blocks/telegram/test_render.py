"""Cards that wait for an answer: whole text, the right controls, and the review page for what does not fit."""

from __future__ import annotations

import pytest

from blocks.telegram import render
from blocks.telegram.sizes import ON_BUTTON, PAGE_ROWS
from core.audience import Audience
from core.controls import DECIDES, Action
from core.kinds import EXAMPLES, Kind
from core.people import Via
from core.policy import Policy
from core.publications import Surface
from core.records import Vote
from tests.blocks.telegram.cards import (
    ANA,
    BOB,
    CODEC,
    IN_AN_HOUR,
    NOW,
    card,
    choice,
    choices,
    confirmation,
    controls,
    expect_sendable,
    labels,
    pressed,
    questions,
    seen,
)

EXTRAS = ["Reply in words…", "Open full form"]
TEXT = {"id": "q", "prompt": "What happened?", "type": "text"}


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("link_ok", [True, False])
def test_every_example_is_drawn_whole_with_its_controls(kind: Kind, link_ok: bool) -> None:
    rendered = render(card(EXAMPLES[kind], link_ok=link_ok), CODEC)
    assert rendered.surface is Surface.NATIVE
    assert any(control.action in DECIDES for control in controls(rendered))
    expect_sendable(rendered)


def test_a_choice_shows_everything_asked_and_who_may_answer_until_when() -> None:
    rendered = render(card(EXAMPLES[Kind.QUESTIONS], expires_at=IN_AN_HOUR), CODEC)
    assert seen(rendered) == (
        "Release 4.2\n\n"
        "The canary has been clean for two hours.\n\n"
        "Recommendation: Ship it\n\n"
        "Ship now?\n\n"
        "• Yes (recommended)\n"
        "• No: wait for Monday\n\n"
        "May answer: anyone in this conversation.\n\n"
        "Open until 2 Dec 2026, 10:00 UTC."
    )
    assert labels(rendered) == [["Yes", "No"], EXTRAS, ["Later…"]]
    yes = pressed(rendered, "Yes")
    assert (yes.action, yes.question, yes.option, yes.revision) == (Action.ANSWER, 0, 0, 1)


def test_buttons_that_say_it_all_are_not_repeated_in_the_text() -> None:
    assert "•" not in seen(render(card(questions(choice("Red", "Green"))), CODEC))


def test_a_chat_that_carries_no_link_gets_the_address_and_where_it_opens() -> None:
    rendered = render(card(questions(choice("Red")), link_ok=False), CODEC)
    assert "http://127.0.0.1:8080/review/int_" in seen(rendered)
    assert "opens only on the computer or network where I run" in seen(rendered)
    assert labels(rendered)[-1] == ["Reply in words…", "Later…"]


LAYOUTS = [
    # labels, buttons per row: short ones share a row, long ones do not
    (["No", "Yes", "Ok"], [3]),
    (["Release"] * 1, [1]),
    ([f"Opt {n}" for n in range(8)], [4, 4]),
    ([f"Option {n:03}" for n in range(9)], [3, 3, 3]),
    ([f"A longer option {n}" for n in range(4)], [2, 2]),
    ([f"An option that needs the whole row {n}" for n in range(3)], [1, 1, 1]),
    ([f"Opt {n}" for n in range(5)], [3, 2]),
]


@pytest.mark.parametrize(("names", "rows"), LAYOUTS)
def test_short_labels_share_a_row(names: list[str], rows: list[int]) -> None:
    drawn = labels(render(card(questions(choice(*names))), CODEC))[:-2]
    assert [len(row) for row in drawn] == rows
    assert [name for row in drawn for name in row] == names


def _long(count: int) -> list[str]:
    return [f"An option that needs a row of its own {number:03}" for number in range(count)]


def test_eight_rows_are_one_page_and_nine_are_two() -> None:
    assert render(card(questions(choice(*_long(PAGE_ROWS.most)))), CODEC).page_count == 1
    rendered = render(card(questions(choice(*_long(PAGE_ROWS.most + 1)))), CODEC)
    assert rendered.page_count == 2
    assert labels(rendered)[PAGE_ROWS.most] == ["1/2", "›"]
    turn, stay = pressed(rendered, "›"), pressed(rendered, "1/2")
    assert (turn.action, turn.option, stay.action) == (Action.PAGE, 1, Action.HOLD)


def test_the_pages_together_hold_every_option_once() -> None:
    names = [f"Option that needs a row {number:03}" for number in range(128)]
    first = render(card(questions(choice(*names))), CODEC)
    pages = [render(card(questions(choice(*names)), page=page), CODEC) for page in range(first.page_count)]
    options = [control.option for page in pages for control in controls(page) if control.action is Action.ANSWER]
    assert options == list(range(128))
    for page in pages:
        expect_sendable(page)
    assert labels(pages[1])[PAGE_ROWS.most] == ["‹", "2/16", "›"]
    assert labels(pages[15])[PAGE_ROWS.most] == ["‹", "16/16"]
    assert pressed(pages[1], "‹").option == 0


def test_a_page_beyond_the_last_is_the_last() -> None:
    names = _long(9)
    assert labels(render(card(questions(choice(*names)), page=7), CODEC))[0] == [names[8]]


def test_a_label_too_long_for_a_button_stands_in_the_text_under_a_number() -> None:
    longest, longer = "x" * ON_BUTTON.most, "y" * (ON_BUTTON.most + 1)
    assert labels(render(card(questions(choice(longest))), CODEC))[0] == [longest]
    rendered = render(card(questions(choice(longest, longer))), CODEC)
    assert labels(rendered)[0] == ["1", "2"]
    assert f"1. {longest}\n2. {longer}" in seen(rendered)
    assert pressed(rendered, "2").option == 1


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["Same", "Same"], id="two labels read alike"),
        pytest.param(["Same", "Same "], id="they read alike on a button"),
        pytest.param(["Seen", "\u200b"], id="nothing of it can be seen"),
        pytest.param(["Seen", " \u3164"], id="blank letters"),
    ],
)
def test_labels_that_cannot_be_told_apart_are_numbered(names: list[str]) -> None:
    rendered = render(card(questions(choice(*names))), CODEC)
    assert labels(rendered)[0] == ["1", "2"]
    expect_sendable(rendered)


def test_other_stands_beside_the_options_and_replaces_words_that_decide_nothing() -> None:
    rendered = render(card(questions(choice("Red", custom=True))), CODEC)
    assert labels(rendered) == [["Red"], ["Other…"], ["Open full form", "Later…"]]
    assert pressed(rendered, "Other…").action is Action.OTHER


def test_choices_are_ticked_and_submitted() -> None:
    asked = questions(choices("Red", "Green", "Blue", min=1, max=2, initial=["o1"]))
    rendered = render(card(asked), CODEC)
    assert labels(rendered) == [["☐ Red", "☑ Green", "☐ Blue"], ["Submit"], EXTRAS, ["Later…"]]
    assert "Tick 1 to 2, then press Submit." in seen(rendered)
    toggle, submit = pressed(rendered, "☐ Blue"), pressed(rendered, "Submit")
    assert (toggle.action, toggle.option, submit.action) == (Action.TOGGLE, 2, Action.SUBMIT)


def test_ticks_are_those_of_the_draft_and_the_holder_is_named() -> None:
    asked = questions(choices("Red", "Green", custom=True, initial=["o1"]))
    rendered = render(card(asked, draft={"q0": ("o0",), "q0.custom": "teal <b>"}, holder="Ana"), CODEC)
    assert labels(rendered)[0] == ["☑ Red", "☐ Green"]
    assert "Ana is answering…" in seen(rendered)
    assert "Own words: teal <b>" in seen(rendered)


@pytest.mark.parametrize(("least", "most", "words"), [(None, None, "1 to 3"), (2, 2, "exactly 2"), (0, 2, "up to 2")])
def test_how_many_to_tick_is_said(least: int | None, most: int | None, words: str) -> None:
    asked = choices("Red", "Green", "Blue", min=least, max=most)
    assert f"Tick {words}, then press Submit." in seen(render(card(questions(asked)), CODEC))


def test_a_boolean_is_yes_and_no() -> None:
    rendered = render(card(questions({"id": "q", "prompt": "Ship?", "type": "boolean", "initial": False})), CODEC)
    assert labels(rendered)[0] == ["Yes", "No"]
    assert [pressed(rendered, label).option for label in ("Yes", "No")] == [0, 1]
    assert "Suggested answer: No" in seen(rendered)


@pytest.mark.parametrize(
    ("reason", "rows"),
    [
        ("none", [["Do it", "Leave it"]]),
        ("required", [["Do it", "Leave it"]]),
        ("optional", [["Do it", "Leave it"], ["Leave it (no reason)"]]),
    ],
)
def test_a_reject_takes_as_much_reason_as_the_card_asks_for(reason: str, rows: list[list[str]]) -> None:
    asked = confirmation(accept_label="Do it", reject_label="Leave it", reason=reason)
    rendered = render(card(asked), CODEC)
    assert labels(rendered) == [*rows, EXTRAS, ["Later…"]]
    assert pressed(rendered, "Do it").action is Action.ACCEPT
    assert pressed(rendered, "Leave it").action is (Action.REJECT if reason == "none" else Action.REASON)
    if reason == "optional":
        assert pressed(rendered, "Leave it (no reason)").action is Action.REJECT


def test_blank_labels_of_a_confirmation_are_named_for_what_they_do() -> None:
    rendered = render(card(confirmation(accept_label=" ", reject_label="\u200d", reason="none")), CODEC)
    assert labels(rendered)[0] == ["Accept", "Reject"]


def test_long_labels_of_a_confirmation_are_also_read_in_the_text() -> None:
    asked = confirmation(accept_label="丁" * 80, reject_label="丙" * 80)
    rendered = render(card(asked), CODEC)
    assert [labels(rendered)[0], labels(rendered)[1]] == [["丁" * 80], ["丙" * 80]]
    assert f"• {'丁' * 80}\n• {'丙' * 80}" in seen(rendered)
    expect_sendable(rendered)


def test_a_quorum_shows_who_has_voted() -> None:
    vote = Vote(by=ANA, via=Via.TELEGRAM, accepted=True, at=NOW)
    asked = card(confirmation(), audience=Audience(quorum=2), votes=(vote,))
    assert "1 of 2 have accepted: Ana." in seen(render(asked, CODEC))
    none = card(confirmation(), audience=Audience(quorum=2))
    assert "0 of 2 have accepted." in seen(render(none, CODEC))
    against = Vote(by=BOB, via=Via.SLACK, accepted=False, at=NOW)
    both = card(confirmation(), audience=Audience(quorum=2), policy=Policy(reject="majority"), votes=(vote, against))
    assert "1 has rejected: Bob." in seen(render(both, CODEC))


def test_who_may_answer_is_named_and_counted() -> None:
    named = ("person:ana", "telegram:42", "role:operator", "agent:ci", "slack:T1.U1")
    audience = Audience(answerers=named, exclude=("creator",))
    text = seen(render(card(confirmation(), audience=audience), CODEC))
    assert "May answer: ana, Telegram user 42, any operator or 2 more (not whoever asked)." in text


def test_a_card_set_aside_says_that_it_can_still_be_answered() -> None:
    assert "it can still be answered" in seen(render(card(confirmation(), dismissed_at=NOW), CODEC))

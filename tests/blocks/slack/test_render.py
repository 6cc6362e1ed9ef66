"""Cards in Slack: every type of question, at and beyond each threshold, and what an open card says."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.slack import render
from blocks.slack.check import budget
from blocks.slack.fit import MESSAGE
from core.controls import Action
from core.kinds import EXAMPLES, Kind
from core.publications import Surface
from tests.blocks.slack.cards import (
    CODEC,
    card,
    choice,
    choices,
    confirmation,
    controls,
    deciding,
    elements,
    expect_sendable,
    labels,
    numbered,
    options,
    questions,
    shown,
)

TEXT = {"id": "q", "prompt": "Say what?", "type": "text"}
LONGEST_LABEL = "x" * 75


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kinds_example_is_answered_in_slack(kind: Kind) -> None:
    rendered = render(card(EXAMPLES[kind]), CODEC)
    assert rendered.surface is Surface.NATIVE
    assert deciding(rendered.blocks)
    expect_sendable(rendered)


SHAPES: list[tuple[str, dict[str, Any], str, int]] = [
    # what it proves, the question, the element that answers it, how many of them
    ("one option is a button", choice("Yes"), "button", 1),
    ("five options are buttons", choice(*numbered(5)), "button", 5),
    ("six are a list to pick from", choice(*numbered(6)), "radio_buttons", 1),
    ("ten still are", choice(*numbered(10)), "radio_buttons", 1),
    ("eleven are a select", choice(*numbered(11)), "static_select", 1),
    ("a hundred still are", choice(*numbered(100)), "static_select", 1),
    ("a label may have 75 characters", choice(LONGEST_LABEL, "No"), "button", 2),
    ("so may one in a select", choice(*numbered(10), LONGEST_LABEL), "static_select", 1),
    ("ten of several are checkboxes", choices(*numbered(10)), "checkboxes", 1),
    ("eleven of several are a multi-select", choices(*numbered(11)), "multi_static_select", 1),
    ("a hundred of several still are", choices(*numbered(100)), "multi_static_select", 1),
    ("yes or no are two buttons", {"id": "q", "prompt": "Now?", "type": "boolean"}, "button", 2),
]


@pytest.mark.parametrize(("why", "question", "element", "count"), SHAPES, ids=[row[0] for row in SHAPES])
def test_a_question_has_the_control_of_its_size(why: str, question: dict[str, Any], element: str, count: int) -> None:
    rendered = render(card(questions(question)), CODEC)
    assert rendered.surface is Surface.NATIVE, why
    answering = [one for one in rendered.blocks if str(one.get("block_id", "")).startswith(("answer", "pick"))]
    assert len(elements(answering, element)) == count
    expect_sendable(rendered)


BEYOND: list[tuple[str, dict[str, Any]]] = [
    ("101 options", questions(choice(*numbered(101)))),
    ("101 options of several", questions(choices(*numbered(101)))),
    ("a label of 76 characters", questions(choice(LONGEST_LABEL + "x", "No"))),
    ("a label of 38 characters that are two each where Slack may count so", questions(choice("😀" * 38, "No"))),
    ("a label of blanks", questions(choice("   ", "No"))),
    ("an accept label of 76 characters", confirmation(accept_label=LONGEST_LABEL + "x")),
    ("a reject label of 76 characters", confirmation(reject_label=LONGEST_LABEL + "x")),
    ("an answer longer than a modal takes", questions({**TEXT, "max_length": 3_001})),
    ("one of two questions that no form takes", questions(TEXT, {**TEXT, "id": "q2", "max_length": 3_001})),
    ("a body that fills the message", questions(TEXT, body="word " * 2_400)),
    ("a body beyond any message", questions(TEXT, body="x" * 20_000)),
    ("descriptions that do not fit", questions(choice(*numbered(5), help="x" * 4_000), body="x" * 9_000)),
]


@pytest.mark.parametrize(("why", "content"), BEYOND, ids=[row[0] for row in BEYOND])
def test_one_beyond_a_limit_goes_whole_to_the_review_page(why: str, content: dict[str, Any]) -> None:
    rendered = render(card(content), CODEC)
    assert rendered.surface is Surface.REVIEW, why
    assert deciding(rendered.blocks) == []
    assert "Open full form" in labels(rendered.blocks)
    assert content["title"] in shown(rendered.blocks)
    expect_sendable(rendered)


def test_a_review_card_shows_the_body_whole_or_not_at_all() -> None:
    short = render(card(questions({**TEXT, "max_length": 3_001}, body="The whole body.")), CODEC)
    assert "The whole body." in shown(short.blocks)
    long = render(card(questions(TEXT, body="begins " + "x" * 19_000)), CODEC)
    assert "begins" not in shown(long.blocks)
    assert "too long to show whole" in shown(long.blocks)


def test_room_for_the_outcome_is_kept_under_the_content() -> None:
    natives = [render(card(questions(TEXT, body="x" * length)), CODEC) for length in range(10_000, 12_000, 50)]
    largest = [rendered for rendered in natives if rendered.surface is Surface.NATIVE][-1]
    content = [block for block in largest.blocks if block["type"] != "actions"]
    assert MESSAGE - 1_200 < budget(largest.blocks) <= MESSAGE
    assert budget(content) <= MESSAGE - 600


def test_control_labels_are_the_labels() -> None:
    wanted = ["  two  blanks ", "*Ship* <!channel>", "a & b", ":x: no", "Ñandú 🚢"]
    assert labels(render(card(questions(choice(*wanted))), CODEC).blocks)[:5] == wanted
    assert options(render(card(questions(choice(*wanted, *numbered(6)))), CODEC).blocks)[:5] == wanted
    decided = labels(render(card(confirmation(accept_label="Delete it", reject_label="Keep it")), CODEC).blocks)
    assert decided[:2] == ["Delete it", "Keep it"]


def test_colons_in_a_label_make_no_picture() -> None:
    (first, *_) = elements(render(card(questions(choice(":x:", "No"))), CODEC).blocks, "button")
    assert first["text"]["emoji"] is False


def test_every_option_stands_for_itself() -> None:
    for content in (questions(choice(*numbered(100))), questions(choices(*numbered(100)))):
        chosen = [
            one for one in controls(render(card(content), CODEC).blocks) if one.action in (Action.ANSWER, Action.PICK)
        ]
        assert [one.option for one in chosen] == list(range(100))


def test_an_option_of_one_card_is_worth_nothing_on_another() -> None:
    one, other = (
        elements(render(card(questions(choice(*numbered(11)), title=title)), CODEC).blocks, "static_select")[0]
        for title in ("One", "Other")
    )
    assert {option["value"] for option in one["options"]}.isdisjoint(option["value"] for option in other["options"])


@pytest.mark.parametrize(
    ("reason", "action"), [("none", Action.REJECT), ("optional", Action.REASON), ("required", Action.REASON)]
)
def test_a_reject_asks_for_the_reason_the_card_takes(reason: str, action: Action) -> None:
    actions = [one.action for one in controls(render(card(confirmation(reason=reason)), CODEC).blocks)]
    assert actions == [Action.ACCEPT, action, Action.COMMENT]


def test_own_words_take_the_place_of_a_reply_in_words() -> None:
    assert labels(render(card(questions(choice("Yes", custom=True))), CODEC).blocks) == [
        "Yes",
        "Other…",
        "Open full form",
    ]
    assert labels(render(card(questions(choice("Yes"))), CODEC).blocks) == ["Yes", "Reply in words…", "Open full form"]


def test_several_are_chosen_before_submit() -> None:
    blocks = render(card(questions(choices("a", "b", "c", initial=["o1"], custom=True))), CODEC).blocks
    (boxes,) = elements(blocks, "checkboxes")
    assert [one["text"]["text"] for one in boxes["initial_options"]] == ["b"]
    assert labels(blocks)[:2] == ["Submit", "Other…"]


def test_a_multi_select_takes_no_more_than_the_question() -> None:
    (menu,) = elements(render(card(questions(choices(*numbered(20), max=3))), CODEC).blocks, "multi_static_select")
    assert menu["max_selected_items"] == 3


def test_what_options_say_beyond_their_labels_is_printed_whole() -> None:
    question = choice("Yes", "No")
    question["options"][0] |= {"recommended": True, "description": "d" * 4_000}
    told = shown(render(card(questions(question)), CODEC).blocks)
    assert "(recommended)" in told
    assert told.replace("\n", "").count("d") >= 4_000


LISTED = [
    (choice("Yes", "No", "Later"), [], "buttons say it all"),
    (
        choice("Yes", "No", "Later", initial="o1"),
        ["Yes", "No (suggested)", "Later"],
        "one says more, so all are listed",
    ),
    (choices(*numbered(10), initial=["o3"]), ["Option 4 (suggested)", "Option 5"], "boxes too"),
    (
        choice(*numbered(11), initial="o3"),
        ["Of the options in the menu:", "Option 4 (suggested)"],
        "a menu is not read out",
    ),
]


@pytest.mark.parametrize(("question", "read", "why"), LISTED, ids=[row[-1] for row in LISTED])
def test_options_in_sight_are_listed_all_or_not_at_all(question: dict[str, Any], read: list[str], why: str) -> None:
    told = shown(render(card(questions(question)), CODEC).blocks).replace("\n", "")
    labels = ("Yes", "No (suggested)", "Later", "Of the options in the menu:", "Option 4 (suggested)", "Option 5")
    assert [one for one in labels if one in told] == read, why


WANTED: list[tuple[dict[str, Any], str]] = [
    ({**TEXT, "min_length": 3, "max_length": 20}, "3 to 20 characters."),
    ({**TEXT, "max_length": 20, "required": False}, "At most 20 characters. No answer is needed."),
    ({**TEXT, "min_length": 5}, "At least 5 characters."),
    ({**TEXT, "pattern": r"OPS-\d+", "pattern_hint": "Like OPS-12."}, "Like OPS-12."),
    ({"id": "q", "prompt": "?", "type": "number", "min": 1, "max": 2.5}, "A number from 1 to 2.5."),
    ({"id": "q", "prompt": "?", "type": "number", "integer": True, "min": -3}, "A whole number, -3 or more."),
    ({"id": "q", "prompt": "?", "type": "number", "max": 1e21}, "A number, 1000000000000000000000 or less."),
    (choices("a", "b", "c", min=2, max=3), "Choose 2 to 3."),
    (choices("a", "b", "c", min=2, max=2), "Choose exactly 2."),
    (choices("a", "b", "c", min=0, max=2), "Choose at most 2."),
    (choices("a", "b", "c", min=2), "Choose at least 2."),
    ({"id": "q", "prompt": "?", "type": "boolean", "initial": False}, "Suggested: No."),
]


@pytest.mark.parametrize(("question", "words"), WANTED, ids=[row[1] for row in WANTED])
def test_a_card_says_what_an_answer_must_be(question: dict[str, Any], words: str) -> None:
    assert words in shown(render(card(questions(question)), CODEC).blocks)

"""Checklists, items to judge, tasks and connections while they wait: what is shown of them and what a press does."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram import Rendered, render
from core.cards import Card
from core.controls import Action
from core.kinds import EXAMPLES, Kind
from core.kinds.checklist import Tick
from core.kinds.connection import Connecting
from core.kinds.item_verdicts import Verdict
from core.people import Via
from tests.blocks.telegram.cards import (
    ANA,
    BOB,
    CODEC,
    NOW,
    buttons,
    card,
    checklist,
    choice,
    connection,
    controls,
    expect_sendable,
    judged,
    labels,
    pages,
    pressed,
    questions,
    seen,
    tasks,
)

EXTRAS = ["Reply in words…", "Open full form"]


def tick(item: str, *, on: bool = True) -> Tick:
    return Tick(item=item, on=on, by=ANA, via=Via.SLACK, at=NOW)


def verdict(item: str, verdict: str = "approve", reason: str | None = None) -> Verdict:
    return Verdict(item=item, verdict=verdict, reason=reason, by=BOB, via=Via.REVIEW, at=NOW)


def test_a_checklist_offers_the_other_state_of_each_item_and_says_who_ticked() -> None:
    asked = card(EXAMPLES[Kind.CHECKLIST], ticks=(tick("canary"), tick("notes", on=False)))
    rendered = render(asked, CODEC)
    assert labels(rendered) == [
        ["☐ Release notes reviewed"], ["☑ Canary is clean"], ["☐ On-call engineer knows"], ["All done"], EXTRAS,
            ["Later…"],
    ]  # fmt: skip
    assert pressed(rendered, "☐ Release notes reviewed").action is Action.TICK
    untick = pressed(rendered, "☑ Canary is clean")
    assert (untick.action, untick.option) == (Action.UNTICK, 1)
    assert "☑ Canary is clean: two hours without an alert – Ana" in seen(rendered)
    assert "☐ Release notes reviewed\n" in seen(rendered)
    assert "1 of 3 ticked." in seen(rendered)
    assert "“All done” ends it." in seen(rendered)


def test_items_whose_buttons_say_it_all_are_only_listed_once_somebody_ticked_them() -> None:
    fresh, ticked = (render(card(checklist("Red", "Green"), ticks=made), CODEC) for made in ((), (tick("i1"),)))
    assert "Red" not in seen(fresh)
    assert "☑ Green – Ana" in seen(ticked)
    assert "Red" not in seen(ticked)


def test_names_of_those_who_ticked_are_left_out_before_anything_that_was_asked() -> None:
    by = ANA.model_copy(update={"name": "N" * 40})
    names = [f"{number} {'x' * 330}" for number in range(8)]
    made = tuple(Tick(item=f"i{n}", on=True, by=by, via=Via.SLACK, at=NOW) for n in range(8))
    turned = pages(card({**checklist(*names), "body": "b" * 500}, ticks=made))
    text = "\n".join(seen(page) for page in turned)
    assert all(name in text for name in names)
    for page in turned:
        expect_sendable(page)


HOW_MANY = [
    ({}, "Tick what applies."),
    ({"min": 1}, "Tick at least 1."),
    ({"max": 2}, "Tick up to 2."),
    ({"min": 1, "max": 2}, "Tick 1 to 2."),
    ({"min": 3}, "Tick exactly 3."),
]


@pytest.mark.parametrize(("bounds", "words"), HOW_MANY)
def test_a_checklist_says_how_many(bounds: dict[str, Any], words: str) -> None:
    assert words in seen(render(card(checklist("Red", "Green", "Blue", **bounds)), CODEC))


def test_a_blank_button_of_a_checklist_is_submit() -> None:
    assert pressed(render(card(checklist("Red", accept_label=" ")), CODEC), "Submit").action is Action.SUBMIT


def test_a_verdict_without_a_name_has_a_button_all_the_same() -> None:
    unnamed = [{"id": " ", "label": " "}, {"id": "b", "label": "\n"}]
    assert labels(render(card(judged("one", verdicts=unnamed)), CODEC))[0] == ["…", "b"]


def _verdicts(*given: Verdict, page: int = 0) -> Rendered:
    reasons = {"y": "none", "n": "required", "l": "optional"}
    options = [{"id": id, "label": f"Label {id}", "reason": reason} for id, reason in reasons.items()]
    return render(card(judged("one", "two", "three", verdicts=options), verdicts=given, page=page), CODEC)


def test_an_item_has_its_verdicts_and_a_way_without_an_optional_reason() -> None:
    rendered = _verdicts(page=1)
    assert labels(rendered) == [
        ["Label y", "Label n", "Label l"], ["Label l (no reason)"], ["‹", "2/3", "›"], EXTRAS,
            ["Later…"],
    ]  # fmt: skip
    at_once, asks, silent = (pressed(rendered, text) for text in ("Label y", "Label n", "Label l (no reason)"))
    assert (at_once.action, at_once.option, at_once.question) == (Action.VERDICT, 1, 0)
    assert (asks.action, asks.option, asks.question) == (Action.JUDGE, 1, 1)
    assert pressed(rendered, "Label l").action is Action.JUDGE
    assert (silent.action, silent.option, silent.question) == (Action.VERDICT, 1, 2)
    assert "two" in seen(rendered)
    assert "\n\none\n\n" not in seen(rendered)
    assert "“Label n” asks for a reason." in seen(rendered)


def test_a_decided_item_shows_verdict_who_and_reason_in_place_of_buttons() -> None:
    rendered = _verdicts(verdict("i0", "n", "too <risky>"), verdict("i1", "y"))
    assert "Label n – Bob, 2 Dec 2026, 09:00 UTC\ntoo <risky>" in seen(rendered)
    assert "2 of 3 decided: 1 Label y, 1 Label n" in seen(rendered)
    assert labels(rendered) == [["1/3", "›"], EXTRAS, ["Later…"]]


def test_a_reason_that_does_not_fit_beside_its_item_is_where_the_card_says() -> None:
    content = {**judged("one", "two"), "body": "b" * 2_500}
    rendered = render(card(content, verdicts=(verdict("i0", "reject", "r" * 3_000),)), CODEC)
    assert "rrr" not in seen(rendered)
    assert "The reason is too long to show here; it stands on the full form." in seen(rendered)
    assert "b" * 2_500 in seen(rendered)
    expect_sendable(rendered)


LINKS = [
    ("https://docs.example/a?b=1&c=<2>", True, "Telegram takes it"),
    ("https://nodot", False, "no link for Telegram, so it stands in words"),
]


@pytest.mark.parametrize(("href", "is_link", "why"), LINKS)
def test_the_address_of_an_item_is_behind_its_label_or_beside_it(href: str, is_link: bool, why: str) -> None:
    content = judged("one", "two")
    content["payload"]["items"][0]["href"] = href
    rendered = render(card(content), CODEC)
    assert (href in seen(rendered)) is not is_link
    assert ("<a href=" in rendered.text) is is_link
    expect_sendable(rendered)


def test_tasks_stand_below_what_they_are_part_of() -> None:
    rendered = render(card(EXAMPLES[Kind.SUGGESTED_TASKS]), CODEC)
    assert labels(rendered)[:3] == [["☑ Alert on queue depth"], ["☐ ↳ Write the runbook"], ["☐ Rehearse a failover"]]
    assert "\n\u2003☐ Write the runbook (for ana)\n" in seen(rendered)
    assert "part of" not in "\n".join(line for line in seen(rendered).splitlines() if "runbook" in line)
    toggle, create, none, silent = (
        pressed(rendered, text)
        for text in ("☐ ↳ Write the runbook", "Create tasks", "None of these", "None of these (no reason)")
    )
    assert (toggle.action, toggle.option) == (Action.TOGGLE, 1)
    assert (create.action, create.option) == (Action.SUBMIT, 0)
    assert (none.action, silent.action) == (Action.REASON, Action.REJECT)


def test_a_task_asked_before_its_parent_keeps_its_number() -> None:
    content = tasks("Child", "Parent")
    content["payload"]["tasks"][0]["parent"] = "k1"
    rendered = render(card(content, draft={"tasks": ("k1",)}), CODEC)
    assert labels(rendered)[:2] == [["☑ Parent"], ["☐ ↳ Child"]]
    assert pressed(rendered, "☐ ↳ Child").option == 0
    assert pressed(rendered, "Create tasks").option == 1
    assert "1 of 2 ticked." in seen(rendered)


def test_a_connection_is_told_whole_and_only_declined_here() -> None:
    asked = connection(account="example <org>", scopes=["repo:read", "write <all>"])
    set_out = Connecting(by=BOB, at=NOW, state="sha256:00")
    rendered = render(card(asked, connecting=set_out), CODEC)
    for line in (
        "Service: github", "Purpose: Read it.", "Account: example <org>", "Connects at: agent.example",
        "• repo:read\n• write <all>", "An operator grants it on the full form.",
        "Bob set out to grant it, 2 Dec 2026, 09:00 UTC.",
    ):  # fmt: skip
        assert line in seen(rendered)
    assert labels(rendered) == [["Decline"], ["Decline (no reason)"], EXTRAS, ["Later…"]]
    assert [one.action for one in controls(rendered)] == [Action.REASON, Action.REJECT, Action.COMMENT, Action.MENU]
    assert "May do: nothing was named" in seen(render(card(connection()), CODEC))


OPTIONAL = [
    (choice("Red", required=False), 0, "a choice"),
    ({"id": "q", "prompt": "?", "type": "boolean", "required": False}, 0, "yes or no"),
    ({"id": "q", "prompt": "?", "type": "text", "required": False}, 0, "a text"),
    ({"id": "q", "prompt": "?", "type": "date", "required": False}, 0, "a day"),
]


@pytest.mark.parametrize(("question", "option", "why"), OPTIONAL)
def test_a_question_that_may_stay_open_is_left_by_a_press(question: dict[str, Any], option: int, why: str) -> None:
    leave = pressed(render(card(questions(question)), CODEC), "Leave unanswered")
    assert (leave.action, leave.option) == (Action.SUBMIT, option)


def test_a_required_question_cannot_be_left() -> None:
    for question in (choice("Red"), {**choice("Red", required=False), "type": "choices"}):
        assert "Leave unanswered" not in [one.text for one in buttons(render(card(questions(question)), CODEC))]


ANSWERING = [
    ((), "Cleo", "Cleo is answering…"),
    (("Ana",), "Ana", "Ana is answering…"),
    (("Ana", "Ben <b>"), None, "Ana and Ben <b> are answering…"),
    (("Ana", "Ben", "Cleo", "Dee", "Eve"), None, "Ana, Ben, Cleo and 2 more are answering…"),
]


@pytest.mark.parametrize(("answering", "holder", "words"), ANSWERING)
@pytest.mark.parametrize("kind", list(Kind))
def test_whoever_is_answering_is_named_on_every_kind(
    answering: tuple[str, ...], holder: str | None, words: str, kind: Kind
) -> None:
    asked: Card = card(EXAMPLES[kind], answering=answering, holder=holder)
    assert words in seen(render(asked, CODEC))
    assert "answering" not in seen(render(card(EXAMPLES[kind]), CODEC))

"""Each limit at its edge: exactly as much passes, one more is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from blocks.slack import limits
from blocks.slack.check import Surface, budget, check_blocks, check_message, check_view
from blocks.slack.limits import Limit


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def button(**more: Any) -> dict[str, Any]:
    return {"type": "button", "text": plain("Go"), "action_id": "go", **more}


def options(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{"text": plain(f"Option {n}"), "value": str(n), **more} for n in range(count)]


def actions(element: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "actions", "elements": [element]}]


def inputs(element: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"type": "input", "label": plain("Why"), "element": element, **more}]


def select(**more: Any) -> dict[str, Any]:
    return {"type": "static_select", "action_id": "a", "options": options(1), **more}


def confirm(**more: Any) -> list[dict[str, Any]]:
    dialog = {name: plain("x") for name in ("title", "text", "confirm", "deny")}
    return actions(button(confirm={**dialog, **more}))


# Each limit: blocks that are exactly as big as asked. Built for the limit and for one more.
GROWN: dict[Limit, Callable[[int], list[dict[str, Any]]]] = {
    limits.MESSAGE_BLOCKS: lambda n: [{"type": "divider"}] * n,
    limits.BLOCK_ID: lambda n: [{"type": "divider", "block_id": "b" * n}],
    limits.ACTION_ID: lambda n: actions(button(action_id="a" * n)),
    limits.SECTION_TEXT: lambda n: [{"type": "section", "text": plain("x" * n)}],
    limits.SECTION_FIELDS: lambda n: [{"type": "section", "fields": [plain("x")] * n}],
    limits.SECTION_FIELD: lambda n: [{"type": "section", "fields": [plain("x" * n)]}],
    limits.HEADER_TEXT: lambda n: [{"type": "header", "text": plain("x" * n)}],
    limits.CONTEXT_ELEMENTS: lambda n: [{"type": "context", "elements": [plain("x")] * n}],
    limits.CONTEXT_TEXT: lambda n: [{"type": "context", "elements": [plain("x" * n)]}],
    limits.ACTIONS_ELEMENTS: lambda n: [{"type": "actions", "elements": [button(action_id=f"a{i}") for i in range(n)]}],
    limits.INPUT_LABEL: lambda n: inputs(select(), label=plain("x" * n)),
    limits.INPUT_HINT: lambda n: inputs(select(), hint=plain("x" * n)),
    limits.IMAGE_ALT_TEXT: lambda n: [{"type": "image", "image_url": "https://a.example/i.png", "alt_text": "x" * n}],
    limits.MARKDOWN_TEXT: lambda n: [{"type": "markdown", "text": "x" * n}],
    limits.MESSAGE_MARKDOWN: lambda n: [
        {"type": "markdown", "text": "x" * (n - 6_000)},
        {"type": "markdown", "text": "x" * 6_000},
    ],
    limits.MESSAGE_TABLES: lambda n: [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}] * n,
    limits.TABLE_ROWS: lambda n: [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]] * n}],
    limits.TABLE_COLUMNS: lambda n: [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * n]}],
    limits.TABLE_CHARACTERS: lambda n: [{"type": "table", "rows": [[{"type": "raw_text", "text": "x" * n}]]}],
    limits.ALERT_TEXT: lambda n: [{"type": "alert", "text": plain("x" * n)}],
    limits.CARD_BODY: lambda n: [{"type": "card", "body": plain("x" * n)}],
    limits.BUTTON_TEXT: lambda n: actions(button(text=plain("x" * n))),
    limits.BUTTON_VALUE: lambda n: actions(button(value="x" * n)),
    limits.BUTTON_URL: lambda n: actions(button(url="https://a.example/".ljust(n, "x"))),
    limits.BUTTON_ACCESSIBILITY: lambda n: actions(button(accessibility_label="x" * n)),
    limits.OVERFLOW_OPTIONS: lambda n: actions({"type": "overflow", "action_id": "a", "options": options(n)}),
    limits.SELECT_OPTIONS: lambda n: actions(select(options=options(n))),
    limits.SELECT_GROUPS: lambda n: actions(
        {"type": "static_select", "option_groups": [{"label": plain("g"), "options": options(1)}] * n}
    ),
    limits.GROUP_LABEL: lambda n: actions(
        {"type": "static_select", "option_groups": [{"label": plain("x" * n), "options": options(1)}]}
    ),
    limits.PLACEHOLDER: lambda n: actions(select(placeholder=plain("x" * n))),
    limits.CHECKBOX_OPTIONS: lambda n: actions({"type": "checkboxes", "options": options(n)}),
    limits.RADIO_OPTIONS: lambda n: actions({"type": "radio_buttons", "options": options(n)}),
    limits.TEXT_INPUT_MAX_LENGTH: lambda n: inputs({"type": "plain_text_input", "max_length": n}),
    limits.TEXT_INPUT_MIN_LENGTH: lambda n: inputs({"type": "plain_text_input", "min_length": n}),
    limits.OPTION_TEXT: lambda n: actions(select(options=[{"text": plain("x" * n), "value": "1"}])),
    limits.OPTION_VALUE: lambda n: actions(select(options=[{"text": plain("x"), "value": "1" * n}])),
    limits.OPTION_DESCRIPTION: lambda n: actions(
        {"type": "radio_buttons", "options": options(1, description=plain("x" * n))}
    ),
    limits.CONFIRM_TITLE: lambda n: confirm(title=plain("x" * n)),
    limits.CONFIRM_TEXT: lambda n: confirm(text=plain("x" * n)),
    limits.CONFIRM_CONFIRM: lambda n: confirm(confirm=plain("x" * n)),
    limits.CONFIRM_DENY: lambda n: confirm(deny=plain("x" * n)),
}


@pytest.mark.parametrize("row", GROWN, ids=lambda row: str(row.name))
def test_blocks_at_the_limit_pass_and_one_more_is_refused(row: Limit) -> None:
    assert check_blocks(GROWN[row](row.number), Surface.MESSAGE) == ()
    faults = check_blocks(GROWN[row](row.number + 1), Surface.MESSAGE)
    assert len(faults) >= 1
    assert all(fault.pointer.startswith("/blocks") for fault in faults)


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (limits.VIEW_TITLE, "title"),
        (limits.VIEW_SUBMIT, "submit"),
        (limits.VIEW_CLOSE, "close"),
        (limits.VIEW_PRIVATE_METADATA, "private_metadata"),
        (limits.VIEW_CALLBACK_ID, "callback_id"),
        (limits.VIEW_EXTERNAL_ID, "external_id"),
    ],
)
def test_a_view_field_at_the_limit_passes_and_one_more_is_refused(row: Limit, field: str) -> None:
    def view(size: int) -> dict[str, Any]:
        labels = {"title", "submit", "close"}
        value = plain("x" * size) if field in labels else "x" * size
        return {"type": "modal", "title": plain("T"), "blocks": [{"type": "divider"}], field: value}

    assert check_view(view(row.number)) == ()
    (fault,) = check_view(view(row.number + 1))
    assert fault.error == "invalid_arguments"
    assert fault.pointer.startswith(f"/view/{field}")


def test_a_view_of_a_hundred_blocks_passes_and_one_more_is_refused() -> None:
    view = {"type": "home", "blocks": [{"type": "divider"}] * limits.VIEW_BLOCKS.number}
    assert check_view(view) == ()
    (fault,) = check_view({**view, "blocks": [*view["blocks"], {"type": "divider"}]})
    assert fault.line == "[ERROR] no more than 100 items allowed [json-pointer:/view/blocks]"


def test_the_text_of_an_update_counts_bytes_while_a_post_may_be_long() -> None:
    at = "文" * (limits.MESSAGE_UPDATE_TEXT.number // 3) + "x"
    assert limits.size(at) == limits.MESSAGE_UPDATE_TEXT.number
    assert check_message({"text": at}, update=True) == ()
    assert [f.error for f in check_message({"text": at + "x"}, update=True)] == ["msg_too_long"]
    assert check_message({"text": "x" * limits.MESSAGE_TEXT.number}) == ()


def test_the_whole_message_has_a_budget_below_the_sum_of_its_parts() -> None:
    def message(last: int) -> list[dict[str, Any]]:
        texts = ["x" * 3_000] * 4 + ["x" * last]
        return [{"type": "section", "text": plain(text)} for text in texts]

    spare = limits.MESSAGE_BUDGET.number - budget(message(1))
    assert check_blocks(message(1 + spare), Surface.MESSAGE) == ()
    (fault,) = check_blocks(message(2 + spare), Surface.MESSAGE)
    assert fault.error == "msg_blocks_too_long"


def test_an_astral_character_counts_as_the_two_units_slack_may_count() -> None:
    assert limits.length("🙂") == 2
    assert limits.length("文") == 1
    assert limits.length("\ud83d") == 1, "half an emoji must be counted, not crash"
    half = limits.HEADER_TEXT.number // 2
    assert check_blocks([{"type": "header", "text": plain("🙂" * half)}], Surface.MESSAGE) == ()
    assert check_blocks([{"type": "header", "text": plain("🙂" * half + "x")}], Surface.MESSAGE) != ()

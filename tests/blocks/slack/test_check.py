"""What Slack refuses about the structure of messages and views, told in its own words."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.slack.check import Surface, check_blocks, check_message, check_view, is_public_address

PLAIN = {"type": "plain_text", "text": "x"}
OPTION = {"text": PLAIN, "value": "1"}
BUTTON = {"type": "button", "text": PLAIN, "action_id": "go"}
TYPED = {"type": "plain_text_input", "action_id": "t"}
INPUT = {"type": "input", "block_id": "why", "label": PLAIN, "element": TYPED}


def faults(*blocks: Any, surface: Surface = Surface.MESSAGE) -> list[str]:
    return [fault.line.removeprefix("[ERROR] ") for fault in check_blocks(list(blocks), surface)]


def element(**fields: Any) -> list[str]:
    return faults({"type": "actions", "elements": [fields]})


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("a block nobody knows", {"type": "banner"}, "unsupported type: banner [json-pointer:/blocks/0/type]"),
    ("a block without a type", {"text": PLAIN}, "missing required field: type [json-pointer:/blocks/0]"),
    (
        "a section with nothing in it",
        {"type": "section"},
        "must define `text` or `fields` [json-pointer:/blocks/0]",
    ),
    (
        "an empty text",
        {"type": "section", "text": {"type": "mrkdwn", "text": ""}},
        "must be more than 0 characters [json-pointer:/blocks/0/text/text]",
    ),
    (
        "one character over",
        {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}},
        "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ),
    (
        "mrkdwn in a header",
        {"type": "header", "text": {"type": "mrkdwn", "text": "x"}},
        "unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]",
    ),
    (
        "emoji switch on mrkdwn",
        {"type": "section", "text": {"type": "mrkdwn", "text": "x", "emoji": True}},
        "invalid additional property: emoji [json-pointer:/blocks/0/text]",
    ),
    (
        "text that is a number",
        {"type": "section", "text": {"type": "mrkdwn", "text": 5}},
        "must provide a string [json-pointer:/blocks/0/text/text]",
    ),
    (
        "text that is not an object",
        {"type": "section", "text": "x"},
        "must provide an object [json-pointer:/blocks/0/text]",
    ),
    (
        "a typo in a field name",
        {"type": "divider", "blockid": "b"},
        "invalid additional property: blockid [json-pointer:/blocks/0]",
    ),
    (
        "no elements",
        {"type": "actions", "elements": []},
        "no less than 1 items allowed [json-pointer:/blocks/0/elements]",
    ),
    (
        "a text field outside an input",
        {"type": "actions", "elements": [TYPED]},
        "unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]",
    ),
    (
        "a button inside an input",
        {**INPUT, "element": BUTTON},
        "unsupported type: button [json-pointer:/blocks/0/element/type]",
    ),
    (
        "a rich text part nobody knows",
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "spark"}]}]},
        "unsupported type: spark [json-pointer:/blocks/0/elements/0/elements/0/type]",
    ),
]


@pytest.mark.parametrize(("why", "block", "line"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_block_is_refused_in_slacks_words(why: str, block: dict[str, Any], line: str) -> None:
    assert faults(block) == [line], why


ELEMENTS: list[tuple[str, dict[str, Any], str]] = [
    ("a style of our own", {**BUTTON, "style": "warning"}, "/style"),
    ("a button without a label", {"type": "button", "action_id": "go"}, ""),
    ("a relative address", {**BUTTON, "url": "/review/1"}, "/url"),
    ("an address on this machine", {**BUTTON, "url": "http://localhost:8080/x"}, "/url"),
    ("options and groups at once", {"type": "static_select", "options": [OPTION], "option_groups": []}, ""),
    ("neither options nor groups", {"type": "static_select"}, ""),
    ("an option without a value", {"type": "static_select", "options": [{"text": PLAIN}]}, "/options/0"),
    (
        "mrkdwn in a select",
        {"type": "static_select", "options": [{"text": {"type": "mrkdwn", "text": "x"}, "value": "1"}]},
        "/options/0/text/type",
    ),
    (
        "an address in a select's option",
        {"type": "static_select", "options": [{**OPTION, "url": "https://a.example"}]},
        "/options/0",
    ),
    (
        "an initial option that is not offered",
        {"type": "radio_buttons", "options": [OPTION], "initial_option": {**OPTION, "value": "2"}},
        "/initial_option",
    ),
    (
        "an initial option whose description differs",
        {"type": "checkboxes", "options": [OPTION], "initial_options": [{**OPTION, "description": PLAIN}]},
        "/initial_options",
    ),
    ("a day that does not exist", {"type": "datepicker", "initial_date": "2026-02-30"}, "/initial_date"),
    ("a day with more behind it", {"type": "datepicker", "initial_date": "2026-01-01junk"}, "/initial_date"),
    ("an hour past midnight", {"type": "timepicker", "initial_time": "24:00"}, "/initial_time"),
    ("milliseconds", {"type": "datetimepicker", "initial_date_time": 1712000000000}, "/initial_date_time"),
    ("a menu in a context block's clothes", {"type": "mrkdwn", "text": "x"}, "/type"),
]


@pytest.mark.parametrize(("why", "value", "where"), ELEMENTS, ids=[row[0] for row in ELEMENTS])
def test_an_element_is_refused_where_it_is_wrong(why: str, value: dict[str, Any], where: str) -> None:
    found = element(**value)
    assert found, why
    assert all(f"[json-pointer:/blocks/0/elements/0{where}" in line for line in found)


def test_mrkdwn_labels_are_fine_in_radio_buttons_and_checkboxes() -> None:
    option = {"text": {"type": "mrkdwn", "text": "*x*"}, "value": "1"}
    for kind in ("radio_buttons", "checkboxes"):
        assert element(type=kind, options=[option]) == []


def test_a_block_id_is_used_once_per_message_and_an_action_id_once_per_block() -> None:
    row = {"type": "actions", "block_id": "row", "elements": [BUTTON]}
    assert faults(row, {**row, "block_id": "other"}) == []
    assert faults(row, row) == ['`block_id` "row" already exists [json-pointer:/blocks/1/block_id]']
    assert faults({**row, "elements": [BUTTON, BUTTON]}) == [
        '`action_id` "go" already exists [json-pointer:/blocks/0/elements/1/action_id]'
    ]


def test_ids_inside_a_container_count_too() -> None:
    inner = {"type": "divider", "block_id": "b"}
    container = {"type": "container", "child_blocks": [inner]}
    assert faults(inner, container) == [
        '`block_id` "b" already exists [json-pointer:/blocks/1/child_blocks/0/block_id]'
    ]


def test_markdown_and_tables_belong_in_messages_only() -> None:
    block = {"type": "markdown", "text": "x"}
    assert faults(block) == []
    assert faults(block, surface=Surface.MODAL) == ["unsupported type: markdown [json-pointer:/blocks/0/type]"]


def test_a_modal_with_an_input_needs_a_submit_button_and_home_has_none() -> None:
    view = {"type": "modal", "title": PLAIN, "blocks": [INPUT]}
    assert [fault.line for fault in check_view(view)] == ["[ERROR] missing required field: submit [json-pointer:/view]"]
    assert check_view({**view, "submit": PLAIN}) == ()
    assert [fault.message for fault in check_view({"type": "home", "blocks": [INPUT], "submit": PLAIN})] == [
        "invalid additional property: submit"
    ]


def test_a_modal_needs_a_title_blocks_and_a_type() -> None:
    assert [fault.message for fault in check_view({"type": "modal"})] == [
        "missing required field: title",
        "missing required field: blocks",
    ]
    assert [fault.line for fault in check_view({"title": PLAIN})] == [
        "[ERROR] missing required field: type [json-pointer:/view]"
    ]
    assert {fault.error for fault in check_view("modal")} == {"invalid_arguments"}


def test_only_one_field_of_a_view_takes_the_focus() -> None:
    focused = [{**INPUT, "block_id": name, "element": {**TYPED, "focus_on_load": True}} for name in "ab"]
    view = {"type": "modal", "title": PLAIN, "submit": PLAIN, "blocks": focused}
    assert [fault.pointer for fault in check_view(view)] == ["/view/blocks/1/element/focus_on_load"]


def test_a_view_over_a_quarter_of_a_megabyte_is_too_large() -> None:
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "文" * 3000}}
    view = {"type": "home", "blocks": [section] * 28}
    assert {fault.error for fault in check_view(view)} == {"view_too_large"}


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ({}, "no_text"),
        ({"text": ""}, "no_text"),
        ({"text": "x", "markdown_text": "y"}, "markdown_text_conflict"),
        ({"text": "x", "attachments": [{}] * 101}, "too_many_attachments"),
        ({"text": "x", "blocks": '[{"type": "divider"}]'}, "invalid_blocks_format"),
        ({"text": "x", "metadata": {"event_type": "asked"}}, "invalid_metadata_format"),
        ({"text": "x", "metadata": {"event_type": "asked", "event_payload": "x"}}, "invalid_metadata_schema"),
        (
            {"text": "x", "metadata": {"event_type": "asked", "event_payload": {"x": "y" * 4096}}},
            "metadata_too_large",
        ),
    ],
)
def test_a_message_is_refused_with_the_error_slack_names(message: dict[str, Any], error: str) -> None:
    assert [fault.error for fault in check_message(message)] == [error]


def test_an_update_may_clear_the_blocks_and_needs_no_text_then() -> None:
    assert check_message({"blocks": []}, update=True) == ()
    assert [fault.error for fault in check_message({"blocks": []})] == ["no_text"]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("https://ask.example.com/review/int_1?x=1#y", True),
        ("http://ask.example.com:8443/", True),
        ("https://8.8.8.8/", True),
        ("https://[2606:4700::1]/", True),
        ("HTTPS://ASK.EXAMPLE.COM", True),
        ("https://127.0.0.1:8080/", False),
        ("https://10.1.2.3/", False),
        ("https://[::1]/", False),
        ("https://169.254.169.254/", False),
        ("http://localhost/", False),
        ("http://web.localhost/", False),
        ("http://printer.local/", False),
        ("http://intranet/", False),
        ("https:///nowhere", False),
        ("https://a..example/", False),
        ("https://a.example:99999/", False),
        ("ftp://a.example/", False),
        ("javascript:alert(1)", False),
        ("//a.example/x", False),
        ("https://a.example/a b", False),
        ("https://a.example/<x>", False),
        ("", False),
    ],
)
def test_an_address_is_public_when_everybody_could_open_it(address: str, public: bool) -> None:
    assert is_public_address(address) is public


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["section", "actions", "input"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["type", "text", "elements", "element", "options", "blocks", "x"]), inner)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_at_all_is_judged_without_a_crash_and_left_alone(value: Any) -> None:
    before = copy.deepcopy(value)
    for surface in Surface:
        check_blocks(value, surface)
    check_view(value)
    if isinstance(value, dict):
        check_message(value)
    assert value == before

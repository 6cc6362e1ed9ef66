"""The limit table against two sources that were not written here: slackblocks' registry and slack_sdk's models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models import blocks as sdk
from slack_sdk.models import views as sdk_views
from slackblocks import _limits as independent

from blocks.slack import limits
from blocks.slack.limits import Limit

# Our row, and the name of the same number in slackblocks' registry.
REGISTERED = {
    limits.MESSAGE_BLOCKS: "MESSAGE_BLOCKS_MAX_ITEMS",
    limits.MESSAGE_ATTACHMENTS: "MESSAGE_ATTACHMENTS_MAX_ITEMS",
    limits.MESSAGE_MARKDOWN: "MARKDOWN_TOTAL_TEXT_MAX_LENGTH",
    limits.VIEW_BLOCKS: "VIEW_BLOCKS_MAX_ITEMS",
    limits.VIEW_TITLE: "VIEW_TITLE_MAX_LENGTH",
    limits.VIEW_SUBMIT: "VIEW_SUBMIT_MAX_LENGTH",
    limits.VIEW_CLOSE: "VIEW_CLOSE_MAX_LENGTH",
    limits.VIEW_PRIVATE_METADATA: "VIEW_PRIVATE_METADATA_MAX_LENGTH",
    limits.VIEW_CALLBACK_ID: "VIEW_CALLBACK_ID_MAX_LENGTH",
    limits.VIEW_EXTERNAL_ID: "VIEW_EXTERNAL_ID_MAX_LENGTH",
    limits.BLOCK_ID: "BLOCK_ID_MAX_LENGTH",
    limits.ACTION_ID: "ACTION_ID_MAX_LENGTH",
    limits.SECTION_TEXT: "SECTION_TEXT_MAX_LENGTH",
    limits.SECTION_FIELDS: "SECTION_FIELDS_MAX_ITEMS",
    limits.SECTION_FIELD: "SECTION_FIELDS_ITEM_MAX_LENGTH",
    limits.HEADER_TEXT: "HEADER_TEXT_MAX_LENGTH",
    limits.CONTEXT_ELEMENTS: "CONTEXT_ELEMENTS_MAX_ITEMS",
    limits.ACTIONS_ELEMENTS: "ACTIONS_ELEMENTS_MAX_ITEMS",
    limits.INPUT_LABEL: "INPUT_LABEL_MAX_LENGTH",
    limits.INPUT_HINT: "INPUT_HINT_MAX_LENGTH",
    limits.IMAGE_URL: "IMAGE_IMAGE_URL_MAX_LENGTH",
    limits.IMAGE_ALT_TEXT: "IMAGE_ALT_TEXT_MAX_LENGTH",
    limits.IMAGE_TITLE: "IMAGE_TITLE_MAX_LENGTH",
    limits.MARKDOWN_TEXT: "MARKDOWN_TEXT_MAX_LENGTH",
    limits.TABLE_ROWS: "TABLE_ROWS_MAX_ITEMS",
    limits.TABLE_COLUMNS: "TABLE_COLUMNS_MAX_ITEMS",
    limits.TABLE_SETTINGS: "TABLE_COLUMN_SETTINGS_MAX_ITEMS",
    limits.ALERT_TEXT: "ALERT_TEXT_MAX_LENGTH",
    limits.CARD_TITLE: "CARD_TITLE_MAX_LENGTH",
    limits.CARD_SUBTITLE: "CARD_SUBTITLE_MAX_LENGTH",
    limits.CARD_BODY: "CARD_BODY_MAX_LENGTH",
    limits.CARD_ACTIONS: "CARD_ACTIONS_MAX_ITEMS",
    limits.CAROUSEL_CARDS: "CAROUSEL_ELEMENTS_MAX_ITEMS",
    limits.CONTAINER_BLOCKS: "CONTAINER_CHILD_BLOCKS_MAX_ITEMS",
    limits.CONTAINER_TITLE: "CONTAINER_TITLE_MAX_LENGTH",
    limits.CONTAINER_SUBTITLE: "CONTAINER_SUBTITLE_MAX_LENGTH",
    limits.CONTEXT_ACTIONS: "CONTEXT_ACTIONS_ELEMENTS_MAX_ITEMS",
    limits.PLAN_TASKS: "PLAN_TASKS_MAX_ITEMS",
    limits.BUTTON_TEXT: "BUTTON_TEXT_MAX_LENGTH",
    limits.BUTTON_VALUE: "BUTTON_VALUE_MAX_LENGTH",
    limits.BUTTON_URL: "BUTTON_URL_MAX_LENGTH",
    limits.BUTTON_ACCESSIBILITY: "BUTTON_ACCESSIBILITY_LABEL_MAX_LENGTH",
    limits.BUTTON_PROMPT: "BUTTON_AGENT_PROMPT_MAX_LENGTH",
    limits.OVERFLOW_OPTIONS: "OVERFLOW_OPTIONS_MAX_ITEMS",
    limits.SELECT_OPTIONS: "SELECT_OPTIONS_MAX_ITEMS",
    limits.SELECT_GROUPS: "SELECT_OPTION_GROUPS_MAX_ITEMS",
    limits.PLACEHOLDER: "SELECT_PLACEHOLDER_MAX_LENGTH",
    limits.CHECKBOX_OPTIONS: "CHECKBOXES_OPTIONS_MAX_ITEMS",
    limits.RADIO_OPTIONS: "RADIO_BUTTONS_OPTIONS_MAX_ITEMS",
    limits.TEXT_INPUT_MIN_LENGTH: "PLAIN_TEXT_INPUT_MIN_LENGTH_MAX",
    limits.TEXT_INPUT_MAX_LENGTH: "PLAIN_TEXT_INPUT_MAX_LENGTH_MAX",
    limits.RICH_INPUT_LINES: "RICH_TEXT_INPUT_MAX_LINES_MAX",
    limits.FILE_INPUT_FILES: "FILE_INPUT_MAX_FILES_MAX",
    limits.FEEDBACK_TEXT: "FEEDBACK_BUTTON_TEXT_MAX_LENGTH",
    limits.FEEDBACK_VALUE: "FEEDBACK_BUTTON_VALUE_MAX_LENGTH",
    limits.ICON_VALUE: "ICON_BUTTON_VALUE_MAX_LENGTH",
    limits.VISIBLE_TO: "ICON_BUTTON_VISIBLE_TO_USER_IDS_MAX_ITEMS",
    limits.TEXT: "TEXT_MAX_LENGTH",
    limits.OPTION_TEXT: "OPTION_TEXT_MAX_LENGTH",
    limits.OPTION_VALUE: "OPTION_VALUE_MAX_LENGTH",
    limits.OPTION_DESCRIPTION: "OPTION_DESCRIPTION_MAX_LENGTH",
    limits.OPTION_URL: "OPTION_URL_MAX_LENGTH",
    limits.GROUP_LABEL: "OPTION_GROUP_LABEL_MAX_LENGTH",
    limits.CONFIRM_TITLE: "CONFIRMATION_TITLE_MAX_LENGTH",
    limits.CONFIRM_TEXT: "CONFIRMATION_TEXT_MAX_LENGTH",
    limits.CONFIRM_CONFIRM: "CONFIRMATION_CONFIRM_MAX_LENGTH",
    limits.CONFIRM_DENY: "CONFIRMATION_DENY_MAX_LENGTH",
}

# Rows the registry does not have, or has otherwise, each with why ours stands.
UNREGISTERED = {
    limits.MESSAGE_BUDGET: "measured, published nowhere",
    limits.MESSAGE_TEXT: "a cut, not a refusal",
    limits.MESSAGE_UPDATE_TEXT: "the registry holds Block Kit only",
    limits.MESSAGE_TABLES: "the registry holds sizes, not counts per message",
    limits.MESSAGE_METADATA: "no figure is published",
    limits.VIEW_SIZE: "the registry holds Block Kit only",
    limits.VIEW_STACK: "a rule of the client",
    limits.CONTEXT_TEXT: "no figure is published",
    limits.TABLE_CHARACTERS: "the registry counts data tables only",
    limits.VIDEO_TITLE: "the registry allows 200, slack_sdk demands fewer than 200",
    limits.VIDEO_AUTHOR: "the registry allows 50, slack_sdk demands fewer than 50",
    limits.SELECT_MAX_SELECTED: "as many as there may be options",
    limits.ACK: "a clock",
    limits.TRIGGER: "a clock",
    limits.RESPONSE_URL_LIFE: "a clock",
    limits.RESPONSE_URL_USES: "a count of posts",
    limits.SIGNATURE_AGE: "a clock",
    limits.SOCKETS: "a count of connections",
}


@pytest.mark.parametrize("row", REGISTERED, ids=lambda row: str(row.name))
def test_our_number_is_the_one_an_independent_registry_holds(row: Limit) -> None:
    assert row.number == getattr(independent, REGISTERED[row])


def test_every_row_is_either_cross_checked_or_says_why_not() -> None:
    assert set(limits.TABLE.values()) == REGISTERED.keys() | UNREGISTERED.keys()


def test_names_are_distinct_and_every_row_says_where_it_applies_and_who_says_so() -> None:
    rows = [value for value in vars(limits).values() if isinstance(value, Limit)]
    assert len(rows) == len(limits.TABLE)
    assert all(row.where and row.source and 0 <= row.minimum <= row.number for row in rows)


# slack_sdk's own models, at the limit and one over; only what it does check is listed.
SDK: list[tuple[Limit, Callable[[int], Any]]] = [
    (limits.SECTION_TEXT, lambda n: sdk.SectionBlock(text="x" * n)),
    (limits.SECTION_FIELDS, lambda n: sdk.SectionBlock(fields=["x"] * n)),
    (limits.HEADER_TEXT, lambda n: sdk.HeaderBlock(text="x" * n)),
    (limits.CONTEXT_ELEMENTS, lambda n: sdk.ContextBlock(elements=[sdk.PlainTextObject(text="x")] * n)),
    (limits.ACTIONS_ELEMENTS, lambda n: sdk.ActionsBlock(elements=[sdk.ButtonElement(text="x")] * n)),
    (limits.BUTTON_TEXT, lambda n: sdk.ButtonElement(text="x" * n, action_id="a")),
    (limits.BUTTON_VALUE, lambda n: sdk.ButtonElement(text="x", action_id="a", value="x" * n)),
    (limits.ACTION_ID, lambda n: sdk.ButtonElement(text="x", action_id="a" * n)),
    (limits.BLOCK_ID, lambda n: sdk.DividerBlock(block_id="b" * n)),
    (limits.OPTION_TEXT, lambda n: sdk.Option(value="1", text="x" * n)),
    (limits.OPTION_VALUE, lambda n: sdk.Option(value="1" * n, text="x")),
    (limits.SELECT_OPTIONS, lambda n: sdk.StaticSelectElement(options=[sdk.Option(value="1", text="x")] * n)),
    (
        limits.OVERFLOW_OPTIONS,
        lambda n: sdk.OverflowMenuElement(options=[sdk.Option(value="1", text="x")] * n),
    ),
    (limits.CONFIRM_TITLE, lambda n: sdk.ConfirmObject(title="x" * n, text="x")),
    (limits.CONFIRM_TEXT, lambda n: sdk.ConfirmObject(title="x", text="x" * n)),
    (limits.VIDEO_TITLE, lambda n: _video(title="x" * n)),
    (limits.VIDEO_AUTHOR, lambda n: _video(author_name="x" * n)),
    (limits.VIEW_TITLE, lambda n: _view(title="x" * n)),
    (limits.VIEW_PRIVATE_METADATA, lambda n: _view(private_metadata="x" * n)),
    (limits.VIEW_CALLBACK_ID, lambda n: _view(callback_id="x" * n)),
    (limits.VIEW_BLOCKS, lambda n: _view(blocks=[sdk.DividerBlock()] * n)),
]


def _video(title: str = "t", author_name: str = "a") -> sdk.VideoBlock:
    address = "https://a.example/v"
    return sdk.VideoBlock(video_url=address, thumbnail_url=address, alt_text="a", title=title, author_name=author_name)


def _view(**more: Any) -> sdk_views.View:
    return sdk_views.View(**{"type": "modal", "title": "T", "blocks": [sdk.DividerBlock()], **more})


@pytest.mark.parametrize(("row", "build"), SDK, ids=[row.name for row, _ in SDK])
def test_slack_sdk_draws_the_same_line(row: Limit, build: Callable[[int], Any]) -> None:
    build(row.number).to_dict()
    with pytest.raises(SlackObjectFormationError):
        build(row.number + 1).to_dict()

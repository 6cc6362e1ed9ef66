"""Every Slack limit this project relies on, as one table.

Renderers size cards by it and the Slack stand-in refuses by it, so a card that fits here is a card the tests
can post. Numbers are inclusive maxima (`minimum` is the inclusive minimum). Sources: `docs` is a page of
docs.slack.dev, `sdk` is a check in slack_sdk's own models, `measured` was observed by others and is not
documented; treat a measured number as the most that may be relied on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Unit(StrEnum):
    """What a limit counts."""

    CHARACTERS = "characters"
    BYTES = "bytes"
    ITEMS = "items"
    NUMBER = "number"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class Limit:
    """One row: a name, the largest allowed value, what is counted, where it applies and who says so."""

    name: str
    number: int
    unit: Unit
    where: str
    source: str
    minimum: int = 0


def length(text: str) -> int:
    """Return the characters Slack may count in `text`: code points or UTF-16 units, whichever is more.

    Slack does not publish its unit and observations disagree, so the larger one is used. Count what is sent,
    after escaping: `&amp;` is five.
    """
    return max(len(text), len(text.encode("utf-16-le", "surrogatepass")) // 2)


def size(text: str) -> int:
    """Return the UTF-8 bytes of `text`, the unit of the limits in bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


CHARS, BYTES, ITEMS, NUMBER, SECONDS = Unit

# Messages and views as a whole.
MESSAGE_BLOCKS: Final = Limit("message.blocks", 50, ITEMS, "blocks of one message", "docs block-kit")
MESSAGE_BUDGET: Final = Limit(
    "message.budget",
    13_200,
    CHARS,
    "all blocks of one message as compact JSON",
    "measured: msg_blocks_too_long",
)
MESSAGE_TEXT: Final = Limit("message.text", 40_000, CHARS, "text of a post; longer is cut", "docs chat.postMessage")
MESSAGE_UPDATE_TEXT: Final = Limit("message.update_text", 4_000, BYTES, "text of chat.update", "docs; unit measured")
MESSAGE_ATTACHMENTS: Final = Limit("message.attachments", 100, ITEMS, "attachments", "docs chat.postMessage")
MESSAGE_MARKDOWN: Final = Limit("message.markdown", 12_000, CHARS, "markdown blocks together", "docs markdown-block")
MESSAGE_TABLES: Final = Limit("message.tables", 1, ITEMS, "table blocks of one message", "docs table-block")
MESSAGE_METADATA: Final = Limit("message.metadata", 4_096, BYTES, "metadata as JSON", "no figure published; kept small")
VIEW_BLOCKS: Final = Limit("view.blocks", 100, ITEMS, "blocks of a modal or of Home", "docs block-kit", 1)
VIEW_SIZE: Final = Limit("view.size", 250_000, BYTES, "one view as JSON", "docs views.update")
VIEW_TITLE: Final = Limit("view.title", 24, CHARS, "modal title", "docs view", 1)
VIEW_SUBMIT: Final = Limit("view.submit", 24, CHARS, "submit label", "docs view", 1)
VIEW_CLOSE: Final = Limit("view.close", 24, CHARS, "close label", "docs view", 1)
VIEW_PRIVATE_METADATA: Final = Limit("view.private_metadata", 3_000, CHARS, "private_metadata", "docs view")
VIEW_CALLBACK_ID: Final = Limit("view.callback_id", 255, CHARS, "callback_id", "docs view")
VIEW_EXTERNAL_ID: Final = Limit("view.external_id", 255, CHARS, "external_id", "docs view")
VIEW_STACK: Final = Limit("view.stack", 3, ITEMS, "views open above each other", "docs surfaces/modals")
BLOCK_ID: Final = Limit("block_id", 255, CHARS, "block_id of any block", "docs block-kit")
ACTION_ID: Final = Limit("action_id", 255, CHARS, "action_id of any element", "docs block-kit")

# Blocks.
SECTION_TEXT: Final = Limit("section.text", 3_000, CHARS, "section text", "docs section-block", 1)
SECTION_FIELDS: Final = Limit("section.fields", 10, ITEMS, "fields of a section", "docs section-block", 1)
SECTION_FIELD: Final = Limit("section.field", 2_000, CHARS, "one field of a section", "docs section-block", 1)
HEADER_TEXT: Final = Limit("header.text", 150, CHARS, "header text", "docs header-block", 1)
CONTEXT_ELEMENTS: Final = Limit("context.elements", 10, ITEMS, "elements of a context", "docs context-block", 1)
CONTEXT_TEXT: Final = Limit("context.text", 2_000, CHARS, "one text of a context", "no figure published; kept", 1)
ACTIONS_ELEMENTS: Final = Limit("actions.elements", 25, ITEMS, "elements of an actions block", "docs", 1)
INPUT_LABEL: Final = Limit("input.label", 2_000, CHARS, "input label", "docs input-block", 1)
INPUT_HINT: Final = Limit("input.hint", 2_000, CHARS, "input hint", "docs input-block", 1)
IMAGE_URL: Final = Limit("image.image_url", 3_000, CHARS, "image_url of image blocks and elements", "docs", 1)
IMAGE_ALT_TEXT: Final = Limit("image.alt_text", 2_000, CHARS, "alt_text", "docs image-block")
IMAGE_TITLE: Final = Limit("image.title", 2_000, CHARS, "image title", "docs image-block", 1)
MARKDOWN_TEXT: Final = Limit("markdown.text", 12_000, CHARS, "one markdown block", "docs markdown-block", 1)
TABLE_ROWS: Final = Limit("table.rows", 100, ITEMS, "rows of a table", "docs table-block", 1)
TABLE_COLUMNS: Final = Limit("table.columns", 20, ITEMS, "cells of a row", "docs table-block", 1)
TABLE_SETTINGS: Final = Limit("table.column_settings", 20, ITEMS, "column_settings", "docs table-block")
TABLE_CHARACTERS: Final = Limit("table.characters", 10_000, CHARS, "all cells of a table", "docs table-block")
VIDEO_TITLE: Final = Limit("video.title", 199, CHARS, "video title", "sdk, strictly under 200", 1)
VIDEO_AUTHOR: Final = Limit("video.author_name", 49, CHARS, "video author", "sdk, strictly under 50")
ALERT_TEXT: Final = Limit("alert.text", 200, CHARS, "alert text", "docs alert-block", 1)
CARD_TITLE: Final = Limit("card.title", 150, CHARS, "card title", "docs card-block", 1)
CARD_SUBTITLE: Final = Limit("card.subtitle", 150, CHARS, "card subtitle", "docs card-block", 1)
CARD_BODY: Final = Limit("card.body", 200, CHARS, "card body", "docs card-block", 1)
CARD_ACTIONS: Final = Limit("card.actions", 3, ITEMS, "buttons of a card", "docs card-block", 1)
CAROUSEL_CARDS: Final = Limit("carousel.elements", 10, ITEMS, "cards of a carousel", "docs carousel-block", 1)
CONTAINER_BLOCKS: Final = Limit("container.child_blocks", 10, ITEMS, "blocks of a container", "docs", 1)
CONTAINER_TITLE: Final = Limit("container.title", 150, CHARS, "container title", "docs container-block", 1)
CONTAINER_SUBTITLE: Final = Limit("container.subtitle", 150, CHARS, "container subtitle", "docs", 1)
CONTEXT_ACTIONS: Final = Limit("context_actions.elements", 5, ITEMS, "elements of context_actions", "docs", 1)
PLAN_TASKS: Final = Limit("plan.tasks", 50, ITEMS, "tasks of a plan", "measured")

# Elements.
BUTTON_TEXT: Final = Limit("button.text", 75, CHARS, "button label", "docs button-element", 1)
BUTTON_VALUE: Final = Limit("button.value", 2_000, CHARS, "button value", "docs button-element")
BUTTON_URL: Final = Limit("button.url", 3_000, CHARS, "button url", "docs button-element", 1)
BUTTON_ACCESSIBILITY: Final = Limit("button.accessibility_label", 75, CHARS, "read-aloud label", "docs", 1)
BUTTON_PROMPT: Final = Limit("button.agent_prompt", 4_000, CHARS, "agent_prompt of a button", "sdk")
OVERFLOW_OPTIONS: Final = Limit("overflow.options", 5, ITEMS, "options of an overflow menu", "docs", 1)
SELECT_OPTIONS: Final = Limit("select.options", 100, ITEMS, "options of a select or group", "docs select-menu", 1)
SELECT_GROUPS: Final = Limit("select.option_groups", 100, ITEMS, "groups of a select", "docs select-menu", 1)
SELECT_MAX_SELECTED: Final = Limit("select.max_selected_items", 100, NUMBER, "max_selected_items", "docs", 1)
PLACEHOLDER: Final = Limit("placeholder", 150, CHARS, "placeholder of any element", "docs", 1)
CHECKBOX_OPTIONS: Final = Limit("checkboxes.options", 10, ITEMS, "options of checkboxes", "docs checkboxes", 1)
RADIO_OPTIONS: Final = Limit("radio_buttons.options", 10, ITEMS, "options of radio buttons", "docs", 1)
TEXT_INPUT_MIN_LENGTH: Final = Limit("plain_text_input.min_length", 3_000, NUMBER, "min_length", "docs")
TEXT_INPUT_MAX_LENGTH: Final = Limit("plain_text_input.max_length", 3_000, NUMBER, "max_length", "docs", 1)
RICH_INPUT_LINES: Final = Limit("rich_text_input.lines", 100, NUMBER, "min_lines and max_lines", "sdk", 1)
FILE_INPUT_FILES: Final = Limit("file_input.max_files", 10, NUMBER, "max_files", "docs file-input", 1)
FEEDBACK_TEXT: Final = Limit("feedback_button.text", 75, CHARS, "feedback label", "docs", 1)
FEEDBACK_VALUE: Final = Limit("feedback_button.value", 2_000, CHARS, "feedback value", "docs")
ICON_VALUE: Final = Limit("icon_button.value", 2_000, CHARS, "icon button value", "docs")
VISIBLE_TO: Final = Limit("visible_to_user_ids", 10, ITEMS, "people an icon button is shown to", "docs")

# Composition objects.
TEXT: Final = Limit("text", 3_000, CHARS, "any text object", "docs text-object", 1)
OPTION_TEXT: Final = Limit("option.text", 75, CHARS, "option label", "docs option-object", 1)
OPTION_VALUE: Final = Limit("option.value", 150, CHARS, "option value", "docs option-object", 1)
OPTION_DESCRIPTION: Final = Limit("option.description", 75, CHARS, "option description", "docs option-object", 1)
OPTION_URL: Final = Limit("option.url", 3_000, CHARS, "option url, overflow only", "docs option-object", 1)
GROUP_LABEL: Final = Limit("option_group.label", 75, CHARS, "group label", "docs option-group-object", 1)
CONFIRM_TITLE: Final = Limit("confirm.title", 100, CHARS, "confirmation title", "docs confirmation-dialog", 1)
CONFIRM_TEXT: Final = Limit("confirm.text", 300, CHARS, "confirmation text", "docs confirmation-dialog", 1)
CONFIRM_CONFIRM: Final = Limit("confirm.confirm", 30, CHARS, "confirming label", "docs confirmation-dialog", 1)
CONFIRM_DENY: Final = Limit("confirm.deny", 30, CHARS, "refusing label", "docs confirmation-dialog", 1)

# Clocks.
ACK: Final = Limit("ack", 3, SECONDS, "answer to any event, interaction or command", "docs interactivity")
TRIGGER: Final = Limit("trigger_id", 3, SECONDS, "life of a trigger id, one use", "docs interactivity")
RESPONSE_URL_LIFE: Final = Limit("response_url.life", 1_800, SECONDS, "life of a response_url", "docs")
RESPONSE_URL_USES: Final = Limit("response_url.uses", 5, ITEMS, "posts to one response_url", "docs")
SIGNATURE_AGE: Final = Limit("signature.age", 300, SECONDS, "age of a signed request", "docs verifying-requests")
SOCKETS: Final = Limit("socket.connections", 10, ITEMS, "Socket Mode connections of one app", "docs socket-mode")

TABLE: Final[Mapping[str, Limit]] = MappingProxyType(
    {row.name: row for row in tuple(globals().values()) if isinstance(row, Limit)}
)

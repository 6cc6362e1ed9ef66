"""Rules for Block Kit's interactive elements and where each of them may stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from re import fullmatch

from blocks.slack import limits
from blocks.slack.check_fields import (
    Fault,
    Rule,
    Whole,
    anything,
    exactly_one,
    fields,
    flag,
    items,
    matching,
    one_of,
    string,
    url,
    whole,
)
from blocks.slack.check_objects import (
    CONFIRM,
    CONVERSATION_FILTER,
    DISPATCH,
    OPTION_GROUPS,
    OPTIONS,
    STYLE,
    image,
    initial_is_offered,
    option,
    plain,
    text,
)
from blocks.slack.limits import Limit

ACTION_ID = string(limits.ACTION_ID)
CONFIRMED: Mapping[str, Rule] = {"action_id": ACTION_ID, "confirm": CONFIRM}
CHOSEN: Mapping[str, Rule] = {
    **CONFIRMED,
    "placeholder": plain(limits.PLACEHOLDER),
    "focus_on_load": flag,
}
TYPED: Mapping[str, Rule] = {
    "action_id": ACTION_ID,
    "placeholder": plain(limits.PLACEHOLDER),
    "focus_on_load": flag,
    "dispatch_action_config": DISPATCH,
}
SEVERAL: Mapping[str, Rule] = {**CHOSEN, "max_selected_items": whole(limits.SELECT_MAX_SELECTED)}
IDS = items(string())


def _is_day(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return fullmatch(r"\d{4}-\d{2}-\d{2}", value) is not None


def _is_time(value: str) -> bool:
    return fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value) is not None


def _is_decimal(value: str) -> bool:
    return fullmatch(r"-?\d+(\.\d+)?", value) is not None


def _moment(value: object, at: str) -> Iterator[Fault]:
    if not isinstance(value, int) or isinstance(value, bool) or len(str(value)) != 10:
        yield Fault(at, "must be a 10 digit Unix timestamp in seconds")


def _lengths_in_order(value: Mapping[str, object], at: str) -> Iterator[Fault]:
    low, high = value.get("min_length"), value.get("max_length")
    if isinstance(low, int) and isinstance(high, int) and low > high:
        yield Fault(f"{at}/min_length", "must be less than or equal to max_length")


def element(required: Mapping[str, Rule], optional: Mapping[str, Rule], *also: Whole) -> Rule:
    """An element: its own fields and `type`, which the table has already matched."""
    return fields({"type": anything, **required}, optional, *also)


def boxes(limit: Limit, initial: str, initial_rule: Rule) -> Rule:
    """Checkboxes or radio buttons."""
    return element(
        {"options": items(option(marked_up=True), limit)},
        {**CONFIRMED, "focus_on_load": flag, initial: initial_rule},
        initial_is_offered(initial),
    )


def options_select(common: Mapping[str, Rule], initial: str, initial_rule: Rule) -> Rule:
    """A select over options given in the block."""
    own = {"options": OPTIONS, "option_groups": OPTION_GROUPS, initial: initial_rule}
    return element({}, {**common, **own}, exactly_one("options", "option_groups"), initial_is_offered(initial))


NUMBER = matching(_is_decimal, "a decimal number in a string")
QUERY: Mapping[str, Rule] = {"min_query_length": whole()}
CONVERSATION: Mapping[str, Rule] = {
    "default_to_current_conversation": flag,
    "filter": CONVERSATION_FILTER,
    "response_url_enabled": flag,
}

ELEMENTS: Mapping[str, Rule] = {
    "button": element(
        {"text": plain(limits.BUTTON_TEXT)},
        {
            **CONFIRMED,
            "value": string(limits.BUTTON_VALUE),
            "url": url(limits.BUTTON_URL),
            "style": STYLE,
            "accessibility_label": string(limits.BUTTON_ACCESSIBILITY),
            "agent_prompt": string(limits.BUTTON_PROMPT),
            "agent_prompt_display": anything,
            "visible_to_user_ids": IDS,
        },
    ),
    "workflow_button": element(
        {"text": plain(limits.BUTTON_TEXT), "workflow": anything},
        {
            "action_id": ACTION_ID,
            "style": STYLE,
            "accessibility_label": string(limits.BUTTON_ACCESSIBILITY),
        },
    ),
    "overflow": element({"options": items(option(link=True), limits.OVERFLOW_OPTIONS)}, CONFIRMED),
    "checkboxes": boxes(limits.CHECKBOX_OPTIONS, "initial_options", items(option(marked_up=True))),
    "radio_buttons": boxes(limits.RADIO_OPTIONS, "initial_option", option(marked_up=True)),
    "static_select": options_select(CHOSEN, "initial_option", option()),
    "multi_static_select": options_select(SEVERAL, "initial_options", items(option())),
    "external_select": element({}, {**CHOSEN, **QUERY, "initial_option": option()}),
    "multi_external_select": element({}, {**SEVERAL, **QUERY, "initial_options": items(option())}),
    "users_select": element({}, {**CHOSEN, "initial_user": string()}),
    "multi_users_select": element({}, {**SEVERAL, "initial_users": IDS}),
    "conversations_select": element({}, {**CHOSEN, **CONVERSATION, "initial_conversation": string()}),
    "multi_conversations_select": element({}, {**SEVERAL, **CONVERSATION, "initial_conversations": IDS}),
    "channels_select": element({}, {**CHOSEN, "initial_channel": string(), "response_url_enabled": flag}),
    "multi_channels_select": element({}, {**SEVERAL, "initial_channels": IDS}),
    "datepicker": element({}, {**CHOSEN, "initial_date": matching(_is_day, "YYYY-MM-DD")}),
    "timepicker": element({}, {**CHOSEN, "initial_time": matching(_is_time, "HH:mm"), "timezone": string()}),
    "datetimepicker": element({}, {**CONFIRMED, "focus_on_load": flag, "initial_date_time": _moment}),
    "plain_text_input": element(
        {},
        {
            **TYPED,
            "initial_value": string(),
            "multiline": flag,
            "min_length": whole(limits.TEXT_INPUT_MIN_LENGTH),
            "max_length": whole(limits.TEXT_INPUT_MAX_LENGTH),
        },
        _lengths_in_order,
    ),
    "email_text_input": element({}, {**TYPED, "initial_value": string()}),
    "url_text_input": element({}, {**TYPED, "initial_value": string()}),
    "number_input": element(
        {"is_decimal_allowed": flag},
        {**TYPED, "initial_value": NUMBER, "min_value": NUMBER, "max_value": NUMBER},
    ),
    "rich_text_input": element(
        {},
        {
            **TYPED,
            "initial_value": anything,
            "min_lines": whole(limits.RICH_INPUT_LINES),
            "max_lines": whole(limits.RICH_INPUT_LINES),
        },
    ),
    "file_input": element(
        {},
        {"action_id": ACTION_ID, "filetypes": IDS, "max_files": whole(limits.FILE_INPUT_FILES)},
    ),
    "feedback_buttons": element(
        {
            name: fields(
                {"text": plain(limits.FEEDBACK_TEXT), "value": string(limits.FEEDBACK_VALUE)},
                {"accessibility_label": string(limits.BUTTON_ACCESSIBILITY)},
            )
            for name in ("positive_button", "negative_button")
        },
        {"action_id": ACTION_ID},
    ),
    "icon_button": element(
        {"icon": one_of("trash"), "text": plain(limits.BUTTON_TEXT)},
        {
            **CONFIRMED,
            "value": string(limits.ICON_VALUE),
            "accessibility_label": string(limits.BUTTON_ACCESSIBILITY),
            "visible_to_user_ids": items(string(), limits.VISIBLE_TO),
        },
    ),
    "image": image("image"),
    "plain_text": text(limits.CONTEXT_TEXT),
    "mrkdwn": text(limits.CONTEXT_TEXT),
}

PICKED = frozenset(
    {"checkboxes", "radio_buttons", "datepicker", "timepicker"}
    | {f"{count}{source}_select" for count in ("", "multi_") for source in ("static", "external")}
    | {f"{count}{source}_select" for count in ("", "multi_") for source in ("users", "conversations", "channels")}
)
PRESSED = frozenset({"button", "overflow", "workflow_button"})
ACCESSORIES = PICKED | PRESSED | {"image"}
IN_ACTIONS = PICKED | PRESSED | {"datetimepicker"}
IN_INPUT = (
    PICKED
    | {"datetimepicker", "plain_text_input", "email_text_input", "url_text_input", "number_input"}
    | {"rich_text_input", "file_input"}
)
IN_CONTEXT = frozenset({"image", "plain_text", "mrkdwn"})
IN_CONTEXT_ACTIONS = frozenset({"feedback_buttons", "icon_button"})

"""Finding and filling the stateful controls of blocks, as Slack's client does.

`SLOTS` says for each element type where a payload carries its value, which field of the element gives the
initial one, and what an untouched one reads as.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bot.sandbox.slack.mint import Mint
from bot.sandbox.slack.world import Json


class Slot(NamedTuple):
    """Where one element type keeps its value."""

    field: str
    initial: str
    many: bool = False


SLOTS: Final[Mapping[str, Slot]] = MappingProxyType(
    {
        "plain_text_input": Slot("value", "initial_value"),
        "email_text_input": Slot("value", "initial_value"),
        "url_text_input": Slot("value", "initial_value"),
        "number_input": Slot("value", "initial_value"),
        "rich_text_input": Slot("rich_text_value", "initial_value"),
        "static_select": Slot("selected_option", "initial_option"),
        "external_select": Slot("selected_option", "initial_option"),
        "radio_buttons": Slot("selected_option", "initial_option"),
        "multi_static_select": Slot("selected_options", "initial_options", many=True),
        "multi_external_select": Slot("selected_options", "initial_options", many=True),
        "checkboxes": Slot("selected_options", "initial_options", many=True),
        "users_select": Slot("selected_user", "initial_user"),
        "multi_users_select": Slot("selected_users", "initial_users", many=True),
        "conversations_select": Slot("selected_conversation", "initial_conversation"),
        "multi_conversations_select": Slot("selected_conversations", "initial_conversations", many=True),
        "channels_select": Slot("selected_channel", "initial_channel"),
        "multi_channels_select": Slot("selected_channels", "initial_channels", many=True),
        "datepicker": Slot("selected_date", "initial_date"),
        "timepicker": Slot("selected_time", "initial_time"),
        "datetimepicker": Slot("selected_date_time", "initial_date_time"),
        "file_input": Slot("files", "initial_files", many=True),
    }
)

Entries = dict[tuple[str, str], Json]


@dataclass(frozen=True, slots=True)
class Control:
    """One interactive element with the block it stands in."""

    block: Json
    element: Json

    @property
    def key(self) -> tuple[str, str]:
        """Block id and action id."""
        return self.block["block_id"], self.element["action_id"]

    @property
    def label(self) -> str:
        """What a person reads on it or beside it."""
        own = self.element.get("text") or self.block.get("label")
        if own is None and self.block["type"] == "section":
            own = self.block.get("text")
        if own is None:
            own = self.element.get("placeholder")
        return str(own["text"]) if own else ""

    @property
    def dispatches(self) -> bool:
        """Whether a change is sent at once; in an input block only when the app asked for it."""
        return self.block["type"] != "input" or bool(self.block.get("dispatch_action"))


def named(blocks: Sequence[Mapping[str, Any]], mint: Mint) -> list[Json]:
    """Return `blocks` as Slack keeps them: ids put in where missing, text objects with their defaults."""
    return [_named(block, mint) for block in blocks]


def _named(block: Mapping[str, Any], mint: Mint) -> Json:
    own_id = block.get("block_id") if block["type"] != "markdown" else None  # Slack keeps none for markdown
    kept: Json = {**block, "block_id": own_id or mint.control()}
    for name in ("accessory", "element"):
        if name in kept:
            kept[name] = _with_action(kept[name], mint)
    if block["type"] in ("actions", "context_actions"):
        kept["elements"] = [_with_action(element, mint) for element in block["elements"]]
    if "child_blocks" in kept:
        kept["child_blocks"] = named(kept["child_blocks"], mint)
    return {name: _defaults(value) for name, value in kept.items()}


def _with_action(element: Json, mint: Mint) -> Json:
    if element["type"] == "image":
        return element
    return {**element, "action_id": element.get("action_id") or mint.control()}


def _defaults(value: Any) -> Any:
    if isinstance(value, Mapping):
        kept = {name: _defaults(inner) for name, inner in value.items()}
        if isinstance(value.get("text"), str):
            if value.get("type") == "plain_text":
                kept.setdefault("emoji", True)
            elif value.get("type") == "mrkdwn":
                kept.setdefault("verbatim", False)
        return kept
    if isinstance(value, list | tuple):
        return [_defaults(inner) for inner in value]
    return value


def controls(blocks: Sequence[Json]) -> Iterator[Control]:
    """Yield every interactive element, in the order a person meets them."""
    for block in blocks:
        for name in ("accessory", "element"):
            if name in block and "action_id" in block[name]:
                yield Control(block, block[name])
        if block["type"] in ("actions", "context_actions"):
            for element in block["elements"]:
                yield Control(block, element)
        yield from controls(block.get("child_blocks", ()))


def entry(element: Json, value: Any) -> Json:
    """Return the `state.values` entry of an element that holds `value`."""
    slot = SLOTS[element["type"]]
    if slot.many and value is None:
        value = []
    if element["type"].endswith("text_input") or element["type"] == "number_input":
        value = value or None  # an emptied field is sent as null
    state = {"type": element["type"], slot.field: value}
    if element["type"] == "timepicker" and "timezone" in element:
        state["timezone"] = element["timezone"]
    return state


def filled(blocks: Sequence[Json], typed: Entries) -> Entries:
    """Return every control's entry: what was typed under the same ids and type, else the initial value."""
    found: Entries = {}
    for control in controls(blocks):
        slot = SLOTS.get(control.element["type"])
        if slot is None:
            continue
        kept = typed.get(control.key)
        if kept is None or kept["type"] != control.element["type"]:
            kept = entry(control.element, control.element.get(slot.initial))
        found[control.key] = kept
    return found


def state_values(entries: Entries) -> Json:
    """Return the nested `state.values` that payloads carry."""
    values: Json = {}
    for (block_id, action_id), kept in entries.items():
        values.setdefault(block_id, {})[action_id] = kept
    return values


def offered(element: Json) -> list[Json]:
    """Return the options of an element, groups flattened."""
    found: list[Json] = list(element.get("options") or ())
    for group in element.get("option_groups") or ():
        found.extend(group["options"])
    return found

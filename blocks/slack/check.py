"""What Slack would refuse about a message or a view, before it is sent.

`check_message` and `check_view` take the JSON that goes to the Web API as plain dicts and return faults with
JSON pointers, in Slack's wording; an empty tuple means that nothing known stands against it. Slack's own
`blocks.validate` has the last word: the numbers come from `limits`, the structure from its documentation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from blocks.slack import limits
from blocks.slack.check_blocks import Surface, check_each
from blocks.slack.check_fields import (
    Fault,
    Rule,
    anything,
    count,
    fields,
    flag,
    is_public_address,
    items,
    one_of,
    string,
    type_error,
)
from blocks.slack.check_objects import plain

__all__ = ["Fault", "Surface", "budget", "check_blocks", "check_message", "check_view", "is_public_address"]


def budget(blocks: Sequence[object]) -> int:
    """Return the characters `blocks` use of `limits.MESSAGE_BUDGET`: their compact JSON, text unescaped."""
    return limits.length(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def check_blocks(blocks: object, surface: Surface, at: str = "/blocks") -> tuple[Fault, ...]:
    """Check an array of blocks for one surface, including ids and the limits of the whole."""
    if not isinstance(blocks, Sequence) or isinstance(blocks, str):
        return (Fault(at, type_error.format("an array"), "invalid_blocks_format"),)
    faults = [*check_each(blocks, surface, at), *_check_ids(blocks, at)]
    if surface is Surface.MESSAGE:
        faults += _check_whole_message(blocks, at)
    return tuple(faults)


def check_message(message: Mapping[str, object], *, update: bool = False) -> tuple[Fault, ...]:
    """Check `text`, `blocks`, `attachments` and `metadata` of a post, or of a chat.update with `update`."""
    faults: list[Fault] = []
    text, blocks = message.get("text"), message.get("blocks")
    markdown, attachments = message.get("markdown_text"), message.get("attachments")
    cleared = update and isinstance(blocks, Sequence)
    if not text and not blocks and not attachments and not markdown and not cleared:
        faults.append(Fault("", "missing required field: text", "no_text"))
    if markdown and (text or blocks):
        faults.append(Fault("/markdown_text", "must not be used with text or blocks", "markdown_text_conflict"))
    if isinstance(text, str) and update and limits.size(text) > limits.MESSAGE_UPDATE_TEXT.number:
        faults.append(
            Fault("/text", f"must be less than {limits.MESSAGE_UPDATE_TEXT.number + 1} bytes", "msg_too_long")
        )
    if isinstance(markdown, str) and limits.length(markdown) > limits.MARKDOWN_TEXT.number:
        faults.append(Fault("/markdown_text", "must be less than 12001 characters", "msg_too_long"))
    if isinstance(attachments, Sequence) and len(attachments) > limits.MESSAGE_ATTACHMENTS.number:
        faults.append(Fault("/attachments", "no more than 100 items allowed", "too_many_attachments"))
    if blocks is not None:
        faults += check_blocks(blocks, Surface.MESSAGE)
    faults += _check_metadata(message.get("metadata"))
    return tuple(faults)


def check_view(view: object, at: str = "/view") -> tuple[Fault, ...]:
    """Check a modal or a Home view."""
    if not isinstance(view, Mapping):
        return (Fault(at, type_error.format("an object"), "invalid_arguments"),)
    kind = view.get("type")
    if kind not in (Surface.MODAL, Surface.HOME):
        message = "missing required field: type" if kind is None else f"unsupported type: {kind}"
        return (Fault(at if kind is None else f"{at}/type", message, "invalid_arguments"),)
    surface = Surface(str(kind))
    faults = list((_MODAL if surface is Surface.MODAL else _HOME)(view, at))
    blocks = view.get("blocks")
    if isinstance(blocks, Sequence) and not isinstance(blocks, str):
        faults += check_blocks(blocks, surface, f"{at}/blocks")
        faults += _check_whole_view(blocks, view, at)
    if limits.size(json.dumps(view, ensure_ascii=False)) > limits.VIEW_SIZE.number:
        faults.append(Fault(at, "must be less than 250001 bytes", "view_too_large"))
    return tuple(Fault(f.pointer, f.message, _view_error(f.error)) for f in faults)


def _view_error(error: str) -> str:
    return error if error == "view_too_large" else "invalid_arguments"


_COMMON: dict[str, Rule] = {
    "private_metadata": string(limits.VIEW_PRIVATE_METADATA),
    "callback_id": string(limits.VIEW_CALLBACK_ID),
    "external_id": string(limits.VIEW_EXTERNAL_ID),
}
_ARRAY = items(anything)  # what is in it is checked by check_blocks
_HOME = fields({"type": one_of("home"), "blocks": _ARRAY}, _COMMON)
_MODAL = fields(
    {"type": one_of("modal"), "title": plain(limits.VIEW_TITLE), "blocks": _ARRAY},
    {
        **_COMMON,
        "submit": plain(limits.VIEW_SUBMIT),
        "close": plain(limits.VIEW_CLOSE),
        "clear_on_close": flag,
        "notify_on_close": flag,
        "submit_disabled": flag,
    },
)


def _nested(blocks: Sequence[object], at: str) -> Iterator[tuple[Mapping[str, object], str]]:
    for index, block in enumerate(blocks):
        if isinstance(block, Mapping):
            yield block, f"{at}/{index}"
            for name in ("child_blocks", "tasks"):
                inner = block.get(name)
                if isinstance(inner, Sequence) and not isinstance(inner, str):
                    yield from _nested(inner, f"{at}/{index}/{name}")


def _elements(block: Mapping[str, object], at: str) -> Iterator[tuple[Mapping[str, object], str]]:
    for name in ("accessory", "element"):
        one = block.get(name)
        if isinstance(one, Mapping):
            yield one, f"{at}/{name}"
    for name in ("elements", "actions"):
        several = block.get(name)
        if isinstance(several, Sequence) and not isinstance(several, str):
            for index, one in enumerate(several):
                if isinstance(one, Mapping):
                    yield one, f"{at}/{name}/{index}"


def _check_ids(blocks: Sequence[object], at: str) -> Iterator[Fault]:
    seen_blocks: set[str] = set()
    for block, where in _nested(blocks, at):
        name = block.get("block_id")
        if isinstance(name, str) and name:
            if name in seen_blocks:
                yield Fault(f"{where}/block_id", f'`block_id` "{name}" already exists')
            seen_blocks.add(name)
        seen_actions: set[str] = set()
        for element, place in _elements(block, where):
            action = element.get("action_id")
            if isinstance(action, str) and action:
                if action in seen_actions:
                    yield Fault(f"{place}/action_id", f'`action_id` "{action}" already exists')
                seen_actions.add(action)


def _check_whole_message(blocks: Sequence[object], at: str) -> Iterator[Fault]:
    kinds = [block.get("type") for block, _ in _nested(blocks, at)]
    yield from count(kinds.count("table"), limits.MESSAGE_TABLES, at)
    markdown = sum(
        limits.length(text)
        for block, _ in _nested(blocks, at)
        if block.get("type") == "markdown" and isinstance(text := block.get("text"), str)
    )
    if markdown > limits.MESSAGE_MARKDOWN.number:
        yield Fault(at, "markdown blocks must be less than 12001 characters together", "msg_blocks_too_long")
    if budget(blocks) > limits.MESSAGE_BUDGET.number:
        yield Fault(at, f"must be less than {limits.MESSAGE_BUDGET.number + 1} characters", "msg_blocks_too_long")


def _check_whole_view(blocks: Sequence[object], view: Mapping[str, object], at: str) -> Iterator[Fault]:
    inside = list(_nested(blocks, f"{at}/blocks"))
    modal = view.get("type") == Surface.MODAL
    if modal and view.get("submit") is None and any(block.get("type") == "input" for block, _ in inside):
        yield Fault(at, "missing required field: submit")
    focused = [place for block, where in inside for e, place in _elements(block, where) if e.get("focus_on_load")]
    for place in focused[1:]:
        yield Fault(f"{place}/focus_on_load", "only one element may take the focus")


def _check_metadata(metadata: object) -> Iterator[Fault]:
    if metadata is None:
        return
    if not isinstance(metadata, Mapping) or set(metadata) != {"event_type", "event_payload"}:
        yield Fault("/metadata", "must have event_type and event_payload", "invalid_metadata_format")
    elif not isinstance(metadata["event_type"], str) or not isinstance(metadata["event_payload"], Mapping):
        yield Fault("/metadata", "must be a name and an object", "invalid_metadata_schema")
    elif limits.size(json.dumps(metadata, ensure_ascii=False)) > limits.MESSAGE_METADATA.number:
        yield Fault("/metadata", "must be less than 4097 bytes", "metadata_too_large")

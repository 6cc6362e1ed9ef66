"""Rules for Block Kit's blocks and the surfaces each of them may appear on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from blocks.slack import limits
from blocks.slack.check_elements import (
    ACCESSORIES,
    ELEMENTS,
    IN_ACTIONS,
    IN_CONTEXT,
    IN_CONTEXT_ACTIONS,
    IN_INPUT,
)
from blocks.slack.check_fields import (
    Fault,
    Rule,
    Whole,
    anything,
    at_least_one,
    by_type,
    count,
    fields,
    flag,
    items,
    one_of,
    string,
    url,
)
from blocks.slack.check_objects import image, plain, text
from blocks.slack.check_rich_text import rich_text


class Surface(StrEnum):
    """Where blocks are shown."""

    MESSAGE = "message"
    MODAL = "modal"
    HOME = "home"


def block(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None, *also: Whole) -> Rule:
    """A block: its own fields, `type` (already matched by the table) and `block_id`."""
    common = {"block_id": string(limits.BLOCK_ID)}
    return fields({"type": anything, **required}, {**common, **(optional or {})}, *also)


def _table_text(value: Mapping[str, object], at: str) -> Iterator[Fault]:
    rows = value.get("rows")
    written = 0
    for row in rows if isinstance(rows, Sequence) else ():
        for cell in row if isinstance(row, Sequence) else ():
            written += _written(cell)
    if written > limits.TABLE_CHARACTERS.number:
        yield Fault(f"{at}/rows", f"must be less than {limits.TABLE_CHARACTERS.number + 1} characters in all")


def _written(value: object) -> int:
    if isinstance(value, Mapping):
        own = value.get("text")
        return (limits.length(own) if isinstance(own, str) else 0) + _written(value.get("elements"))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(_written(member) for member in value)
    return 0


def _distinct_tasks(value: Mapping[str, object], at: str) -> Iterator[Fault]:
    tasks = value.get("tasks")
    seen: set[object] = set()
    for index, task in enumerate(tasks if isinstance(tasks, Sequence) else ()):
        name = task.get("task_id") if isinstance(task, Mapping) else None
        if isinstance(name, str) and name in seen:
            yield Fault(f"{at}/tasks/{index}/task_id", f'`task_id` "{name}" already exists')
        seen.add(name)


def _divider_or_collapsing(value: Mapping[str, object], at: str) -> Iterator[Fault]:
    if value.get("has_header_divider") and value.get("is_collapsible"):
        yield Fault(at, "must not set both has_header_divider and is_collapsible")


CELL = by_type(
    {
        "raw_text": fields({"type": anything, "text": string()}),
        "raw_number": fields({"type": anything, "value": anything}, {"text": string()}),
        "rich_text": fields({"type": anything, "elements": rich_text}),
    }
)
TASK = fields(
    {
        "type": one_of("task_card"),
        "task_id": string(),
        "title": string(),
        "status": one_of("pending", "in_progress", "complete", "error"),
    },
    {"details": anything, "output": anything, "sources": anything, "block_id": string(limits.BLOCK_ID)},
)
CARD = block(
    {},
    {
        "title": text(limits.CARD_TITLE),
        "subtitle": text(limits.CARD_SUBTITLE),
        "body": text(limits.CARD_BODY),
        "hero_image": image("image"),
        "icon": image("image"),
        "actions": items(by_type(ELEMENTS, frozenset({"button"})), limits.CARD_ACTIONS),
    },
    at_least_one("hero_image", "title", "actions", "body"),
)

BLOCKS: Mapping[str, Rule] = {
    "section": block(
        {},
        {
            "text": text(limits.SECTION_TEXT),
            "fields": items(text(limits.SECTION_FIELD), limits.SECTION_FIELDS),
            "accessory": by_type(ELEMENTS, ACCESSORIES),
            "expand": flag,
        },
        at_least_one("text", "fields"),
    ),
    "header": block({"text": plain(limits.HEADER_TEXT)}),
    "context": block({"elements": items(by_type(ELEMENTS, IN_CONTEXT), limits.CONTEXT_ELEMENTS)}),
    "actions": block({"elements": items(by_type(ELEMENTS, IN_ACTIONS), limits.ACTIONS_ELEMENTS)}),
    "input": block(
        {"label": plain(limits.INPUT_LABEL), "element": by_type(ELEMENTS, IN_INPUT)},
        {"hint": plain(limits.INPUT_HINT), "optional": flag, "dispatch_action": flag},
    ),
    "divider": block({}),
    "image": image("image", title=plain(limits.IMAGE_TITLE), block_id=string(limits.BLOCK_ID)),
    "rich_text": block({"elements": rich_text}),
    "markdown": block({"text": string(limits.MARKDOWN_TEXT)}),
    "table": block(
        {"rows": items(items(CELL, limits.TABLE_COLUMNS), limits.TABLE_ROWS)},
        {
            "column_settings": items(
                fields({}, {"align": one_of("left", "center", "right"), "is_wrapped": flag}),
                limits.TABLE_SETTINGS,
            )
        },
        _table_text,
    ),
    "video": block(
        {
            "title": plain(limits.VIDEO_TITLE),
            "video_url": url(limits.IMAGE_URL),
            "thumbnail_url": url(limits.IMAGE_URL),
            "alt_text": string(limits.IMAGE_ALT_TEXT),
        },
        {
            "author_name": string(limits.VIDEO_AUTHOR),
            "description": plain(limits.VIDEO_TITLE),
            "title_url": url(limits.IMAGE_URL),
            "provider_name": string(),
            "provider_icon_url": string(),
        },
    ),
    "alert": block(
        {"text": text(limits.ALERT_TEXT)}, {"level": one_of("default", "info", "warning", "error", "success")}
    ),
    "card": CARD,
    "carousel": block({"elements": items(by_type({"card": CARD}), limits.CAROUSEL_CARDS)}),
    "context_actions": block({"elements": items(by_type(ELEMENTS, IN_CONTEXT_ACTIONS), limits.CONTEXT_ACTIONS)}),
    "task_card": TASK,
    "plan": block({"title": string(), "tasks": items(TASK, limits.PLAN_TASKS)}, {}, _distinct_tasks),
}
BLOCKS = {
    **BLOCKS,
    "container": block(
        {"child_blocks": items(by_type(BLOCKS), limits.CONTAINER_BLOCKS)},
        {
            "title": plain(limits.CONTAINER_TITLE),
            "rich_text_title": anything,
            "subtitle": plain(limits.CONTAINER_SUBTITLE),
            "icon": anything,
            "width": one_of("narrow", "standard", "wide", "full"),
            "is_collapsible": flag,
            "default_collapsed": flag,
            "has_header_divider": flag,
        },
        _divider_or_collapsing,
    ),
}

EVERYWHERE = frozenset(
    {"section", "header", "context", "actions", "input", "divider", "image", "rich_text", "video", "alert"}
)
ALLOWED: Mapping[Surface, frozenset[str]] = {
    Surface.MESSAGE: frozenset(BLOCKS),
    Surface.MODAL: EVERYWHERE,
    Surface.HOME: EVERYWHERE - {"alert"},
}


def check_each(blocks: Sequence[object], surface: Surface, at: str) -> Iterator[Fault]:
    """Check every block by itself, and how many there are on this surface."""
    limit = limits.MESSAGE_BLOCKS if surface is Surface.MESSAGE else limits.VIEW_BLOCKS
    yield from count(len(blocks), limit, at)
    rule = by_type(BLOCKS, ALLOWED[surface])
    for index, one in enumerate(blocks):
        yield from rule(one, f"{at}/{index}")

"""A checklist: boxes in groups that Slack takes, each tick saved when it is made, and a button that completes it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from blocks.codec import LENGTH, Codec
from blocks.slack.check import budget
from blocks.slack.controls import HEAD, block_id, control, press
from blocks.slack.limits import OPTION_DESCRIPTION, length
from blocks.slack.pages import Room, Weight, paged, place_of, shown_page, turns
from blocks.slack.parts import Block, actions, option, words
from blocks.slack.passages import Passage
from blocks.slack.prose import item, line, prose
from blocks.slack.sizes import GROUP, TICKED_PAGE, fits_control
from blocks.slack.ticks import box_value, group_action, group_id
from blocks.words import listed, neutralise, one_line, who
from core.cards import Card
from core.controls import Action
from core.kinds.checklist import CheckItem, Checklist, selected
from core.records import Interaction
from core.standing import so_far

_NAMES = 3
"""As many names as a line of progress tells."""
_LONGEST_NAME = 80
_GROUP_OVERHEAD = 350
"""Characters that a group takes beside its boxes, its name of up to 200 items among them."""
_LAST = 199


def why_review(payload: Checklist) -> str | None:
    """Why a checklist cannot be ticked in Slack whatever its length; None when it can."""
    if all(fits_control(one.label) for one in payload.items) and fits_control(payload.accept_label):
        return None
    return "An item is longer than Slack shows whole, so the list is on its own page."


def answering(card: Card, codec: Codec, payload: Checklist, rest: Sequence[Block]) -> list[Block] | None:
    """The page of boxes that this copy shows, with how far the list is. `rest` is what else the card has; None: an item
    does not fit beside it."""
    pages = paged(_weights(payload), TICKED_PAGE.most, Room.beside(card, rest))
    if pages is None:
        return None
    number = shown_page(card, pages)
    page, ticked = pages[number], set(selected(payload, card.interaction.ticks))
    groups = [range(start, min(start + GROUP.most, page.stop)) for start in range(page.start, page.stop, GROUP.most)]
    shown = [block for group in groups for block in _group(card, codec, payload, group, ticked)]
    submit = press(codec, neutralise(payload.accept_label), control(card, Action.SUBMIT), "primary")
    return [
        *prose(line(*_head(card.interaction, payload, page))),
        *shown,
        actions(block_id("submit", card), *turns(card, codec, number, len(pages)), submit),
    ]


def ended(interaction: Interaction, payload: Checklist, *, whole: bool) -> list[Passage]:
    """The list as it was left: what is ticked and by whom; `whole`: with what its items say beyond their labels."""
    ticked, last = set(selected(payload, interaction.ticks)), {tick.item: tick for tick in interaction.ticks}
    passages = [line(words(so_far(interaction), "bold"))]
    for one in payload.items:
        said = _said(one) if whole else ""
        told = f"{'☑' if one.id in ticked else '☐'} {one_line(one.label)}{': ' if said else ''}{said}"
        # Last, so that nobody seems to have said what the item says.
        by = f" · {_name(who(last[one.id].by))}" if one.id in ticked and one.id in last else ""
        passages.append(line(words(told + by)))
    return passages


def _group(card: Card, codec: Codec, payload: Checklist, group: range, ticked: Collection[str]) -> Iterator[Block]:
    """Up to ten boxes, below what their items say that has no room in a box."""
    yield from prose(*(note for index in group for note in _note(payload.items[index])))
    first = control(card, Action.TICK)
    tokens = {index: codec.pack(replace(first, option=index)) for index in group}
    boxes = {index: _box(payload.items[index], index, token) for index, token in tokens.items()}
    on = [index for index in group if payload.items[index].id in ticked]
    element: Block = {
        "type": "checkboxes",
        "action_id": group_action(tokens[group.start][:HEAD]),
        "options": list(boxes.values()),
        **({"initial_options": [boxes[index] for index in on]} if on else {}),
    }
    token = codec.pack(control(card, Action.TICKS, 0, group.start))
    ids = {payload.items[index].id for index in group}
    acts = tuple(tick for tick in card.interaction.ticks if tick.item in ids)
    yield actions(group_id(token, on, acts), element)


@lru_cache(maxsize=16)
def _weights(payload: Checklist) -> tuple[Weight, ...]:
    """What each item takes, the same on every copy and page of a card and in all its states."""
    return tuple(map(_weight, payload.items))


def _weight(one: CheckItem) -> Weight:
    """What an item takes while it is ticked: Slack is told a ticked box twice. Its share of a group comes on top."""
    box, note = _box(one, _LAST, "x" * LENGTH), prose(*_note(one))
    return Weight(2 * budget([box]) + budget(note) + _GROUP_OVERHEAD // GROUP.most, len(note) + 1)


def _box(one: CheckItem, index: int, token: str) -> Block:
    said = _said(one)
    remark = said if length(said) <= OPTION_DESCRIPTION.number else ""
    return option(neutralise(one.label), box_value(index, token[HEAD:]), remark)


def _said(one: CheckItem) -> str:
    """What an item says beyond its label."""
    parts = ["recommended"] if one.recommended else []
    described = neutralise(one.description or "").strip()
    return " · ".join([*parts, described] if described else parts)


def _note(one: CheckItem) -> list[Passage]:
    said = _said(one)
    if length(said) <= OPTION_DESCRIPTION.number:
        return []
    return [item(words(one_line(one.label), "bold"), words(f": {said}"))]


def _head(interaction: Interaction, payload: Checklist, page: range) -> list[Block]:
    ticked = set(selected(payload, interaction.ticks))
    names = list(dict.fromkeys(_name(who(tick.by)) for tick in interaction.ticks if tick.item in ticked))
    by = listed([*names[:_NAMES], f"{len(names) - _NAMES} more"] if len(names) > _NAMES else names)
    parts = [f"by {by}" if by else "", _wanted(payload), place_of(page, len(payload.items))]
    return [words(so_far(interaction), "bold"), *(words(f" · {part}") for part in parts if part)]


def _wanted(payload: Checklist) -> str:
    """How many must be ticked."""
    if payload.max is None:
        return f"tick at least {payload.min}" if payload.min else ""
    if payload.min == payload.most:
        return f"tick exactly {payload.min}"
    return f"tick {payload.min} to {payload.most}" if payload.min else f"tick at most {payload.most}"


def _name(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else "someone"

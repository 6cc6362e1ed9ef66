"""Checklist: items that several people tick and untick, each saved when made; Submit completes it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Field, JsonValue, model_validator

from core.canonical import rfc3339
from core.errors import Fault, Invalid
from core.kinds.base import ButtonLabel, Description, Id, Label, Payload, check_unique, misplaced, pointer
from core.people import By, Value, Via


class CheckItem(Payload):
    """One thing to tick. `checked`: it is ticked from the start, by the asker."""

    id: Id
    label: Label
    description: Description | None = None
    checked: bool = False
    recommended: bool = False


class Checklist(Payload):
    """The payload of kind `checklist`. `min` and `max` are checked when it is completed."""

    items: Annotated[tuple[CheckItem, ...], Field(min_length=1, max_length=200)]
    min: Annotated[int, Field(ge=0, le=200)] = 0
    max: Annotated[int, Field(ge=1, le=200)] | None = None
    accept_label: ButtonLabel = "Submit"

    @model_validator(mode="after")
    def _ids_and_counts_agree(self) -> Self:
        check_unique([item.id for item in self.items], "item", "items", "id")
        if self.max is not None and self.max > len(self.items):
            raise misplaced("max is more than there is to tick", "max")
        if self.min > self.most:
            raise misplaced("min is more than can be ticked", "min")
        return self

    @property
    def most(self) -> int:
        """How many may be ticked when it is completed."""
        return self.max if self.max is not None else len(self.items)


class Tick(Value):
    """The last thing somebody did to an item: `on` ticked it, otherwise it was unticked."""

    item: str
    on: bool
    by: By
    via: Via
    at: datetime


Ticks = tuple[Tick, ...]


def selected(payload: Checklist, ticks: Ticks) -> tuple[str, ...]:
    """The ids that are ticked now, in the order of the list."""
    last = {tick.item: tick.on for tick in ticks}
    return tuple(item.id for item in payload.items if last.get(item.id, item.checked))


def apply_ticks(
    payload: Checklist, ticks: Ticks, *, tick: Sequence[str], untick: Sequence[str], by: By, via: Via, at: datetime
) -> tuple[Ticks, tuple[str, ...], tuple[str, ...]]:
    """Return the ticks as they are then, and the ids that were really ticked and unticked: what is so already is no
    change, and keeps whoever did it first. Raises `Invalid` with a pointer per fault."""
    known = {item.id for item in payload.items}
    faults = [
        Fault(pointer(name, index), "not the id of an item")
        for name, ids in (("tick", tick), ("untick", untick))
        for index, id in enumerate(ids)
        if id not in known
    ]
    faults += [
        Fault(pointer("untick", index), "this item is ticked and unticked at once")
        for index, id in enumerate(untick)
        if id in set(tick)
    ]
    if faults:
        raise Invalid(faults)
    now = set(selected(payload, ticks))
    on = tuple(dict.fromkeys(id for id in tick if id not in now))
    off = tuple(dict.fromkeys(id for id in untick if id in now))
    changed = {*on, *off}
    made = tuple(Tick(item=id, on=id in on, by=by, via=via, at=at) for id in (*on, *off))
    return (*(one for one in ticks if one.item not in changed), *made), on, off


def check_selected(payload: Checklist, chosen: Sequence[str]) -> None:
    """Raise `Invalid` unless as many are ticked as the list asks for."""
    if len(chosen) < payload.min:
        raise Invalid.at("/selected", f"tick at least {payload.min} (now {len(chosen)})")
    if len(chosen) > payload.most:
        raise Invalid.at("/selected", f"tick at most {payload.most} (now {len(chosen)})")


def wire(payload: Checklist, ticks: Ticks) -> dict[str, JsonValue]:
    """What is ticked, and by whom and when; an item ticked from the start was ticked by nobody."""
    chosen = selected(payload, ticks)
    last = {tick.item: tick for tick in ticks}
    made: list[JsonValue] = [
        {"id": id, "by": dict(last[id].by.wire()), "at": rfc3339(last[id].at)} for id in chosen if id in last
    ]
    return {"selected": list(chosen), "ticks": made}


EXAMPLE: dict[str, Any] = {
    "kind": "checklist",
    "title": "Before the 4.2 release",
    "body": "Tick what is **done**. Anyone in this channel may tick; submit once everything is.",
    "payload": {
        "items": [
            {"id": "notes", "label": "Release notes reviewed", "checked": True},
            {"id": "canary", "label": "Canary is clean", "description": "two hours without an alert"},
            {"id": "oncall", "label": "On-call engineer knows"},
        ],
        "min": 2,
        "accept_label": "All done",
    },
}

"""Item verdicts: one verdict per item, by whoever comes first; complete once every item has one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Field, JsonValue, model_validator

from core.canonical import rfc3339
from core.errors import Fault, Invalid
from core.kinds.base import (
    ButtonLabel,
    Description,
    HttpsAddress,
    Id,
    Label,
    Payload,
    Reason,
    check_unique,
    kept_reason,
    pointer,
    words_of,
)
from core.people import By, Value, Via


class VerdictItem(Payload):
    """One thing to judge. `href` says more about it."""

    id: Id
    label: Label
    description: Description | None = None
    href: HttpsAddress | None = None
    recommended: bool = False


class VerdictOption(Payload):
    """One verdict that an item can get, and whether it carries a reason."""

    id: Id
    label: ButtonLabel
    reason: Annotated[Reason, Field(strict=False)] = Reason.NONE


USUAL = (
    VerdictOption(id="approve", label="Approve"),
    VerdictOption(id="reject", label="Reject", reason=Reason.REQUIRED),
    VerdictOption(id="defer", label="Defer"),
)


class ItemVerdicts(Payload):
    """The payload of kind `item_verdicts`."""

    items: Annotated[tuple[VerdictItem, ...], Field(min_length=1, max_length=200)]
    verdicts: Annotated[tuple[VerdictOption, ...], Field(min_length=2, max_length=5)] = USUAL

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        check_unique([item.id for item in self.items], "item", "items", "id")
        check_unique([verdict.id for verdict in self.verdicts], "verdict", "verdicts", "id")
        return self

    def option(self, id: str) -> VerdictOption | None:
        """The verdict with this id."""
        return next((one for one in self.verdicts if one.id == id), None)


class Verdict(Value):
    """What somebody decided about one item. It stands."""

    item: str
    verdict: str
    reason: str | None = None
    by: By
    via: Via
    at: datetime

    def wire(self) -> dict[str, JsonValue]:
        """As answers and progress show it."""
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "by": dict(self.by.wire()),
            "at": rfc3339(self.at),
        }


Verdicts = tuple[Verdict, ...]


@dataclass(frozen=True)
class Given:
    """A verdict that somebody wants to give to an item."""

    item: str
    verdict: str
    reason: str | None = None


def judge_items(
    payload: ItemVerdicts, standing: Verdicts, given: Sequence[Given], *, by: By, via: Via, at: datetime
) -> tuple[Verdicts, tuple[Verdict, ...], tuple[Fault, ...]]:
    """Return all verdicts as they are then, the new ones among them, and a line for each given one that came too
    late: the first verdict of an item stands, and the same one again is no news.

    Raises `Invalid` with a pointer per fault.
    """
    known = {item.id for item in payload.items}
    stands = {one.item: one for one in standing}
    faults: list[Fault] = []
    new: dict[str, Verdict] = {}
    late: list[Fault] = []
    for index, one in enumerate(given):
        option = payload.option(one.verdict)
        if one.item not in known:
            faults.append(Fault(pointer("verdicts", index, "item"), "not the id of an item"))
        if option is None:
            faults.append(Fault(pointer("verdicts", index, "verdict"), "not the id of a verdict"))
        if one.item not in known or option is None:
            continue
        if one.item in new:
            faults.append(Fault(pointer("verdicts", index, "item"), "this item is judged twice"))
            continue
        earlier = stands.get(one.item)
        if earlier is not None:
            if (earlier.verdict, earlier.reason) != (one.verdict, words_of(one.reason)):
                late.append(Fault(pointer("verdicts", index), _already(payload, earlier)))
            continue
        reason, fault = kept_reason(option.reason, one.reason)
        if fault is not None:
            faults.append(Fault(pointer("verdicts", index, "reason"), fault))
            continue
        new[one.item] = Verdict(item=one.item, verdict=option.id, reason=reason, by=by, via=via, at=at)
    if faults:
        raise Invalid(faults)
    return (*standing, *new.values()), tuple(new.values()), tuple(late)


def _already(payload: ItemVerdicts, earlier: Verdict) -> str:
    option = payload.option(earlier.verdict)
    label = option.label if option else earlier.verdict
    who = earlier.by.name or earlier.by.handle or "someone"
    return f"{who} has decided this item already: {label}. The first verdict stands"


def standing_on(payload: ItemVerdicts, standing: Verdicts, item: str) -> str | None:
    """Who decided an item, and how, in words; None: nobody yet."""
    earlier = next((one for one in standing if one.item == item), None)
    return _already(payload, earlier) if earlier is not None else None


def is_complete(payload: ItemVerdicts, standing: Verdicts) -> bool:
    """Whether every item has its verdict."""
    return {one.item for one in standing} >= {item.id for item in payload.items}


def wire(payload: ItemVerdicts, standing: Verdicts) -> dict[str, JsonValue]:
    """The verdicts given so far, in the order of the items."""
    by_item = {one.item: one for one in standing}
    return {"verdicts": {item.id: by_item[item.id].wire() for item in payload.items if item.id in by_item}}


EXAMPLE: dict[str, Any] = {
    "kind": "item_verdicts",
    "title": "Dependency updates",
    "body": "Each update passed the tests. Say what may go in.",
    "payload": {
        "items": [
            {"id": "pydantic", "label": "pydantic 2.11 to 2.12", "href": "https://docs.pydantic.dev/latest/changelog/"},
            {"id": "sqlalchemy", "label": "sqlalchemy 2.0.43 to 2.0.44", "description": "bug fixes only"},
        ],
    },
}

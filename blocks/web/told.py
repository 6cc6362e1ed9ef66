"""What the asker was told about a card, event by event, and whether it reached them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from blocks.web.page import Happened
from core.endings import OWN
from core.events import WEBHOOK_TYPES, EventType, settled_as
from core.kinds import Kind
from core.reading import Announced

_SAID: Final[Mapping[EventType, str]] = {
    EventType.CREATED: "It was asked",
    EventType.PATCHED: "It was changed",
    EventType.PROGRESSED: "There was progress",
    EventType.COMMENTED: "Somebody replied in words",
    EventType.DISMISSED: "It was set aside",
    EventType.REOPENED: "It was brought back",
    EventType.REPLIED: "The result was sent",
    EventType.NUDGED: "People were reminded",
    EventType.ESCALATED: "Others may answer now as well",
    EventType.RESTORED: "The service was restored from an earlier copy",
    EventType.ANSWERED: "It was answered",
    EventType.ACCEPTED: "It was accepted",
    EventType.REJECTED: "It was rejected",
    EventType.COMPLETED: "It was completed",
    EventType.CANCELLED: "It was cancelled",
    EventType.WITHDRAWN: "It was withdrawn",
    EventType.SKIPPED: "It was skipped",
    EventType.EXPIRED: "Its time ended",
    EventType.SUPERSEDED: "It was replaced",
    EventType.UNDELIVERABLE: "It could not be delivered",
}
_GONE = 410


def told(announced: Iterable[Announced], kind: Kind, *, webhook: bool) -> Iterator[Happened]:
    """One line per event, in order. `webhook`: the asker named an address for some of them."""
    for event in announced:
        reached = f" {_reached(event)}" if webhook and event.type in WEBHOOK_TYPES else ""
        yield Happened(event.at, f"{_said(event.type, kind)}.{reached}")


def _said(type_: EventType, kind: Kind) -> str:
    own = next((words for (of, status), words in OWN.items() if of is kind and settled_as(status) is type_), None)
    return _SAID[type_] if own is None else f"It was {own.did}"


def _reached(event: Announced) -> str:
    tried = event.attempts
    if any(one.status is not None and 200 <= one.status < 300 for one in tried):
        return "The webhook was delivered."
    if any(one.status == _GONE for one in tried):
        return "The webhook was refused for good (410)."
    if not tried:
        return "The webhook is not delivered yet."
    last = tried[-1]
    why = f"status {last.status}" if last.status is not None else "no answer"
    times = "once" if len(tried) == 1 else f"{len(tried)} times"
    return f"The webhook was tried {times} and is not delivered ({why} at last)."

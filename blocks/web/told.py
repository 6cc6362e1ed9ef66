"""What the asker was told about a card, event by event, and whether it reached them; and where its copies are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

from blocks.web.facts import CHATS
from blocks.web.page import Fact, Happened
from blocks.words import isolate, one_line
from core.addresses import ChatAddress
from core.events import WEBHOOK_TYPES, EventType
from core.publications import Publication, PublicationState, Surface
from core.reading import Announced

_SAID: Final[Mapping[EventType, str]] = {
    EventType.CREATED: "It was asked",
    EventType.PATCHED: "It was changed",
    EventType.PROGRESSED: "There was progress",
    EventType.COMMENTED: "Somebody replied in words",
    EventType.DISMISSED: "It was set aside",
    EventType.REOPENED: "It was brought back",
    EventType.REPLIED: "The result was sent",
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


def told(announced: Iterable[Announced], *, webhook: bool) -> Iterator[Happened]:
    """One line per event, in order. `webhook`: the asker named an address for some of them."""
    for event in announced:
        reached = f" {_reached(event)}" if webhook and event.type in WEBHOOK_TYPES else ""
        yield Happened(event.at, f"{_SAID[event.type]}.{reached}")


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


def copies(publications: Iterable[Publication], names: Mapping[str, str]) -> Iterator[Fact]:
    """Where the card is shown, and what is known of each copy."""
    for one in publications:
        address = ChatAddress(one.provider, one.account, one.channel or one.place)
        called = "a direct message" if one.is_private else isolate(one_line(_name(one, names))) or address.place
        thread = ", in a thread" if one.thread else ""
        yield Fact("Shown in", f"{CHATS[one.provider]} ({called}{thread}): {_state(one)}")


def _name(one: Publication, names: Mapping[str, str]) -> str:
    """The name of a place, found by any of the ways to write its address."""
    places = (one.channel or one.place, one.place)
    written = (str(ChatAddress(one.provider, account, place)) for place in places for account in (one.account, None))
    known = {address.partition("/")[0]: name for address, name in names.items()}
    return next((known[address] for address in written if address in known), "")


def _state(one: Publication) -> str:
    match one.state:
        case PublicationState.QUEUED | PublicationState.SENDING:
            return "waits to be sent"
        case PublicationState.UNKNOWN:
            return "sent, but not confirmed by the chat"
        case PublicationState.POSTED:
            return "posted, with a link to this page" if one.surface is Surface.REVIEW else "posted"
        case PublicationState.FAILED:
            reason = isolate(one.reason or "")
            return f"could not be sent: {reason}" if reason else "could not be sent"
        case PublicationState.SETTLED:
            return "shows the outcome"
        case _:
            assert_never(one.state)

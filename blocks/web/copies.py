"""Where the copies of a card are, and what is known of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

from blocks.web.page import Fact
from blocks.words import isolate, one_line
from core.addresses import ChatAddress, Provider
from core.publications import Publication, PublicationState, Surface

CHATS: Final = {Provider.SLACK: "Slack", Provider.TELEGRAM: "Telegram"}


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

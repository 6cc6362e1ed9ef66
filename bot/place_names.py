"""What conversations are called, for people: asked of the chats, remembered, and never waited for long."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from core.addresses import ChatAddress, Provider, parse_address
from core.channels import Channel
from core.errors import ChannelError
from core.ports import Clock

PATIENCE = 0.7
"""Seconds that a page waits for names it does not have; those that come later are there the next time."""
FRESH = timedelta(hours=1)
MISSED = timedelta(minutes=1)
"""How long a chat that did not say is left alone."""
REMEMBERED = 2_000
Place = tuple[str, ChatAddress]
"""A workspace, and a conversation in a chat of its."""


class PlaceNames:
    """Remembers names by workspace and address. `channel` finds that of a workspace's account (`""`: its only one)."""

    def __init__(self, channel: Callable[[str, Provider, str], Awaitable[Channel]], clock: Clock) -> None:
        self._channel = channel
        self._clock = clock
        self._known: OrderedDict[Place, tuple[str, datetime]] = OrderedDict()
        self._asking: dict[Place, asyncio.Task[None]] = {}

    async def of(self, workspace: str, addresses: Iterable[str]) -> dict[str, str]:
        """The names of those addresses that have one and are known within a moment."""
        places = {text: (workspace, found) for text in addresses if (found := _place(text)) is not None}
        now = self._clock.now()
        for place in places.values():
            if place not in self._asking and not self._is_known(place, now):
                self._asking[place] = asyncio.create_task(self._ask(place))
        waiting = {self._asking[place] for place in places.values() if place in self._asking}
        if waiting:
            await asyncio.wait(waiting, timeout=PATIENCE)
        names = {text: self._known[place][0] for text, place in places.items() if place in self._known}
        return {text: name for text, name in names.items() if name}

    def _is_known(self, place: Place, now: datetime) -> bool:
        kept = self._known.get(place)
        # For longer than usual it is known by a clock that was ahead.
        return kept is not None and timedelta() < kept[1] - now <= FRESH

    async def _ask(self, place: Place) -> None:
        name = ""
        try:
            workspace, address = place
            channel = await self._channel(workspace, address.provider, address.account or "")
            name = await channel.place_name(address.place)
        except ChannelError:
            # What it was called a while ago says more than its number.
            name = self._known[place][0] if place in self._known else ""
        finally:
            self._known[place] = (name, self._clock.now() + (FRESH if name else MISSED))
            self._known.move_to_end(place)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
            del self._asking[place]


def _place(text: str) -> ChatAddress | None:
    """The conversation of an address, whatever its thread."""
    address = parse_address(text)
    return ChatAddress(address.provider, address.account, address.place) if isinstance(address, ChatAddress) else None

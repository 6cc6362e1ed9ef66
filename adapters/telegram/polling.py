"""Fetching updates where there is no public address: stored first, confirmed after.

Telegram forgets an update once a later one is asked for, and only then. So the number asked for moves on when a batch
is stored, and it needs no place of its own: after a crash the same updates come again and the inbox knows them.
After an empty answer nothing is left to confirm, and the next fetch asks for whatever there is; numbers start anew
after a week of silence, and one kept for longer would ask for the wrong ones.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import structlog

from adapters.telegram.client import TelegramClient
from adapters.telegram.endpoint import Receive
from adapters.telegram.parse import update_id
from core.errors import ChannelError, InstallationDead, Transient

log = structlog.get_logger("sayso.telegram")

Lost = Callable[[str | None], None]
"""Told why when the token no longer works, and None when it works again."""
Hold = Callable[[], Awaitable[bool]]
"""Whether this process may fetch now: takes or extends the lease of the bot, for at least `LEASE` seconds."""

WAIT: Final = 4
"""Seconds that one fetch waits for an update."""
LEASE: Final = 8
"""Seconds of the lease that a fetch begins with: longer than a fetch waits, and how soon another process may take over.
When an answer takes longer, another process may fetch too: Telegram ends the older fetch, and the inbox knows what came
twice.
"""
HOLD_GAP: Final = 2.0
"""Seconds between two looks whether the lease is free: `kill -9` stops the fetching for `LEASE + HOLD_GAP` at most."""
DEAD_GAP: Final = 60.0
LONGEST_GAP: Final = 30.0
MOST_TRIES: Final = 8
_WEBHOOK: Final = "webhook"
_OTHER: Final = "other getupdates"


class Poller:
    """Fetches one bot's updates until told to stop. `gap` is the first pause after a failure, in seconds; `shared` is
    told whenever somebody else turns out to fetch them too."""

    def __init__(
        self,
        client: TelegramClient,
        receive: Receive,
        *,
        gap: float = 1.0,
        wait: int = WAIT,
        lost: Lost | None = None,
        shared: Callable[[], None] | None = None,
    ) -> None:
        self._client = client
        self._shared = shared
        self._receive = receive
        self._lost = lost
        self._is_dead = False
        self._first_gap = self._gap = gap
        self._wait = wait
        self._offset: int | None = None
        self._failures: Counter[int] = Counter()

    async def run(self, stop: asyncio.Event, hold: Hold) -> None:
        """Fetch and store, while `hold` allows it. A fetch that waits when `stop` is set is given up: it has
        confirmed nothing.
        """
        while not stop.is_set():
            if pause := await self._once(stop, hold):
                await _rest(stop, pause)

    async def _once(self, stop: asyncio.Event, hold: Hold) -> float:
        """Fetch one batch and store it, and return how many seconds to wait before the next."""
        try:
            if not await hold():
                # Whoever fetches meanwhile confirms; this is not to be counted on from here.
                self._offset = None
                return HOLD_GAP
            batch = await _unless(stop, self._client.updates(self._offset, self._wait))
            if batch is None:
                return 0.0
            self._tell(None)
            self._offset = await self._store(batch)
            if self._failures:
                return self._longer_gap()
        except InstallationDead as error:
            log.warning("telegram refuses the token", error=str(error))
            self._tell(str(error))
            return DEAD_GAP
        except ChannelError as error:
            log.warning("updates not fetched", error=str(error))
            return await self._recover(error)
        except Exception:
            log.exception("updates not fetched")
            return self._longer_gap()
        self._gap = self._first_gap
        return 0.0

    def _tell(self, why: str | None) -> None:
        is_dead = why is not None
        if is_dead is not self._is_dead and self._lost is not None:
            self._lost(why)
        self._is_dead = is_dead

    def _longer_gap(self) -> float:
        gap, self._gap = self._gap, min(self._gap * 2, LONGEST_GAP)
        return gap

    async def _store(self, batch: Sequence[Mapping[str, Any]]) -> int | None:
        """Store a batch and return from which number to go on: the first that could not be stored, or past them
        all. Later ones are stored all the same: what must not wait for a broken one is everybody else's answer.
        """
        failed: list[int] = []
        numbers = [number for raw in batch if (number := update_id(raw)) is not None]
        for number, raw in zip(numbers, batch, strict=False):
            try:
                await self._receive(number, raw)
            except Exception:
                log.exception("update not stored", update=number)
                failed.append(number)
        stuck = self._give_up(failed, others=len(failed) < len(numbers))
        self._failures = Counter({number: self._failures[number] + 1 for number in stuck})
        if stuck:
            return min(stuck)
        return max(numbers) + 1 if numbers else None

    def _give_up(self, failed: Sequence[int], *, others: bool) -> list[int]:
        """The updates to try again. One that failed often while `others` could be stored is what fails, not the
        store, and would come for ever.
        """
        hopeless = [number for number in failed if others and self._failures[number] + 1 >= MOST_TRIES]
        for number in hopeless:
            log.error("update given up", update=number, tries=MOST_TRIES)
        return [number for number in failed if number not in hopeless]

    async def _recover(self, error: ChannelError) -> float:
        """Do what can be done about an error, and return how many seconds to wait."""
        if _OTHER in str(error).lower() and self._shared is not None:
            self._shared()
        if _WEBHOOK in str(error).lower():
            # Somebody had updates delivered elsewhere. Whoever holds the lease fetches them.
            with suppress(ChannelError):
                await self._client.delete_webhook()
        if isinstance(error, Transient) and error.retry_after is not None:
            return error.retry_after
        return self._longer_gap()


async def _unless(stop: asyncio.Event, call: Awaitable[list[Any]]) -> list[Any] | None:
    """The result of a call, or None when `stop` is set before there is one."""
    fetching = asyncio.ensure_future(call)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((fetching, stopping), return_when=asyncio.FIRST_COMPLETED)
        return await fetching if fetching.done() else None
    finally:
        fetching.cancel()
        stopping.cancel()
        await asyncio.gather(fetching, stopping, return_exceptions=True)


async def _rest(stop: asyncio.Event, seconds: float) -> None:
    """Wait, but no longer than until `stop` is set."""
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((stopping,), timeout=seconds)
    finally:
        stopping.cancel()
        await asyncio.gather(stopping, return_exceptions=True)

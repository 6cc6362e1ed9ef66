"""The relay: does what is owed, lane by lane, and notes how it went.

Each lane is claimed and worked on its own, so that an answer to a person never waits behind a webhook. A claim
is a lease: when a process dies, another takes its deliveries up, and a post whose outcome is unknown is looked
for before it is made again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

import structlog

from bot.errands.noting import call_of
from bot.failures import told
from bot.pace import LONGEST_KEPT, Pace
from bot.tracing import span
from core.errors import ChannelError, SaysoError
from core.outbox import Claimed, Lane, retry_at
from core.ports import Context, Outbox
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.relay")

LEASE = timedelta(seconds=20)
"""How soon another process takes up what one that died had in hand."""
BEAT = LEASE.total_seconds() / 4
"""How often the claims in hand are extended, so that they lapse only when their process is gone."""
LAST_GRACE = 30.0
"""Seconds that deliveries in hand have to end once the process is told to stop."""
IN_HAND: dict[Lane, int] = {Lane.TALK: 16, Lane.POST: 16, Lane.NUDGE: 8, Lane.REDRAW: 8, Lane.HEAR: 32}
IDLE = 1.0
"""Seconds between looks at the outbox when nothing wakes the relay."""


@dataclass
class Bells:
    """One event per lane: set when something is owed there."""

    lanes: dict[Lane, asyncio.Event] = field(default_factory=lambda: {lane: asyncio.Event() for lane in Lane})

    def ring(self, lanes: Sequence[Lane]) -> None:
        """Wake the workers of these lanes."""
        for lane in lanes:
            self.lanes[lane].set()


class Doer(Protocol):
    """What does the deliveries: `bot.errands.Errands`."""

    async def is_wanted(self, claimed: Claimed) -> bool:
        """Whether a call to a chat is still to be made; if not, that is noted."""

    async def do(self, claimed: Claimed) -> None:
        """Do one claimed delivery and note its outcome."""


class Relay:
    """Works the outbox until told to stop. `owner` names this process in the claims it makes."""

    def __init__(self, context: Context, outbox: Outbox, errands: Doer, pace: Pace, bells: Bells, owner: str) -> None:
        self._context = context
        self._outbox = outbox
        self._errands = errands
        self._pace = pace
        self._bells = bells
        self._owner = owner
        self._random = random.Random()  # noqa: S311  # spreads retries, guards nothing
        self._hands: dict[Lane, set[asyncio.Task[None]]] = {lane: set() for lane in Lane}

    async def run(self, stop: asyncio.Event) -> None:
        """Work every lane until `stop` is set; what is in hand then is finished first."""
        beat = asyncio.create_task(self._keep_claims(), name="relay-beat")
        try:
            async with asyncio.TaskGroup() as group:
                for lane in Lane:
                    group.create_task(self._work(lane, stop), name=f"relay-{lane.value}")
        finally:
            beat.cancel()
            await asyncio.gather(beat, return_exceptions=True)

    async def _keep_claims(self) -> None:
        """Extend what has been in hand for a while. Most deliveries end sooner, so this seldom writes."""
        old: set[asyncio.Task[None]] = set()
        while True:
            await asyncio.sleep(BEAT)
            in_hand = set().union(*self._hands.values())
            if old & in_hand:
                await self._extend()
            old = in_hand

    async def _extend(self) -> None:
        until = self._context.clock.now() + LEASE
        try:
            await transact(self._context, lambda work: work.extend_claims(self._owner, until))
        except Exception:
            # Then they lapse, and whoever takes them up looks before it repeats anything.
            log.exception("claims not extended")

    async def _work(self, lane: Lane, stop: asyncio.Event) -> None:
        bell = self._bells.lanes[lane]
        hands = self._hands[lane]
        while not stop.is_set():
            bell.clear()
            free = IN_HAND[lane] - len(hands)
            claimed: Sequence[Claimed] = ()
            if free > 0:
                try:
                    claimed = await self._claim(lane, free)
                except Exception:
                    # The database is away: say so and look again, for a dead relay would help nobody.
                    log.exception("claim failed", lane=lane.value)
            for one in claimed:
                task = asyncio.create_task(self._do(one), name=f"delivery-{one.delivery.id}")
                hands.add(task)
                task.add_done_callback(hands.discard)
                task.add_done_callback(lambda _: bell.set())
            if not claimed:
                await _first(bell, stop, seconds=IDLE)
        if hands:
            _, late = await asyncio.wait(hands, timeout=LAST_GRACE)
            for task in late:
                # Its lease lapses, and whoever takes it up looks before repeating anything.
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _claim(self, lane: Lane, limit: int) -> Sequence[Claimed]:
        now = self._context.clock.now()
        return await self._outbox.claim([lane], now, now + LEASE, self._owner, limit)

    async def _do(self, claimed: Claimed) -> None:
        lane = claimed.delivery.lane
        try:
            if not await self._may_go(claimed):
                return
            about: dict[str, str | int] = {"sayso.delivery": claimed.delivery.id, "sayso.attempts": claimed.attempts}
            with span(f"delivery {lane.value}", about):
                await self._errands.do(claimed)
        except ChannelError as error:
            # Every outcome a provider can have is noted by the errand itself; this is one it did not expect.
            await self._give_back(claimed, error)
        except SaysoError as error:
            await self._give_back(claimed, error)
        except Exception as error:
            log.exception("delivery failed", lane=lane.value, delivery=claimed.delivery.id)
            await self._give_back(claimed, error)

    async def _may_go(self, claimed: Claimed) -> bool:
        """Keep the provider's pace: sleep a little, or give the delivery back to be done later. What need not be done
        any more uses up no turn."""
        call = call_of(claimed)
        if call is None or not self._pace.counts(call):
            return True
        if not await self._errands.is_wanted(claimed):
            return False
        wait = await self._pace.wait(call, LONGEST_KEPT)
        if wait == 0:
            return True
        due = self._context.clock.now() + timedelta(seconds=wait)
        turn = f"waits for its turn: {call.provider.value} allows no faster"
        await transact(self._context, lambda work: work.postpone(claimed, due, turn, tried=False))
        return False

    async def _give_back(self, claimed: Claimed, error: Exception) -> None:
        now, lane = self._context.clock.now(), claimed.delivery.lane
        due = retry_at(lane, claimed.attempts, now, self._random.random(), None)
        try:
            async with self._context.work() as work:
                if due is None:
                    await work.abandon(claimed, told(error))
                else:
                    await work.postpone(claimed, due, told(error))
                await work.commit()
        except Exception:
            # Then the lease lapses and the delivery is taken up again.
            log.exception("could not give a delivery back", delivery=claimed.delivery.id)


async def _first(*events: asyncio.Event, seconds: float) -> None:
    """Return when one of the events is set, or after so many `seconds`."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)

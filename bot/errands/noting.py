"""How a delivery went, noted in the outbox and the log: done, not yet, or given up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from bot.chats import DEAD_WAIT, Chats
from bot.destinations import place_of
from bot.pace import LATE, LONGEST_KEPT, LONGEST_TALK, Call, Pace
from bot.telemetry import Telemetry
from core.addresses import Provider
from core.channels import Another, Channel
from core.errors import ChannelError, InstallationDead, PlaceMoved, Transient
from core.loops.owed import AskLoopWords, OfferAgain
from core.loops.values import LoopCopy
from core.outbox import AskWords, Claimed, Say, TakeBack, retry_at
from core.ports import Context
from core.publications import Publication
from core.use_cases.moving import move
from core.use_cases.transact import transact


class Notes:
    """Shared by all kinds of errands. Knows the chats, to say whose credentials stopped working, and the pace, to say
    where a provider found it too fast."""

    def __init__(self, context: Context, chats: Chats, telemetry: Telemetry, pace: Pace) -> None:
        self.context = context
        self.chats = chats
        self.telemetry = telemetry
        self._pace = pace
        self._random = random.Random()  # noqa: S311  # spreads retries, guards nothing
        self._turn_at: dict[str, float] = {}

    @contextmanager
    def in_turn(self, claimed: Claimed) -> Iterator[None]:
        """Inside the block a delivery is done whose turn has just come."""
        self._turn_at[claimed.delivery.id] = self._pace.now()
        try:
            yield
        finally:
            self._turn_at.pop(claimed.delivery.id, None)

    async def channel(self, claimed: Claimed, provider: Provider, account: str) -> Channel:
        """What a delivery is made through: an account of its own workspace. To be asked for right before each call:
        when the turn of the delivery came too long ago, as what had to be read or looked for first took its time,
        another is waited for. Raises `ChannelError`."""
        channel = await self.chats.reach(claimed.delivery.workspace, provider, account)
        turn_at = self._turn_at.get(claimed.delivery.id)
        if turn_at is not None and self._pace.now() - turn_at > LATE:
            call = call_of(claimed)
            if call is not None and await self._pace.wait(call, LONGEST_KEPT) > 0:
                raise Transient("it waits for another turn, as its own had passed")
            self._turn_at[claimed.delivery.id] = self._pace.now()
        return channel

    def another_turn(self, claimed: Claimed) -> Another:
        """What waits for the turn of one more message of the same delivery; it is False when that comes too late."""

        async def wait() -> bool:
            call = call_of(claimed)
            return call is None or await self._pace.wait_long(call, LONGEST_TALK)

        return wait

    def due_again(self, claimed: Claimed, retry_after: float | None) -> datetime | None:
        """When to try again; None: never."""
        now, lane = self.context.clock.now(), claimed.delivery.lane
        return retry_at(lane, claimed.attempts, now, self._random.random(), retry_after)

    async def failed(self, claimed: Claimed, error: ChannelError) -> None:
        """What was to be written was not, or perhaps not. Where it was one too many, others wait as well."""
        self.telemetry.failed(claimed, error)
        if not isinstance(error, Transient) or error.retry_after is None:
            return
        call = call_of(claimed)
        if call is not None:
            await self._pace.hold(call, error.retry_after)

    async def done(self, claimed: Claimed) -> None:
        """It is done."""
        await transact(self.context, lambda work: work.finish(claimed))
        self.telemetry.delivered(claimed)

    async def again(self, claimed: Claimed, error: ChannelError, own: Publication | LoopCopy | None) -> None:
        """It was not done, or may be done again: give it back until it is due, or give it up."""
        await self.failed(claimed, error)
        after = error.retry_after if isinstance(error, Transient) else None
        if isinstance(error, InstallationDead):
            after = DEAD_WAIT.total_seconds()
            if own is not None:
                self.chats.note_dead(own.provider, own.account, str(error))
        due = self.due_again(claimed, after)
        if due is None:
            await self.end(claimed, str(error))
            return
        self.telemetry.not_yet(claimed, error, due)
        await transact(self.context, lambda work: work.postpone(claimed, due, str(error), unsent=True))

    async def not_said(
        self, claimed: Claimed, words: Say | AskWords | AskLoopWords | OfferAgain, error: ChannelError
    ) -> None:
        """Words were not sent, or may have been: then they are never sent twice."""
        if isinstance(error, PlaceMoved):
            await self.moved(Provider(words.provider), words.account, words.channel, error.place)
        if isinstance(error, Transient | InstallationDead | PlaceMoved):
            await self.again(claimed, error, None)
            return
        await self.failed(claimed, error)
        await self.end(claimed, f"{type(error).__name__}: {error}")

    async def end(self, claimed: Claimed, why: str) -> None:
        """It will never be done."""
        self.telemetry.given_up(claimed, why)
        await transact(self.context, lambda work: work.abandon(claimed, why))

    async def moved(self, provider: Provider, account: str, old: str, new: str, but: str | None = None) -> None:
        """A conversation has a new id; `but` is the publication whose delivery is in hand."""
        await move(self.context, provider.value, account, old, new, but=but)


def call_of(claimed: Claimed) -> Call | None:
    """The call to a chat that a delivery is, as the pace counts it; None: it is none."""
    where = place_of(claimed.delivery.task)
    if where is None:
        return None
    deletes = isinstance(claimed.delivery.task, TakeBack)
    return Call(*where, claimed.delivery.lane, claimed.delivery.key, deletes=deletes)

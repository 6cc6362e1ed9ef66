"""Events on their way to their askers' webhooks."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import assert_never

from bot.errands.noting import Notes
from bot.errands.receivers import Receivers, receiver_of
from bot.telemetry import Outcome
from bot.webhooks import Delivered, Failed, Gone, Webhooks
from core.outbox import Claimed, Hear
from core.ports import Work
from core.reading import Records
from core.upkeep import Attempt
from core.use_cases.transact import transact

SLOW_GAP = 10.0
"""About how many seconds an event waits whose receiver has left others unanswered."""
HANGS = "waits for its turn: its receiver has not answered others yet"


class HearingErrands:
    """Delivers events, and keeps how each try went."""

    def __init__(self, notes: Notes, records: Records, webhooks: Webhooks) -> None:
        self._notes = notes
        self._records = records
        self._webhooks = webhooks
        self._receivers = Receivers()
        self._random = random.Random()  # noqa: S311  # spreads tries, guards nothing

    async def hear(self, claimed: Claimed, task: Hear) -> None:
        """Deliver one event to its asker, unless its receiver is slow and has calls enough: then it is given back."""
        async with self._receivers.turn(receiver_of(task.agent, task.url)) as entered:
            if entered:
                await self._call(claimed, task)
                return
        due = self._notes.context.clock.now() + timedelta(seconds=SLOW_GAP * (0.5 + self._random.random()))
        await transact(self._notes.context, lambda work: work.postpone(claimed, due, HANGS, tried=False))

    async def _call(self, claimed: Claimed, task: Hear) -> None:
        workspace, now = claimed.delivery.workspace, self._notes.context.clock.now()
        event = await self._records.event(workspace, task.event)
        if event is None:
            await self._notes.end(claimed, "the event is gone")
            return
        secrets = await self._records.webhook_secrets(task.agent, now)
        result = await self._webhooks.send(task.url, event, secrets)
        now = self._notes.context.clock.now()
        status = result.status if isinstance(result, Delivered | Failed) else 410
        reason = result.reason if isinstance(result, Failed) else None

        async def noted(work: Work) -> Outcome:
            attempt = Attempt(event=event.id, number=claimed.attempts, at=now, status=status, error=reason)
            await work.note_attempt(attempt)
            match result:
                case Delivered():
                    await work.finish(claimed)
                    return Outcome.DONE
                case Gone():
                    await work.abandon(claimed, "the receiver answered 410")
                    return Outcome.GIVEN_UP
                case Failed():
                    due = self._notes.due_again(claimed, result.retry_after)
                    if due is None:
                        await work.abandon(claimed, result.reason)
                        return Outcome.GIVEN_UP
                    await work.postpone(claimed, due, result.reason)
                    return Outcome.AGAIN
                case _:
                    assert_never(result)

        outcome = await transact(self._notes.context, noted)
        if outcome is Outcome.DONE:
            self._notes.telemetry.delivered(claimed)
        else:
            self._notes.telemetry.webhook_failed(claimed, outcome, event.id, status, reason)

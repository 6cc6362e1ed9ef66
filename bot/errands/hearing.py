"""Events on their way to their askers' webhooks."""

from __future__ import annotations

from typing import assert_never

import structlog

from bot.errands.noting import Notes, delivered
from bot.webhooks import Delivered, Failed, Gone, Webhooks
from core.outbox import Claimed, Hear
from core.ports import Work
from core.reading import Records
from core.upkeep import Attempt
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.errands")


class HearingErrands:
    """Delivers events, and keeps how each try went."""

    def __init__(self, notes: Notes, records: Records, webhooks: Webhooks) -> None:
        self._notes = notes
        self._records = records
        self._webhooks = webhooks

    async def hear(self, claimed: Claimed, task: Hear) -> None:
        """Deliver one event to its asker."""
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

        async def noted(work: Work) -> None:
            attempt = Attempt(event=event.id, number=claimed.attempts, at=now, status=status, error=reason)
            await work.note_attempt(attempt)
            match result:
                case Delivered():
                    await work.finish(claimed)
                case Gone():
                    await work.abandon(claimed, "the receiver answered 410")
                case Failed():
                    due = self._notes.due_again(claimed, result.retry_after)
                    if due is None:
                        await work.abandon(claimed, result.reason)
                    else:
                        await work.postpone(claimed, due, result.reason)
                case _:
                    assert_never(result)

        await transact(self._notes.context, noted)
        if isinstance(result, Delivered):
            delivered(claimed)
        else:
            log.warning("webhook not delivered", event=event.id, attempt=claimed.attempts, status=status, why=reason)

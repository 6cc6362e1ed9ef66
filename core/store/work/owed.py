"""What is owed to the outside: added here, claimed in `core.store.outbox`, ended here under the claim's fence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, update

from core.loops.owed import RedrawAlert, RedrawLoop
from core.outbox import AskWords, Claimed, Delivery, Lane, RedrawCard, Say, TakeBack, Task
from core.store.claims import claim_statement, claimed_by
from core.store.rows import claimed_of
from core.store.statements import BEING_SAID, WAITING_REDRAW, Insert
from core.store.tables import outbox
from core.store.transaction import Transaction

_WORDS = frozenset({"text", "fault", "name"})
"""Fields of tasks that people read, or that name them."""


class OwedWork(Transaction):
    """Add deliveries and end claimed ones."""

    async def owe(self, delivery: Delivery) -> None:
        task = delivery.task
        self._lanes.add(delivery.lane)
        drawn = _drawn(task)
        if drawn is not None and await self._joined(delivery, drawn):
            return
        row = {
            "id": delivery.id,
            "workspace": delivery.workspace,
            "lane": delivery.lane.value,
            "key": delivery.key,
            "publication": drawn,
            "channel": task.channel if isinstance(task, Say | AskWords) else None,
            "task": task.model_dump(mode="json"),
            "state": "waiting",
            "due_at": delivery.due_at,
            "blocking": True,
            "generation": 0,
            "attempts": 0,
        }
        await self._later(Insert.DELIVERY, row)

    async def _joined(self, delivery: Delivery, drawn: str) -> bool:
        """Let a redraw that waits already stand for this one.

        It is locked first: a worker that has not taken it passes over it until this commits, and so draws the newest;
        one that has taken it may be drawing what is old by then, so another redraw is owed.
        """
        table = outbox.c
        waiting = await self._first(
            WAITING_REDRAW,
            {"lane": delivery.lane.value, "key": delivery.key, "publication": drawn},
            sees=(outbox,),
        )
        if waiting is None:
            return False
        if waiting.due_at > delivery.due_at and waiting.last_error is None:
            # One that was put off waits for its provider, which must not be asked any sooner.
            await self._run(update(outbox).where(table.seq == waiting.seq).values(due_at=delivery.due_at))
        return True

    async def is_being_said(self, key: str) -> bool:
        return await self._first(BEING_SAID, {"lane": Lane.TALK.value, "key": key}, sees=(outbox,)) is not None

    async def claim(
        self, lanes: Sequence[Lane], now: datetime, lease_until: datetime, owner: str, limit: int
    ) -> Sequence[Claimed]:
        """Take due deliveries for `SqlOutbox`, in the order in which they were owed."""
        rows = await self._all(claim_statement(tuple(lanes)), claimed_by(now, lease_until, owner, limit))
        return [claimed_of(row) for row in sorted(rows, key=lambda row: row.seq)]

    async def finish(self, claimed: Claimed) -> bool:
        return await self._end(claimed, state="done", ended_at=claimed.lease_until, **_left_of(claimed.delivery))

    async def begin_call(self, claimed: Claimed) -> bool:
        return await self._changed(update(outbox).where(*_held(claimed)).values(calling=True)) == 1

    async def postpone(
        self,
        claimed: Claimed,
        due_at: datetime,
        error: str,
        *,
        blocking: bool = True,
        tried: bool = True,
        unsent: bool = False,
    ) -> bool:
        values: dict[str, Any] = {"calling": False} if unsent else {}
        values["attempts"] = claimed.attempts if tried else claimed.attempts - 1
        return await self._end(claimed, state="waiting", due_at=due_at, last_error=error, blocking=blocking, **values)

    async def abandon(self, claimed: Claimed, error: str) -> bool:
        return await self._end(
            claimed,
            state="abandoned",
            ended_at=claimed.lease_until,
            last_error=error,
            **_left_of(claimed.delivery),
        )

    async def _end(self, claimed: Claimed, **values: Any) -> bool:
        """Write the end of a claim, if it is still this worker's: nobody has taken it since, and it has no end yet.

        `ended_at` only counts the days it is kept, for which the end of the lease is near enough.
        """
        ended = update(outbox).where(*_held(claimed)).values(owner=None, lease_until=None, **values)
        return await self._changed(ended) == 1


def _drawn(task: Task) -> str | None:
    """What a task draws again: the copy of a card, the work order or the alert; None: it draws nothing again."""
    match task:
        case RedrawCard():
            return task.publication
        case RedrawLoop():
            return task.loop
        case RedrawAlert():
            return task.alert
        case _:
            return None


def _held(claimed: Claimed) -> tuple[ColumnElement[bool], ...]:
    """That a delivery is still this worker's."""
    table = outbox.c
    return (table.id == claimed.delivery.id, table.generation == claimed.generation, table.owner == claimed.owner)


def _left_of(delivery: Delivery) -> dict[str, Any]:
    """What is kept of a task once it is over: what was to be said is said or never will be, so the words are erased,
    and where messages were taken out."""
    task, is_taken = delivery.task.model_dump(mode="json"), isinstance(delivery.task, TakeBack)
    erased = _WORDS | {"channel"} if is_taken else _WORDS
    kept = {name: "" if name in erased else value for name, value in task.items()}
    return {"task": kept, "key": delivery.id} if is_taken else {"task": kept}

"""The timer and the relay, worked by hand, and questions that are reminded of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.waking import wake
from core.channels import Posted
from core.dues import LEASE
from core.kinds import Kind
from core.notices import ReminderNotice
from core.outbox import Claimed, EndReminder, Lane, Remind, SendDigest
from core.use_cases import reminders
from core.use_cases.fires import FIRES
from tests.use_cases.bench import Bench


@dataclass
class Clockwork:
    """The timer and the relay of one process, worked by hand. `sent` are the reminders that a chat took."""

    b: Bench
    sent: list[ReminderNotice] = field(default_factory=list)
    ended: list[ReminderNotice] = field(default_factory=list)
    digests: list[SendDigest] = field(default_factory=list)
    late: list[float] = field(default_factory=list)

    async def tick(self, **by: float) -> int:
        """Move the clock, do what is due, and send what is owed. Returns how many reminders were sent."""
        self.b.clock.move(**by)
        await wake(self.b.context, self.b.store.dues, FIRES, lambda _, late: self.late.append(late))
        return await self.send()

    async def send(self) -> int:
        now, before = self.b.clock.now(), len(self.sent)
        while claims := await self.b.store.outbox.claim([Lane.NUDGE, Lane.REDRAW], now, now + LEASE, "relay/1", 500):
            for claimed in claims:
                await self._do(claimed)
        return len(self.sent) - before

    async def _do(self, claimed: Claimed) -> None:
        match claimed.delivery.task:
            case Remind() as task:
                ready = await reminders.begin_remind(self.b.context, claimed, task, link_ok=True)
                if ready is not None:
                    self.sent.append(ready.notice)
                    where = Posted(ready.publication.channel or "", f"r{len(self.sent)}")
                    await reminders.reminded(self.b.context, claimed, ready, where)
            case EndReminder() as task:
                ready = await reminders.begin_end(self.b.context, claimed, task, link_ok=True)
                if ready is not None:
                    self.ended.append(ready.notice)
                    await reminders.ended(self.b.context, claimed, ready)
            case SendDigest() as task:
                self.digests.append(task)
                await self._finish(claimed)
            case _:
                await self._finish(claimed)

    async def _finish(self, claimed: Claimed) -> None:
        async with self.b.store.work() as work:
            await work.finish(claimed)
            await work.commit()


async def asked(b: Bench, nudges: dict[str, Any], *, kind: Kind = Kind.CONFIRMATION, **more: Any) -> str:
    policy = {"starts": "asked", "nudges": nudges, **more.pop("policy", {})}
    return await b.open(kind, policy=policy, **more)

"""The alarm clock: wakes jobs that look at what is due. The rows are the truth; nothing is remembered here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

log = structlog.get_logger("sayso.scheduler")

GLANCE = 1.0
"""Seconds between looks at the clock."""
JUMP = 0.8
"""Seconds by which the clock may differ from how long it was before that is a jump."""
AGAIN = 5.0
"""Seconds after which what failed is done again, where no tick does it again."""

Job = Callable[[], Awaitable[object]]


class Scheduler:
    """Runs each job every so many seconds, never two runs of one at once; a late tick runs once, not many times."""

    def __init__(self, turned_back: Job | None = None) -> None:
        """`turned_back` is done whenever this machine's clock went back."""
        self._turned_back = turned_back
        self._dropping: set[str] = set()
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._running: set[asyncio.Task[bool]] = set()
        self._once: dict[str, Job] = {}
        self._doing: set[str] = set()
        self._watch: asyncio.Task[None] | None = None

    def every(self, seconds: float, name: str, job: Job, *, drops: bool = False) -> None:
        """Add a job; its first run is at once. One that `drops` what is old believes a clock, be it found so or set,
        only once it has been so for as long as the job waits anyway."""
        now = datetime.now(UTC)
        if drops:
            self._dropping.add(name)
        self._scheduler.add_job(
            self._guarded(name, job),
            IntervalTrigger(seconds=seconds),
            id=name,
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
            next_run_time=now + timedelta(seconds=seconds) if drops else now,
        )

    def start(self) -> None:
        """Begin to tick in the running loop."""
        self._scheduler.start()
        self._watch = asyncio.create_task(self._watch_clock(), name="scheduler-clock")

    async def _watch_clock(self) -> None:
        """Tick at once when this machine's clock was set or the machine slept: APScheduler counts on the wall clock, so
        one that was set back by an hour would let nothing happen for an hour."""
        wall, steady = time.time(), time.monotonic()
        while True:
            await asyncio.sleep(GLANCE)
            jump = (time.time() - wall) - (time.monotonic() - steady)
            wall, steady = time.time(), time.monotonic()
            if abs(jump) > JUMP:
                log.warning("the clock jumped", seconds=round(jump, 1))
                self.tick()
            if jump < -JUMP and self._turned_back is not None:
                self.once("clock", self._turned_back)
            for name in self._once.keys() - self._doing:
                self._begin_once(name, self._once.pop(name))

    def once(self, name: str, job: Job) -> None:
        """Do a job beside the others, at the next look at the clock, until it has not failed. One that is being done
        already is done once more after that."""
        self._once[name] = job

    def _begin_once(self, name: str, job: Job) -> None:
        def ended(task: asyncio.Task[bool]) -> None:
            self._doing.discard(name)
            if not task.cancelled() and not task.result():
                asyncio.get_running_loop().call_later(AGAIN, self._once.setdefault, name, job)

        self._doing.add(name)
        self._begin(name, job).add_done_callback(ended)

    def _begin(self, name: str, job: Job) -> asyncio.Task[bool]:
        task = asyncio.create_task(_try(name, job), name=f"job-{name}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def tick(self) -> None:
        """Let every job run now and count on from here."""
        now = datetime.now(UTC)
        for job in self._scheduler.get_jobs():
            job.modify(next_run_time=now + job.trigger.interval if job.id in self._dropping else now)

    async def stop(self) -> None:
        """Tick no more, and wait for the jobs that are running: shutting APScheduler down would cut them off inside
        their transactions."""
        if not self._scheduler.running:
            return
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        self._scheduler.pause()
        await asyncio.sleep(0)  # what the last tick started is not running yet
        if self._running:
            await asyncio.wait(self._running)
        self._scheduler.shutdown(wait=False)

    def _guarded(self, name: str, job: Job) -> Callable[[], Awaitable[None]]:
        async def run() -> None:
            await self._begin(name, job)

        return run


async def _try(name: str, job: Job) -> bool:
    try:
        await job()
    except Exception:
        # A tick that fails is tried again at the next one: the rows are still due.
        log.exception("job failed", job=name)
        return False
    return True

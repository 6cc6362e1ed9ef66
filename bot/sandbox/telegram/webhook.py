"""Delivery to a webhook: serial within a lane, parallel across lanes, repeated until a 2xx or too late."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

import httpx2

from blocks.telegram import limits
from bot.sandbox.clock import Clock
from bot.sandbox.telegram.faults import Faults
from bot.sandbox.telegram.journal import Delivery, Journal
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.updates import Update, UpdateQueue

AUTH_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
LONGEST_GAP: Final = (60.0, 120.0)
# A bot that says "gone" for this long has its webhook removed.
GONE_AFTER: Final = 23 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """What setWebhook set."""

    url: str
    secret: str = ""
    max_connections: int = 40
    ip_address: str = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one post."""

    status: int | None
    problem: str | None = None
    retry_after: float = 0.0
    reply: Json | None = None

    @property
    def ok(self) -> bool:
        """Whether the update counts as delivered."""
        return self.status is not None and 200 <= self.status < 300


class WebhookSender:
    """Posts what is queued to the webhook, while one is set."""

    def __init__(
        self,
        queue: UpdateQueue,
        clock: Clock,
        faults: Faults,
        journal: Journal,
        *,
        retry: float,
        wait: float,
        on_reply: Callable[[Json], Awaitable[None]],
        on_change: Callable[[], None],
    ) -> None:
        self.hook: Webhook | None = None
        self.last_error: tuple[int, str] | None = None
        self._queue = queue
        self._clock = clock
        self._faults = faults
        self._journal = journal
        self._retry = retry
        self._wait = wait
        self._on_reply = on_reply
        self._on_change = on_change
        self._lanes: dict[str, deque[Update]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore()
        self._gone_since: float | None = None
        self._client: httpx2.AsyncClient | None = None
        queue.on_add(self._offer)

    async def set(self, hook: Webhook | None) -> None:
        """Deliver to `hook` from now on, beginning with everything that waits; None stops."""
        await self.stop()
        self.hook = hook
        self.last_error = self._gone_since = None
        if hook is not None:
            self._client = httpx2.AsyncClient(timeout=self._wait, trust_env=False)
            self._slots = asyncio.Semaphore(hook.max_connections)
            for update in self._queue.waiting():
                self._offer(update)

    async def stop(self) -> None:
        """Stop delivering; what was under way goes back to waiting."""
        tasks, self._tasks = self._tasks, set()
        self._lanes.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def post(self, payload: Mapping[str, object], *, secret: str | None) -> Attempt:
        """Post one payload to the webhook once, with this secret or (None) without the header."""
        if self.hook is None or self._client is None:
            return Attempt(None, "no webhook is set")
        headers = {AUTH_HEADER: secret} if secret else {}
        try:
            response = await self._client.post(self.hook.url, json=dict(payload), headers=headers)
        except httpx2.HTTPError as error:
            return Attempt(None, type(error).__name__)
        problem = None if response.is_success else f"Wrong response from the webhook: {response.status_code}"
        return Attempt(response.status_code, problem, _retry_after(response), _reply(response))

    def _offer(self, update: Update) -> None:
        if self.hook is None:
            return
        lane = self._lanes.setdefault(update.lane, deque())
        lane.append(update)
        if len(lane) == 1:
            task = asyncio.get_running_loop().create_task(self._work(update.lane, lane))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, name: str, lane: deque[Update]) -> None:
        while lane:
            await self._deliver(lane[0])
            lane.popleft()
        self._lanes.pop(name, None)

    async def _deliver(self, update: Update) -> None:
        """Post an update until it is taken, or until the next try would come too late."""
        gap, failures = self._retry, 0
        while not self._queue.expired(update) and self.hook is not None:
            await self._clock.sleep(self._faults.away)
            async with self._slots:
                attempt = await self.post(update.payload, secret=self.hook.secret)
            self._record(update, attempt)
            if attempt.ok:
                if attempt.reply is not None:
                    await self._on_reply(attempt.reply)
                break
            if self._is_gone(attempt):
                self.hook = None
                return
            # The first retry comes at once, later ones after 2, 4, 8 … units.
            wait = min(attempt.retry_after, float(limits.WEBHOOK_RETRY_AFTER.number))
            if not wait and failures:
                gap = min(gap * 2, random.uniform(*LONGEST_GAP) * self._retry)  # noqa: S311  # jitter
                wait = gap
            failures += 1
            await self._clock.sleep(wait)
        self._queue.drop(update)
        self._on_change()

    def _record(self, update: Update, attempt: Attempt) -> None:
        if not attempt.ok:
            self.last_error = (int(self._clock.wall()), attempt.problem or "")
        self._journal.deliveries.append(
            Delivery(
                number=self._journal.next(),
                at=self._clock.wall(),
                update_id=update.id,
                status=attempt.status,
                problem=attempt.problem,
            )
        )
        self._on_change()

    def _is_gone(self, attempt: Attempt) -> bool:
        now = self._clock.elapsed()
        if attempt.status != 410:
            self._gone_since = None
        elif self._gone_since is None:
            self._gone_since = now
        return self._gone_since is not None and now - self._gone_since > GONE_AFTER


def _retry_after(response: httpx2.Response) -> float:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0


def _reply(response: httpx2.Response) -> Json | None:
    """Return the one call that the answer to a delivery may carry. Its result is never told."""
    with contextlib.suppress(ValueError):
        found = response.json()
        if isinstance(found, dict) and isinstance(found.get("method"), str):
            return found
    return None

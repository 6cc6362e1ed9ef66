"""Deliveries to the app: signed HTTP requests to its URL, or envelopes over Socket Mode."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlencode

import aiohttp

from bot.sandbox.clock import Clock
from bot.sandbox.slack.journal import Attempt, Delivery, Journal
from bot.sandbox.slack.settings import StandInSettings
from bot.sandbox.slack.signing import Signature, signed_headers
from bot.sandbox.slack.sockets import NoAck, Sockets
from bot.sandbox.slack.world import Json


class Sort(StrEnum):
    """What is delivered; the values are Socket Mode's envelope types."""

    EVENT = "events_api"
    INTERACTION = "interactive"
    COMMAND = "slash_commands"


MAX_REDIRECTS: Final = 2
RETRY: Final = "retry"
ANSWERED_INTERACTIONS: Final = frozenset({"view_submission", "block_suggestion"})


class Courier:
    """Sends what happened to the app and remembers it, so that it can be sent again."""

    def __init__(self, settings: StandInSettings, clock: Clock, sockets: Sockets, journal: Journal) -> None:
        self.request_url = settings.request_url
        self._settings = settings
        self._clock = clock
        self._sockets = sockets
        self._journal = journal
        self._session: aiohttp.ClientSession | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Open the client that reaches the app's request URL."""
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def stop(self) -> None:
        """Give up what is still to be retried and close the client."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def deliver(
        self,
        sort: Sort,
        payload: Json,
        *,
        signature: Signature = Signature.GOOD,
        retry: int = 0,
        reason: str = "",
    ) -> Attempt:
        """Send one payload once and return what came of it. Nothing is retried."""
        delivery = self._journal.open_delivery(sort, payload)
        return await self._attempt(delivery, signature=signature, retry=retry, reason=reason)

    async def replay(self, delivery: Delivery, *, retry: int = 0, reason: str = "") -> Attempt:
        """Send exactly what was sent before: same trigger id, event id and stamps."""
        return await self._attempt(delivery, retry=retry, reason=reason)

    async def deliver_event(self, payload: Json) -> Attempt:
        """Send an event, return the first attempt, and retry in the background as Slack does."""
        delivery = self._journal.open_delivery(Sort.EVENT, payload)
        first = await self._attempt(delivery)
        if first.problem is not None and not first.no_retry:
            self.later(self._retry(delivery, first), name=RETRY)
        return first

    def later(self, work: Coroutine[Any, Any, None], *, name: str | None = None) -> asyncio.Task[None]:
        """Run `work` in the background until the stand-in stops."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def settled(self) -> None:
        """Return when nothing is being sent in the background any more, retries that wait aside."""
        while busy := [task for task in self._tasks if task.get_name() != RETRY]:
            await asyncio.wait(busy)

    async def _retry(self, delivery: Delivery, first: Attempt) -> None:
        last = first
        for number, wait in enumerate(self._settings.retry_delays, start=1):
            await self._clock.sleep(wait)
            last = await self._attempt(delivery, retry=number, reason=last.problem or "unknown_error")
            if last.problem is None or last.no_retry:
                return

    async def _attempt(
        self, delivery: Delivery, *, signature: Signature = Signature.GOOD, retry: int = 0, reason: str = ""
    ) -> Attempt:
        begun = self._clock.wall()
        sort = Sort(delivery.sort)
        if self.request_url is None:
            attempt = await self._over_socket(sort, delivery.payload, retry, reason, begun)
        else:
            attempt = await self._over_http(sort, delivery.payload, signature, retry, reason, begun)
        delivery.add(attempt)
        return attempt

    async def _over_socket(self, sort: Sort, payload: Json, retry: int, reason: str, begun: float) -> Attempt:
        takes_answer = sort is Sort.COMMAND or payload.get("type") in ANSWERED_INTERACTIONS
        try:
            answer = await self._sockets.send(
                sort,
                payload,
                takes_answer=takes_answer,
                seconds=self._settings.ack_seconds,
                retry=retry,
                reason=reason,
            )
        except NoAck as error:
            return self._made(begun, None, problem=error.problem, retry=retry)
        return self._made(begun, 200, body=answer if takes_answer else None, retry=retry)

    async def _over_http(
        self, sort: Sort, payload: Json, signature: Signature, retry: int, reason: str, begun: float
    ) -> Attempt:
        if self._session is None or self.request_url is None:
            raise RuntimeError("the stand-in is not being served")
        body, content_type = _encode(sort, payload)
        headers = {
            "Content-Type": content_type,
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
            **signed_headers(self._settings.signing_secret, body, self._clock.wall(), signature),
        }
        if retry:
            headers |= {"x-slack-retry-num": str(retry), "x-slack-retry-reason": reason}
        limit = aiohttp.ClientTimeout(total=self._settings.ack_seconds)
        try:
            async with self._session.post(
                self.request_url,
                data=body.encode(),
                headers=headers,
                timeout=limit,
                max_redirects=MAX_REDIRECTS,
            ) as response:
                answer = _decode(await response.read())
                problem = None if response.status // 100 == 2 else "http_error"
                no_retry = response.headers.get("x-slack-no-retry") == "1"
                return self._made(begun, response.status, problem, answer, no_retry=no_retry, retry=retry)
        except TimeoutError:
            return self._made(begun, None, "http_timeout", retry=retry)
        except aiohttp.TooManyRedirects:
            return self._made(begun, None, "too_many_redirects", retry=retry)
        except aiohttp.ClientSSLError:
            return self._made(begun, None, "ssl_error", retry=retry)
        except aiohttp.ClientError:
            return self._made(begun, None, "connection_failed", retry=retry)

    def _made(
        self,
        begun: float,
        status: int | None,
        problem: str | None = None,
        body: Any = None,
        *,
        no_retry: bool = False,
        retry: int = 0,
    ) -> Attempt:
        seconds = self._clock.wall() - begun
        return Attempt(status=status, seconds=seconds, problem=problem, body=body, no_retry=no_retry, retry=retry)


def _encode(sort: Sort, payload: Mapping[str, Any]) -> tuple[str, str]:
    if sort is Sort.EVENT:
        return json.dumps(payload), "application/json"
    form = payload if sort is Sort.COMMAND else {"payload": json.dumps(payload)}
    return urlencode(form), "application/x-www-form-urlencoded"


def _decode(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return {"text": body.decode("utf-8", "replace")}

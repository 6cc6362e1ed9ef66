"""Socket Mode: two connections, each watched, so that a refresh or a silent one loses no press.

Slack sends every payload over any one of an app's connections. slack_sdk renews a connection when Slack asks for it;
what it has been seen to miss, a connection that stays open and carries nothing, is renewed here.

Slack lets an app have only so many: each is opened while this process holds a slot for it, which is a lease.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, Protocol, cast

import structlog
from aiohttp import WSMessage, WSMsgType
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from adapters.slack.client import QUIET, Clients
from adapters.slack.errors import FAILURES, channel_error, code_of
from adapters.slack.noticing import Noticing
from core.errors import ChannelError, Transient

log = structlog.get_logger("sayso.slack")

CONNECTIONS: Final = 2
PING: Final = 5.0
"""Seconds between pings; slack_sdk calls a connection stale after four without an answer."""
LOOK: Final = 5.0
CONNECT: Final = 20.0
LEASE: Final = 8.0
"""Seconds of the lease of a slot: how soon another process may take over one that was not given back."""
SLOT_GAP: Final = 2.0
"""Seconds between two looks at the slots: `kill -9` leaves an app with fewer connections for `LEASE + SLOT_GAP`."""
FINISH: Final = 3.0
"""Seconds that a connection which is given up stays open for what was heard on it: Slack waits no longer."""
IDLE: Final = 900.0
"""Seconds without any message after which a connection is renewed, one at a time."""
Step = Callable[[], Awaitable[None]]
GAPS: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)


class Slots(Protocol):
    """What a process holds of the connections that an app may have."""

    async def hold(self, wanted: int) -> int:
        """Take or extend up to `wanted` slots for `LEASE` seconds; return for how many connections there are some."""

    async def drop(self) -> None:
        """Give them back."""


class Sockets:
    """Keeps the connections of one app open until closed: `CONNECTIONS`, or for as many as `slots` has room."""

    def __init__(
        self,
        bolt: AsyncApp,
        clients: Clients,
        app_token: str,
        noticing: Noticing | None = None,
        slots: Slots | None = None,
    ) -> None:
        self._bolt = bolt
        self._noticing = noticing
        self._slots = slots
        self._clients = clients
        self._app_token = app_token
        self._greeted: set[int] = set()
        self._keepers: list[asyncio.Task[None]] = []
        self._minder: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()

    async def connect(self) -> None:
        """Open the connections and return when one is open, when other processes have all there may be, or after a
        while in which Slack could not be reached.

        Raises the `ChannelError` of an app token that does not work.
        """
        address: str | None = None
        try:
            address = await self._address()
        except Transient as error:
            log.warning("socket not opened yet", error=str(error))
        except ChannelError as error:
            log.warning("the app token does not work", error=str(error))
            raise
        self._minder = asyncio.create_task(self._mind(address))
        try:
            await asyncio.wait_for(self._settled.wait(), CONNECT)
        except TimeoutError:
            log.warning("no socket is open yet; still trying")

    async def close(self) -> None:
        """Close every connection, and leave their slots to other processes."""
        if self._minder is not None:
            self._minder.cancel()
            await asyncio.gather(self._minder, return_exceptions=True)
        await self._close_to(0)
        if self._slots is not None:
            await self._slots.drop()

    async def _mind(self, address: str | None) -> None:
        """Have as many connections as there are slots, from now on."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while True:
            begun = loop.time()
            try:
                held = CONNECTIONS if self._slots is None else await self._slots.hold(CONNECTIONS)
                since = begun
            except Exception as error:  # noqa: BLE001  # whatever the store raises, a slot is ours until its lease is over
                log.warning("slots not held", error=type(error).__name__)
                held = len(self._keepers) if loop.time() - since < LEASE else 0
            await self._close_to(held)
            for number in range(len(self._keepers), held):
                self._keepers.append(asyncio.create_task(self._keep(number, address)))
                address = None
            if held == 0:
                self._settled.set()
            if self._slots is None:
                return
            await asyncio.sleep(SLOT_GAP)

    async def _close_to(self, held: int) -> None:
        """Close all connections but so many."""
        self._keepers, over = self._keepers[:held], self._keepers[held:]
        for keeper in over:
            keeper.cancel()
        await asyncio.gather(*over, return_exceptions=True)

    async def _address(self) -> str:
        try:
            answer = await self._clients.anonymous.apps_connections_open(app_token=self._app_token)
        except FAILURES as error:
            raise channel_error(error, harmless=True) from error
        return str(answer["url"])

    async def _keep(self, number: int, address: str | None) -> None:
        """Open one connection, again and again."""
        failures = 0
        while True:
            try:
                await self._one_connection(number, address or await self._address())
                failures = 0
            except Exception as error:  # noqa: BLE001  # whatever ended one connection, the next one is opened
                failures += 1
                log.warning("socket failed", number=number, error=code_of(error) or type(error).__name__)
            address = None
            await asyncio.sleep(GAPS[min(failures, len(GAPS) - 1)] if failures else 0)

    async def _one_connection(self, number: int, address: str) -> None:
        """Open one connection and return when it should be replaced."""
        handler = _Handler(
            self._bolt, self._app_token, logger=QUIET, web_client=self._clients.anonymous, ping_interval=PING
        )
        # slack_bolt declares no types for these two.
        open_, close = cast("Step", handler.connect_async), cast("Step", handler.close_async)
        client, loop = handler.client, asyncio.get_running_loop()
        heard = loop.time()

        async def hear(message: WSMessage) -> None:
            nonlocal heard
            heard = loop.time()
            handler.hear(message)
            self._notice(number, message)

        client.on_message_listeners.append(hear)
        client.wss_uri = address
        try:
            async with asyncio.timeout(CONNECT):
                await open_()
            self._settled.set()
            log.info("socket open", number=number)
            while await _is_up(client.is_connected) and loop.time() - heard < IDLE:
                pass
            log.info("socket replaced", number=number, idle=loop.time() - heard >= IDLE)
        except asyncio.CancelledError:
            await handler.finish()
            raise
        finally:
            self._greeted.discard(number)
            try:
                await close()
            finally:
                # slack_sdk leaves its session open when the connection fails while it is being closed.
                await client.aiohttp_client_session.close()

    def _notice(self, number: int, message: WSMessage) -> None:
        """Tell how many connections Slack says there are; its first message on each of them does."""
        if self._noticing is None or message.type is not WSMsgType.TEXT or '"hello"' not in message.data:
            return
        with suppress(ValueError, AttributeError, TypeError, KeyError):
            said = json.loads(message.data)
            if said.get("type") == "hello":
                self._greeted.add(number)
                self._noticing.socket(int(said["num_connections"]), len(self._greeted))


class _Handler(AsyncSocketModeHandler):
    """Knows what was heard on its connection and is not acknowledged yet: that must not be closed under people."""

    def __init__(self, bolt: AsyncApp, app_token: str, **more: Any) -> None:
        super().__init__(bolt, app_token, **more)
        self._in_hand = 0
        self._acknowledged = asyncio.Event()

    def hear(self, message: WSMessage) -> None:
        """Something came."""
        if message.type is WSMsgType.TEXT and '"envelope_id"' in message.data:
            self._in_hand += 1

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]  # as its base
        """Acknowledge one."""
        try:
            await super().handle(client, req)
        finally:
            self._in_hand -= 1
            self._acknowledged.set()

    async def finish(self) -> None:
        """Return when all that was heard is acknowledged, or nobody waits for it any more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FINISH):
                while self._in_hand > 0:
                    self._acknowledged.clear()
                    await self._acknowledged.wait()


async def _is_up(is_connected: Callable[[], Awaitable[bool]]) -> bool:
    """Whether a connection is up after a moment; slack_sdk gets another one to renew it by itself."""
    await asyncio.sleep(LOOK)
    if await is_connected():
        return True
    await asyncio.sleep(LOOK)
    return await is_connected()

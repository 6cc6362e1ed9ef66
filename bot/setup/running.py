"""The service beside a conversation on the terminal: one of ours in a thread, or the one that runs here already.

The thread has the event loop, so that the terminal may wait for a person, and Ctrl+C comes where it is waited for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

import requests

from bot.app import App, build
from bot.config import LogStyle, ProcessRole, Settings
from bot.credentials.deployment import NotOurs, prove_address
from bot.log import set_up
from bot.moment import SystemClock, SystemIds
from bot.sandbox.serving import serving
from bot.sealing import Sealer
from bot.signing import Signing
from bot.vault import SealedVault
from core.errors import Misconfigured
from core.ports import Context
from core.store import Store, open_engine

T = TypeVar("T")
Work = Callable[[Store, Context], Awaitable[T]]
CONNECT: Final = 30.0
"""Seconds that the chats have to connect."""
LOOK: Final = 2.0


class Running(Protocol):
    """A service to work with while it runs."""

    def do(self, work: Work[T]) -> T:
        """Do something in its database, and wait for it."""

    def forged(self) -> bool:
        """Whether what Slack sends is signed with another secret than ours."""


def is_served(settings: Settings) -> bool:
    """Whether a service of this very deployment runs on this machine."""
    try:
        prove_address(settings, settings.local_url, LOOK)
    except (NotOurs, requests.RequestException):
        return False
    return True


@contextlib.contextmanager
def running(settings: Settings) -> Iterator[Running]:
    """A service in this process until the block is left. Raises `Misconfigured` when it cannot start or connect."""
    set_up(LogStyle.CONSOLE, quiet=True)
    logging.getLogger().setLevel(logging.CRITICAL)  # what goes wrong is told in the conversation
    own = _Own(settings.model_copy(update={"sayso_role": ProcessRole.ALL}))
    own.start()
    try:
        yield own
    finally:
        own.stop()


@dataclass
class _Own:
    settings: Settings
    ready: Future[tuple[App, asyncio.AbstractEventLoop]] = field(default_factory=Future)
    begun: threading.Event = field(default_factory=threading.Event)
    loop: asyncio.AbstractEventLoop | None = None
    ending: asyncio.Event | None = None
    thread: threading.Thread | None = None

    def start(self) -> None:
        """Start it and wait until it is ready; leave nothing behind where it is not, or Ctrl+C came first."""
        self.thread = threading.Thread(target=self._run, name="service", daemon=True)
        self.thread.start()
        try:
            self.ready.result()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Let it finish what is in hand, and wait for that."""
        self.begun.wait()
        if self.loop is not None and self.ending is not None:
            with contextlib.suppress(RuntimeError):  # it ended by itself
                self.loop.call_soon_threadsafe(self.ending.set)
        if self.thread is not None:
            self.thread.join()

    def do(self, work: Work[T]) -> T:
        app, loop = self.ready.result()

        async def doing() -> T:
            return await work(app.store, app.context)

        return asyncio.run_coroutine_threadsafe(doing(), loop).result()

    def forged(self) -> bool:
        app, _ = self.ready.result()
        return bool(app.noticing.forged) and not app.noticing.genuine

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001  # whoever waits for the service is told, whatever it was
            if not self.ready.done():
                self.ready.set_exception(error)
        finally:
            self.begun.set()

    async def _serve(self) -> None:
        self.loop, self.ending = asyncio.get_running_loop(), asyncio.Event()
        self.begun.set()
        app = build(self.settings)
        try:
            async with app.running() as web, serving(web, self.settings.sayso_host, self.settings.sayso_port):
                if await _connected(app, self.ending):
                    self.ready.set_result((app, self.loop))
                await self.ending.wait()
        except OSError as error:
            raise Misconfigured(
                f"SAYSO_PORT {self.settings.sayso_port} cannot be listened on ({error.strerror}): choose another."
            ) from None


async def _connected(app: App, ending: asyncio.Event) -> bool:
    """Wait until every chat is connected; whether they are, or `ending` came first. Raises `Misconfigured`."""
    connecting = asyncio.ensure_future(app.chats.all_connected())
    stopping = asyncio.ensure_future(ending.wait())
    try:
        done, _ = await asyncio.wait({connecting, stopping}, timeout=CONNECT, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            why = "; ".join(f"{name}: {problem}" for name, problem in app.chats.problems.items())
            raise Misconfigured(f"The chats do not connect: {why or 'no answer'}.")
        return connecting in done
    finally:
        connecting.cancel()
        stopping.cancel()
        await asyncio.gather(connecting, stopping, return_exceptions=True)


class Elsewhere:
    """The service that runs here already; only its database is shared."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def do(self, work: Work[T]) -> T:
        """Do something in its database, and wait for it."""

        async def doing() -> T:
            signing = Signing(Sealer(self._settings.keys("signing")))
            vault = SealedVault(self._settings.keys("webhooks"))
            store = Store(
                open_engine(self._settings.database_url()),
                signer=signing,
                vault=vault,
            )
            try:
                review = f"{self._settings.base_url}/review/"
                context = Context(store.work, SystemClock(), SystemIds(), review)
                await signing.open(context)
                return await work(store, context)
            finally:
                await store.close()

        return asyncio.run(doing())

    def forged(self) -> bool:
        """What it sees is `sayso doctor`'s to ask."""
        return False

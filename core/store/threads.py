"""Where statements run. What SQLAlchemy runs, in threads, on connections that block: it takes there a fraction of what
it takes on one of asyncio's, and nobody else waits for it. What goes around SQLAlchemy, on the loop: to hand it to a
thread and back would take as long as it does.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from psycopg.waiting import Ready, Wait

from core.store.exchange import Steps

T = TypeVar("T")


class Threads:
    """At most so many threads, made when they are needed."""

    def __init__(self, most: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(most, thread_name_prefix=name)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function in a thread. Whoever is cancelled meanwhile goes on only once it has ended: it holds a
        connection."""
        own = contextvars.copy_context()
        return await whole(asyncio.get_running_loop().run_in_executor(self._pool, own.run, function, *arguments))

    def close(self) -> None:
        """Take nothing more."""
        self._pool.shutdown(wait=False)


async def whole(running: asyncio.Future[T]) -> T:
    """What comes of something. Whoever is cancelled meanwhile goes on only once it has ended."""
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        while not running.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({running})
        raise


@dataclass(frozen=True)
class Call(Generic[T]):
    """A function that blocks, to be called by whoever drives what awaits this."""

    function: Callable[..., T]
    arguments: tuple[Any, ...]

    def __await__(self) -> Generator[Any, Any, T]:
        """Hand it over."""
        found: T = yield self
        return found

    def block(self) -> T:
        """Call it."""
        return self.function(*self.arguments)


@dataclass(frozen=True)
class Talk(Generic[T]):
    """An exchange with PostgreSQL on a connection, to be waited for by whoever drives what awaits this."""

    driver: psycopg.Connection[Any]
    steps: Steps[T]

    def __await__(self) -> Generator[Any, Any, T]:
        """Hand it over."""
        found: T = yield self
        return found

    def block(self) -> T:
        """Wait for it, and let nobody else do anything in this thread."""
        return self.driver.wait(self.steps)

    async def on_loop(self) -> T:
        """Wait for it on the loop. One that is given up in the middle takes its connection with it."""
        loop, socket = asyncio.get_running_loop(), self.driver.fileno()
        try:
            wanted = next(self.steps)
            while True:
                ready = loop.create_future()
                if wanted & Wait.R:
                    loop.add_reader(socket, _tell, ready, Ready.R)
                if wanted & Wait.W:
                    loop.add_writer(socket, _tell, ready, Ready.W)
                try:
                    found = await ready
                finally:
                    if wanted & Wait.R:
                        loop.remove_reader(socket)
                    if wanted & Wait.W:
                        loop.remove_writer(socket)
                wanted = self.steps.send(found)
        except StopIteration as done:
            result: T = done.value
            return result
        except asyncio.CancelledError:
            self.driver.close()
            raise


def _tell(ready: asyncio.Future[Ready], what: Ready) -> None:
    if not ready.done():
        ready.set_result(what)


class Driven:
    """How those call the database who are driven by `finish`, or by `begin` and then by it."""

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function that blocks."""
        return await Call(function, arguments)

    async def talk(self, driver: psycopg.Connection[Any], steps: Steps[T]) -> T:
        """Wait for an exchange."""
        return await Talk(driver, steps)


class OneByOne:
    """How those call the database who wait for other things too: what blocks is called in a thread."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function that blocks. Whoever is cancelled meanwhile goes on only once it has ended."""
        return await self._threads.run(function, *arguments)

    async def talk(self, driver: psycopg.Connection[Any], steps: Steps[T]) -> T:
        """Wait for an exchange. Whoever is cancelled meanwhile goes on only once it has ended."""
        return await whole(asyncio.ensure_future(Talk(driver, steps).on_loop()))


Work = Coroutine[Any, Any, T]
"""What is driven: it waits for nothing but what `Driven` gives."""


async def begin(work: Work[T], threads: Threads) -> T:
    """What comes of work, which is done on the loop until it calls something that blocks: from there on it is done in a
    thread, in which it may block as often as it likes."""
    step, given = work.send, None
    try:
        while True:
            asked = _asked(work, step(given))
            if isinstance(asked, Call):
                return await threads.run(finish, work, asked)
            try:
                step, given = work.send, await asked.on_loop()
            except BaseException as error:  # noqa: BLE001  # it is raised where it is waited for
                step, given = work.throw, error
    except StopIteration as done:
        result: T = done.value
        return result


def finish(work: Work[T], asked: Call[Any] | None = None) -> T:
    """What comes of work, all of which is done in this thread. `asked` is what it waits for already."""
    step: Callable[[Any], Any] = work.send
    given: Any = None
    try:
        while True:
            owed = asked or _asked(work, step(given))
            asked = None
            try:
                step, given = work.send, owed.block()
            except BaseException as error:  # noqa: BLE001  # it is raised where it is waited for
                step, given = work.throw, error
    except StopIteration as done:
        result: T = done.value
        return result


def _asked(work: Work[Any], given: object) -> Call[Any] | Talk[Any]:
    """What work waits for. Raises `RuntimeError` when that is something else."""
    if isinstance(given, Call | Talk):
        return given
    work.close()
    raise RuntimeError("inside a transaction nothing but the database may be waited for")

"""A database that goes without a word: nobody waits for it for hours, whichever side of a wire it vanished behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import psycopg
from sqlalchemy.engine import make_url

from core.ports import Committed
from core.store import notices, open_engine
from core.store.engine import ALIVE, blocking
from tests.store.making import add, ask, settle_in
from tests.stores import opened

ANYTHING = Committed(missed=True)
SOON = 60.0
SOCKET = ".s.PGSQL.5432"
"""What PostgreSQL calls its socket in a folder."""


class Wire:
    """A way to PostgreSQL that can swallow what is said on it, as a firewall does that forgot a connection."""

    def __init__(self, to: Path) -> None:
        self._to = to
        self.opened = 0
        self.ends: list[asyncio.StreamWriter] = []
        self._passes = asyncio.Event()
        self._passes.set()

    def swallow(self) -> None:
        """From now on nothing that is said on a connection of before arrives. New ones work."""
        self._passes.clear()
        self._passes = asyncio.Event()
        self._passes.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passes = self._passes
        self.opened += 1
        onward, back = await asyncio.open_unix_connection(str(self._to))
        self.ends += [writer, back]

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                while chunk := await source.read(65_536):
                    await passes.wait()
                    sink.write(chunk)
            sink.close()

        await asyncio.gather(pump(reader, back), pump(onward, writer))


@contextlib.asynccontextmanager
async def wire_to(url: str, folder: Path) -> AsyncIterator[tuple[Wire, str]]:
    """A wire to a database, and the database's address at its end."""
    address = make_url(url)
    wire = Wire(Path(str(address.query["host"])) / SOCKET)
    server = await asyncio.start_unix_server(wire.serve, folder / SOCKET)
    try:
        at_its_end = address.update_query_dict({"host": str(folder)})
        yield wire, at_its_end.render_as_string(hide_password=False)
    finally:
        server.close()
        for end in wire.ends:
            end.close()
        await asyncio.gather(*(end.wait_closed() for end in wire.ends), return_exceptions=True)


async def soon(heard: AsyncGenerator[Committed, None]) -> Committed:
    return await asyncio.wait_for(anext(heard), SOON)


async def test_a_listener_whose_connection_died_on_the_way_notices_and_listens_anew(
    postgres_store_url: str, tmp_path: Path
) -> None:
    async with wire_to(postgres_store_url, tmp_path) as (wire, url), opened(postgres_store_url) as store:
        await settle_in(store)
        heard = notices(url, silence=0.2)
        assert await soon(heard) == ANYTHING
        wire.swallow()
        await add(store, ask(1))  # told to a connection on which nothing arrives
        assert await soon(heard) == ANYTHING
        assert wire.opened >= 2
        await heard.aclose()


async def test_a_listener_to_whom_nothing_is_said_asks_and_goes_on_listening(postgres_store_url: str) -> None:
    heard = notices(postgres_store_url, silence=0.2)
    assert await soon(heard) == ANYTHING
    hearing = asyncio.ensure_future(anext(heard))
    asked = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sayso notices' AND query = 'SELECT 1'"
    database = await psycopg.AsyncConnection.connect(postgres_store_url.replace("+psycopg", ""), autocommit=True)
    async with database, asyncio.timeout(SOON):
        while not (await (await database.execute(asked)).fetchone() or (0,))[0]:
            await database.execute("SELECT pg_sleep(0.02)")
    async with opened(postgres_store_url) as store:
        await settle_in(store)
        await add(store, ask(1))
        # A machine that is very slow may have taken the server for dead meanwhile, and says so.
        assert await asyncio.wait_for(hearing, SOON) in (Committed((ask(1).id,)), ANYTHING)
    await heard.aclose()


def test_every_connection_asks_the_system_to_notice_a_dead_end_unless_the_address_says_otherwise() -> None:
    engine = open_engine("postgresql://u@h/d?keepalives_idle=99")
    for one in (engine.sync_engine, blocking(engine)):
        _, given = one.dialect.create_connect_args(one.url)
        assert {**ALIVE, "keepalives_idle": "99"}.items() <= given.items()

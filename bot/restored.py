"""Noticing at the start that the database went back, and keeping what that is noticed by.

Beside an SQLite file stands `<file>-mark` with the newest that was seen in it: a file that knows less, that is another
one, or beside which there is no mark, is a copy of an earlier moment or was moved. A PostgreSQL database knows by
itself what it is: restored from a dump or brought back to a moment, it is another one.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy.engine import make_url

from core.ports import Committed, Context
from core.reading import Records
from core.restoring import LEASE, LEASE_KEPT, Mark, Timeline
from core.use_cases.restoring import find_timeline, restore
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.restored")

SIZE: Final = 96
"""Bytes: an id, a number and what is between them, always written over."""
LOOK_AGAIN: Final = 0.5
"""Seconds between looks whether another process has made it true."""


class Marking:
    """The mark of one database. Making it reads nothing; on PostgreSQL it does nothing."""

    def __init__(self, address: str) -> None:
        url = make_url(address)
        is_file = url.get_backend_name() == "sqlite" and url.database
        self._database = Path(str(url.database)) if is_file else None
        self._path = Path(f"{url.database}-mark") if is_file else None
        self._file: int | None = None
        self._timeline = ""
        self._positions: dict[str, int] = {}

    async def make_true(self, context: Context, records: Records, owner: str) -> bool:
        """Bring the chats back into agreement with a database that went back, before anything is posted; whether it
        did. One process does so, and the others wait for it."""
        timeline, restored = await self._timeline_of(context, records), False
        while timeline is None:
            if await _leased(context, owner):
                # Another may have done it between the look and the lease.
                timeline = await self._timeline_of(context, records)
                if timeline is None:
                    timeline = await self._restored(context, records, owner)
                    restored = timeline is not None
                await transact(context, lambda work: work.drop_lease(LEASE, owner))
            else:
                await asyncio.sleep(LOOK_AGAIN)
                timeline = await self._timeline_of(context, records)
        self._timeline, self._positions = timeline.id, await records.positions()
        self._write()
        return restored

    async def _restored(self, context: Context, records: Records, owner: str) -> Timeline | None:
        begun = await restore(context, await self._home(records), owner)
        if begun is not None:
            log.warning("the database is an earlier copy, or was moved", known_until=str(begun.known_until))
        return begun

    async def _timeline_of(self, context: Context, records: Records) -> Timeline | None:
        marked = self._path is not None
        return await find_timeline(context, await self._home(records), self._read(), marked=marked)

    async def _home(self, records: Records) -> str:
        return f"file/{self._database.stat().st_ino}" if self._database is not None else await records.home()

    def committed(self, change: Committed) -> None:
        """Something was committed here."""
        if self._file is not None and change.positions:
            self._positions.update(change.positions)
            self._write()

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self) -> Mark | None:
        try:
            timeline, position = self._path.read_text("ascii").split() if self._path else ("", "0")
            return Mark(timeline, int(position)) if timeline else None
        except (OSError, ValueError):
            return None

    def _write(self) -> None:
        # Without waiting for the disk: after a power cut the mark may be older than the file, which says nothing.
        if self._path is None:
            return
        if self._file is None:
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
        text = f"{self._timeline} {sum(self._positions.values())}"
        os.pwrite(self._file, f"{text:<{SIZE}}\n".encode("ascii"), 0)


async def _leased(context: Context, owner: str) -> bool:
    now = context.clock.now()
    return await transact(context, lambda work: work.take_lease(LEASE, owner, now, now + LEASE_KEPT)) is not None

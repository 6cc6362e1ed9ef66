"""An open database and its doors: `work` to write, `outbox` and `dues` to claim from, `records` to read."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine

from core.ports import Committed, Wake
from core.signing import Signer
from core.store.dues import SqlDues
from core.store.engine import backends_of, blocking, reading
from core.store.outbox import SqlOutbox
from core.store.queries import SqlRecords
from core.store.turns import SqlTurns
from core.store.works import Works
from core.vault import Unsealed, Vault


def _wakes_nobody(_change: Committed) -> None:
    """For a process in which nobody waits."""


class Store:
    """`wake` is called after each commit made here; commits of other processes come through `notices`. `signer` signs
    the receipts that are written here; without one they are not signed. `vault` keeps webhook secrets.
    `engine` is for the tables themselves; everything in them is read and written through `database`."""

    def __init__(
        self,
        engine: AsyncEngine,
        wake: Wake = _wakes_nobody,
        signer: Signer | None = None,
        vault: Vault | None = None,
    ) -> None:
        vault = vault or Unsealed()
        self.engine = engine
        self.database = blocking(engine)
        self.backends = backends_of(self.database)
        """Which of PostgreSQL's processes work for this one."""
        self.work = Works(self.database, wake, signer, vault)
        self.records = SqlRecords(reading(self.database), vault)
        self.outbox = SqlOutbox(self.work, self.records)
        self.dues = SqlDues(self.work, self.records)
        self.turns = SqlTurns(self.database) if self.database.dialect.name == "postgresql" else None
        """Turns that all processes share; None on SQLite, where one process has the chats to itself."""

    async def close(self) -> None:
        """Close every connection."""
        self.work.close()
        self.records.close()
        if self.turns is not None:
            self.turns.close()
        self.database.dispose()
        await self.engine.dispose()

"""Which chats' credentials are kept."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select

from core.addresses import Provider
from core.installations import Installation, Mark
from core.store.installation_rows import installation_of, is_installation
from core.store.reads.snapshot import Reads
from core.store.tables import installations, workspaces


class InstallationsReads(Reads):
    """Look at installations."""

    async def installations(self) -> tuple[Installation, ...]:
        table = installations.c
        rows = await self._all(select(installations).order_by(table.provider, table.account))
        return tuple(installation_of(row) for row in rows)

    async def installation_at(self, provider: Provider, account: str) -> Installation | None:
        row = await self._one(select(installations).where(is_installation(provider, account)))
        return installation_of(row) if row else None

    async def installation_marks(self) -> Mapping[tuple[Provider, str], Mark]:
        table = installations.c
        rows = await self._all(select(table.provider, table.account, table.installed_at, table.generation))
        return {(Provider(row.provider), row.account): (row.installed_at, row.generation) for row in rows}

    async def workspace_names(self) -> tuple[tuple[str, str], ...]:
        table = workspaces.c
        rows = await self._all(select(table.id, table.name).order_by(table.created_at, table.id))
        return tuple((row.id, row.name) for row in rows)

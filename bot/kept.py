"""Accounts whose credentials are kept in the database, followed in this process as they come, change and go anywhere.

Every process looks at their marks again and again, and at once when something is for an account that it does not know.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from bot.chats import Chats
from bot.sealing import Sealer
from core.addresses import Provider
from core.errors import Misconfigured
from core.installations import Installation, Mark
from core.ports import Connection, Context
from core.reading import Records
from core.use_cases.installing import end
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.kept")

LOOK = 3.0
"""Seconds between looks: how late another process learns that an account came or went."""
Key = tuple[Provider, str]


@dataclass(frozen=True)
class Opened:
    """An account with its credentials, which nobody may log."""

    installation: Installation
    connection: Connection
    secrets: Mapping[str, str]


class Side(Protocol):
    """What one provider does with its accounts."""

    async def use(self, opened: Opened) -> None:
        """Work through an account, or go on with changed credentials. `Chats` is told once it can be used."""

    async def drop(self, account: str) -> None:
        """Work through it no more."""


class Kept:
    """Follows the accounts. `sides` are the providers that are on."""

    def __init__(self, context: Context, records: Records, chats: Chats, sealer: Sealer) -> None:
        self._context = context
        self._records = records
        self._chats = chats
        self._sealer = sealer
        self._marks: dict[Key, Mark] = {}
        self._turn = asyncio.Lock()
        self.sides: dict[Provider, Side] = {}

    async def look(self) -> int:
        """Take up what changed; return how many accounts that were."""
        marks = await self._records.installation_marks()
        changed = {key for key, mark in marks.items() if self._marks.get(key) != mark} | (self._marks.keys() - marks)
        for provider, account in sorted(changed):
            await self.find(provider, account)
        return len(changed)

    async def find(self, provider: Provider, account: str) -> None:
        """Take up one account as it stands now."""
        side = self.sides.get(provider)
        if side is None:
            return
        async with self._turn:
            installation = await self._records.installation_at(provider, account)
            if installation is not None and self._marks.get((provider, account)) == installation.mark:
                return
            await self._take(side, provider, account, installation)

    async def _take(self, side: Side, provider: Provider, account: str, installation: Installation | None) -> None:
        key = (provider, account)
        if installation is None:
            if self._marks.pop(key, None) is not None:
                await side.drop(account)
                self._chats.leave(provider, account)
            return
        connection = await self._records.connection_at(provider.value, account)
        if connection is None:
            return
        self._marks[key] = installation.mark
        name = f"{provider.value}:{account}"
        if not installation.is_live or installation.sealed is None:
            await side.drop(account)
            self._chats.note_ended(connection, installation.problem or "it was removed")
            log.warning("account ended", account=name, why=installation.problem)
            return
        self._chats.know(connection)
        try:
            secrets = self._sealer.open(name, installation.sealed)
        except Misconfigured as error:
            self._chats.problems[name] = str(error)
            log.warning("account not opened", account=name, error=str(error))
            return
        await side.use(Opened(installation, connection, secrets))
        log.info("account in use", account=name, workspace=installation.workspace)

    async def end(self, provider: Provider, account: str, why: str) -> bool:
        """The provider says that the app was removed. False: this account is not kept, or stands otherwise than was
        known here."""
        mark = self._marks.get((provider, account))
        if mark is None or not await end(self._context, provider, account, mark, why):
            return False
        await self.find(provider, account)
        return True

    async def learn(self, provider: Provider, account: str, facts: Mapping[str, str]) -> None:
        """Keep what a provider says of an account now; nothing happens where that is known."""
        before = await self._records.installation_at(provider, account)
        if before is None or not before.is_live or facts.items() <= before.facts.items():
            return
        after = replace(before, facts={**before.facts, **facts})
        kept = await transact(self._context, lambda work: work.keep_facts(after))
        side = self.sides.get(provider)
        if kept and side is not None:
            async with self._turn:
                await self._take(side, provider, account, await self._records.installation_at(provider, account))

    async def run(self, stop: asyncio.Event) -> None:
        """Look until `stop` is set."""
        while not stop.is_set():
            try:
                await self.look()
            except Exception:
                # The database may be away for a moment.
                log.exception("accounts not looked at")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), LOOK)

    def mark_of(self, provider: Provider, account: str) -> Mark | None:
        """How an account stands as far as this process knows; None: it is none of these."""
        return self._marks.get((provider, account))

    def is_kept(self, provider: Provider, account: str) -> bool:
        """Whether it is one of these accounts."""
        return (provider, account) in self._marks

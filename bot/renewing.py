"""Kept credentials stay good: tokens that end are replaced in time, by one process alone, and what was sealed with the
key before is sealed anew.

A lease in the database says who replaces a token. Its holder looks once more before it asks Slack, as a refresh token
is good once: two that asked with the same one could lose the account.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import structlog

from adapters.slack.renewing import Renewed
from bot.installing import CREDENTIAL, REFRESH
from bot.kept import Kept
from bot.sealing import Sealer
from core.addresses import Provider
from core.errors import ChannelError, Misconfigured
from core.installations import RENEW_BEFORE, Installation
from core.ports import Context
from core.reading import Records
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.renewing")

LEASE: Final = timedelta(seconds=60)
"""Longer than a call to Slack can last."""
Renew = Callable[[str], Awaitable[Renewed]]
"""Exchanges a refresh token. Raises a `ChannelError`."""


class Renewal:
    """Looks after all accounts. `owner` names this process in leases."""

    def __init__(
        self, context: Context, records: Records, kept: Kept, sealer: Sealer, renew: Renew | None, owner: str
    ) -> None:
        self._context = context
        self._records = records
        self._kept = kept
        self._sealer = sealer
        self._renew = renew
        self._owner = owner

    async def look(self) -> int:
        """Do what is due; return for how many accounts."""
        done = 0
        for one in await self._records.installations():
            if self._is_due(one) or self._is_old(one):
                done += await self._alone(one)
        return done

    def _is_due(self, one: Installation) -> bool:
        ends = one.expires_at
        slack = one.provider is Provider.SLACK and self._renew is not None
        return slack and one.is_live and ends is not None and self._context.clock.now() >= ends - RENEW_BEFORE

    def _is_old(self, one: Installation) -> bool:
        return one.sealed is not None and one.is_live and not self._sealer.is_current(one.sealed)

    async def _alone(self, one: Installation) -> bool:
        name, now = f"renew {one.provider.value}:{one.account}", self._context.clock.now()
        taken = await transact(self._context, lambda work: work.take_lease(name, self._owner, now, now + LEASE))
        if taken is None:
            return False
        try:
            # Whoever had the lease before may have done it a moment ago.
            current = await self._records.installation_at(one.provider, one.account)
            if current is None or not (self._is_due(current) or self._is_old(current)):
                return False
            return await self._replace(current)
        finally:
            await transact(self._context, lambda work: work.drop_lease(name, self._owner))

    async def _replace(self, before: Installation) -> bool:
        name = f"{before.provider.value}:{before.account}"
        try:
            secrets = self._sealer.open(name, before.sealed or "")
        except Misconfigured as error:
            log.warning("credentials not opened", account=name, error=str(error))
            return False
        after = before
        if self._is_due(before) and self._renew is not None and REFRESH in secrets:
            try:
                fresh = await self._renew(secrets[REFRESH])
            except ChannelError as error:
                log.warning("token not renewed", account=name, error=str(error))
                return False
            secrets = {**secrets, CREDENTIAL: fresh.token, REFRESH: fresh.refresh}
            ends = self._context.clock.now() + timedelta(seconds=fresh.expires_in)
            after = replace(before, expires_at=ends, problem=None)
            log.info("token renewed", account=name, until=ends.isoformat())
        after = replace(after, sealed=self._sealer.seal(name, secrets))
        stored = await transact(self._context, lambda work: work.renew_installation(before, after))
        await self._kept.find(before.provider, before.account)
        return stored

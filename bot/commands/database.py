"""What commands that work on the database share: opening it as the service does, and saying things."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.config import Settings, load
from bot.configured import running_as
from bot.moment import SystemClock, SystemIds
from bot.sealing import Sealer
from bot.signing import Signing
from bot.startup import bring_up
from bot.vault import SealedVault
from core.audit import Actor
from core.ports import Context
from core.store import Store, open_engine

T = TypeVar("T")


def with_store(
    work: Callable[[Store, Context], Awaitable[T]], settings: Settings | None = None, *, signs: bool = True
) -> T:
    """Open the database, bring it up to date, do `work`, close it. Without `signs` nothing can be recorded, and no key
    need be there to sign it with. Raises `Misconfigured`."""

    async def unsigned(store: Store, context: Context, _: Signing) -> T:
        return await work(store, context)

    return asyncio.run(_with_store(unsigned, settings or load(), signs=signs))


def with_signing(work: Callable[[Store, Context, Signing], Awaitable[T]], settings: Settings) -> T:
    """The same for `work` that signs something itself."""
    return asyncio.run(_with_store(work, settings, signs=True))


async def _with_store(work: Callable[[Store, Context, Signing], Awaitable[T]], settings: Settings, *, signs: bool) -> T:
    signing = Signing(Sealer(settings.keys("signing")))
    vault = SealedVault(settings.keys("webhooks"))
    store = Store(open_engine(settings.database_url()), signer=signing, vault=vault)
    context = Context(store.work, SystemClock(), SystemIds(), f"{settings.base_url}/review/", at_a_shell())
    try:
        await bring_up(store, context)
        if signs:
            await signing.open(context)
        return await work(store, context, signing)
    finally:
        await store.close()


def at_a_shell() -> Actor:
    """Whoever runs a command, as the machine knows them."""
    return Actor(type="cli", identity=running_as())

"""A database in the folder where the test stands, as the service would make it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.config import load
from bot.moment import SystemClock, SystemIds
from bot.startup import prepare
from core.ports import Context
from core.store import Store, open_engine

T = TypeVar("T")


async def in_new_store(work: Callable[[Store, Context], Awaitable[T]]) -> T:
    """Make the tables and do something with them."""
    settings = load()
    store = Store(open_engine(settings.database_url()))
    context = Context(store.work, SystemClock(), SystemIds(), "https://sayso.example.com/review/")
    try:
        await prepare(store, context, settings)
        return await work(store, context)
    finally:
        await store.close()

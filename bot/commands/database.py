"""What commands that work on the database share: opening it as the service does, and saying things."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import typer

from bot.config import Settings, load
from bot.moment import SystemClock, SystemIds
from bot.startup import prepare
from core.ports import Context
from core.store import Store, open_engine

T = TypeVar("T")


def with_store(work: Callable[[Store, Context], Awaitable[T]], settings: Settings | None = None) -> T:
    """Open the database, bring it up to date, do `work`, close it. Raises `Misconfigured`."""
    return asyncio.run(_with_store(work, settings or load()))


async def _with_store(work: Callable[[Store, Context], Awaitable[T]], settings: Settings) -> T:
    store = Store(open_engine(settings.database_url()))
    context = Context(store.work, SystemClock(), SystemIds(), f"{settings.base_url}/review/")
    try:
        await prepare(store, context, settings)
        return await work(store, context)
    finally:
        await store.close()


def say_json(value: Any) -> None:
    """Print a value as JSON, for programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def say_rows(rows: list[tuple[str, ...]]) -> None:
    """Print rows in columns, for people."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

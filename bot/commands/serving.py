"""`serve`, `demo`, `migrate`: running it."""

from __future__ import annotations

import typer

from bot.commands.database import with_store
from bot.config import load
from core.ports import Context
from core.store import Store


def serve() -> None:
    """Run the service: HTTP, Slack, Telegram, the relay and the scheduler, as the settings say."""
    from bot.serve import serve as run  # noqa: PLC0415  # it loads every adapter, which the other commands need not

    run(load())


def demo(port: int = typer.Option(8080, help="Port of the page that shows both chats.")) -> None:
    """Run the whole product on this machine, with stand-ins for Slack and Telegram. No account is needed."""
    from bot.demo import run  # noqa: PLC0415  # the same

    run(port=port)


def migrate() -> None:
    """Make or bring up to date the database's tables. `serve` does so too when it starts."""

    async def nothing_more(_store: Store, _context: Context) -> None:
        return None

    with_store(nothing_more)
    typer.echo("The database is up to date.")

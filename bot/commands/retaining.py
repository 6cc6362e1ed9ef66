"""`purge`: taking away what was settled long ago, but for the proof that it was."""

from __future__ import annotations

from datetime import UTC, datetime

import typer

from blocks.words import how_many
from bot.background import Pauses
from bot.commands.database import with_store
from bot.commands.exporting import moment
from bot.commands.workspaces import workspace_called
from core.durations import parse_duration
from core.ports import Context
from core.retention import Swept
from core.store import Store
from core.use_cases.retaining import SOONEST
from core.use_cases.retaining import purge as purge_before


def purge(
    settled_before: str = typer.Option(
        ..., "--settled-before", metavar="90d", help="How long ago, such as 90d, or a time such as 2026-01-31."
    ),
    dry_run: bool = typer.Option(False, "--dry-run", help="Only say how much it would be."),
    workspace: str = typer.Option("", "--workspace", metavar="NAME", help="Only this one, by its name or id."),
) -> None:
    """Purge cards and work orders that have ended and were left alone since: what was asked, answered and said goes.

    The proof stays: ids, statuses, digests, and the hash and signature of each receipt. What is pending is never
    touched, nor what ended less than a day ago. Running services need not stop.
    """

    async def work(store: Store, context: Context) -> tuple[Swept, bool]:
        before, latest = _before(settled_before, context.clock.now()), context.clock.now() - SOONEST
        known = [await workspace_called(store, workspace)] if workspace else await store.records.workspaces()
        if not dry_run:
            return await purge_before(context, known, before, rest=Pauses()), before > latest
        swept = Swept()
        for one in known:
            swept += await store.records.purgeable(one, min(before, latest))
        return swept, before > latest

    swept, too_soon = with_store(work)
    cards, orders = how_many(swept.interactions, "card"), how_many(swept.loops, "work order")
    said = how_many(swept.others, "thing said", "things said")
    typer.echo(f"{cards}, {orders} and {said} {'would be purged' if dry_run else 'purged'}.")
    if too_soon:
        typer.echo("What ended less than a day ago stays.")


def _before(text: str, now: datetime) -> datetime:
    try:
        return now - parse_duration(text)
    except ValueError:
        found = moment(text, "--settled-before")
        if found is None:
            raise typer.BadParameter("say how long ago", param_hint="--settled-before") from None
        return found.astimezone(UTC)

"""`audit`: who changed what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import typer

from blocks.audited import audited
from bot.commands.database import with_store
from bot.commands.printing import say_json, say_rows
from bot.commands.workspaces import workspace_called
from core.audit import AuditLine
from core.canonical import rfc3339
from core.durations import parse_duration
from core.errors import Invalid
from core.ports import Context
from core.store import Store


def audit(
    since: str = typer.Option("", metavar="DURATION", help="Only what changed within this time, such as 7d."),
    limit: int = typer.Option(100, min=1, max=10_000, help="At most so many lines, the newest."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON, with what was there before and after."),
    workspace: str = typer.Option("", metavar="NAME", help="Only of this workspace; all if left out."),
) -> None:
    """Print who changed what, newest first: agents, people, roles, accounts, chats, tools, calendars, keys, purges."""
    try:
        length = parse_duration(since) if since else None
    except ValueError as error:
        raise Invalid.at("/since", f"--since: {error}") from None

    async def work(store: Store, context: Context) -> Sequence[AuditLine]:
        named = await workspace_called(store, workspace) if workspace else None
        start = context.clock.now() - length if length is not None else None
        return await store.records.audited(named, since=start, limit=limit)

    found = with_store(work)
    if as_json:
        say_json([_wire(one) for one in found])
    elif found:
        say_rows([_row(one) for one in found])
    else:
        typer.echo("Nothing was changed in that time." if since else "Nothing was changed yet.")


def _row(line: AuditLine) -> tuple[str, ...]:
    told = audited(line)
    return rfc3339(line.at), told.who, told.what, told.change


def _wire(line: AuditLine) -> dict[str, object]:
    values = {**asdict(line), "at": rfc3339(line.at), "what": line.what.value}
    return {**values, "actor": line.actor.model_dump(), "about": line.about.model_dump()}

"""`doctor`, `replay`, `states`, `manifest`: looking after it."""

from __future__ import annotations

import typer

from bot.commands.database import with_store
from bot.config import load
from bot.startup import WORKSPACE
from core.diagram import state_diagram
from core.errors import Misconfigured
from core.events import Event
from core.ports import Context
from core.store import Store
from core.use_cases.replay import replay as deliver_again


def doctor() -> None:
    """Check the settings, the database and both chats: one line each, and an exit status that says whether all hold."""
    from bot.doctor import examine  # noqa: PLC0415  # it loads Slack's library

    good = True
    for finding in examine():
        typer.echo(finding.line())
        good = good and finding.holds
    raise typer.Exit(0 if good else 1)


def replay(event: str = typer.Argument(help="The id of the event, evt_….", metavar="EVENT_ID")) -> None:
    """Deliver an event to its asker's webhook once more, under the same id."""

    async def work(_: Store, context: Context) -> Event:
        return await deliver_again(context, WORKSPACE, event)

    found = with_store(work)
    typer.echo(f"{found.type} of {found.interaction} will be delivered again.")


def states() -> None:
    """Print the state diagram of an interaction, in Mermaid."""
    typer.echo(state_diagram(), nl=False)


def manifest(socket: bool = typer.Option(False, "--socket", help="For Socket Mode, which needs no address.")) -> None:
    """Print the manifest to make the Slack app from."""
    from adapters.slack.manifest import manifest_yaml  # noqa: PLC0415  # it loads Slack's library

    if socket:
        typer.echo(manifest_yaml(None), nl=False)
        return
    public_url = load().sayso_public_url
    if public_url is None or not public_url.startswith("https://"):
        raise Misconfigured("SAYSO_PUBLIC_URL must be the https address of this service, or use --socket.")
    typer.echo(manifest_yaml(public_url), nl=False)

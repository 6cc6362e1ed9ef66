"""`doctor`, `replay`, `states`, `manifest`: looking after it."""

from __future__ import annotations

import os
import shutil
import sys

import typer

from bot.commands.database import with_store
from bot.commands.printing import say_json
from bot.commands.workspaces import OF, workspace_called
from bot.config import load
from core.diagram import state_diagram
from core.errors import Misconfigured
from core.events import Event
from core.ports import Context
from core.store import Store
from core.use_cases.replay import replay as deliver_again


def doctor(
    channel: list[str] = typer.Option(
        [], metavar="ADDRESS", help="A conversation to look at too, such as slack:C0123."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON, with what each check means."),
) -> None:
    """Check the settings, the database and both chats: one line each, and an exit status that says whether all hold.

    Nothing is changed and no secret is printed. What Slack shows to no bot, the app's own settings, is compared too
    where SLACK_CONFIG_TOKEN is an app configuration token.
    """
    from bot.doctor import examine, showing  # noqa: PLC0415  # it loads Slack's library

    findings = []
    on_terminal = sys.stdout.isatty() and not as_json
    for finding in examine(channel):
        findings.append(finding)
        if on_terminal:
            width = shutil.get_terminal_size().columns
            typer.echo(showing.paragraph(finding, width, coloured="NO_COLOR" not in os.environ))
        elif not as_json:
            typer.echo(showing.line(finding))
    if as_json:
        say_json([one.wire() for one in findings])
    elif on_terminal:
        typer.echo(f"\n{showing.summary(findings)}")
    raise typer.Exit(0 if all(one.holds for one in findings) else 1)


def replay(
    event: str = typer.Argument(help="The id of the event, evt_….", metavar="EVENT_ID"), workspace: str = OF
) -> None:
    """Deliver an event to its asker's webhook once more, under the same id."""

    async def work(store: Store, context: Context) -> Event:
        return await deliver_again(context, await workspace_called(store, workspace), event)

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

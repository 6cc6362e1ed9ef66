"""The contents page of the commands, and what happens when one fails."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from bot.commands import (
    agents,
    asking,
    auditing,
    beginning,
    bots,
    calendar,
    copies,
    exporting,
    keys,
    ordering,
    people,
    retaining,
    serving,
    tools,
    upkeep,
    workspaces,
)
from core.errors import Invalid, SaysoError

app = typer.Typer(
    name="sayso",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Programs and AI agents ask people in Slack and Telegram, and get back exactly one authorised answer.",
)
app.command("demo")(serving.demo)
app.command("init")(beginning.init)
app.command("serve")(serving.serve)
app.command("ask")(asking.ask)
app.command("order")(ordering.order)
app.add_typer(agents.app, name="agent")
app.add_typer(people.app, name="person")
app.add_typer(workspaces.app, name="workspace")
app.add_typer(bots.app, name="telegram")
app.add_typer(calendar.app, name="calendar")
app.add_typer(tools.app, name="tool")
app.add_typer(keys.app, name="key")
app.command("manifest")(upkeep.manifest)
app.command("doctor")(upkeep.doctor)
app.command("migrate")(serving.migrate)
app.command("replay")(upkeep.replay)
app.command("backup")(copies.backup)
app.command("restored")(copies.restored)
app.command("purge")(retaining.purge)
app.command("export")(exporting.export)
app.command("verify")(exporting.verify)
app.command("audit")(auditing.audit)
app.command("states")(upkeep.states)

USAGE = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. What was expected to go wrong is one sentence on standard error, never a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["ask"]:
        given = asking.spread_wait(given)
    try:
        app(given, prog_name="sayso")
    except SaysoError as error:
        print(f"sayso: {error}", file=sys.stderr)
        sys.exit(USAGE if isinstance(error, Invalid) else 1)
    except KeyboardInterrupt:
        sys.exit(130)

"""The contents page of the commands, and what happens when one fails."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Final

import typer

from bot.commands.bare_options import spread_wait
from core.errors import Invalid, SaysoError

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "demo": ("serving", "demo"),
    "init": ("beginning", "init"),
    "serve": ("serving", "serve"),
    "ask": ("asking", "ask"),
    "order": ("ordering", "order"),
    "agent": ("agents", "app"),
    "person": ("people", "app"),
    "workspace": ("workspaces", "app"),
    "telegram": ("bots", "app"),
    "calendar": ("calendar", "app"),
    "tool": ("tools", "app"),
    "key": ("keys", "app"),
    "manifest": ("upkeep", "manifest"),
    "doctor": ("upkeep", "doctor"),
    "migrate": ("serving", "migrate"),
    "replay": ("upkeep", "replay"),
    "backup": ("copies", "backup"),
    "restored": ("copies", "restored"),
    "purge": ("retaining", "purge"),
    "export": ("exporting", "export"),
    "verify": ("exporting", "verify"),
    "audit": ("auditing", "audit"),
    "states": ("upkeep", "states"),
}
"""Each with the module of `bot.commands` that has it and its name there, in the order of the help. Only that of
the command that is run is loaded: asking from a shell takes no database."""
USAGE = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. What was expected to go wrong is one sentence on standard error, never a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    named = given[:1] if given and given[0] in COMMANDS else COMMANDS
    try:
        built(*named)(spread_wait(given) if given[:1] == ["ask"] else given, prog_name="sayso")
    except SaysoError as error:
        print(f"sayso: {error}", file=sys.stderr)
        sys.exit(USAGE if isinstance(error, Invalid) else 1)
    except KeyboardInterrupt:
        sys.exit(130)


@cache
def built(*names: str) -> typer.Typer:
    """These commands, each under its name."""
    app = typer.Typer(
        name="sayso",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="Programs and AI agents ask people in Slack and Telegram, and get back exactly one authorised answer.",
    )
    for name in names:
        module, attribute = COMMANDS[name]
        command = getattr(import_module(f"bot.commands.{module}"), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    # A single command would do without its name.
    app.callback()(_nothing)
    return app


def _nothing() -> None:
    """Programs and AI agents ask people in Slack and Telegram, and get back exactly one authorised answer."""

"""`order`: a work order from a shell, for people or for an agent."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import NoReturn

import typer

from bot.client import ApiError, CannotReach
from bot.commands.printing import say_json
from bot.commands.refused import in_words_of
from bot.reaching import Service
from bot.whereabouts import NO_KEY, Whereabouts

USAGE = 2
TIMEOUT = 10.0
OPTIONS: Mapping[str, str] = {
    "/nudges/every": "--nudge, such as --nudge 15m",
    "/nudges/max": "--nudges, such as --nudges 3",
}
"""Fields of the API that an option of another name sets."""


def order(
    title: str = typer.Argument(help="What is to be done, in one line."),
    to: str = typer.Option(..., help="Who is to do it: slack:C0123, telegram:-100123, person:ana or agent:worker."),
    due: str = typer.Option("", metavar="WHEN", help="Until when, such as 45m or 2026-12-02T18:00:00Z."),
    body: str = typer.Option("", help="What there is to know about it, in Markdown."),
    priority: str = typer.Option("", help="A word such as high."),
    id: str = typer.Option("", metavar="NAME", help="What it is called in sentences; it gets a name if left out."),
    slots: int = typer.Option(0, help="Share it out into so many parts, each claimed and finished by itself."),
    nudge: str = typer.Option("", metavar="DURATION", help="Remind them after so long, then less often."),
    nudges: int = typer.Option(-1, help="Remind them so often at most; 0 is never.", show_default=False),
    url: str = typer.Option("", envvar="SAYSO_URL", help="Where the service is."),
    key: str = typer.Option("", envvar="SAYSO_API_KEY", help="The API key; better kept in the environment."),
    idempotency_key: str = typer.Option("", help="Order only once under this key, however often this is run."),
    as_json: bool = typer.Option(False, "--json", help="Print the whole work order as JSON."),
) -> None:
    """Order work and print the name of the work order.

    Exit status: 0 ordered, 2 wrong use, 1 anything else.
    """
    reminders = {**({"every": nudge} if nudge else {}), **({"max": nudges} if nudges >= 0 else {})}
    given = {"due": due, "body": body, "priority": priority, "id": id, "slots": slots, "nudges": reminders}
    fields = {name: value for name, value in given.items() if value}
    once = idempotency_key or str(uuid.uuid4())
    known = Whereabouts()
    found = key or known.key
    if not found:
        _fail(NO_KEY, USAGE)
    service = Service(url.rstrip("/") if url else known.url, found, TIMEOUT, _say)
    try:
        made = service.call(
            "POST", "/v1/loops", {"title": title, "to": to, **fields}, headers={"Idempotency-Key": once}
        )
    except ApiError as error:
        _fail(in_words_of(OPTIONS, error), USAGE if error.status in (400, 413, 422) else 1)
    except CannotReach as error:
        _fail(
            f"{error}. Is `sayso serve` running there? If not, SAYSO_URL or --url says where it is. "
            f"To run this again and order it once, add --idempotency-key {once}",
            1,
        )
    if as_json:
        say_json(made)
    else:
        typer.echo(made["id"])


def _say(sentence: str) -> None:
    typer.echo(f"sayso: {sentence}", err=True)


def _fail(sentence: str, status: int) -> NoReturn:
    _say(sentence)
    raise typer.Exit(status)

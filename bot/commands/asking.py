"""`ask`: a question from a shell, answered by a person, read by a script."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import typer

from bot.answers import Answer
from bot.client import ApiError, CannotReach, Client
from bot.commands.bare_options import FOREVER, NUMBER
from bot.commands.contents import Given, content_of
from bot.commands.printing import say_json
from bot.commands.refused import in_words_of
from bot.commands.wording import in_words
from core.kinds import Kind

ANSWERED = ("answered", "accepted", "completed")
EXITS: Mapping[str, int] = {"rejected": 3, "undeliverable": 5, "pending": 6}
"""Beside 0 for an answer; 4 stands for every other end."""
OTHER_END = 4
USAGE = 2
OPTIONS: Mapping[str, str] = {
    "/audience": "--answerer, such as --answerer person:ana",
    "/policy/expires_in": "--expires, such as --expires 24h",
    "/policy/nudges/every": "--nudge, such as --nudge 30m",
    "/policy/nudges/escalate_to": "--escalate, such as --escalate person:opal",
}
"""Fields of the API that an option of another name sets."""


def ask(
    title: str = typer.Argument(help="What is asked, in one line."),
    to: list[str] = typer.Option(
        ..., help="Where: slack:C0123, telegram:-100123, person:ana or review. May be repeated."
    ),
    choice: list[str] = typer.Option([], help="An option; one of them is the answer. Repeat it for each."),
    choices: list[str] = typer.Option([], help="An option; several of them are the answer. Repeat it for each."),
    text: bool = typer.Option(False, "--text", help="The answer is text."),
    confirm: bool = typer.Option(False, "--confirm", help="The answer is yes or no, with a reason; the default."),
    kind: Kind | None = typer.Option(None, help="What is asked, where --item or --payload says the rest."),
    item: list[str] = typer.Option([], help="Something to tick, to judge or to create as a task. Repeat it for each."),
    payload: str = typer.Option("", metavar="FILE", help="A file of JSON with the payload of --kind; - is the input."),
    body: str = typer.Option("", help="Context, in Markdown."),
    recommendation: str = typer.Option("", help="What you would do."),
    answerer: list[str] = typer.Option([], help="Who may answer, such as person:ana; the conversation if left out."),
    expires: str = typer.Option("", metavar="DURATION", help="When it expires, such as 30m or 24h; never if left out."),
    nudge: str = typer.Option("", metavar="DURATION", help="Remind them after so long, such as 30m, then less often."),
    escalate: list[str] = typer.Option(
        [], help="Who may answer as well once nobody has, such as person:opal. May be repeated."
    ),
    wait: str = typer.Option(
        "", metavar="[SECONDS]", help="Wait for the answer: so many seconds, or as long as it takes."
    ),
    url: str = typer.Option("", envvar="SAYSO_URL", help="Where the service is."),
    key: str = typer.Option("", envvar="SAYSO_API_KEY", help="The API key; better kept in the environment."),
    idempotency_key: str = typer.Option("", help="Ask only once under this key, however often this is run."),
    as_json: bool = typer.Option(False, "--json", help="Print the whole interaction as JSON."),
) -> None:
    """Ask people, and with --wait print their answer.

    Exit status: 0 answered, accepted or completed, 3 rejected, 4 ended otherwise (expired, withdrawn, superseded),
    5 could not be delivered, 6 the wait is over, 2 wrong use, 1 anything else.
    """
    seconds = _seconds(wait)
    policy = _policy(expires, nudge, escalate)
    content = content_of(Given(kind, choice, choices, text, confirm, item, payload))
    fields = {
        **content,
        **({"body": body} if body else {}),
        **({"recommendation": recommendation} if recommendation else {}),
        **({"audience": {"answerers": answerer}} if answerer else {}),
        **({"policy": policy} if policy else {}),
    }
    once = idempotency_key or str(uuid.uuid4())
    asked: Answer | None = None
    try:
        client = Client(url or None, key or None, troubled=_say)
        asked = client.start(title, to=to[0] if len(to) == 1 else to, idempotency_key=once, **fields)
        answer = asked if seconds is None else client.wait(asked.id, None if math.isinf(seconds) else seconds)
    except ValueError as error:
        _fail(str(error), USAGE)
    except ApiError as error:
        _fail(in_words_of(OPTIONS, error), USAGE if error.status in (400, 413, 422) else 1)
    except CannotReach as error:
        _fail(f"{error}. {_not_asked(once) if asked is None else _still_asked(asked)}", 1)
    _print(answer, as_json=as_json, waited=seconds is not None)
    if seconds is not None and not answer.settled:
        _say(f"The wait is over. {_still_asked(answer)}")
    raise typer.Exit(exit_status(answer) if seconds is not None else 0)


def _policy(expires: str, nudge: str, escalate: Sequence[str]) -> dict[str, Any]:
    if escalate and not nudge:
        raise typer.BadParameter("needs --nudge, which says how long to wait for others", param_hint="--escalate")
    nudges = {**({"every": nudge} if nudge else {}), **({"escalate_to": list(escalate)} if escalate else {})}
    return {**({"expires_in": expires} if expires else {}), **({"nudges": nudges} if nudges else {})}


def _not_asked(once: str) -> str:
    return (
        "Is `sayso serve` running there? If not, SAYSO_URL or --url says where it is. "
        f"To run this again and ask nobody twice, add --idempotency-key {once}"
    )


def _still_asked(asked: Answer) -> str:
    return f"The question was asked and can still be answered: {asked.id}"


def exit_status(answer: Answer) -> int:
    """What the shell is told of an answer that was waited for."""
    return 0 if answer.status in ANSWERED else EXITS.get(answer.status, OTHER_END)


def _seconds(wait: str) -> float | None:
    """None: do not wait. Infinity: as long as it takes."""
    if not wait:
        return None
    if wait == FOREVER:
        return math.inf
    if not NUMBER.fullmatch(wait):
        raise typer.BadParameter("must be a number of seconds", param_hint="--wait")
    return float(wait)


def _print(answer: Answer, *, as_json: bool, waited: bool) -> None:
    if as_json:
        say_json(answer.raw)
    elif not waited or not answer.settled:
        typer.echo(answer.id)
    else:
        for line in in_words(answer):
            typer.echo(line)


def _say(sentence: str) -> None:
    typer.echo(f"sayso: {sentence}", err=True)


def _fail(sentence: str, status: int) -> NoReturn:
    _say(sentence)
    raise typer.Exit(status)

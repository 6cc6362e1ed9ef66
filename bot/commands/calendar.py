"""`calendar …`: when the workspace works, so that reminders wait until it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import typer
from pydantic import ValidationError

from bot.commands.database import with_store
from bot.commands.printing import say_json
from bot.commands.workspaces import OF, workspace_called
from core.errors import Fault, Invalid
from core.ports import Context
from core.quiet import WEEKDAYS, Weekday, WorkingCalendar
from core.store import Store
from core.use_cases.commanded import zone_named
from core.use_cases.settings import set_calendar

app = typer.Typer(no_args_is_help=True, help="When the workspace works; reminders wait until then.")
NONE = "There is no working calendar, so every day and hour is a working one. Set one with `sayso calendar set`."
USUAL_DAYS = "mon-fri"
_NUMBERS: Mapping[str, int] = {day: number for number, day in enumerate(WEEKDAYS)}


@app.command("show")
def show(as_json: bool = typer.Option(False, "--json", help="Print JSON."), workspace: str = OF) -> None:
    """Show the working calendar."""

    async def work(store: Store, _: Context) -> WorkingCalendar | None:
        return await store.records.calendar(await workspace_called(store, workspace))

    found = with_store(work)
    if as_json:
        say_json(found.model_dump(mode="json") if found else None)
    else:
        _say(found)


@app.command("set")
def set_(
    zone: str = typer.Option(..., help="The time zone of its hours and days, such as Europe/Madrid."),
    days: str = typer.Option(USUAL_DAYS, help="Working days, such as mon-fri or mon,wed,fri."),
    hours: str = typer.Option("", metavar="HH:MM-HH:MM", help="Working hours, such as 09:00-18:00; all if left out."),
    holiday: list[str] = typer.Option([], metavar="DATE", help="A day off, such as 2026-12-25. Repeat it for each."),
    workspace: str = OF,
) -> None:
    """Set when the workspace works, in place of what was set before."""
    calendar = _calendar(zone, days, hours, holiday)

    async def work(store: Store, context: Context) -> None:
        await set_calendar(context, await workspace_called(store, workspace), calendar)

    with_store(work)
    _say(calendar)


@app.command("clear")
def clear(workspace: str = OF) -> None:
    """Remove the working calendar."""

    async def work(store: Store, context: Context) -> None:
        await set_calendar(context, await workspace_called(store, workspace), None)

    with_store(work)
    _say(None)


def _calendar(zone: str, days: str, hours: str, holidays: Sequence[str]) -> WorkingCalendar:
    try:
        name = zone_named(zone)
    except ValueError as error:
        raise Invalid.at("/zone", f"--zone: {error}") from None
    found = _weekdays(days)
    try:
        off = tuple(sorted({date.fromisoformat(one) for one in holidays}))
        return WorkingCalendar(zone=name, days=found, hours=hours or None, holidays=off)
    except ValidationError as error:
        raise Invalid([_fault(str(one["loc"][0]), one["msg"]) for one in error.errors()]) from None
    except ValueError:
        raise Invalid.at("/holidays", "--holiday: write a day like 2026-12-25") from None


def _fault(name: str, message: str) -> Fault:
    option = "--holiday" if name == "holidays" else f"--{name}"
    return Fault(f"/{name}", f"{option}: {message.removeprefix('Value error, ')}")


def _weekdays(text: str) -> tuple[Weekday, ...]:
    """`mon-fri` and `mon,wed` as days, in the order of the week. A span may go over the weekend: `fri-mon`."""
    found: set[int] = set()
    for part in text.lower().replace(" ", "").split(","):
        begin, span, end = part.partition("-")
        try:
            first, last = _NUMBERS[begin], _NUMBERS[end if span else begin]
        except KeyError:
            raise Invalid.at("/days", "--days: write days like mon-fri or mon,wed,fri") from None
        found |= {(first + step) % 7 for step in range((last - first) % 7 + 1)}
    return tuple(WEEKDAYS[at] for at in sorted(found))


def _say(calendar: WorkingCalendar | None) -> None:
    if calendar is None:
        typer.echo(NONE)
        return
    typer.echo(f"{', '.join(calendar.days)}; {calendar.hours or 'all day'}; {calendar.zone}")
    if calendar.holidays:
        typer.echo(f"Days off: {', '.join(map(str, calendar.holidays))}")

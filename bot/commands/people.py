"""`person …`: people, and the accounts that are proved to be theirs."""

from __future__ import annotations

import asyncio
import re
import secrets
import sys
from datetime import datetime

import typer

from bot.background import Pauses
from bot.commands.database import with_store
from bot.commands.printing import say_json, say_rows
from bot.commands.workspaces import OF, workspace_called
from bot.config import load
from bot.greeting import code_hash
from core.access import Link
from core.addresses import Provider
from core.errors import Invalid, Misconfigured, NotFound
from core.people import Identity, Person, Role
from core.ports import Context
from core.store import Store
from core.telling import when
from core.use_cases import accounts, directory
from core.use_cases.commanded import OFF, time_of, zone_named
from core.use_cases.forgetting import forget_person
from core.use_cases.settings import set_preferred, set_times

app = typer.Typer(no_args_is_help=True, help="People who may answer, and their accounts.")
_SLACK = re.compile(r"(T[A-Z0-9]{1,20})\.([UW][A-Z0-9]{1,20})")
_TELEGRAM = re.compile(r"[1-9]\d{0,15}")
LOOK_SECONDS = 1.0


@app.command("add")
def add(
    handle: str = typer.Argument(help="Short and lower case, such as ana; questions name it as person:ana."),
    name: str = typer.Option("", help="What to call them; the handle if left out."),
    slack: str = typer.Option("", metavar="TEAM.USER", help="Their Slack account, such as T0123.U0456."),
    telegram: str = typer.Option("", metavar="NUMBER", help="Their Telegram user id, such as 42."),
    oidc: str = typer.Option("", metavar="SUBJECT", help="Their subject at OIDC_ISSUER."),
    role: Role = typer.Option(Role.MEMBER, help="Operators also close and skip cards, and see everything."),
    workspace: str = OF,
) -> None:
    """Add a person, with accounts that you vouch for."""
    identities = [*_identities(slack, telegram), *_subject(oidc)]

    async def work(store: Store, context: Context) -> Person:
        return await directory.add_person(
            context, await workspace_called(store, workspace), handle, name or handle, role, identities
        )

    person = with_store(work)
    named = ", ".join(map(str, person.identities)) or "no account yet; use `sayso person link`"
    typer.echo(f"{person.handle} ({person.role.value}): {named}")


def _identities(slack: str, telegram: str) -> list[Identity]:
    found: list[Identity] = []
    if slack:
        parts = _SLACK.fullmatch(slack.removeprefix("slack:"))
        if parts is None:
            raise Invalid.at("/slack", "a Slack account is TEAM.USER, such as T0123.U0456")
        found.append(Identity(provider="slack", account=parts[1], user=parts[2]))
    if telegram:
        number = telegram.removeprefix("telegram:")
        if not _TELEGRAM.fullmatch(number):
            raise Invalid.at("/telegram", "a Telegram account is its number, such as 42, not its @name")
        found.append(Identity(provider="telegram", user=number))
    return found


def _subject(subject: str) -> list[Identity]:
    if not subject:
        return []
    issuer = load().oidc_issuer
    if issuer is None:
        raise Misconfigured("OIDC_ISSUER is not set, so nobody has a subject there.")
    return [Identity(provider="oidc", account=issuer, user=subject)]


@app.command("forget")
def forget(
    handle: str = typer.Argument(help="Whom."),
    yes: bool = typer.Option(False, "--yes", help="Do not ask whether that is meant."),
    workspace: str = OF,
) -> None:
    """Forget a person: their accounts go, and a pseudonym takes their place in all that is kept. There is no way back.

    Receipts stay and say that they were changed. Words they wrote stay until what they are in is purged. Open cards and
    work that waited for them go on without them.
    """
    if not yes:
        typer.confirm(f"Forget {handle} for good?", abort=True)

    async def work(store: Store, context: Context) -> str:
        return await forget_person(context, await workspace_called(store, workspace), handle, rest=Pauses())

    typer.echo(f"{handle} is {with_store(work)} from now on.")


@app.command("merge")
def merge(
    handle: str = typer.Argument(help="The one that is no more."),
    into: str = typer.Argument(help="Who they are from now on."),
    yes: bool = typer.Option(False, "--yes", help="Do not ask whether that is meant."),
    workspace: str = OF,
) -> None:
    """Make two people one who were both added. There is no way back.

    Accounts, open cards, work orders, reminders and what was set go along; receipts stay as they are. Programs name
    them by the handle that stays.
    """
    if not yes:
        typer.confirm(f"Are {handle} and {into} one person, known as {into} from now on?", abort=True)

    async def work(store: Store, context: Context) -> Person:
        return await accounts.merge(context, await workspace_called(store, workspace), handle, into)

    person = with_store(work)
    typer.echo(f"{person.handle} ({person.role.value}): {', '.join(map(str, person.identities)) or 'no account'}")


@app.command("list")
def list_(as_json: bool = typer.Option(False, "--json", help="Print JSON."), workspace: str = OF) -> None:
    """List all people with their accounts; those who only answered once are marked automatic."""

    async def work(store: Store, _: Context) -> tuple[Person, ...]:
        return await store.records.people(await workspace_called(store, workspace))

    found = with_store(work)
    if as_json:
        say_json([{**one.model_dump(mode="json"), "identities": list(map(str, one.identities))} for one in found])
    elif found:
        say_rows([_row(one) for one in found])
    else:
        typer.echo("There is nobody yet: add somebody with `sayso person add HANDLE`.")


def _row(person: Person) -> tuple[str, ...]:
    named = ", ".join(map(str, person.identities)) or "no account"
    added = "automatic" if person.automatic else "added"
    listed = f"list at {person.digest}" if person.digest else "no list"
    return person.handle, person.name, person.role.value, added, person.timezone or "no zone", listed, named


@app.command("set")
def set_(
    handle: str = typer.Argument(help="The person."),
    zone: str = typer.Option("", help="Their time zone, such as Europe/Madrid; `off` for what their chat says."),
    digest: str = typer.Option("", help="When to send them what waits for them, such as 09:00; `off` for never."),
    prefer: Provider | None = typer.Option(None, help="The chat in which they get what is for them alone."),
    role: Role | None = typer.Option(None, help="What they may do; the last operator stays one."),
    workspace: str = OF,
) -> None:
    """Set somebody's role, in which time zone they are, when they get the list of what waits for them, and where."""
    if not zone and not digest and prefer is None and role is None:
        raise Invalid.at("", "say what to set: --zone, --digest, --prefer or --role")

    async def work(store: Store, context: Context) -> tuple[Person, datetime | None]:
        person = await store.records.person_by_handle(await workspace_called(store, workspace), handle)
        if person is None:
            raise NotFound(f"There is nobody with the handle {handle}.")
        try:
            named = person.timezone if not zone else None if zone.lower() in OFF else zone_named(zone)
            at = time_of(digest) if digest else person.digest
        except ValueError as error:
            raise Invalid.at("", str(error)) from None
        if role is not None:
            await directory.set_role(context, person.workspace, handle, role)
        if prefer is not None:
            await set_preferred(context, person.workspace, person.id, prefer)
        return await set_times(context, person.workspace, person.id, named, at)

    person, next_at = with_store(work)
    typer.echo("  ".join(_row(person)))
    if prefer is not None:
        typer.echo(f"What is for {handle} alone comes in {prefer.value.capitalize()}.")
    if next_at is not None:
        typer.echo(f"The next list comes on {when(next_at)}.")


@app.command("link")
def link(handle: str = typer.Argument(help="Whose account it will be."), workspace: str = OF) -> None:
    """Print a link with which a person shows their Telegram account, once and within 15 minutes.

    On a terminal it then waits, shows the account that used the link, and asks whether it is theirs. Otherwise use
    `sayso person confirm` afterwards.
    """
    code = secrets.token_urlsafe(24)

    async def offer(store: Store, context: Context) -> str:
        bots = [
            one.account
            for one in await store.records.connections(await workspace_called(store, workspace))
            if one.provider is Provider.TELEGRAM
        ]
        if not bots:
            raise Misconfigured("TELEGRAM_BOT_TOKEN is not set, or the service has not started with it yet.")
        await directory.offer_link(context, await workspace_called(store, workspace), handle, code_hash(code))
        return bots[0]

    bot = with_store(offer)
    typer.echo(f"https://t.me/{bot}?start={code}")
    typer.echo(f"Where no link can be opened, they write this to @{bot} instead: /start {code}", err=True)
    if not sys.stdin.isatty():
        typer.echo(f"Once it was used: sayso person confirm {handle}", err=True)
        return
    typer.echo(
        f"Send it to {handle} alone. Waiting for it to be used; Ctrl+C stops the waiting, not the link.", err=True
    )

    async def wait(store: Store, context: Context) -> Link | None:
        until = context.clock.now() + directory.LINK_GOOD_FOR
        while context.clock.now() < until:
            for one in await directory.claims_of(context, await workspace_called(store, workspace), handle):
                if one.code == code_hash(code):
                    return one
            await asyncio.sleep(LOOK_SECONDS)
        return None

    claimed = with_store(wait)
    if claimed is None:
        raise NotFound("Nobody used the link in time.")
    _confirm(handle, claimed)


@app.command("confirm")
def confirm(
    handle: str = typer.Argument(help="The person."),
    account: str = typer.Option("", help="The account you expect, such as telegram:42; then nothing is asked."),
    workspace: str = OF,
) -> None:
    """Confirm that the account which used a person's link is theirs."""

    async def work(store: Store, context: Context) -> tuple[Link, ...]:
        return await directory.claims_of(context, await workspace_called(store, workspace), handle)

    claims = [one for one in with_store(work) if not account or str(one.claimed) == account]
    if not claims:
        whose = f" by {account}" if account else ""
        raise NotFound(f"No link of {handle} was used{whose} and waits to be confirmed.")
    for one in claims:
        _confirm(handle, one, ask=not account)


def _confirm(handle: str, claimed: Link, *, ask: bool = True) -> None:
    account = f"{claimed.claimed} ({claimed.claimed_name or 'without a name'})"
    if ask and not typer.confirm(f"{account} used the link. Is this {handle}?"):
        typer.echo("Nothing was changed.")
        return

    async def work(_: Store, context: Context) -> Person:
        return await directory.confirm_link(context, claimed.workspace, claimed.code)

    person = with_store(work)
    typer.echo(f"{person.handle}: {', '.join(map(str, person.identities))}")

"""`agent …`: programs and their keys."""

from __future__ import annotations

import re

import typer

from bot.commands.database import with_store
from bot.commands.printing import say_json, say_rows
from bot.commands.workspaces import OF, workspace_called
from bot.startup import OPERATOR
from bot.web.keys import hash_key, make_key, make_webhook_secret
from core.errors import Invalid
from core.people import Agent, AgentRole, Identity
from core.ports import Context
from core.store import Store
from core.use_cases import agent_accounts, agents

app = typer.Typer(no_args_is_help=True, help="Programs that may ask, and their keys.")
FROM_SETTINGS = f"the key of {OPERATOR} is SAYSO_API_KEY: change or unset that setting, and restart"
_SLACK = re.compile(r"(T[A-Z0-9]{1,20})\.(B[A-Z0-9]{1,20})")
_TELEGRAM = re.compile(r"[1-9]\d{0,15}")
SLACK = typer.Option("", metavar="TEAM.BOT", help="Its bot in Slack by its bot id, such as T0123.B0456.")
TELEGRAM = typer.Option("", metavar="NUMBER", help="Its bot in Telegram by its user id, such as 123456.")
AS_JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command("add")
def add(
    name: str = typer.Argument(help="What it is called in audiences and receipts."),
    role: AgentRole = typer.Option(AgentRole.AGENT, help="An operator's key also reads and withdraws others' cards."),
    as_json: bool = AS_JSON,
    workspace: str = OF,
) -> None:
    """Make an agent with an API key and a webhook secret; both are shown this once."""
    _check_name(name)
    key, secret = make_key(), make_webhook_secret()

    async def work(store: Store, context: Context) -> Agent:
        return await agents.add_agent(
            context, await workspace_called(store, workspace), name, role, hash_key(key), secret
        )

    _show_once(with_store(work), key, secret, as_json)


@app.command("list")
def list_(as_json: bool = AS_JSON, workspace: str = OF) -> None:
    """List all agents, revoked ones too."""

    async def work(store: Store, _: Context) -> tuple[Agent, ...]:
        return await store.records.agents(await workspace_called(store, workspace))

    found = with_store(work)
    if as_json:
        say_json([{"id": one.id, "name": one.name, "role": one.role, "revoked": one.revoked} for one in found])
    elif found:
        say_rows([(one.name, one.role.value, "revoked" if one.revoked else "active", one.id) for one in found])
    else:
        typer.echo("There are no agents yet: make one with `sayso agent add NAME`.")


@app.command("revoke")
def revoke(name: str = typer.Argument(help="The agent to end."), workspace: str = OF) -> None:
    """End an agent at once: its key is no longer good, the cards it asked are withdrawn, and the work it ordered ends.
    Of work that it was to do, the sender and the operators are told."""
    _check_name(name)

    async def work(store: Store, context: Context) -> agents.Revoked:
        return await agents.revoke_agent(context, await workspace_called(store, workspace), name)

    ended = with_store(work)
    typer.echo(f"{name} is revoked; {_counted(len(ended.settled), 'open card')} ended with it.")
    if ended.left.ended:
        typer.echo(f"{_counted(len(ended.left.ended), 'work order')} of it ended: {', '.join(ended.left.ended)}.")
    if ended.left.told:
        typer.echo(f"It was to do {', '.join(ended.left.told)}; the senders and the operators are told.")


@app.command("rotate")
def rotate(
    name: str = typer.Argument(help="The agent."),
    now: bool = typer.Option(False, "--now", help="End the old key and secret at once instead of in 24 hours."),
    as_json: bool = AS_JSON,
    workspace: str = OF,
) -> None:
    """Give an agent another key and webhook secret. Webhooks carry both signatures until the old secret ends."""
    _check_name(name)
    key, secret = make_key(), make_webhook_secret()

    async def work(store: Store, context: Context) -> Agent:
        return await agents.rotate_agent(
            context, await workspace_called(store, workspace), name, hash_key(key), secret, at_once=now
        )

    _show_once(with_store(work), key, secret, as_json)
    if not as_json:
        typer.echo("The old ones ended." if now else "The old ones are good for 24 hours more.")


@app.command("link")
def link(
    name: str = typer.Argument(help="The agent."), slack: str = SLACK, telegram: str = TELEGRAM, workspace: str = OF
) -> None:
    """Say that a bot account in a chat is an agent's: its sentences there move work orders as the agent."""
    identity = _account(slack, telegram)

    async def work(store: Store, context: Context) -> Agent:
        return await agent_accounts.link_account(context, await workspace_called(store, workspace), name, identity)

    typer.echo(f"{identity} speaks for {with_store(work).name}.")


@app.command("unlink")
def unlink(
    name: str = typer.Argument(help="The agent."), slack: str = SLACK, telegram: str = TELEGRAM, workspace: str = OF
) -> None:
    """Take a bot account back from an agent: what it says in a chat counts no more."""
    identity = _account(slack, telegram)

    async def work(store: Store, context: Context) -> Agent:
        return await agent_accounts.unlink_account(context, await workspace_called(store, workspace), name, identity)

    typer.echo(f"{identity} speaks for {with_store(work).name} no more.")


def _account(slack: str, telegram: str) -> Identity:
    """The one account that was named."""
    if bool(slack) == bool(telegram):
        raise Invalid.at("", "name one account: --slack or --telegram")
    if slack:
        parts = _SLACK.fullmatch(slack.removeprefix("slack:"))
        if parts is None:
            raise Invalid.at("/slack", "a bot in Slack is TEAM.BOT with its bot id, such as T0123.B0456")
        return Identity(provider="slack", account=parts[1], user=parts[2])
    number = telegram.removeprefix("telegram:")
    if not _TELEGRAM.fullmatch(number):
        raise Invalid.at("/telegram", "a bot in Telegram is its number, such as 123456, not its @name")
    return Identity(provider="telegram", user=number)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


def _check_name(name: str) -> None:
    if name == OPERATOR:
        raise Invalid.at("/name", FROM_SETTINGS)


def _show_once(agent: Agent, key: str, secret: str, as_json: bool) -> None:
    if as_json:
        known = {"id": agent.id, "name": agent.name, "role": agent.role}
        say_json({**known, "api_key": key, "webhook_secret": secret})
        return
    typer.echo(f"Agent {agent.name} ({agent.role.value}). Both are shown this once; keep them safe.")
    say_rows([("API key", key), ("Webhook secret", secret)])

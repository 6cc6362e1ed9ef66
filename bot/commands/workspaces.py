"""`workspace …`: the tenants of one deployment, and links with which Slack workspaces join them."""

from __future__ import annotations

import secrets

import typer

from bot.commands.database import say_json, say_rows, with_store
from bot.config import load
from bot.startup import WORKSPACE
from bot.web.security import hashed
from core.errors import Misconfigured, NotFound
from core.installations import INVITATION_GOOD_FOR, Installation
from core.ports import Connection, Context
from core.store import Store
from core.use_cases import installing
from core.use_cases.transact import transact

app = typer.Typer(no_args_is_help=True, help="Tenants, and the Slack workspaces connected to them.")
AS_JSON = typer.Option(False, "--json", help="Print JSON.")
OF = typer.Option(
    WORKSPACE, "--workspace", metavar="NAME", show_default="the first one", help="The workspace, by its name or id."
)
"""The option of every command that is about one workspace."""


async def workspace_called(store: Store, workspace: str) -> str:
    """The id of a workspace by its name or id. Raises `NotFound`."""
    known = await store.records.workspace_names()
    found = [id_ for id_, name in known if workspace in (id_, name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFound(f"Several workspaces are called {workspace}: give the id, which `sayso workspace list` shows.")
    raise NotFound(f"There is no workspace {workspace}.")


@app.command("add")
def add(name: str = typer.Argument(help="What it is called.")) -> None:
    """Make a workspace: a tenant with people, agents and chats of its own."""

    async def work(_: Store, context: Context) -> str:
        made = context.ids.new("wsp")
        await transact(context, lambda work: work.add_workspace(made, name, context.clock.now()))
        return made

    typer.echo(with_store(work))


@app.command("list")
def list_(as_json: bool = AS_JSON) -> None:
    """List all workspaces, with the chats connected to them and what is wrong with those."""

    async def work(store: Store, _: Context) -> list[tuple[str, str, Connection | None, Installation | None]]:
        kept = {(one.provider, one.account): one for one in await store.records.installations()}
        rows: list[tuple[str, str, Connection | None, Installation | None]] = []
        for id_, name in await store.records.workspace_names():
            chats = await store.records.connections(id_)
            rows += [(id_, name, one, kept.get((one.provider, one.account))) for one in chats]
            rows += [] if chats else [(id_, name, None, None)]
        return rows

    found = with_store(work)
    if as_json:
        say_json([_wire(*one) for one in found])
        return
    say_rows([(name, id_, *_chat(chat, one)) for id_, name, chat, one in found])


def _chat(chat: Connection | None, kept: Installation | None) -> tuple[str, str, str]:
    if chat is None:
        return "no chat", "", ""
    problem = (kept.problem if kept is not None else None) or chat.problem
    return f"{chat.provider.value}:{chat.account}", chat.name, f"does not work: {problem}" if problem else ""


def _wire(id_: str, name: str, chat: Connection | None, kept: Installation | None) -> dict[str, object]:
    return {
        "id": id_,
        "name": name,
        "chat": f"{chat.provider.value}:{chat.account}" if chat else None,
        "called": chat.name if chat else None,
        "problem": (kept.problem if kept else None) or (chat.problem if chat else None),
        "installed_at": kept.installed_at.isoformat() if kept else None,
    }


@app.command("link")
def link(workspace: str = typer.Argument(WORKSPACE, metavar="[NAME]", show_default=False)) -> None:
    """Print a link with which a Slack workspace joins this workspace, once and within a day.

    Whoever opens it must be allowed to install apps in their Slack workspace.
    """
    settings = load()
    if not settings.slack_installs:
        raise Misconfigured("SLACK_CLIENT_ID and SLACK_CLIENT_SECRET are missing: nobody can install the app here.")
    code = secrets.token_urlsafe(24)

    async def work(store: Store, context: Context) -> None:
        await installing.invite(context, await workspace_called(store, workspace), hashed(code))

    with_store(work, settings)
    typer.echo(f"{settings.base_url}/slack/install?invite={code}")
    typer.echo(f"Good once, for {INVITATION_GOOD_FOR.days * 24 or 24} hours.", err=True)

"""`workspace …`: the tenants of one deployment, and links with which Slack workspaces join them."""

from __future__ import annotations

import secrets

import typer
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from adapters.slack.errors import CODES, Means
from bot.commands.database import with_store
from bot.commands.printing import say_json, say_rows
from bot.config import Settings, load
from bot.installing import CREDENTIAL
from bot.sealing import Sealer
from bot.startup import WORKSPACE
from bot.web.security import hashed
from core.addresses import Provider
from core.errors import Misconfigured, NotFound
from core.installations import INVITATION_GOOD_FOR, Installation
from core.ports import Connection, Context
from core.store import Store
from core.use_cases import installing

app = typer.Typer(no_args_is_help=True, help="Tenants, and the Slack workspaces connected to them.")
TIMEOUT = 10.0
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
        return await installing.add_workspace(context, name)

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


@app.command("disconnect")
def disconnect(
    account: str = typer.Argument(metavar="slack:TEAM", help="The Slack workspace or organisation."),
) -> None:
    """Remove the app from a Slack workspace that installed it: nothing is sent or taken there any more.

    Cards that were not posted yet go to their fallback addresses or end as undeliverable; those that were stay open on
    their pages. Installing the app there again brings all of it back.
    """
    team = account.removeprefix("slack:")
    settings = load()
    sealer = Sealer(settings.keys("installations"))

    async def look(store: Store, _: Context) -> Installation:
        found = await store.records.installation_at(Provider.SLACK, team)
        if found is None or found.sealed is None or not found.is_live:
            raise NotFound(f"{team} is no Slack workspace that installed the app from here.")
        return found

    known = with_store(look, settings)
    said = _remove(settings, sealer.open(f"slack:{team}", known.sealed or "")[CREDENTIAL])

    async def close(_: Store, context: Context) -> bool:
        return await installing.end(context, Provider.SLACK, team, known.mark, "an operator disconnected it")

    with_store(close, settings)
    typer.echo(f"slack:{team} is disconnected{said}.")


def _remove(settings: Settings, token: str) -> str:
    """Let Slack take the app away; what there is to add when it was not there any more."""
    client_id, secret = settings.slack_client_id, settings.slack_client_secret
    if client_id is None or secret is None:
        raise Misconfigured(
            "SLACK_CLIENT_ID and SLACK_CLIENT_SECRET are missing: Slack removes an app for nobody else."
        )
    client = WebClient(token, base_url=settings.slack_api_url, timeout=int(TIMEOUT))
    try:
        client.api_call("apps.uninstall", params={"client_id": client_id, "client_secret": secret.get_secret_value()})
    except SlackApiError as error:
        code = str(error.response.get("error", ""))
        if CODES.get(code) is Means.DEAD:
            return f", where Slack had taken it away before ({code})"
        raise Misconfigured(f"Slack did not remove the app ({code}).") from None
    except (SlackClientError, OSError) as error:
        raise Misconfigured(f"Slack cannot be reached ({type(error).__name__}).") from None
    return ""

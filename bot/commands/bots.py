"""`telegram …`: Telegram bots besides the one of the settings, their tokens sealed in the database."""

from __future__ import annotations

import re
import sys

import requests
import typer

from bot.commands.database import with_store
from bot.commands.printing import say_rows
from bot.commands.workspaces import OF, workspace_called
from bot.config import load
from bot.sealing import Sealer
from bot.telegram_bots import CREDENTIAL
from core.addresses import Provider
from core.errors import Misconfigured, NotFound
from core.installations import Installation
from core.ports import Context
from core.store import Store
from core.use_cases import installing

app = typer.Typer(no_args_is_help=True, help="Telegram bots besides that of TELEGRAM_BOT_TOKEN.")
TIMEOUT = 10.0
_TOKEN = re.compile(r"\d+:[\w-]+")


@app.command("add")
def add(workspace: str = OF) -> None:
    """Connect another bot. Its token is read from standard input, or asked for without being shown."""
    token = (typer.prompt("Token from BotFather", hide_input=True) if sys.stdin.isatty() else sys.stdin.read()).strip()
    if not _TOKEN.fullmatch(token):
        raise Misconfigured("That is no bot token such as 123456:ABC-def, from BotFather.")
    settings = load()
    own = settings.telegram_bot_token
    if own is not None and own.get_secret_value().partition(":")[0] == token.partition(":")[0]:
        raise Misconfigured("That is the bot of TELEGRAM_BOT_TOKEN, which is connected already.")
    name, number, called = _ask_who(settings.telegram_api_url, token)
    sealer = Sealer(settings.keys("installations"))

    async def work(store: Store, context: Context) -> Installation:
        granted = installing.Granted(
            provider=Provider.TELEGRAM,
            account=name,
            name=called,
            bot_user=number,
            sealed=sealer.seal(f"telegram:{name}", {CREDENTIAL: token}),
        )
        return await installing.connect(context, granted, await workspace_called(store, workspace))

    with_store(work, settings)
    typer.echo(f"telegram:{name}")
    typer.echo("A running service takes it up within some seconds.", err=True)


def _ask_who(api_url: str, token: str) -> tuple[str, str, str]:
    """Username, number and name of the bot. No message of this holds the token, as a library's might."""
    try:
        answer = requests.get(f"{api_url}/bot{token}/getMe", timeout=TIMEOUT, allow_redirects=False)
        said = answer.json()
    except requests.RequestException as error:
        raise Misconfigured(f"Telegram cannot be reached ({type(error).__name__}).") from None
    except ValueError:
        raise Misconfigured("What answers at TELEGRAM_API_URL is not Telegram.") from None
    if not said.get("ok"):
        raise Misconfigured(f"Telegram refuses the token ({said.get('description', 'no reason given')}).")
    me = said["result"]
    return str(me["username"]), str(me["id"]), str(me.get("first_name") or me["username"])


@app.command("list")
def list_() -> None:
    """List the bots that were added."""

    async def work(store: Store, _: Context) -> tuple[Installation, ...]:
        return await store.records.installations()

    found = [one for one in with_store(work) if one.provider is Provider.TELEGRAM]
    if not found:
        typer.echo("No bot was added: add one with `sayso telegram add`.")
    say_rows([(f"telegram:{one.account}", one.name, one.workspace) for one in found])


@app.command("remove")
def remove(name: str = typer.Argument(help="The bot's username.")) -> None:
    """Forget a bot and its token. Its messages stay in Telegram."""
    account = name.removeprefix("telegram:").removeprefix("@")

    async def work(_: Store, context: Context) -> bool:
        return await installing.remove(context, Provider.TELEGRAM, account)

    if not with_store(work):
        raise NotFound(f"No bot {account} was added.")

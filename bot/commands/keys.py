"""`key …`: the deployment's keys that receipts are signed with."""

from __future__ import annotations

import typer

from bot.commands.database import with_signing, with_store
from bot.commands.printing import say_json, say_rows
from bot.config import load
from bot.sealing import Sealer
from bot.signing import Signing
from core.canonical import rfc3339
from core.ports import Context
from core.signing import SigningKey, published
from core.store import Store

app = typer.Typer(
    no_args_is_help=True, help="The keys that receipts and exports are signed with. Those of programs: `sayso agent`."
)


@app.command("list")
def list_(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List all keys that ever signed, oldest first, with their public side. The last one is in use."""

    async def work(store: Store, _: Context, signing: Signing) -> tuple[SigningKey, ...]:
        return signing.vouched(await store.records.signing_keys())

    found = with_signing(work, load())
    if as_json:
        say_json(published(found))
    else:
        say_rows([(key.id, key.public, rfc3339(key.made_at)) for key in found])


@app.command("rotate")
def rotate() -> None:
    """Put a new key in use. What was signed before stays good; running processes follow within half a minute."""
    settings = load()
    signing = Signing(Sealer(settings.keys("signing")))

    async def work(_: Store, context: Context) -> SigningKey:
        return await signing.rotate(context)

    key = with_store(work, settings, signs=False)
    typer.echo(f"{key.id} {key.public}")

"""`backup` and `restored`: copying the database while it is in use, and saying that it is such a copy."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer
from sqlalchemy.engine import URL

from bot.commands.database import with_store
from bot.config import DATA, Settings, load
from bot.keyfile import NAME as KEY_FILE
from core.errors import Misconfigured
from core.store.copying import copy_sqlite
from core.store.engine import parse_url
from core.use_cases.restoring import doubt_timeline


def backup(
    target: str = typer.Argument(help="The file to write; one that is there is replaced.", metavar="FILE"),
) -> None:
    """Copy the SQLite database to a file while the service runs: of one moment, readable by you alone, never half a
    file. A PostgreSQL database is copied with its own tools; then this says how, and does nothing.
    """
    settings = load()
    url = parse_url(settings.database_url())
    if url.get_backend_name() != "sqlite":
        raise Misconfigured(_with_its_own_tools(url, target, settings))
    size = copy_sqlite(Path(str(url.database)), Path(target))
    typer.echo(f"{target}: {size} bytes, whole. It is of no use without its keys: {_keys(settings)}")


def restored() -> None:
    """Say that the database is an earlier copy: the next start brings the chats into agreement with it.

    A service that starts on such a copy notices so by itself. This is for what it cannot see: the whole machine, or the
    whole folder, was put back to an earlier moment.
    """
    with_store(lambda _, context: doubt_timeline(context), signs=False)
    typer.echo("Start the service (all its processes anew): it brings the chats into agreement with the database.")


def _with_its_own_tools(url: URL, target: str, settings: Settings) -> str:
    shown = url.set(drivername="postgresql", password=None).render_as_string()
    command = f"pg_dump --format=custom --file={shlex.quote(target)} {shlex.quote(shown)}"
    return (
        f"PostgreSQL is copied with its own tools. Nothing was done; run\n\n  {command}\n\n"
        "or follow its write-ahead log, if you want to go back to any moment. A copy is of no use without its keys: "
        f"{_keys(settings)}"
    )


def _keys(settings: Settings) -> str:
    """What must be kept beside a copy, so that what is sealed in it can be opened."""
    if settings.sayso_secret_key is not None:
        key = "SAYSO_SECRET_KEY (and SAYSO_SECRET_KEY_PREVIOUS, if it is set)"
    else:
        key = f"the file {(DATA / KEY_FILE).resolve()}"
    return (
        f"keep {key} in another safe place, and .env with it. With that key the signing key of the receipts and the "
        "chats' tokens in the copy are opened, and buttons that were posted go on working."
    )

"""The checks of this machine: settings file, data directory, disk, database, keys, deliveries."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from bot.config import DATA, ENV_FILE
from bot.doctor.examining import Check, Examined, Level, Said
from bot.keyfile import NAME as KEY_NAME
from bot.shapes import STRONG_KEY
from bot.startup import UNSET, WORKSPACE
from bot.web.keys import hash_key
from core.errors import Misconfigured
from core.examining import Deliveries
from core.store import Store, Unmigrated, check_schema
from core.store.engine import parse_url

SMALL, TIGHT = 100 * 2**20, 2**30
"""Bytes free below which writing is about to fail, and below which it is time to look."""
RECENT = timedelta(hours=24)
_START = "Run `sayso migrate`, or start `sayso serve`, which does so too."
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def settings_file(examined: Examined) -> Said:
    """Whether only this user can read the tokens in `.env`."""
    del examined
    if not ENV_FILE.exists():
        return Said(Level.OFF, "there is none; the settings come from the environment")
    mode = stat.S_IMODE(ENV_FILE.stat().st_mode)
    if mode & _OTHERS:
        return Said(Level.WARNING, f"others on this machine can read the tokens in it (its mode is {mode:o})")
    return Said(Level.OK, "only you can read it")


def data_directory(examined: Examined) -> Said:
    """Whether what is kept on this machine is kept from others."""
    del examined
    if not DATA.exists():
        return Said(Level.OFF, "there is none yet; `sayso serve` makes it when it needs one")
    if not DATA.is_dir():
        return Said(Level.FAILED, f"{DATA} is no folder", f"Move {DATA} away.")
    mode = stat.S_IMODE(DATA.stat().st_mode)
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        return Said(Level.FAILED, f"this user may not write into {DATA} (its mode is {mode:o})")
    exposed = [one.name for one in DATA.iterdir() if _is_secret(one) and stat.S_IMODE(one.stat().st_mode) & _OTHERS]
    if mode & _OTHERS and exposed:
        names = ", ".join(sorted(exposed))
        return Said(Level.WARNING, f"others on this machine can read {names} in {DATA}")
    if mode & _OTHERS:
        return Said(Level.WARNING, f"others on this machine can look into {DATA} (its mode is {mode:o})")
    return Said(Level.OK, f"only you can look into {DATA}")


def _is_secret(path: Path) -> bool:
    return path.name == KEY_NAME or ".sqlite3" in path.name


def disk(examined: Examined) -> Said:
    """Whether what is answered can still be written down."""
    where = _kept_at(examined)
    if where is None:
        return Said(Level.OFF, "the database is on a server")
    while not where.exists():
        where = where.parent
    usage = shutil.disk_usage(where)
    free = f"{usage.free / 2**30:.1f} GB are free where the database is"
    if usage.free < SMALL:
        return Said(Level.FAILED, f"only {usage.free // 2**20} MB are free where the database is")
    return Said(Level.WARNING if usage.free < TIGHT else Level.OK, free)


def _kept_at(examined: Examined) -> Path | None:
    """The file of an SQLite database."""
    given = examined.settings.sayso_database_url
    if given is None:
        return DATA.resolve() / "sayso.sqlite3"
    url = parse_url(given.get_secret_value())
    return Path(str(url.database)).resolve() if url.get_backend_name() == "sqlite" else None


def database(examined: Examined) -> Said:
    """Whether the database opens and has the tables of this program, no fewer and no more."""
    kept_at = _kept_at(examined)
    if kept_at is not None and not kept_at.exists():
        if kept_at.parent.exists() or examined.settings.sayso_database_url is None:
            return Said(Level.WARNING, f"there is none at {kept_at} yet", _START)
        return Said(Level.FAILED, f"there is no folder {kept_at.parent} for it")

    async def look(store: Store) -> None:
        await check_schema(store.engine)

    try:
        examined.in_store(look)
    except Unmigrated as error:
        return Said(Level.WARNING, str(error).partition(":")[0], _START)
    except Misconfigured as error:
        return Said(Level.FAILED, str(error).rstrip("."))
    except Exception as error:  # noqa: BLE001  # drivers raise what they like; the first line says enough
        return Said(Level.FAILED, f"it cannot be opened ({type(error).__name__})")
    examined.stored = True
    return Said(Level.OK, "it opens and its tables are those of this version")


def keys(examined: Examined) -> Said:
    """Whether keys are long enough that nobody guesses them, and the operator's is no agent's."""
    key = examined.settings.sayso_api_key
    if key is not None and len(key.get_secret_value()) < STRONG_KEY:
        return Said(Level.WARNING, f"SAYSO_API_KEY is short: use {STRONG_KEY} random characters or more")
    if key is not None and examined.stored:
        given = examined.in_store(lambda store: store.records.agent_given(hash_key(key.get_secret_value())))
        if given is not None:
            found = f"SAYSO_API_KEY is the own key of the agent {given.name}, and makes it no operator"
            return Said(Level.WARNING, found, UNSET)
    if examined.settings.sayso_secret_key is not None:
        return Said(Level.OK, "they are set")
    if _kept_at(examined) is None:
        found = "SAYSO_SECRET_KEY is not set: another machine on this database could not read this one's buttons"
        return Said(Level.WARNING, found)
    return Said(Level.OK, "SAYSO_SECRET_KEY is kept in the data directory, which suits one machine")


def deliveries(examined: Examined) -> Said:
    """Whether results reach those who asked, and cards their chats."""
    if not examined.stored:
        return Said(Level.OFF, "the database cannot be asked")
    since = examined.now() - RECENT

    async def look(store: Store) -> tuple[Sequence[Deliveries], int, int]:
        counts = await store.records.counts(examined.now())
        return await store.records.deliveries(WORKSPACE, since), counts.retrying, counts.abandoned

    agents, retrying, abandoned = examined.in_store(look)
    lost = [one for one in agents if one.failing]
    if lost:
        told = "; ".join(f"{one.agent}'s ({one.failing} of {one.events} events, last: {one.last})" for one in lost)
        return Said(Level.WARNING, f"webhooks that do not take what they are sent: {told}")
    if abandoned:
        return Said(Level.WARNING, f"{abandoned} deliveries were given up; the service's log says which and why")
    waiting = f"; {retrying} are tried again" if retrying else ""
    return Said(Level.OK, f"no webhook fails{waiting}")


HOUSE = (
    Check(
        "settings file",
        "Only the user who runs the service can read the tokens in .env.",
        f"Run: chmod 600 {ENV_FILE}",
        settings_file,
    ),
    Check(
        "data directory",
        "The key and the database that are kept on this machine are kept from its other users.",
        f"Run: chmod -R go-rwx {DATA}",
        data_directory,
    ),
    Check("disk", "There is room to write answers down.", "Free some space, or move the database.", disk),
    Check(
        "database",
        "It opens, and has exactly the tables of this version.",
        "Check SAYSO_DATABASE_URL and that the server runs; a newer database needs the newer program.",
        database,
    ),
    Check(
        "keys",
        "What signs sessions and buttons, and the operator's API key, cannot be guessed.",
        "Run: sayso init",
        keys,
    ),
    Check(
        "deliveries",
        "The webhooks of agents took what they were sent in the last 24 hours.",
        "See to the receiver; `sayso replay EVENT_ID` sends an event again.",
        deliveries,
    ),
)

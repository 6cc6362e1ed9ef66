"""The key of the first program that asks: kept in a file for it, and shown nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bot.config import ENV_FILE, Settings
from bot.setup.asking import Talk
from bot.setup.envfile import write_new
from bot.setup.running import Running
from bot.setup.trying import ASKER
from bot.startup import OPERATOR, WORKSPACE
from bot.web.keys import hash_key, make_key, make_webhook_secret
from core.errors import Invalid
from core.people import AgentRole
from core.ports import Context
from core.store import Store
from core.use_cases.agents import NAME, add_agent

OWN: Final = frozenset({ASKER, OPERATOR})


def offer(talk: Talk, running: Running, settings: Settings, wanted: str) -> Path | None:
    """Make an agent with a key, if one is wanted and there is none yet; the file that has the key of one, if any."""

    async def names(store: Store, _: Context) -> set[str]:
        return {one.name for one in await store.records.agents(WORKSPACE)}

    known = running.do(names)
    if not wanted and known - OWN:
        talk.good(f"{', '.join(sorted(known - OWN))} may ask.")
        return next((_file(one) for one in sorted(known - OWN) if _file(one).exists()), None)
    name = wanted or talk.text("A name for the first program that will ask (Enter: later)")
    if not name:
        return None
    if name in known and _file(name).exists():
        return _file(name)
    while name and (problem := _problem(name, known)):
        if not talk.attended:
            raise Invalid.at("/agent", problem)
        talk.bad(problem)
        name = talk.text("Another name (Enter: later)")
    return _make(talk, running, settings, name) if name else None


def _file(name: str) -> Path:
    return ENV_FILE.with_name(f"{ENV_FILE.name}.{name}")


def _problem(name: str, known: set[str]) -> str:
    if not NAME.fullmatch(name):
        return "A name is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit"
    if name in known or name in OWN:
        return f"The name {name} was given before; `sayso agent rotate {name}` makes another key"
    return f"There is a file {_file(name)} already" if _file(name).exists() else ""


def _make(talk: Talk, running: Running, settings: Settings, name: str) -> Path:
    key, secret, path = make_key(), make_webhook_secret(), _file(name)
    write_new(path, {"SAYSO_URL": settings.base_url, "SAYSO_API_KEY": key, "SAYSO_WEBHOOK_SECRET": secret})

    async def add(_: Store, context: Context) -> None:
        await add_agent(context, WORKSPACE, name, AgentRole.AGENT, hash_key(key), secret)

    try:
        running.do(add)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    talk.good(f"{name} may ask. Its key is in {path}, for that program alone.")
    return path

"""What must be true once the trouble is over: every promise is looked at, every breach is told, none hides another."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import standardwebhooks

from core.events import LOOP_WEBHOOK_TYPES, WEBHOOK_TYPES
from tests.chaos.reckoning_cards import CARD_ENDS, of_card
from tests.chaos.reckoning_orders import ORDER_ENDS, of_order
from tests.chaos.sights import Sights
from tests.chaos.town import Town
from tests.flows.crashing import Crashing
from tests.flows.processes import ROOT
from tests.flows.receiver import Heard
from tests.flows.rig import SIGNING_KEY

AT_ONCE: Final = 8
OWED: Final = frozenset(WEBHOOK_TYPES | LOOP_WEBHOOK_TYPES)
SUBJECTS: Final = frozenset({"interaction", "loop"})
Events = Mapping[str, list[dict[str, Any]]]
Read = Callable[[str, str], Awaitable[list[str]]]


async def breaches(town: Town, folder: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """Every promise that was not kept, one line each; and the events."""
    r = town.r
    events = await r.events()
    ends = ends_by_subject(events)
    sights = Sights.of(town)

    async def of_one_card(title: str, id: str) -> list[str]:
        now, chain = await r.get(id), await r.receipts(id)
        return list(of_card(town, title, now, chain, ends[id], sights))

    async def of_one_order(title: str, name: str) -> list[str]:
        now = (await r.api.get(f"/v1/loops/{name}")).json()
        chain = (await r.api.get(f"/v1/loops/{name}/receipts")).json()["items"]
        return list(of_order(title, now, chain, ends[name], sights))

    found = await each_subject(town.cards, of_one_card) + await each_subject(town.orders, of_one_order)
    found += [*_of_list(events), *_of_webhooks(r, events), *await of_signatures(r, folder)]
    return found, events


def ends_by_subject(events: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The events that end something, by the id of a card or the name of an order."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event["type"] in CARD_ENDS:
            found[event["data"]["interaction"]["id"]].append(event)
        if event["type"] in ORDER_ENDS:
            found[event["data"]["loop"]["id"]].append(event)
    return found


async def each_subject(subjects: Mapping[str, str], reckon: Read) -> list[str]:
    """Reckon each of them by its title, a few at once; what is broken, with the title before it."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(title: str, id: str) -> list[str]:
        async with turns:
            return [f"{title}: {what}" for what in await reckon(title, id)]

    return [line for lines in await asyncio.gather(*(one(*pair) for pair in subjects.items())) for line in lines]


def _of_list(events: list[dict[str, Any]]) -> Iterator[str]:
    listed = Counter(event["id"] for event in events)
    yield from (f"event {id} is listed {count} times" for id, count in listed.items() if count > 1)


def _of_webhooks(r: Crashing, events: list[dict[str, Any]]) -> Iterator[str]:
    """All that is owed was heard, each under one id, signed, and as the list has it."""
    owed = {one["id"]: one for one in events if one["type"] in OWED and not one["data"].keys().isdisjoint(SUBJECTS)}
    for heard in r.asker.heard:
        body, listed = json.loads(heard.body), owed.get(heard.id)
        if not is_signed(heard):
            yield f"heard {body['type']} {heard.id} without its signature"
        if listed is None:
            yield f"heard {body['type']} under {heard.id}, which is the id of nothing that is owed"
        elif (body["type"], body["data"]) != (listed["type"], listed["data"]):
            yield f"heard {body['type']} {heard.id} otherwise than the list has it"
    yield from (f"{owed[id]['type']} {id} was never heard" for id in owed.keys() - {one.id for one in r.asker.heard})


def is_signed(heard: Heard) -> bool:
    """As a receiver verifies it, but for its age."""
    at = datetime.fromtimestamp(int(heard.headers["webhook-timestamp"]), UTC)
    made = standardwebhooks.Webhook(SIGNING_KEY).sign(heard.id, at, heard.body.decode())
    return made in heard.headers["webhook-signature"].split()


async def of_signatures(r: Crashing, folder: Path) -> list[str]:
    """Everything is exported, and whoever has nothing but the file checks every chain and every signature."""
    file = folder / "export.jsonl"
    given = {name.upper(): str(value) for name, value in r.lives[0].settings.items()}
    written, said = await _command(given, "export", "--to", str(file))
    if written:
        return [f"the export failed: {said}"]
    checked, said = await _command({}, "verify", "--strict", str(file))
    return [f"the export does not verify: {said}"] if checked else []


async def _command(environment: Mapping[str, str], *arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return process.returncode or 0, said.decode()[-2000:]


def tracebacks(r: Crashing) -> list[str]:
    """The last line of every traceback that a replica printed."""
    return [line for life in r.lives for line in _in(life.log)]


def _in(log: Path) -> Iterator[str]:
    for line in log.read_text().splitlines():
        if "Traceback" in line:
            yield line[-600:]

"""A lived-in workspace whose receipts are signed, and its export."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from bot.sealing import Sealer
from bot.signing import Signing, is_signed
from core.controls import Action
from core.exporting import Export, Writer
from core.kinds import Kind
from core.store import Store, open_engine
from core.verifying import Report, verify
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, HERE
from tests.use_cases.floor import Floor

CONFIRM = {"audience": {"answerers": ["conversation"]}}


@dataclass
class World:
    """A bench with its signer."""

    b: Bench
    signing: Signing

    async def export(self, since: datetime | None = None, until: datetime | None = None) -> list[bytes]:
        """The lines of an export."""
        records = self.b.store.records
        keys = self.signing.vouched(await records.signing_keys())
        what = Export(HERE, self.b.clock.now(), "https://sayso.example/", keys, since, until)
        writer = Writer(what, self.signing)
        lines = [writer.first()]
        async for part in records.everything(HERE, since, until):
            lines += writer.lines(part)
        return [*lines, writer.last()]

    async def public(self) -> str:
        """The key in use."""
        return (await self.b.store.records.signing_keys())[-1].public


@asynccontextmanager
async def signed_world(url: str) -> AsyncIterator[World]:
    """An empty workspace with people, whose receipts are signed."""
    signing = Signing(Sealer([b"k" * 32]))
    store = Store(open_engine(url), signer=signing)
    b = Bench(store)
    try:
        await signing.open(b.context)
        await b.begin()
        yield World(b, signing)
    finally:
        await store.close()


async def live_in(world: World) -> dict[str, str]:
    """Ask one of everything, settle some of it, and move a work order to its end: the ids by what they are."""
    b = world.b
    accepted = await b.open(Kind.CONFIRMATION, continuation={"webhook": "https://hook.example/s3cret?k=v"})
    await b.press(ANA, accepted, Action.ACCEPT)
    pending = await b.open(Kind.QUESTIONS)
    tasks = await b.open(Kind.SUGGESTED_TASKS)
    await b.press(BEN, tasks, Action.SUBMIT, picked=((Action.PICK, 0),))
    ticked = await b.open(Kind.CHECKLIST)
    await b.press(BEN, ticked, Action.TICK, 0, 0)
    await b.open(Kind.ITEM_VERDICTS)
    f = Floor(b)
    loop = await f.order()
    await f.write(ANA, await f.place(loop), "[CLAIM wo-1]")
    await f.write(ANA, await f.place(loop), "[RESULT wo-1] OK all healthy")
    await f.order(id="wo-2")
    return {"accepted": accepted, "pending": pending, "loop": (await f.loop()).id}


def checked(lines: list[bytes], trusted: str | None = None) -> Report:
    """What verifying finds."""
    return verify(lines, is_signed, trusted)


def where(lines: list[bytes], trusted: str | None = None) -> list[int]:
    """The lines in which something is wrong."""
    return [fault.line for fault in checked(lines, trusted).faults]

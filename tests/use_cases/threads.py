"""A linked thread with one order in it, and a linked agent that speaks there."""

from __future__ import annotations

from core.replies import Quiet
from tests.use_cases.cast import OTHER_AGENT
from tests.use_cases.floor import BOT, Floor

ID = "7fce46e0"


async def begin(f: Floor) -> None:
    """A linked thread with an order in it that an agent may work on."""
    await f.link(OTHER_AGENT)
    await f.order(id=ID, title="Audit", due="5h")


async def say(f: Floor, text: str) -> None:
    """A linked agent says it in the thread of the order."""
    assert await f.write(BOT, await f.place(await f.loop(ID)), text) == Quiet()
    await f.deliver()

"""What the tests of refusals share: the ways a card ends without an answer, and that a refused act changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.acts import Cancel, Skip
from core.people import Identity, Role
from core.use_cases.change import operate
from core.use_cases.directory import add_person
from tests.flows.rig import Rig, eventually


@dataclass(frozen=True)
class Ending:
    """`ask` are members of the request, `end` ends the card, `says` are words that whoever presses later is told."""

    status: str
    end: Callable[[Rig, str], Awaitable[Any]]
    says: str
    ask: tuple[tuple[str, Any], ...] = ()


async def _wait(r: Rig, id: str) -> None:
    assert (await r.get(id, wait=10))["status"] == "expired"


async def _withdraw(r: Rig, id: str) -> None:
    assert (await r.api.post(f"/v1/interactions/{id}/withdraw")).status_code == 200


async def _supersede(r: Rig, id: str) -> None:
    await r.ask(title="Release 4.3", to="review", audience={"answerers": ["role:operator"]}, supersedes=id)


async def _operate(r: Rig, id: str, act: Cancel | Skip) -> None:
    """As the review page does for a signed-in operator."""
    context = r.apps[0].context
    account = Identity(provider="slack", account="T0SAYSO", user="U9OLGA")
    person = await add_person(context, WORKSPACE, "olga", "Olga", Role.OPERATOR, [account])
    await operate(context, WORKSPACE, id, act, person, account)


async def _cancel(r: Rig, id: str) -> None:
    await _operate(r, id, Cancel(None))


async def _skip(r: Rig, id: str) -> None:
    await _operate(r, id, Skip(None))


BY_ITSELF = (Ending("expired", _wait, "The time to answer ended on", (("policy", {"expires_in": "1s"}),)),)
BY_SOMEBODY = (
    Ending("withdrawn", _withdraw, "operator took this question back on"),
    Ending("superseded", _supersede, "A newer question replaced this one on"),
    Ending("cancelled", _cancel, "Olga cancelled this on"),
    Ending("skipped", _skip, "Olga skipped this on"),
)
ENDINGS = [
    pytest.param(one, id=one.status, marks=pytest.mark.slow if one in BY_SOMEBODY[1:] else ())
    for one in (*BY_ITSELF, *BY_SOMEBODY)
]
"""One that the clock ends and one that somebody ends. The others differ in their words alone, which tests/rules reads;
they go through a whole service in the long run."""


async def standing(r: Rig, id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Everything that is known of a card, but for where its copies are, and its receipts but for late answers."""
    now = await r.get(id)
    return {**now, "publications": None}, [one for one in await r.receipts(id) if one["type"] != "late_answer"]


@asynccontextmanager
async def expect_unchanged(r: Rig, id: str) -> AsyncIterator[None]:
    """Whatever is done inside the block changes nothing about the card and is no event."""
    before, events = await standing(r, id), await r.events()
    yield
    assert await standing(r, id) == before
    assert await r.events() == events


async def redrawn(r: Rig, asked: dict[str, Any], text: str) -> None:
    """Wait until the first copy of a card shows this text."""
    (copy, *_) = asked["publications"]

    async def look() -> bool:
        shown = r.slack_message(copy).blocks if copy["provider"] == "slack" else r.telegram_message(copy).text
        return text in str(shown)

    await eventually(look)

"""Decisions, policies, revocation and several that wake up, all at once on a database of each kind: an approved call
runs once or not at all, and what became of it is told once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from functools import partial

import pytest

from core.controls import Action
from core.dues import LEASE, DueKind
from core.errors import Raced, Refused
from core.records import Status
from core.tools import ToolPolicy
from core.tools.reviewing import ToolOutcome
from core.use_cases.tool_reviews import fire_tool
from core.use_cases.transact import transact
from tests.stores import store_url
from tests.use_cases.bench import bench
from tests.use_cases.cast import ANA, BEN, OPAL
from tests.use_cases.floor import Floor
from tests.use_cases.looked_at import asked, call_of, policy, prompts
from tests.use_cases.threads import begin

__all__ = ["store_url"]

ROUNDS = 6


@pytest.fixture
async def either(store_url: str) -> AsyncIterator[Floor]:
    async with bench(store_url) as b:
        yield Floor(b)


async def wake(f: Floor) -> None:
    """What a process does that wakes up."""
    for _ in range(3):
        now = f.b.clock.now()
        for due in await f.b.store.dues.claim(now, now + LEASE, 10):
            if due.kind is DueKind.TOOL:
                await transact(f.b.context, partial(fire_tool, context=f.b.context, due=due))
        await asyncio.sleep(0)


async def test_whatever_happens_at_once_a_call_runs_at_most_once_and_only_when_approved(either: Floor) -> None:
    f, chance, ran = either, random.Random(7), 0
    await begin(f)
    for _ in range(ROUNDS):
        await policy(f, ToolPolicy.ASK_FIRST, "person:ana", "person:ben", "role:operator")
        call, card = await asked(f)
        acts = [
            *(f.b.press(who, card, action) for who in (ANA, BEN, OPAL) for action in (Action.ACCEPT, Action.REJECT)),
            policy(f, ToolPolicy.OFF),
            *(wake(f) for _ in range(3)),
        ]
        chance.shuffle(acts)
        for done in await asyncio.gather(*acts, return_exceptions=True):
            if isinstance(done, BaseException) and not isinstance(done, Refused | Raced):
                raise done
        await f.tick(seconds=LEASE.total_seconds() + 1)
        over, types = await call_of(f, call), await f.b.types(card)
        assert over.decision is (await f.b.get(card)).status
        assert over.decision in (Status.ACCEPTED, Status.REJECTED)
        if over.decision is Status.ACCEPTED:
            assert over.outcome in (ToolOutcome.EXECUTED, ToolOutcome.STOPPED)
        else:
            assert over.outcome is None
        assert types.count("replied") == 1
        assert f.texts == [over.words]
        ran += over.outcome is ToolOutcome.EXECUTED
    assert await prompts(f) == ran

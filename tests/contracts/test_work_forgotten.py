"""The contract of `core.ports.Work.forget`: what is of use to nobody any more goes, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from core.loops import LoopState
from core.loops.places import LoopPrompt
from core.store import Store
from core.store.tables import agent_keys, agent_secrets
from core.upkeep import REMEMBERED
from tests.rules.making import NOW
from tests.store.making import ANA, BUILDER, HERE, forget_all, settle_in
from tests.store.ordering import moved, order, place

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def rows_of(store: Store, agent: str) -> tuple[int, ...]:
    async with store.engine.connect() as connection:
        return tuple(
            [
                len((await connection.execute(select(table).where(table.c.agent == agent))).all())
                for table in (agent_keys, agent_secrets)
            ]
        )


async def test_keys_and_secrets_go_once_nothing_is_good_by_them(store: Store) -> None:
    async with store.work() as work:
        await work.rotate_agent(BUILDER.id, "hash-2", "whsec_2", NOW, NOW + DAY)
        await forget_all(work, NOW + DAY - timedelta(seconds=1))
        await work.commit()
    assert await rows_of(store, BUILDER.id) == (2, 2), "both are good for a day"
    async with store.work() as work:
        await forget_all(work, NOW + DAY)
        await work.commit()
    assert await rows_of(store, BUILDER.id) == (1, 1)
    assert await store.records.agent_by_key("hash-2", NOW + DAY) == BUILDER
    assert await store.records.webhook_secrets(BUILDER.id, NOW + DAY) == ("whsec_2",)
    async with store.work() as work:
        await work.revoke_agent(HERE, BUILDER.id, NOW + DAY)
        await forget_all(work, NOW + DAY)
        await work.commit()
    assert await rows_of(store, BUILDER.id) == (0, 0)
    known = await store.records.agents(HERE)
    assert [(one.name, one.revoked) for one in known] == [(BUILDER.name, True)], "and its name stays its own"


async def test_prompts_of_work_orders_that_have_ended_go_in_time(store: Store) -> None:
    ended, going_on = order(1, state=LoopState.CLOSED), order(2)
    async with store.work() as work:
        await work.add_conversation(place())
        for number, loop in enumerate((ended, going_on)):
            await work.add_loop(loop)
            await work.record_loop(moved(f"rcp_{number}"), loop.id)
            await work.add_loop_prompt(
                LoopPrompt(
                    provider="slack", account="T1", channel="C1", message=str(number), workspace=HERE, loop=loop.id,
                    action=1, person=ANA.id,
                )
            )  # fmt: skip
        await work.commit()
    for after, there in ((REMEMBERED, True), (REMEMBERED + timedelta(seconds=1), False)):
        async with store.work() as work:
            await forget_all(work, NOW + after)
            assert (await work.loop_prompt_at("slack", "T1", "C1", "0") is not None) is there
            assert await work.loop_prompt_at("slack", "T1", "C1", "1") is not None, "its order is open still"
            await work.commit()

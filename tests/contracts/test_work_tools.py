"""The contract of `core.tools.keeping`: policies of operations, and calls that people look at."""

from __future__ import annotations

import pytest

from core.people import Identity, Via, by_agent
from core.records import Status
from core.store import Store
from core.tools import OpPolicy, ToolPolicy
from core.tools.reviewing import ToolCall, ToolOutcome
from tests.rules.making import NOW
from tests.store.making import BUILDER, HERE, SOON, add, ask, settle_in
from tests.store.ordering import place

CALL = ToolCall(
    id="tcl_1",
    workspace=HERE,
    conversation=place().id,
    op="followup.create",
    arguments='{"prompt": "é \\u0000 5.0", "in_m": 5}',
    definition="sha256:0",
    by=by_agent(BUILDER),
    via=Via.SLACK,
    identity=Identity(provider="slack", account="T1", user="B1"),
    interaction=ask(1).id,
    created_at=NOW,
)


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)
    await add(store, ask(1))
    async with store.work() as work:
        await work.add_conversation(place())
        await work.commit()


async def test_a_policy_takes_the_place_of_the_one_before(store: Store) -> None:
    async with store.work() as work:
        assert await work.tool_policy(HERE, "loop.list") is None
        await work.set_tool_policy(HERE, OpPolicy(op="loop.list", policy=ToolPolicy.OFF), NOW)
        asked = OpPolicy(op="loop.list", policy=ToolPolicy.ASK_FIRST, reviewers=("person:ana", "conversation"))
        await work.set_tool_policy(HERE, asked, SOON)
        off = OpPolicy(op="followup.create", policy=ToolPolicy.OFF)
        await work.set_tool_policy(HERE, off, NOW)
        assert await work.tool_policy(HERE, "loop.list") == asked
        await work.commit()
    assert await store.records.tool_policies(HERE) == (off, asked)
    assert await store.records.tool_policies("wsp_2") == ()


async def test_a_call_comes_back_to_the_letter_and_only_its_end_is_written(store: Store) -> None:
    async with store.work() as work:
        await work.add_tool_call(CALL)
        assert await work.tool_call(HERE, CALL.id) == CALL
        ended = {"decision": Status.ACCEPTED, "outcome": ToolOutcome.EXECUTED, "words": "done", "over_at": SOON}
        forged = {**ended, "arguments": "{}", "definition": "sha256:1"}
        await work.save_tool_call(CALL.model_copy(update=forged))
        with pytest.raises(LookupError):
            await work.save_tool_call(CALL.model_copy(update={"workspace": "wsp_2"}))
        await work.commit()
    assert await store.records.tool_call(HERE, CALL.id) == CALL.model_copy(update=ended)
    assert await store.records.tool_call("wsp_2", CALL.id) is None

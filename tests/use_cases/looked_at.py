"""Calls that people look at first: asked, and what is known of them."""

from __future__ import annotations

from typing import Any

from core.dues import LEASE, DueKind
from core.loops.places import Conversation
from core.people import Agent
from core.tools import OpPolicy, ToolPolicy
from core.tools.reviewing import ToolCall
from core.use_cases.tool_reviews import set_tool_policy
from tests.use_cases.cast import BUILDER, HERE
from tests.use_cases.floor import Floor
from tests.use_cases.threads import ID

CREATE = '[TOOL followup.create {"in_m": 5, "prompt": "Look at the **queue** [x]", "loop": "7fce46e0"}]'


async def policy(f: Floor, policy: ToolPolicy, *by: str, op: str = "followup.create") -> None:
    reviewers: dict[str, Any] = {"reviewers": by} if by else {}
    await set_tool_policy(f.b.context, HERE, OpPolicy(op=op, policy=policy, **reviewers))


async def here(f: Floor) -> Conversation:
    return await f.place(await f.loop(ID))


async def asked(f: Floor, text: str = CREATE, by: Agent = BUILDER) -> tuple[str, str]:
    """Call it as a program: the ids of the call and of its card, which is posted."""
    said = await f.call(by, await here(f), text)
    assert (said["ran"], said["refused"]) == ([], [])
    (one,) = said["waiting"]
    await f.deliver()
    f.said.clear()
    await f.b.post(one["result"]["interaction"])
    return one["result"]["call"], one["result"]["interaction"]


async def call_of(f: Floor, id: str) -> ToolCall:
    found = await f.b.store.records.tool_call(HERE, id)
    assert found is not None
    return found


async def prompts(f: Floor) -> int:
    """How often the follow-up will be said: how often the call ran."""
    far = f.b.clock.now().replace(year=2030)
    async with f.b.store.work() as work:
        found = await work.claim_dues(far, far + LEASE, 100)
    return sum(due.kind is DueKind.FOLLOWUP for due in found)

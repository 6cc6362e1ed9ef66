"""The README's order, run as its reader would and done by people in Slack; a tool call that they look at first; and
what a person hears whose order is declined."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from bot.sandbox.slack.world import Message
from bot.startup import WORKSPACE
from core.tools import OpPolicy, ToolPolicy
from core.use_cases.tool_reviews import set_tool_policy
from tests.blocks.slack.cards import labels, shown
from tests.flows.rig import ANA, BEA, CHANNEL, KEY, Rig, eventually, rig, sqlite_at
from tests.readme import blocks


async def _shown(r: Rig, words: str, channel: str = CHANNEL) -> Message:
    """The newest message of ours in a conversation that shows these words."""

    async def look() -> Message | None:
        there = r.slack.platform.world.messages.get(channel, {}).values()
        return next((one for one in reversed(there) if one.bot_id and words in shown(list(one.blocks))), None)

    found: Message = await eventually(look)
    return found


async def _run_example(r: Rig, folder: Path) -> str:
    """Run the one example that orders work; what it printed."""
    (example,) = [text for text in blocks("sh") if "sayso order" in text]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = await asyncio.create_subprocess_exec(
        "sh", "-ec", example,
        cwd=folder,
        env={"PATH": path, "SAYSO_URL": r.url, "SAYSO_API_KEY": KEY},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, trouble = await asyncio.wait_for(process.communicate(), 30)
    assert (process.returncode, trouble.decode()) == (0, "")
    return said.decode().strip()


async def test_the_order_of_the_readme_is_done_in_slack_with_a_tool_call_that_is_looked_at_first(
    tmp_path: Path,
) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        name = await _run_example(r, tmp_path)
        card = await _shown(r, "Audit the exec endpoints")
        ana, bea = r.slack.person(ANA), r.slack.person(BEA)
        await ana.press("Claim", channel=CHANNEL, ts=card.ts)

        policy = OpPolicy(op="followup.create", policy=ToolPolicy.ASK_FIRST, reviewers=("conversation",))
        await set_tool_policy(r.apps[0].context, WORKSPACE, policy)
        place = (await r.api.get(f"/v1/loops/{name}")).json()["conversation"]["id"]
        call = f'[TOOL followup.create {{"in_m": 5, "prompt": "How far is it?", "loop": "{name}"}}]'
        said = (await r.api.post(f"/v1/conversations/{place}/messages", json={"text": call})).json()
        assert [one["op"] for one in said["waiting"]] == ["followup.create"]
        review = await _shown(r, "Run followup.create?")
        assert review.thread_ts == card.ts
        assert '"prompt": "How far is it?"' in shown(list(review.blocks))
        await bea.press("Run it", channel=CHANNEL, ts=review.ts)
        told = await _shown(r, "followup.create was approved by")
        assert "is said at" in shown(list(told.blocks))

        await ana.press("Done…", channel=CHANNEL, ts=card.ts, watch=5)
        await ana.fill_in({"What came of it": "OK 14 of 14"})
        await ana.submit()
        ended = (await r.api.get(f"/v1/loops/{name}")).json()
        assert (ended["state"], ended["outcome"]["summary"]) == ("closed", "14 of 14")


async def test_a_person_whose_order_was_declined_dispatches_it_again_from_where_they_are_told(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        await _run_example(r, tmp_path)
        card = await _shown(r, "Audit the exec endpoints")
        ana, bea = r.slack.person(ANA), r.slack.person(BEA)
        await bea.write("[WO:wo-9] Restart the probe", channel=CHANNEL, thread_ts=card.ts)
        await ana.write("[DECLINE wo-9] not mine", channel=CHANNEL, thread_ts=card.ts)

        async def noticed() -> Message | None:
            world = r.slack.platform.world
            everything = [one for there in world.messages.values() for one in there.values()]
            return next((one for one in everything if "declined “Restart the probe”" in one.text), None)

        notice: Message = await eventually(noticed)
        assert notice.channel.startswith("D")
        assert labels(list(notice.blocks)) == ["Dispatch again"]
        await bea.press("Dispatch again", channel=notice.channel, ts=notice.ts)

        async def again() -> bool:
            return (await r.api.get("/v1/loops/wo-9-again")).status_code == 200

        await eventually(again)

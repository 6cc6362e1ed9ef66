"""Every structure of the sentence protocol through the whole service, said by people over each chat's real client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.sentences import parse
from tests.flows.rig import ANA, BEA, CARL, CHANNEL, TG_ANA, TG_BEA, Rig, eventually, rig, sqlite_at

ID = "ops-sep08-fulltest"


@dataclass
class Thread:
    """Where an order is talked about, in either chat. `say` is Ana's words there; `ours` is what the service said in
    it, oldest first."""

    r: Rig
    say: Callable[[str], Awaitable[None]]
    ours: Callable[[], list[str]]

    async def loop(self, name: str) -> dict[str, Any]:
        answer = await self.r.api.get(f"/v1/loops/{name}")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def becomes(self, name: str, state: str) -> dict[str, Any]:
        async def look() -> dict[str, Any] | None:
            answer = await self.r.api.get(f"/v1/loops/{name}")
            return answer.json() if answer.status_code == 200 and answer.json()["state"] == state else None

        found: dict[str, Any] = await eventually(look)
        return found

    async def hears(self, words: str) -> str:
        async def look() -> str | None:
            return next((text for text in self.ours() if words in text), None)

        found: str = await eventually(look)
        return found


async def order(r: Rig, to: str, name: str, **more: Any) -> dict[str, Any]:
    """Dispatch an order, and wait until its card is there."""
    answer = await r.api.post("/v1/loops", json={"to": to, "id": name, "title": "Audit", "due": "5h", **more})
    assert answer.status_code == 201, answer.text

    async def posted() -> dict[str, Any] | None:
        now = (await r.api.get(f"/v1/loops/{name}")).json()
        return now if now["card"] and now["card"]["message"] else None

    found: dict[str, Any] = await eventually(posted)
    return found


async def in_slack(r: Rig) -> tuple[Thread, str, str]:
    """A linked thread in Slack, and two places for further orders."""
    card = (await order(r, f"slack:{CHANNEL}", "first"))["card"]["message"]
    r.slack.workspace.add_channel("below", [ANA, BEA, CARL], channel_id="C0BELOW")
    world, ana = r.slack.platform.world, r.slack.person(ANA)

    async def say(text: str) -> None:
        await ana.write(text, channel=CHANNEL, thread_ts=card)

    def ours() -> list[str]:
        return [one.text for one in world.replies(CHANNEL, card) if one.bot_id]

    return Thread(r, say, ours), f"slack:{CHANNEL}/{card}", "slack:C0BELOW"


async def in_telegram(r: Rig) -> tuple[Thread, str, str]:
    """The same in a group of Telegram, where a thread is what replies to the card."""
    card = int((await order(r, f"telegram:{r.group}", "first"))["card"]["message"])
    below = r.telegram.scene.create_group("Below", [TG_ANA, TG_BEA])

    async def say(text: str) -> None:
        r.telegram.human.write(TG_ANA, r.group, text, reply_to=card)

    def ours() -> list[str]:
        return [one.text for one in r.telegram.world.history(r.group) if one.author == r.telegram.bot_id]

    return Thread(r, say, ours), f"telegram:{r.group}", f"telegram:{below.id}"


@pytest.mark.parametrize("chat", [in_slack, in_telegram])
async def test_every_structure_does_what_it_says(
    tmp_path: Path, chat: Callable[[Rig], Awaitable[tuple[Thread, str, str]]]
) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        thread, here, elsewhere = await chat(r)

        await thread.say(f"[WO:{ID}] [from super] Audit the endpoints — Please run the full check.")
        opened = await thread.becomes(ID, "open")
        assert (opened["title"], opened["body"]) == ("Audit the endpoints", "Please run the full check.")
        assert opened["sender"]["type"] == "person"  # `[from super]` is nobody

        await thread.say(f"Reply: [ACK {ID}] seen | [CLAIM {ID}] mine | [RESULT {ID}] done.")
        await thread.say(f"[NUDGE {ID}] [nudge 1/3] Deadline 19:45 UTC: Please confirm.")
        await thread.say(f"[Directive: Take next action or close with [RESULT {ID}] ]")
        await thread.say(f"[Runtime Context: https://box.example.com/thread/{ID}]")
        await thread.say(f"[ACK:{ID}] [from 646]")
        seen = await thread.becomes(ID, "acknowledged")
        assert seen["nudges"]["sent"] == 0
        (event,) = [one for one in await r.events("loop.acknowledged") if one["data"]["loop"]["id"] == ID]
        assert event["data"]["context"] == {
            "directives": [f"Take next action or close with [RESULT {ID}]"],
            "runtime": [f"https://box.example.com/thread/{ID}"],
        }

        await thread.say(f"[CLAIM {ID}]")
        await thread.becomes(ID, "claimed")
        await thread.say('[TOOL followup.create {"in_m": 5, "prompt": "Recheck [VM] reachability"}]')
        assert '"prompt": "Recheck [VM] reachability"' in await thread.hears("followup.create: fup_")
        await thread.becomes(ID, "running")
        await thread.say(f"[RESULT {ID}] OK Audit complete: 14 ops confirmed healthy.")
        closed = await thread.becomes(ID, "closed")
        assert (closed["outcome"]["result"], closed["outcome"]["summary"]) == (
            "OK", "Audit complete: 14 ops confirmed healthy.",
        )  # fmt: skip

        await order(r, here, "wo-2")
        await order(r, here, "wo-3")
        await thread.say("[DECLINE wo-2] Target node is down.\n[NO-ACTION wo-3] It recovered before.")
        assert (await thread.becomes("wo-2", "declined"))["outcome"]["reason"] == "Target node is down."
        assert (await thread.becomes("wo-3", "no_action"))["outcome"]["reason"] == "It recovered before."

        await thread.say("[JOB swarm-4a2b/1] Run identity variance audit.")
        tracked = await thread.becomes("swarm-4a2b", "open")
        assert [slot["slot"] for slot in tracked["slots"]] == [1]
        await thread.say("[CLAIM swarm-4a2b/1] [RESULT swarm-4a2b/1] OK one")
        await thread.becomes("swarm-4a2b", "closed")

        await thread.say("[fleet-alert] CRITICAL: VM unreachable x2 on port 22")

        async def raised() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = (await r.api.get("/v1/alerts")).json()["items"]
            return found

        (alert,) = await eventually(raised)
        assert (alert["severity"], alert["message"]) == ("CRITICAL", "VM unreachable x2 on port 22")

        await order(r, elsewhere, "below", parent="first")
        update = "[SUBAGENT-UPDATE] Subagent 'exec-audit' (below) has posted new output."
        await say_in(r, elsewhere, (await thread.loop("below"))["card"], update)
        assert parse(await thread.hears("[SUBAGENT-UPDATE]")) == parse(update)


async def say_in(r: Rig, where: str, card: dict[str, Any], text: str) -> None:
    """Bea says something about an order elsewhere."""
    if where.startswith("slack:"):
        await r.slack.person(BEA).write(text, channel=card["channel"], thread_ts=card["message"])
    else:
        r.telegram.human.write(TG_BEA, int(card["channel"]), text, reply_to=int(card["message"]))

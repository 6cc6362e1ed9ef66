"""Every structure of the sentence protocol: its example is heard, formats back, and does what its lifecycle says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from core.loops import HandoverKind, LoopState
from core.sentences import ContractFooter, parse, spell
from core.sentences.values import Status
from tests.use_cases.cast import OTHER_AGENT
from tests.use_cases.floor import BOT, Floor
from tests.use_cases.threads import ID, begin, say

Check = Callable[[Floor, str], Awaitable[None]]


async def opens_a_loop(f: Floor, text: str) -> None:
    await f.link(OTHER_AGENT)
    first = await f.order(id="first")
    await f.write(BOT, await f.place(first), text)
    await f.deliver()
    loop = await f.loop(ID)
    assert (loop.state, loop.title) == (LoopState.OPEN, "Audit exec.muse-dev.online endpoints")
    assert loop.body == "Please run full check on GET /api/stats and post results."
    # `[from super]` is shown, and is nobody.
    assert (loop.sender.handle, loop.sender.identity, loop.sender_label) == ("other", "slack:T1.B7", "super")
    assert loop.card is not None
    assert loop.card.thread == (await f.place(first)).thread
    assert loop.card.message is not None


def moves_to(*states: LoopState, result: Status | None = None, before: str = "") -> Check:
    async def check(f: Floor, text: str) -> None:
        await begin(f)
        seen = []
        for said in filter(None, (before, text)):
            await say(f, said)
            seen.append((await f.loop(ID)).state)
        assert tuple(seen) == states
        outcome = (await f.loop(ID)).outcome
        assert (outcome.result if outcome else None) is result

    return check


async def runs_once(f: Floor, text: str) -> None:
    await begin(f)
    await say(f, f"[CLAIM {ID}]")
    await f.write(BOT, await f.place(await f.loop(ID)), text, key="once")
    await f.write(BOT, await f.place(await f.loop(ID)), text, key="once")
    await f.deliver()
    (result,) = [one for one in f.texts if one.startswith("followup.create: fup_")]
    assert '"prompt": "Recheck VM reachability"' in result
    assert (await f.loop(ID)).state is LoopState.RUNNING  # whoever claimed it is at it
    assert await f.tick(minutes=4) == 0
    assert await f.tick(minutes=1) == 1
    assert f.texts[-1] == "Follow-up: Recheck VM reachability"
    assert [type_ for type_, _ in await f.events()][-1] == "loop.followup"


async def is_tracked(f: Floor, text: str) -> None:
    await begin(f)
    await say(f, text)
    loop = await f.loop("swarm-4a2b")
    assert loop.title == "Task for swarm slot 1: Run identity variance audit."
    assert [slot.number for slot in loop.slots] == [1]
    await say(f, "[JOB swarm-4a2b/2] Task for swarm slot 2: the same elsewhere.")
    await say(f, "[CLAIM swarm-4a2b/2] [JOB swarm-4a2b/2] at it [RESULT swarm-4a2b/1] OK")
    await say(f, "[RESULT swarm-4a2b/1] OK one\n[RESULT swarm-4a2b/2] OK two")
    assert await f.types("swarm-4a2b") == ["opened", "tracked", "claimed", "running", "slot_done", "closed"]
    ended = (await f.loop("swarm-4a2b")).outcome
    assert ended is not None
    assert ended.result is Status.OK


async def is_the_scheduler_s(f: Floor, text: str) -> None:
    """Said by others it changes nothing; the scheduler writes the same form."""
    await begin(f)
    await say(f, text)
    assert await f.types(ID) == ["opened"]
    await f.tick(hours=4, minutes=45)
    (nudge,) = [one for one in f.texts if one.startswith("[NUDGE")]
    assert nudge.startswith(f"[NUDGE {ID}] [nudge 1/3] Deadline 2026-12-02T19:05:00Z: ")
    assert await f.types(ID) == ["opened", "nudged"]


async def becomes_an_incident(f: Floor, text: str) -> None:
    await begin(f)
    await say(f, text)
    assert f.alerts == [("CRITICAL", "VM unreachable x2 on port 22")]
    (alert,) = await f.b.store.records.alerts("wsp_1", None)
    assert (alert.by.handle, alert.order) == ("other", None)
    type_, data = (await f.events())[-1]
    assert (type_, data["alert"]["severity"]) == ("alert.raised", "CRITICAL")


async def is_nobody_s_reply(f: Floor, text: str) -> None:
    await begin(f)
    await say(f, text)
    assert await f.types(ID) == ["opened"]
    assert f.said == []


def is_handed_over(kind: HandoverKind, said: str) -> Check:
    async def check(f: Floor, text: str) -> None:
        await begin(f)
        await say(f, text)
        assert await f.types(ID) == ["opened"]  # what it quotes is not said
        await say(f, f"[ACK {ID}]")
        await say(f, f"[CLAIM {ID}]")
        name = "directives" if kind is HandoverKind.DIRECTIVE else "runtime"
        handed = [(type_, data["context"][name]) for type_, data in await f.events() if type_ != "loop.opened"]
        assert handed == [("loop.acknowledged", [said]), ("loop.claimed", [])]

    return check


async def is_relayed(f: Floor, text: str) -> None:
    await f.link(OTHER_AGENT)
    above = await f.order(id=ID)
    below = await f.order("slack:T1.C2", id="4a2b8e", parent=ID)
    await f.write(BOT, await f.place(below), text)
    await f.deliver()
    assert above.card is not None
    assert (f"C1/{above.card.message}", text) in f.said
    type_, data = (await f.events())[-1]
    assert (type_, data["loop"]["id"]) == ("loop.message", ID)
    assert data["subagent"] == {"title": "exec-audit", "id": "4a2b8e", "details": None}


STRUCTURES: dict[str, tuple[str, Check]] = {
    "work_order": (
        (
            f"[WO:{ID}] [from super] Audit exec.muse-dev.online endpoints — "
            "Please run full check on GET /api/stats and post results."
        ),
        opens_a_loop,
    ),
    "ack": (f"[ACK:{ID}] [from 646]", moves_to(LoopState.ACKNOWLEDGED)),
    "claim": (
        f"[CLAIM {ID}]",
        moves_to(LoopState.ACKNOWLEDGED, LoopState.CLAIMED, before=f"[ACK {ID}]"),
    ),
    "result": (
        f"[RESULT {ID}] OK Audit complete: 14 allowlisted ops confirmed healthy, 0 errors.",
        moves_to(LoopState.CLAIMED, LoopState.CLOSED, result=Status.OK, before=f"[CLAIM {ID}]"),
    ),
    "decline": (
        f"[DECLINE {ID}] Target node warp-dev is currently down for maintenance.",
        moves_to(LoopState.CLAIMED, LoopState.DECLINED, before=f"[CLAIM {ID}]"),
    ),
    "no_action": (
        f"[NO-ACTION {ID}] Transponder probe recovered before grace period expired.",
        moves_to(LoopState.NO_ACTION),
    ),
    "tool_call": ('[TOOL followup.create {"in_m": 5, "prompt": "Recheck VM reachability"}]', runs_once),
    "job_marker": ("[JOB swarm-4a2b/1] Task for swarm slot 1: Run identity variance audit.", is_tracked),
    "nudge": (
        f"[NUDGE {ID}] [nudge 1/3] Deadline 19:45 UTC: Please confirm status of exec audit.",
        is_the_scheduler_s,
    ),
    "fleet_alert": ("[fleet-alert] CRITICAL: VM unreachable x2 on port 22", becomes_an_incident),
    "contract_footer": (
        f"Reply: [ACK {ID}] seen | [CLAIM {ID}] mine | [RESULT {ID}] done | [DECLINE {ID}] | [NO-ACTION {ID}].",
        is_nobody_s_reply,
    ),
    "directive": (
        f"[Directive: Take next action or close with [RESULT {ID}] ]",
        is_handed_over(HandoverKind.DIRECTIVE, f"Take next action or close with [RESULT {ID}]"),
    ),
    "runtime_context": (
        f"[Runtime Context: https://box.muse-dev.online/thread/{ID}]",
        is_handed_over(HandoverKind.RUNTIME, f"https://box.muse-dev.online/thread/{ID}"),
    ),
    "subagent_update": ("[SUBAGENT-UPDATE] Subagent 'exec-audit' (4a2b8e) has posted new output.", is_relayed),
}


@pytest.mark.parametrize("structure", STRUCTURES)
async def test_every_structure_does_what_its_lifecycle_says(f: Floor, structure: str) -> None:
    example, check = STRUCTURES[structure]
    (sentence,) = parse(example)
    assert parse(spell(sentence)) == (sentence,)
    assert isinstance(sentence, ContractFooter) is (structure == "contract_footer")
    await check(f, example)

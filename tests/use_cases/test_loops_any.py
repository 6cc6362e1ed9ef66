"""Anything anybody does to work orders, by any door, while time passes: what is kept agrees with itself."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress

import pytest

from core.dues import DueKind
from core.errors import Refused
from core.loops import Acknowledge, Claim, Decline, LoopAct, LoopAction, LoopState, NoAction, Result
from core.loops.outcomes import ENDED
from core.use_cases.loops import move
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE, OPAL, OTHER_AGENT
from tests.use_cases.floor import BOT, Floor

NAMES = ("wo-1", "wo-2", "wo-3")
SAID = (
    "[ACK {0}]", "[CLAIM {0}]", "[CLAIM {0}/1]", "[RESULT {0}] OK fine", "[RESULT {0}/2] FAIL no", "[DECLINE {0}] no",
    "[DECLINE {0}/1] no", "[NO-ACTION {0}] none", "[NO-ACTION {0}/2] none", "[JOB {0}/1] share", "[JOB {0}/3] another",
    "[WO:{0}] Again", "[Directive: do {0}]", "hello", '[TOOL loop.show {{"id": "{0}"}}]', "[fleet-alert] INFO: {0}",
    "[SUBAGENT-UPDATE] Subagent 'x' ({0}) has posted new output.", "[NUDGE {0}] [nudge 1/3] Deadline 10:00 UTC: go",
)  # fmt: skip
ACTS: tuple[LoopAct, ...] = (
    Acknowledge(),
    Claim(),
    Claim(1),
    Result("ok"),
    Result("ok", slot=2),
    Decline("no"),
    NoAction("n"),
)
PRESSED = (LoopAction.ACKNOWLEDGE, LoopAction.CLAIM, LoopAction.DONE, LoopAction.DISPATCH_AGAIN)
ENDS = {"loop.closed": "closed", "loop.declined": "declined", "loop.no_action": "no_action"}


async def do_something(f: Floor, chance: random.Random) -> None:
    name = chance.choice(NAMES)
    loop = await f.loop(name)
    who = chance.choice((ANA, BEN, OPAL))
    match chance.randrange(5):
        case 0:
            await f.write(chance.choice((who, BOT)), await f.place(loop), chance.choice(SAID).format(name))
        case 1:
            lines = "\n".join(one.format(chance.choice(NAMES)) for one in chance.sample(SAID, 3))
            await f.call(BUILDER, await f.place(loop), lines)
        case 2:
            await f.press(who, loop, chance.choice(PRESSED))
        case 3:
            with suppress(Refused):
                await move(f.b.context, HERE, name, chance.choice(ACTS), BUILDER)
        case _:
            await f.tick(minutes=chance.choice((1, 7, 40)))


@pytest.mark.parametrize("seed", range(3))
async def test_state_receipts_and_events_agree(f: Floor, seed: int) -> None:
    chance = random.Random(seed)
    await f.link(OTHER_AGENT)
    for number, name in enumerate(NAMES):
        await f.order(id=name, slots=2 * (number == 1), due="45m" if number else None)
    for _ in range(50):
        await do_something(f, chance)
    await f.deliver()
    found = {one.loop.id: one.loop for one in await f.b.store.records.loops(HERE, None)}
    events = await f.b.store.records.events(HERE, None, limit=1000)
    assert [one.position for one in events] == list(range(1, len(events) + 1))
    for loop in found.values():
        kinds = await f.types(loop.name)  # whose chain holds
        own = [one for one in events if one.loop == loop.id]
        told = Counter(one.type.value for one in own if one.type.value not in ("loop.message", "loop.followup"))
        assert sum(told.values()) == len(kinds) == loop.version
        assert [ENDS[one.type.value] for one in own if one.type.value in ENDS] == (
            [loop.state.value] if loop.state in ENDED else []
        )
        changes = [one for one in own if one.type.value not in ("loop.message", "loop.followup")]
        assert changes[-1].data["loop"]["state"] == loop.state.value
        assert told["loop.nudged"] == loop.nudges
        assert loop.card is None or loop.card.shown_version == loop.version
        if loop.slots and loop.state is LoopState.CLOSED:
            assert all(slot.done for slot in loop.slots)
        async with f.b.store.work() as work:
            assert (await work.due(DueKind.LOOP, loop.id) is None) or loop.is_open
    handed = [text for one in events for text in one.data.get("context", {}).get("directives", [])]
    kept = [saying for saying in await _sayings(f) if "[Directive" in saying]
    assert len(handed) <= sum(saying.count("[Directive") for saying in kept)


async def _sayings(f: Floor) -> list[str]:
    places = await f.b.store.records.conversations(HERE, None)
    return [one.text for place in places for one in await f.b.store.records.sayings(HERE, place.id, limit=1000)]

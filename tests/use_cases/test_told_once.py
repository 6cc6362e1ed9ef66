"""Whoever goes on speaking of a work order that has ended is told so once, not each time."""

from __future__ import annotations

import pytest

from core.loops import LoopAction
from tests.use_cases.cast import ANA, BEN, BUILDER
from tests.use_cases.floor import Floor
from tests.use_cases.threads import ID, begin

LATE = ("[ACK {}]", "[CLAIM {}] mine", "Well… [RESULT {}] OK done it again")


async def ended(f: Floor) -> str:
    """An order that Ben ended, and what is said of that."""
    await begin(f)
    await f.submit(BEN, await f.loop(ID), LoopAction.DONE, "OK all is well")
    await f.deliver()
    f.said.clear()
    return f"{ID} was closed by Ben at 2 Dec 2026, 14:05 UTC. Nothing has changed."


async def test_one_person_is_told_once_within_a_while(f: Floor) -> None:
    told, where = await ended(f), await f.place(await f.loop(ID))
    for sentence in LATE:
        f.b.clock.move(seconds=20)
        await f.write(ANA, where, sentence.format(ID))
        await f.deliver()
    assert f.texts == [told]


async def test_another_person_is_told_as_well(f: Floor) -> None:
    told, where = await ended(f), await f.place(await f.loop(ID))
    for who in (ANA, BEN, ANA, BEN):
        f.b.clock.move(seconds=20)
        await f.write(who, where, f"[CLAIM {ID}]")
        await f.deliver()
    assert f.texts == [told, told]


async def test_who_speaks_of_it_much_later_is_told_again(f: Floor) -> None:
    told, where = await ended(f), await f.place(await f.loop(ID))
    for _ in range(2):
        f.b.clock.move(minutes=11)
        await f.write(ANA, where, f"[CLAIM {ID}]")
        await f.deliver()
    assert f.texts == [told, told]


async def test_other_things_in_such_a_message_are_answered(f: Floor) -> None:
    told, where = await ended(f), await f.place(await f.loop(ID))
    for sentence in (f"[CLAIM {ID}]", f"[CLAIM {ID}] [CLAIM nope]"):
        f.b.clock.move(seconds=20)
        await f.write(ANA, where, sentence)
        await f.deliver()
    assert f.texts == [told, "I know no work order nope here, so nothing has changed."]


@pytest.mark.parametrize(
    "before",
    [
        "[RESULT {}] OK all is well",  # which repeats what ended it, and so was answered by nothing
        "thank you all",  # which says nothing of it
        "[CLAIM nope]",  # which speaks of another
    ],
)
async def test_what_told_its_speaker_nothing_of_the_end_does_not_count(f: Floor, before: str) -> None:
    told, where = await ended(f), await f.place(await f.loop(ID))
    f.b.clock.move(seconds=20)
    await f.write(BEN, where, before.format(ID))
    f.b.clock.move(seconds=20)
    await f.write(BEN, where, f"[CLAIM {ID}]")
    await f.deliver()
    assert f.texts[-1:] == [told]


async def test_what_was_said_while_it_was_open_does_not_count(f: Floor) -> None:
    await begin(f)
    where = await f.place(await f.loop(ID))
    await f.write(ANA, where, f"[ACK {ID}]")
    f.b.clock.move(seconds=20)
    await f.submit(BEN, await f.loop(ID), LoopAction.DONE, "OK all is well")
    f.said.clear()
    f.b.clock.move(seconds=20)
    await f.write(ANA, where, f"[CLAIM {ID}]")
    await f.deliver()
    assert [one for one in f.texts if "was closed" in one] == [
        f"{ID} was closed by Ben at 2 Dec 2026, 14:05 UTC. Nothing has changed."
    ]


async def test_a_program_reads_it_in_every_answer(f: Floor) -> None:
    told, where = await ended(f), await f.place(await f.loop(ID))
    for _ in range(2):
        f.b.clock.move(seconds=20)
        answer = await f.call(BUILDER, where, f"[CLAIM {ID}]")
        assert answer["refused"] == [told]

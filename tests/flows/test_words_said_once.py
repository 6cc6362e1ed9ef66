"""Words about work orders on their way out: said once, whatever becomes of the call and of its process."""

from __future__ import annotations

import pytest

from core.dues import LEASE
from core.errors import Ambiguous, Transient
from core.loops import Acknowledge
from core.loops.owed import OfferAgain, SayNudge, SayThere
from core.outbox import Lane, Task
from core.ports import Work
from core.use_cases.loops import move
from core.use_cases.recording import owe
from core.use_cases.transact import transact
from tests.flows.loop_chat import Died, Rig, rig
from tests.use_cases.cast import BUILDER, HERE

__all__ = ["rig"]


async def test_words_wait_for_their_card_and_are_never_said_twice(rig: Rig) -> None:
    await move(rig.b.context, HERE, "wo-1", Acknowledge(), BUILDER)
    rig.chat.fails = [None, None, Ambiguous("cut off")]
    for _ in range(4):
        await rig.work(seconds=3)
    assert [one for one in rig.chat.calls if one.startswith("say")] == ["say [ACK:wo-1] [from builder]"]


async def owed_words(rig: Rig, words: str) -> None:
    """Owe words of this kind about the order, once its card is there."""
    loop = await rig.loop()
    where, reminded = "slack:T1.C1", loop.model_copy(update={"nudges": 1})
    tasks: dict[str, Task] = {
        "reminder": SayNudge(loop=loop.id, number=1, where=where),
        "follow-up": SayThere(conversation=loop.conversation, text="Follow-up: look", where=where),
        "escalation": OfferAgain(loop=loop.id, text="Nobody ended it", provider="slack", account="T1", channel="U1"),
    }

    async def inner(work: Work) -> None:
        await work.save_loop(loop, reminded)
        await owe(work, rig.b.context, HERE, Lane.NUDGE, where, tasks[words], rig.b.clock.now())

    await transact(rig.b.context, inner)


WORDS = ["reminder", "follow-up", "escalation"]


@pytest.mark.parametrize("words", WORDS)
async def test_words_whose_process_died_in_the_call_are_not_said_again(rig: Rig, words: str) -> None:
    await rig.work()
    await owed_words(rig, words)
    rig.chat.calls.clear()
    rig.chat.dies = True
    with pytest.raises(Died):
        await rig.work()
    assert len(rig.chat.calls) == 1
    rig.chat.dies = False
    assert await rig.work(minutes=1) == 1, "its lease lapsed, and somebody else took it up"
    assert await rig.work(hours=1) == 0
    assert len(rig.chat.calls) == 1


@pytest.mark.parametrize("words", WORDS)
async def test_words_that_were_certainly_not_said_are_said_later(rig: Rig, words: str) -> None:
    await rig.work()
    await owed_words(rig, words)
    rig.chat.calls.clear()
    rig.chat.fails = [Transient("later")]
    await rig.work()
    await rig.work(minutes=10)
    assert len(rig.chat.calls) == 2
    assert await rig.work(hours=1) == 0


@pytest.mark.parametrize("words", WORDS)
async def test_words_that_were_waiting_when_their_process_died_are_said(rig: Rig, words: str) -> None:
    await rig.work()
    await owed_words(rig, words)
    rig.chat.calls.clear()
    now = rig.b.clock.now()
    assert len(await rig.b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "waits for its turn", 20)) == 1
    await rig.work(minutes=1)
    assert len(rig.chat.calls) == 1

"""Slack waits three seconds. What takes longer goes on, nobody is told it is done before it is, and the end is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.slack import endpoint
from core.controls import Action
from core.replies import Saved, Told
from tests.adapters.slack.rooms import Room, form_of, room, words
from tests.blocks.slack.cards import card, confirmation, questions, shown

CONFIRM = card(confirmation(accept_label="Delete it"))
TEXT = card(questions({"id": "q", "prompt": "Say what?", "type": "text"}))


@pytest.fixture
async def own(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    monkeypatch.setattr(endpoint, "PATIENCE", 0.2)
    async with room() as made:
        yield made


async def test_a_slow_press_is_acknowledged_in_time_and_told_when_it_is_done(own: Room) -> None:
    await own.post(CONFIRM)
    done = own.intake.waits(Told("Ben was first. Nothing has changed."))
    seen = await own.ana.press("Delete it")
    assert (seen.status, seen.trouble, seen.private) == (200, None, ()), (
        "Slack did not give up, and nothing is done yet"
    )
    done.set()
    world = own.slack.platform.world
    while not own.ana.private():
        await world.after(world.version, 5)
    assert "Ben was first" in shown(list(own.ana.private()[0].blocks))


async def test_a_form_that_is_slow_to_save_stays_open_and_says_so(own: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await own.post(TEXT)
    own.intake.replies(form_of(TEXT, Action.WRITE))
    await own.ana.press("Answer…")
    await own.ana.fill("hello", on="modal")
    done = own.intake.waits(Saved("Saved"))
    seen = await own.ana.submit()
    assert "longer than usual" in seen.errors["q0:1"]
    done.set()
    monkeypatch.setattr(endpoint, "PATIENCE", 2.5)
    own.intake.replies(Saved("It is saved already.", unseen=True))
    seen = await own.ana.submit(watch=2)
    assert seen.modal is None
    assert words(seen) == "It is saved already."


async def test_a_slow_event_is_not_acknowledged_and_comes_again(own: Room) -> None:
    done = own.intake.waits(Told("hint"))
    seen = await own.ana.write("hello")
    assert seen.status == 503
    done.set()
    (attempt,) = await own.slack.replay(1, retry=True)
    assert attempt.status == 200


async def test_closing_waits_for_what_was_taken(own: Room) -> None:
    await own.post(CONFIRM)
    done = own.intake.waits(Told("No."))
    await own.ana.press("Delete it")
    closing = asyncio.create_task(own.adapter.close())
    await asyncio.sleep(0)
    assert not closing.done()
    done.set()
    await closing
    assert len(own.ana.private()) == 1

"""Modals: opened by a press, filled, refused beside the field, corrected, submitted, over HTTP and sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.inbound import Submitted
from adapters.slack.forms import NOT_AS_ASKED
from bot.sandbox.slack.faults import FaultKind
from core.controls import Action
from core.errors import Fault
from core.replies import OpenForm, Saved, Told, Wrong
from tests.adapters.slack.rooms import ANA, Room, form_of, room, submitted, words
from tests.blocks.slack.cards import CODEC, card, choices, confirmation, numbered, questions, shown

CONFIRM = card(confirmation(accept_label="Delete it", reject_label="Keep it"))
TEXT = card(questions({"id": "q", "prompt": "Say what?", "type": "text"}))


@pytest.fixture(params=["http", "socket"])
async def own(request: pytest.FixtureRequest) -> AsyncIterator[Room]:
    async with room(socket=request.param == "socket") as made:
        yield made


async def test_a_form_opens_is_filled_and_closes(own: Room) -> None:
    await own.post(TEXT)
    own.intake.replies(form_of(TEXT, Action.WRITE))
    seen = await own.ana.press("Answer…")
    assert seen.modal is not None
    assert "<#CGEN>" in shown(seen.modal)
    await own.ana.fill("a & b <c> &lt;d", on="modal")
    own.intake.replies(Saved("Your answer is saved."))
    seen = await own.ana.submit()
    assert (seen.status, seen.trouble, seen.modal, seen.private) == (200, None, None, ())
    arrival = submitted(own)
    assert arrival.fields == {"q0": "a & b <c> &lt;d"}
    assert arrival.channel == "CGEN"
    assert CODEC.unpack(arrival.token, str(ANA)).action is Action.WRITE


async def test_an_error_stands_beside_its_field_and_can_be_corrected(own: Room) -> None:
    await own.post(TEXT)
    own.intake.replies(form_of(TEXT, Action.WRITE))
    await own.ana.press("Answer…")
    await own.ana.fill("no", on="modal")
    own.intake.replies(Wrong((Fault("/answers/q/value", "write at least 3 characters"),), ("q0",)))
    seen = await own.ana.submit()
    assert seen.errors == {"q0:1": "write at least 3 characters"}
    await own.ana.fill("yes", on="modal")
    own.intake.replies(Saved("Saved"))
    assert (await own.ana.submit()).modal is None
    first, second = (arrival for arrival in own.intake.arrived if isinstance(arrival, Submitted))
    assert first.key != second.key, "a correction is a new act"


async def test_an_error_does_not_say_the_hint_below_its_field_again(own: Room) -> None:
    hint = "Like OPS-12,\nin capitals."
    asked = {"id": "q", "prompt": "Which?", "type": "text", "pattern": "[A-Z]+", "pattern_hint": hint}
    version = card(questions(asked))
    await own.post(version)
    own.intake.replies(form_of(version, Action.WRITE))
    seen = await own.ana.press("Answer…")
    assert seen.modal is not None
    assert hint not in shown(seen.modal), "it stands below the field"
    await own.ana.fill("ops", on="modal")
    own.intake.replies(Wrong((Fault("/answers/q/value", hint),), ("q0",)))
    assert (await own.ana.submit()).errors == {"q0:1": NOT_AS_ASKED}


async def test_an_error_without_a_field_of_its_own_is_shown_all_the_same(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(form_of(CONFIRM, Action.REASON))
    await own.ana.press("Keep it")
    own.intake.replies(Wrong((Fault("", "one"), Fault("/x", "two")), ("", "elsewhere")))
    assert (await own.ana.submit()).errors == {"reason:1": "one; two"}


async def test_too_late_with_a_form_is_told_in_its_place(own: Room) -> None:
    await own.post(TEXT)
    own.intake.replies(form_of(TEXT, Action.WRITE))
    await own.ana.press("Answer…")
    await own.ana.fill("late", on="modal")
    own.intake.replies(Told("Ben answered this. Nothing has changed."))
    seen = await own.ana.submit()
    assert seen.trouble is None
    assert seen.modal is not None
    assert "Ben answered this" in shown(seen.modal)
    assert seen.modal["submit"] is None


async def test_a_form_stays_open_when_saving_fails(own: Room) -> None:
    await own.post(TEXT)
    own.intake.replies(form_of(TEXT, Action.WRITE))
    await own.ana.press("Answer…")
    await own.ana.fill("kept", on="modal")
    own.intake.fails(RuntimeError("the database is away"))
    seen = await own.ana.submit()
    assert "not saved" in seen.errors["q0:1"]


async def test_words_passed_on_are_confirmed(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(form_of(CONFIRM, Action.COMMENT))
    await own.ana.press("Reply in words…")
    await own.ana.fill("why?", on="modal")
    own.intake.replies(Saved("Your words were passed on.", unseen=True))
    seen = await own.ana.submit(watch=1)
    assert seen.modal is None
    assert words(seen) == "Your words were passed on."
    assert submitted(own).fields == {"comment": "why?", "as": "comment"}


@pytest.mark.parametrize("count", [10, 100])
async def test_own_words_carry_the_ticks_beside_them(own: Room, count: int) -> None:
    asked = card(questions(choices(*numbered(count), custom=True)))
    await own.post(asked)
    await own.ana.choose("Option 1", "Option 3")
    own.intake.replies(form_of(asked, Action.OTHER, q0=("o0", "o2")))
    await own.ana.press("Other…")
    await own.ana.choose("Option 3", "Option 4", on="modal")
    await own.ana.fill("and mine", on="modal")
    own.intake.replies(Saved("Saved"))
    await own.ana.submit()
    arrival = submitted(own)
    assert arrival.fields == {"q0.custom": "and mine"}
    assert [CODEC.unpack(token, str(ANA)).option for token in arrival.picked] == [2, 3]


VALUES: list[tuple[dict[str, Any], Any, str]] = [
    ({"type": "number", "min": 0}, "12.5", "12.5"),
    ({"type": "date"}, "2026-12-31", "2026-12-31"),
    ({"type": "text", "min_length": 0}, "", ""),
]


@pytest.mark.parametrize(("question", "typed", "value"), VALUES, ids=[row[0]["type"] for row in VALUES])
async def test_every_kind_of_field_arrives(own: Room, question: dict[str, Any], typed: Any, value: str) -> None:
    asked = card(questions({"id": "q", "prompt": "?", **question}))
    await own.post(asked)
    own.intake.replies(form_of(asked, Action.WRITE))
    await own.ana.press("Answer…")
    await own.ana.fill(typed, on="modal")
    await own.ana.submit()
    assert submitted(own).fields == {"q0": value}


async def test_a_form_that_came_too_late_asks_to_press_again(own: Room) -> None:
    await own.post(TEXT)

    async def slowly(_: object) -> OpenForm:
        own.slack.platform.clock.advance(4)
        return form_of(TEXT, Action.WRITE)

    own.intake.answer = slowly
    seen = await own.ana.press("Answer…")
    assert seen.modal is None
    assert "press again" in words(seen)


async def test_a_form_slack_refuses_is_told(own: Room) -> None:
    await own.post(TEXT)
    own.intake.replies(form_of(TEXT, Action.WRITE))
    own.slack.fail(FaultKind.ERROR, "views.open", error="invalid_arguments")
    assert "could not be opened" in words(await own.ana.press("Answer…"))

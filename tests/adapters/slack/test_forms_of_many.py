"""Forms of several fields, reasons of verdicts, words meant as a reject, and forms that are closed."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.inbound import Closed
from core.controls import Action, Control
from core.errors import Fault, Forged
from core.people import Identity
from core.replies import OpenForm, Saved, Told, Wrong
from tests.adapters.slack.rooms import ANA, Room, form_of, room, submitted
from tests.blocks.slack.cards import CODEC, card, choice, choices, confirmation, judged, numbered, questions

SIX = card(
    questions(
        {"id": "what", "prompt": "What happened?", "type": "text"},
        {"id": "count", "prompt": "How many?", "type": "number", "required": False},
        {"id": "when", "prompt": "When?", "type": "date"},
        {"id": "ok", "prompt": "All well?", "type": "boolean"},
        {**choice("Europe", "Asia", custom=True), "id": "where", "prompt": "Where?"},
        {**choices(*numbered(11)), "id": "which", "prompt": "Which?"},
    )
)
JUDGED = card(judged("Update one", "Update two"))
CONFIRM = card(confirmation(accept_label="Delete it", reject_label="Keep it"))


@pytest.fixture(params=["http", "socket"])
async def own(request: pytest.FixtureRequest) -> AsyncIterator[Room]:
    async with room(socket=request.param == "socket") as made:
        yield made


def picked(own: Room) -> list[tuple[int, int]]:
    """Which options of which questions were chosen in the form that was sent."""
    found = [CODEC.unpack(token, str(ANA)) for token in submitted(own).picked]
    return [(one.question, one.option) for one in found]


async def test_all_answers_of_a_form_arrive_at_once_after_what_was_wrong_is_corrected(own: Room) -> None:
    await own.post(SIX)
    own.intake.replies(form_of(SIX, Action.FORM))
    await own.ana.press("Answer…")
    fields = {"What happened?": "It fell", "When?": "2026-12-24", "All well?": "No", "Where?": "Asia"}
    await own.ana.fill_in({**fields, "Which?": ["Option 2", "Option 11"]})
    faults = (Fault("/answers/what/value", "too short"), Fault("/answers/when/value", "too late"), Fault("", "hm"))
    own.intake.replies(Wrong(faults, ("q0", "q2", "")))
    seen = await own.ana.submit()
    assert seen.errors == {"q0:1": "too short; hm", "q2:1": "too late"}
    await own.ana.fill_in({"What happened?": "It fell down", "When?": "2026-12-01", "How many?": "3"})
    own.intake.replies(Saved("Saved"))
    assert (await own.ana.submit()).modal is None
    assert CODEC.unpack(submitted(own).token, str(ANA)).action is Action.FORM
    assert submitted(own).fields == {
        "q0": "It fell down", "q1": "3", "q2": "2026-12-01", "q3": "false", "q4.custom": ""
    }  # fmt: skip
    assert picked(own) == [(4, 1), (5, 1), (5, 10)]


async def test_a_fault_of_own_words_stands_beside_them(own: Room) -> None:
    await own.post(SIX)
    own.intake.replies(form_of(SIX, Action.FORM, q0=("kept from before",), q5=("o1",)))
    await own.ana.press("Answer…")
    await own.ana.fill_in({"When?": "2026-12-24", "All well?": "Yes"})
    own.intake.replies(Wrong((Fault("/answers/where/custom", "choose or write"),), ("q4.custom",)))
    assert (await own.ana.submit()).errors == {"q4.custom:1": "choose or write"}
    assert submitted(own).fields["q0"] == "kept from before"
    assert picked(own) == [(5, 1)], "a draft is there again when the form is opened again"


async def test_the_reason_of_a_verdict_names_the_item(own: Room) -> None:
    await own.post(JUDGED)
    asked = Control(JUDGED.interaction.id, 1, 1, JUDGED.interaction.content.seen(), Action.JUDGE, 1, 1)
    own.intake.replies(OpenForm(JUDGED.interaction, asked, {}))
    label = JUDGED.interaction.content.payload.model_dump()["verdicts"][1]["label"]
    item = next(block["block_id"] for block in own.ana.messages("CGEN")[0].blocks if "item.1" in block["block_id"])
    seen = await own.ana.press(label, block_id=item)
    assert seen.modal is not None
    await own.ana.fill_in({"Reason": "it breaks"})
    own.intake.replies(Wrong((Fault("/verdicts/0/reason", "say more"),), ("v1.reason",)))
    assert (await own.ana.submit()).errors == {"reason:1": "say more"}
    own.intake.replies(Told("Ben judged it: Apply."))
    assert (await own.ana.submit()).trouble is None
    control = CODEC.unpack(submitted(own).token, str(ANA))
    assert (control.action, control.question, control.option) == (Action.JUDGE, 1, 1)
    assert submitted(own).fields == {"reason": "it breaks"}


@pytest.mark.parametrize(("chosen", "value"), [("A comment", "comment"), ("Keep it", "reject")])
async def test_words_say_whether_they_decide(own: Room, chosen: str, value: str) -> None:
    await own.post(CONFIRM)
    own.intake.replies(form_of(CONFIRM, Action.COMMENT))
    await own.ana.press("Reply in words…")
    await own.ana.fill_in({"Your words": "not before Monday", "Send it as": chosen})
    own.intake.replies(Saved("Saved", unseen=value == "comment"))
    await own.ana.submit(watch=1 if value == "comment" else 0)
    assert submitted(own).fields == {"comment": "not before Monday", "as": value}


async def test_closing_a_form_is_told_once_and_says_whose_it_was(own: Room) -> None:
    await own.post(SIX)
    own.intake.replies(form_of(SIX, Action.FORM))
    await own.ana.press("Answer…")
    own.intake.arrived.clear()
    seen = await own.ana.close()
    assert (seen.status, seen.modal, seen.private) == (200, None, ())
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Closed)
    assert arrival.sender == ANA
    assert CODEC.unpack(arrival.token, str(ANA)).action is Action.FORM
    await own.slack.replay(1)
    assert [one.key for one in own.intake.arrived] == [arrival.key] * 2
    await own.ana.press("Answer…")
    await own.ana.close(everything=True)
    assert own.intake.arrived[-1].key != arrival.key


async def test_a_form_that_was_sent_is_not_closed_besides(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(form_of(CONFIRM, Action.REASON))
    await own.ana.press("Keep it")
    own.intake.replies(Saved("Saved"))
    await own.ana.submit()
    assert [type(arrival).__name__ for arrival in own.intake.arrived] == ["Pressed", "Submitted"]


async def test_closing_a_form_is_acknowledged_also_when_it_cannot_be_noted(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(form_of(CONFIRM, Action.REASON))
    await own.ana.press("Keep it")
    own.intake.fails(RuntimeError("the database is away"))
    seen = await own.ana.close()
    assert (seen.status, seen.trouble, seen.private) == (200, None, ())


async def test_a_form_in_another_persons_name_is_theirs_and_its_token_is_not(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(form_of(CONFIRM, Action.REASON))
    await own.ana.press("Keep it")
    own.intake.replies(Saved("Saved"))
    await own.ana.submit()
    payload = dict(own.slack.platform.journal.deliveries[-1].payload)
    ben = Identity(provider="slack", account="T0ACME", user="UBEN")
    payload |= {"user": {"id": ben.user, "team_id": ben.account, "username": "ben"}, "trigger_id": "9.9.9"}
    assert (await own.slack.deliver(payload)).status == 200
    assert submitted(own).sender == ben
    with pytest.raises(Forged):
        CODEC.unpack(submitted(own).token, str(ben))

"""Presses in Slack reach the intake, and what it says reaches the presser: through real Bolt, over HTTP and sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.sandbox.slack.faults import FaultKind
from core.controls import Action
from core.errors import Fault
from core.replies import Saved, Told, Wrong
from tests.adapters.slack.rooms import ANA, Room, pressed, room, words
from tests.blocks.slack.cards import CODEC, card, choice, choices, confirmation, numbered, questions

CONFIRM = card(confirmation(accept_label="Delete it", reject_label="Keep it"))
TEXT = card(questions({"id": "q", "prompt": "Say what?", "type": "text"}))


@pytest.fixture(params=["http", "socket"])
async def own(request: pytest.FixtureRequest) -> AsyncIterator[Room]:
    async with room(socket=request.param == "socket") as made:
        yield made


async def test_a_press_arrives_with_who_where_and_what(own: Room) -> None:
    posted = await own.post(CONFIRM)
    seen = await own.ana.press("Delete it")
    assert (seen.status, seen.trouble, seen.private) == (200, None, ())
    arrival = pressed(own)
    assert (arrival.sender, arrival.account) == (ANA, "T0ACME")
    assert (arrival.channel, arrival.message, arrival.thread) == ("CGEN", posted.message, None)
    assert CODEC.unpack(arrival.token).action is Action.ACCEPT
    assert arrival.key.startswith("slack:A0SAYSO:")
    assert arrival.hint.name == "ana"
    assert "token" not in arrival.raw
    assert "response_url" not in arrival.raw


async def test_a_press_in_a_thread_names_it(own: Room) -> None:
    parent = await own.post(TEXT)
    await own.post(CONFIRM, thread=parent.message)
    await own.ana.press("Delete it")
    assert pressed(own).thread == parent.message


@pytest.mark.parametrize("count", [6, 11, 100])
async def test_choosing_decides_at_once(own: Room, count: int) -> None:
    await own.post(card(questions(choice(*numbered(count)))))
    await own.ana.choose(f"Option {count}")
    control = CODEC.unpack(pressed(own).token)
    assert (control.action, control.option) == (Action.ANSWER, count - 1)


@pytest.mark.parametrize("count", [10, 11, 100])
async def test_what_is_ticked_goes_with_submit(own: Room, count: int) -> None:
    await own.post(card(questions(choices(*numbered(count)))))
    await own.ana.choose("Option 2", f"Option {count}")
    assert own.intake.arrived == [], "a tick decides nothing"
    await own.ana.press("Submit")
    arrival = pressed(own)
    assert CODEC.unpack(arrival.token).action is Action.SUBMIT
    assert [CODEC.unpack(token).option for token in arrival.picked] == [1, count - 1]


async def test_what_was_suggested_counts_as_ticked(own: Room) -> None:
    await own.post(card(questions(choices(*numbered(3), initial=["o2"]))))
    await own.ana.press("Submit")
    assert [CODEC.unpack(token).option for token in pressed(own).picked] == [2]


async def test_opening_the_full_form_decides_nothing(own: Room) -> None:
    await own.post(CONFIRM)
    seen = await own.ana.press("Open full form")
    assert (seen.status, seen.trouble, seen.opened) == (200, None, CONFIRM.review_url)
    assert own.intake.arrived == []


async def test_a_refusal_is_seen_by_the_presser_alone(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(Told("This is for <!channel> others. Nothing has changed."))
    seen = await own.ana.press("Delete it")
    assert words(seen) == "This is for <!channel> others. Nothing has changed."
    assert "<!channel>" not in seen.private[0]["text"]
    assert own.ben.private() == []
    assert len(own.ana.messages("CGEN")) == 1


async def test_a_repeat_is_told_it_is_saved_and_a_first_press_is_not(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(Saved("Saved: Delete it"))
    assert (await own.ana.press("Delete it")).private == ()
    own.intake.replies(Saved("It is saved already.", unseen=True))
    assert words(await own.ana.press("Delete it")) == "It is saved already."


async def test_what_is_wrong_with_what_was_ticked_is_told(own: Room) -> None:
    await own.post(card(questions(choices("a", "b", min=2))))
    own.intake.replies(Wrong((Fault("/answers/q/values", "choose at least 2"),), ("q0",)))
    assert "choose at least 2" in words(await own.ana.press("Submit"))


async def test_a_private_word_finds_its_way_without_the_response_url(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.replies(Told("No."))
    own.slack.fail(FaultKind.STATUS, "response_url", status=500)
    assert words(await own.ana.press("Delete it")) == "No."
    assert len(own.calls("response_url")) == 1, "it is not used up by trying again"
    assert len(own.calls("chat.postEphemeral")) == 1


async def test_a_failure_of_ours_is_told_and_shows_no_warning(own: Room) -> None:
    await own.post(CONFIRM)
    own.intake.fails(RuntimeError("the database is away"))
    seen = await own.ana.press("Delete it")
    assert (seen.status, seen.trouble) == (200, None)
    assert "not saved" in words(seen)


async def test_a_token_from_elsewhere_arrives_as_it_is(own: Room) -> None:
    """Whether it is worth anything is for the intake to say."""
    await own.post(CONFIRM)
    await own.ana.press("Delete it")
    payload = dict(own.slack.platform.journal.deliveries[-1].payload)
    payload["actions"] = [{**payload["actions"][0], "value": "A" * 48}]
    own.intake.arrived.clear()
    assert (await own.slack.deliver(payload)).status == 200
    assert pressed(own).token == "A" * 48


async def test_an_external_presser_is_hinted_at(own: Room) -> None:
    other = own.slack.workspace.add_team("Other")
    own.slack.workspace.add_user("zoe", user_id="UZOE", team_id=other.id)
    own.slack.workspace.add_channel("shared", ["UZOE"], shared_with=[other.id], channel_id="CSHARE")
    await own.post(CONFIRM, "CSHARE")
    await own.slack.person("UZOE").press("Delete it")
    arrival = pressed(own)
    assert arrival.hint.external
    assert (arrival.account, arrival.sender.account) == ("T0ACME", other.id)

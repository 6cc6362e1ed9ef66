"""Commands, the Home tab, messages and what else Slack tells, over HTTP and sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.inbound import Changed, Commanded, Opened, Wrote
from core.replies import Helped, Listed, Quiet, Told
from tests.adapters.slack.rooms import ANA, Room, room, words
from tests.blocks.slack.cards import card, confirmation, labels, questions, shown

CONFIRM = card(confirmation(accept_label="Delete it", reject_label="Keep it"))
TEXT = card(questions({"id": "q", "prompt": "Say what?", "type": "text"}))


@pytest.fixture(params=["http", "socket"])
async def own(request: pytest.FixtureRequest) -> AsyncIterator[Room]:
    async with room(socket=request.param == "socket") as made:
        yield made


async def test_the_command_lists_open_cards(own: Room) -> None:
    own.intake.replies(Listed((CONFIRM, TEXT)))
    seen = await own.ana.command("/sayso", " help &  more ", channel="CGEN")
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Commanded)
    assert (arrival.name, arrival.sender, arrival.channel) == ("sayso", ANA, "CGEN")
    assert "help &" in arrival.argument
    (message,) = seen.private
    assert "Delete it?" in shown(message["blocks"])
    assert labels(message["blocks"]) == ["Open full form", "Open full form"]


@pytest.mark.parametrize("text", ["payload", "what is a payload=1&?", '{"a": 1}'])
async def test_a_command_may_say_anything(own: Room, text: str) -> None:
    """Bolt takes a form with the word `payload` anywhere in it for an interaction."""
    own.intake.replies(Helped("I bring questions."))
    assert words(await own.ana.command("/sayso", text, channel="CGEN")) == "I bring questions."
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Commanded)
    assert arrival.argument == text


async def test_the_command_explains_itself(own: Room) -> None:
    own.intake.replies(Helped("I bring questions."))
    assert words(await own.ana.command("/sayso", "help", channel="CGEN")) == "I bring questions."
    own.intake.fails(RuntimeError("no"))
    assert "did not work" in words(await own.ana.command("/sayso", channel="CGEN"))


async def test_home_shows_open_cards(own: Room) -> None:
    own.intake.replies(Listed((CONFIRM,)))
    seen = await own.ana.open_home()
    assert seen.status == 200
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Opened)
    assert arrival.sender == ANA
    home = own.ana.home
    assert home is not None
    assert "Delete it?" in shown(home)


async def test_the_messages_tab_is_not_home(own: Room) -> None:
    await own.ana.open_home(tab="messages")
    assert own.intake.arrived == []


async def test_a_message_to_the_app_gets_a_hint_it_alone_sees(own: Room) -> None:
    own.intake.replies(Told("To answer a question, use its card."))
    seen = await own.ana.write("a & b @ben")
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Wrote)
    assert (arrival.text, arrival.private, arrival.reply_to) == ("a & b <@UBEN>", True, None)
    assert seen.status == 200
    (private,) = own.ana.private()
    assert "use its card" in shown(list(private.blocks))


async def test_a_message_in_a_channel_is_none_of_ours(own: Room) -> None:
    await own.ana.write("hello", channel="CGEN")
    assert own.intake.arrived == []


async def test_a_changed_account_is_forgotten(own: Room) -> None:
    own.slack.workspace.change_user("UANA", is_restricted=True)
    await own.slack.platform.courier.settled()
    own.slack.workspace.change_user("UANA", deleted=True)
    await own.slack.platform.courier.settled()
    changed, ended = own.intake.arrived
    assert isinstance(changed, Changed)
    assert isinstance(ended, Changed)
    assert changed.sender == ended.sender == ANA
    assert (changed.hint.deleted, ended.hint.deleted) == (False, True)


async def test_an_uninstalled_app_is_noticed(own: Room) -> None:
    own.slack.workspace.uninstall()
    await own.slack.platform.courier.settled()
    assert own.lost
    assert "account_inactive" in own.lost[0]
    assert own.intake.arrived == []


async def test_a_revocation_that_is_out_of_date_stops_nothing(own: Room) -> None:
    own.slack.workspace.uninstall()
    world = own.slack.platform.world
    for token, app in world.installations.items():  # installed again before the events arrive
        world.installations[token] = type(app)(app.team_id, app.token, app.bot_user_id, app.bot_id, app.scopes)
    await own.slack.platform.courier.settled()
    assert own.lost == []


async def test_a_redelivered_event_has_the_same_key_and_a_new_press_has_not(own: Room) -> None:
    await own.ana.open_home()
    await own.slack.replay(4, retry=True)
    assert len(own.intake.arrived) == 5
    assert len({arrival.key for arrival in own.intake.arrived}) == 1
    await own.post(CONFIRM)
    own.intake.arrived.clear()
    for _ in range(2):
        await own.ana.press("Delete it")
    assert len({arrival.key for arrival in own.intake.arrived}) == 2


async def test_an_event_that_could_not_be_kept_is_sent_again(own: Room) -> None:
    own.intake.fails(RuntimeError("the database is away"))
    assert (await own.ana.open_home()).status != 200
    own.intake.replies(Quiet())
    (attempt,) = await own.slack.replay(1, retry=True)
    assert attempt.status == 200

"""Words in the threads of cards: what arrives, what is left alone, and what its writer alone is told there."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.inbound import Wrote
from bot.sandbox.slack.faults import FaultKind
from core.errors import Fault
from core.replies import Helped, Reply, Saved, Told, Wrong
from tests.adapters.slack.rooms import ANA, Room, room
from tests.blocks.slack.cards import card, questions, shown

TEXT = card(questions({"id": "q", "prompt": "Say what?", "type": "text"}))


@pytest.fixture(params=["http", "socket"])
async def own(request: pytest.FixtureRequest) -> AsyncIterator[Room]:
    async with room(socket=request.param == "socket") as made:
        yield made


def wrote(own: Room) -> Wrote:
    """The one message that arrived."""
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Wrote)
    return arrival


async def test_a_reply_under_a_card_arrives_with_the_card_it_answers(own: Room) -> None:
    posted = await own.post(TEXT)
    seen = await own.ana.write("because & so", channel="CGEN", thread_ts=posted.message)
    assert seen.status == 200
    arrival = wrote(own)
    assert (arrival.sender, arrival.channel, arrival.private, arrival.own) == (ANA, "CGEN", False, True)
    assert (arrival.reply_to, arrival.thread, arrival.message) == (posted.message, posted.message, seen.ts)
    assert arrival.text == "because & so"


async def test_addresses_that_slack_makes_links_of_arrive_as_they_were_typed(own: Room) -> None:
    posted = await own.post(TEXT)
    words = "ask ops+1@x.example, or see https://x.example/a?b=1&c=2 <soon>"
    seen = await own.ana.write(words, channel="CGEN", thread_ts=posted.message)
    assert "<mailto:ops+1@x.example|ops+1@x.example>" in own.slack.platform.world.messages["CGEN"][str(seen.ts)].text
    assert wrote(own).text == words


async def test_a_reply_that_its_channel_sees_too_is_a_reply(own: Room) -> None:
    posted = await own.post(TEXT)
    await own.ana.write("for all", channel="CGEN", thread_ts=posted.message, broadcast=True)
    assert wrote(own).text == "for all"


async def test_a_file_is_no_text(own: Room) -> None:
    posted = await own.post(TEXT)
    await own.ana.write("see here", channel="CGEN", thread_ts=posted.message, files=["shot.png"])
    assert (wrote(own).attached, wrote(own).text, wrote(own).spoken) == (True, "", "see here")


async def test_what_is_not_somebodys_own_reply_is_left_alone_unread(own: Room) -> None:
    posted = await own.post(TEXT)
    first = await own.ana.write("one", channel="CGEN", thread_ts=posted.message)
    assert first.ts is not None
    own.intake.arrived.clear()
    before = len(list(own.slack.platform.journal.calls))
    await own.ana.edit("uno", channel="CGEN", ts=first.ts)
    await own.ana.delete(channel="CGEN", ts=first.ts)
    await own.ana.write("beside the card", channel="CGEN")
    await own.post(TEXT, thread=posted.message)
    await own.slack.platform.courier.settled()
    assert own.intake.arrived == []
    asked = [call.method for call in list(own.slack.platform.journal.calls)[before:]]
    assert asked == ["chat.postMessage"], "nobody is looked up for it"


async def test_what_an_agent_writes_with_somebodys_token_is_the_agent_s_own(own: Room) -> None:
    posted = await own.post(TEXT)
    await own.ana.write("[ACK wo-1]", channel="CGEN", thread_ts=posted.message, through="A0AGENT")
    arrival = wrote(own)
    assert (arrival.sender.user, arrival.hint.bot) == ("B0AGENT", True)


REPLIES: list[tuple[Reply, str]] = [
    (Told("Use the card."), "Use the card."),
    (Saved("It is saved already.", unseen=True), "It is saved already."),
    (Helped("I bring questions."), "I bring questions."),
    (Wrong((Fault("/answers/q/value", "write at least 3 characters"),), ("q0",)), "write at least 3 characters"),
]


@pytest.mark.parametrize(("reply", "told"), REPLIES, ids=[type(row[0]).__name__ for row in REPLIES])
async def test_its_writer_alone_is_told_in_the_thread(own: Room, reply: Reply, told: str) -> None:
    posted = await own.post(TEXT)
    own.intake.replies(reply)
    await own.ana.write("a", channel="CGEN", thread_ts=posted.message)
    (private,) = own.ana.private("CGEN")
    assert told in shown(list(private.blocks))
    assert private.thread_ts == posted.message
    assert own.ben.private() == []
    assert len(own.ana.messages("CGEN", posted.message)) == 1


async def test_an_answer_that_the_card_shows_is_not_told_again(own: Room) -> None:
    posted = await own.post(TEXT)
    own.intake.replies(Saved("Your answer is saved."))
    await own.ana.write("because", channel="CGEN", thread_ts=posted.message)
    assert own.ana.private() == []


async def test_what_cannot_be_told_changes_nothing(own: Room) -> None:
    posted = await own.post(TEXT)
    own.intake.replies(Told("Use the card."))
    own.slack.fail(FaultKind.ERROR, "chat.postEphemeral", error="user_not_in_channel")
    seen = await own.ana.write("because", channel="CGEN", thread_ts=posted.message)
    assert seen.status == 200
    assert own.ana.private() == []


async def test_a_message_delivered_again_has_the_same_key(own: Room) -> None:
    posted = await own.post(TEXT)
    await own.ana.write("because", channel="CGEN", thread_ts=posted.message)
    await own.slack.replay(2, retry=True)
    assert len({arrival.key for arrival in own.intake.arrived}) == 1
    assert len(own.intake.arrived) == 3

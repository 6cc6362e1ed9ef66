"""The Slack channel against the stand-in, over sockets: posting, finding, redrawing, saying, asking who."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import unescape

import pytest

from blocks.slack.check import check_message
from bot.sandbox.slack.faults import FaultKind
from core.addresses import Provider
from core.channels import Channel
from core.controls import Action
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    Transient,
    Unreachable,
)
from core.outbox import AskWords, Say
from core.publications import Surface
from core.records import Status
from tests.adapters.slack.rooms import Room, publication, room
from tests.blocks.slack.cards import card, choice, elements, labels, questions, settled, shown

ASKED = card(questions(choice("Yes", "No"), body="Body."))


@pytest.fixture
async def own() -> AsyncIterator[Room]:
    async with room() as made:
        yield made


async def test_it_is_a_channel(own: Room) -> None:
    channel: Channel = own.adapter.channel
    assert (channel.provider, channel.account) == (Provider.SLACK, own.slack.team_id)


async def test_starting_tells_what_the_installation_is(own: Room) -> None:
    found = own.installation
    assert (found.team, found.team_name, found.bot_user) == ("T0ACME", "Acme", "U0SAYSO")
    assert (found.bot_id, found.bot_name, found.app) == ("B0SAYSO", "sayso", "A0SAYSO")
    assert found.scopes == own.slack.settings.scopes


async def test_a_card_is_posted_where_it_belongs(own: Room) -> None:
    posted = await own.post(ASKED)
    assert (posted.channel, posted.surface) == ("CGEN", Surface.NATIVE)
    message = own.message(posted)
    assert labels(list(message.blocks))[:2] == ["Yes", "No"]
    assert message.metadata == {"event_type": "sayso_card", "event_payload": {"delivery": "pub_1", "surface": "native"}}
    (call,) = own.calls("chat.postMessage")
    assert (call["unfurl_links"], call["unfurl_media"]) == (False, False)
    assert not call.get("link_names")


async def test_a_card_goes_into_its_thread(own: Room) -> None:
    parent = await own.post(ASKED)
    posted = await own.post(ASKED, thread=parent.message)
    assert own.message(posted).thread_ts == parent.message


async def test_a_card_to_a_person_lands_in_the_direct_conversation(own: Room) -> None:
    posted = await own.post(ASKED, "UANA")
    assert posted.channel.startswith("D")
    assert own.ana.messages(posted.channel)[-1].ts == posted.message


async def test_a_card_slack_refuses_to_draw_is_posted_for_the_review_page(own: Room) -> None:
    own.slack.fail(FaultKind.ERROR, "chat.postMessage", error="msg_blocks_too_long")
    posted = await own.post(ASKED)
    assert posted.surface is Surface.REVIEW
    assert labels(list(own.message(posted).blocks)) == ["Reply in words…", "Open full form"]


GONE_PLACES: list[tuple[str, str, str]] = [
    # the place, the code, what the asker reads
    ("CNONE", "channel_not_found", "no such channel"),
    ("COUT", "not_in_channel", "invite"),
    ("CPRIV", "channel_not_found", "private"),
    ("COLD", "is_archived", "archived"),
    ("UGONE", "user_disabled", "deactivated"),
    ("UNONE", "user_not_found", "no such user"),
    ("U0SAYSO", "cannot_dm_bot", "bot"),
    ("UBOT", "cannot_dm_bot", "bot"),
]


@pytest.mark.parametrize(("place", "code", "words"), GONE_PLACES, ids=[row[0] for row in GONE_PLACES])
async def test_a_place_that_cannot_be_reached_says_why(own: Room, place: str, code: str, words: str) -> None:
    workspace = own.slack.workspace
    workspace.add_channel("out", ["UANA"], with_app=False, channel_id="COUT")
    workspace.add_channel("secret", ["UANA"], private=True, with_app=False, channel_id="CPRIV")
    workspace.add_channel("old", ["UANA"], channel_id="COLD")
    workspace.archive("COLD")
    workspace.add_user("gone", user_id="UGONE", deleted=True)
    workspace.add_user("helper", user_id="UBOT", is_bot=True)
    with pytest.raises(Unreachable) as refused:
        await own.post(ASKED, place)
    assert refused.value.code == code
    assert words in refused.value.reason
    assert own.slack.platform.world.top_level("COLD") == []


async def test_a_thread_that_is_gone_says_so(own: Room) -> None:
    with pytest.raises(Unreachable, match="thread"):
        await own.post(ASKED, thread="1700000000.000100")


TROUBLES: list[tuple[str, FaultKind, dict[str, object], type[ChannelError], int]] = [
    # what happens to the post, as which error it arrives, how many copies there are then
    ("a rate limit is waited out by the relay", FaultKind.RATE_LIMITED, {"seconds": 7}, Transient, 0),
    ("a failing Slack may have done it", FaultKind.STATUS, {"status": 503}, Ambiguous, 0),
    ("a named failure may be partial", FaultKind.ERROR, {"error": "fatal_error"}, Ambiguous, 0),
    ("a dropped request is unknown", FaultKind.DROP_BEFORE, {}, Ambiguous, 0),
    ("a lost answer is unknown, and not repeated", FaultKind.DROP_AFTER, {}, Ambiguous, 1),
    ("a dead token stops everything", FaultKind.ERROR, {"error": "account_inactive"}, InstallationDead, 0),
    ("a code nobody knows is for good", FaultKind.ERROR, {"error": "brand_new_error"}, Unreachable, 0),
]


@pytest.mark.parametrize(("why", "kind", "more", "error", "copies"), TROUBLES, ids=[row[0] for row in TROUBLES])
async def test_a_post_is_tried_once_and_its_trouble_named(
    own: Room, why: str, kind: FaultKind, more: dict[str, object], error: type[ChannelError], copies: int
) -> None:
    own.slack.fail(kind, "chat.postMessage", **more)  # type: ignore[arg-type]  # the table's rows fit their kind
    with pytest.raises(error):
        await own.post(ASKED)
    assert len(own.ana.messages("CGEN")) == copies, why
    assert len(own.calls("chat.postMessage")) == 1


async def test_a_rate_limit_says_how_long(own: Room) -> None:
    own.slack.fail(FaultKind.RATE_LIMITED, "chat.postMessage", seconds=7)
    with pytest.raises(Transient) as refused:
        await own.post(ASKED)
    assert refused.value.retry_after == 7


async def test_trouble_before_the_post_is_no_unknown_post(own: Room) -> None:
    own.slack.fail(FaultKind.STATUS, "conversations.open", status=503, count=2)
    with pytest.raises(Transient):
        await own.post(ASKED, "UANA")


async def test_a_missing_scope_names_itself(own: Room) -> None:
    own.slack.workspace.grant("users:read")
    with pytest.raises(Unreachable, match="chat:write"):
        await own.post(ASKED)


async def test_only_a_post_that_was_on_the_wire_is_unknown_when_slack_goes_away(own: Room) -> None:
    await own.slack.away(30, refuse=True)
    with pytest.raises(Ambiguous):
        await own.post(ASKED)  # over the connection that was open before
    with pytest.raises(Transient):
        await own.post(ASKED)
    own.slack.platform.clock.advance(60)


async def test_a_settled_card_is_redrawn_without_controls(own: Room) -> None:
    posted = await own.post(ASKED)
    done = settled(questions(choice("Yes", "No"), body="Body."), Status.ANSWERED, answer={"q": {"value": "o0"}})
    copy = publication(channel=posted.channel, message=posted.message)
    for _ in range(2):  # repeating it is harmless
        assert await own.adapter.channel.redraw(done, copy) is Surface.NATIVE
    message = own.message(posted)
    assert elements(list(message.blocks), "button") == []
    assert "Answered by Ana" in shown(list(message.blocks))
    assert "Body." in shown(list(message.blocks))
    assert message.metadata is not None, "what it is found by is kept"


async def test_a_redraw_slack_refuses_becomes_plain_words_without_controls(own: Room) -> None:
    posted = await own.post(ASKED)
    own.slack.fail(FaultKind.ERROR, "chat.update", error="msg_blocks_too_long")
    done = settled(questions(choice("Yes")), Status.ANSWERED, answer={"q": {"value": "o0"}})
    copy = publication(channel=posted.channel, message=posted.message)
    assert await own.adapter.channel.redraw(done, copy) is Surface.REVIEW
    message = own.message(posted)
    assert message.blocks == []
    assert "Answered by Ana" in message.text
    assert done.review_url in message.text


async def test_a_redraw_refused_twice_is_ours_to_mend(own: Room) -> None:
    posted = await own.post(ASKED)
    own.slack.fail(FaultKind.ERROR, "chat.update", error="invalid_blocks", count=2)
    with pytest.raises(Misrendered):
        await own.adapter.channel.redraw(ASKED, publication(channel=posted.channel, message=posted.message))


async def test_a_message_that_is_gone_says_so(own: Room) -> None:
    with pytest.raises(MessageGone):
        await own.adapter.channel.redraw(ASKED, publication(channel="CGEN", message="1700000000.000100"))
    with pytest.raises(MessageGone):
        await own.adapter.channel.redraw(ASKED, publication())


async def test_a_lost_answer_to_an_edit_is_a_reason_to_edit_again(own: Room) -> None:
    posted = await own.post(ASKED)
    own.slack.fail(FaultKind.DROP_AFTER, "chat.update")
    with pytest.raises(Transient):
        await own.adapter.channel.redraw(ASKED, publication(channel=posted.channel, message=posted.message))


def say(text: str, channel: str = "CGEN", thread: str | None = None) -> Say:
    return Say(provider="slack", account="T0ACME", channel=channel, text=text, thread=thread)


@pytest.mark.parametrize("text", ["Done: <!channel> *a* & _b_", "", "x" * 11_000, "文" * 20_000])
async def test_words_are_said_as_written(own: Room, text: str) -> None:
    posted = await own.adapter.channel.say(say(text))
    message = own.message(posted)
    assert check_message({"text": message.text, "blocks": list(message.blocks)}) == ()
    assert "<" not in message.text
    if message.blocks:
        assert text in shown(list(message.blocks)).replace("\n", "")
    else:
        assert message.text == text


@pytest.mark.parametrize("text", ["&" * 20_000, "<@U1>" * 4_000], ids=["spelled longer", "kept from being mentions"])
async def test_words_that_slack_would_cut_are_said_in_several_messages(own: Room, text: str) -> None:
    parent = await own.post(ASKED)
    first = await own.adapter.channel.say(say(text, thread=parent.message))
    said = [one for one in own.slack.platform.world.messages["CGEN"].values() if one.thread_ts == parent.message]
    parts = [one for one in said if one.ts >= first.message and one.ts != parent.message]
    assert len(parts) > 1
    assert all(check_message({"text": one.text, "blocks": list(one.blocks)}) == () for one in parts)
    told = "".join(unescape(one.text) for one in parts)
    assert neutral(told) == neutral(text)


def neutral(text: str) -> str:
    """Without spaces and the marks that keep words from being mentions."""
    return "".join(letter for letter in text if not letter.isspace() and letter not in "\u2060\u200b")


async def test_words_go_into_the_thread_they_belong_to(own: Room) -> None:
    parent = await own.post(ASKED)
    posted = await own.adapter.channel.say(say("Shipped", thread=parent.message))
    assert own.message(posted).thread_ts == parent.message
    direct = await own.adapter.channel.say(say("Your code is 1", "UANA"))
    assert direct.channel.startswith("D")


async def test_words_asked_for_without_a_modal_are_asked_in_the_thread(own: Room) -> None:
    parent = await own.post(ASKED)
    prompt = AskWords(
        interaction="int_1", publication=1, revision=1, action=Action.WRITE, provider="slack", account="T0ACME",
        channel="CGEN", thread=None, reply_to=parent.message, person="per_1", user="UANA", name="Ana",
    )  # fmt: skip
    message = own.message(await own.adapter.channel.ask_words(prompt, ASKED))
    assert message.thread_ts == parent.message
    assert "Ana, please reply in this thread with your words for “Release 4.2”." in shown(list(message.blocks))


async def test_a_message_of_ours_is_taken_back_and_then_it_is_gone(own: Room) -> None:
    posted = await own.post(ASKED)
    await own.adapter.channel.take_back(posted.channel, [posted.message])
    assert all(one.ts != posted.message for one in own.ana.messages("CGEN"))
    with pytest.raises(MessageGone):
        await own.adapter.channel.take_back(posted.channel, [posted.message])

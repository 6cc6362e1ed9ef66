"""Core's port to Telegram, against the stand-in: posting, redrawing, asking for words, and who is where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blocks.telegram.limits import DELETE_AGE
from bot.sandbox.telegram.faults import Failure, FaultKind
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.places import GroupKind
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)
from core.people import Identity, Membership, Standing
from core.publications import Surface
from core.records import Status as Ended
from tests.adapters.telegram.connected import ana_in, connected, publication
from tests.blocks.telegram.cards import card, choice, confirmation, questions, settled

ASKED = questions(choice("Red", "Green"))


def _who(user: int) -> Identity:
    return Identity(provider="telegram", user=str(user))


async def test_a_card_is_posted_and_redrawn_where_it_is() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await one.adapter.channel.post(card(ASKED), publication(ana))
        assert (posted.channel, posted.surface) == (str(ana), Surface.NATIVE)
        shown = one.stand_in.world.message(ana, int(posted.message))
        assert shown is not None
        assert shown.text.startswith("Release 4.2")
        assert [button["text"] for button in shown.content.buttons()] == [
            "Red", "Green", "Reply in words…", "Open full form", "Later…",
        ]  # fmt: skip
        ended = settled(ASKED, Ended.ANSWERED, answer={"q": {"value": "o0"}})
        for _ in range(2):  # that it shows this already is no error
            assert await one.adapter.channel.redraw(ended, publication(ana, posted=posted)) is Surface.NATIVE
        shown = one.stand_in.world.message(ana, int(posted.message))
        assert shown is not None
        assert "Answer: Red" in shown.text
        assert shown.content.keyboard == ()


async def test_a_card_never_previews_its_links() -> None:
    async with connected(polls=True) as one:
        await one.adapter.channel.post(card(ASKED), publication(ana_in(one)))
        (call,) = one.stand_in.journal.of("sendMessage")
        assert call.args["link_preview_options"] == {"is_disabled": True}


@pytest.mark.parametrize("thread", ["1", None])
async def test_the_general_topic_is_written_to_without_its_number(thread: str | None) -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        forum = one.stand_in.scene.create_group("Ops", [ana], is_forum=True)
        await one.adapter.channel.post(card(ASKED), publication(forum.id, thread=thread))
        (call,) = one.stand_in.journal.of("sendMessage", done=True)
        assert "message_thread_id" not in call.args


async def test_a_card_for_a_topic_is_posted_there_and_nowhere_else() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        forum = one.stand_in.scene.create_group("Ops", [ana], is_forum=True)
        topic = one.stand_in.scene.create_topic(forum.id, "Deploys", by=ana)
        where = publication(forum.id, thread=str(topic.id))
        posted = await one.adapter.channel.post(card(ASKED), where)
        shown = one.stand_in.world.message(forum.id, int(posted.message))
        assert shown is not None
        assert shown.topic == topic.id
        one.stand_in.scene.set_topic(forum.id, topic.id, closed=True)
        with pytest.raises(Unreachable) as closed:
            await one.adapter.channel.post(card(ASKED), where)
        assert closed.value.reason == "the topic is closed"
        one.stand_in.scene.set_topic(forum.id, topic.id, deleted=True)
        with pytest.raises(Unreachable) as deleted:
            await one.adapter.channel.post(card(ASKED), where)
        assert deleted.value.reason == "the topic does not exist any more"
        assert [message for message in one.stand_in.world.history(forum.id) if message.text] == []


async def test_what_landed_outside_of_its_topic_is_taken_back() -> None:
    """In private chats Telegram has ignored the number of a topic that is gone."""
    async with connected(polls=True) as one:
        ana = ana_in(one)
        sent = await one.adapter.channel.post(card(ASKED), publication(ana))
        message = await one.adapter._client.send(str(ana), "in the open")
        with pytest.raises(Unreachable, match="outside of the topic"):
            await one.adapter.channel._check_topic(message, "7")
        assert one.stand_in.world.message(ana, message.message_id) is None
        assert one.stand_in.world.message(ana, int(sent.message)) is not None


UNREACHABLE: list[tuple[str, str]] = [
    ("blocked", "the person has blocked the bot"),
    ("deactivated", "this Telegram account is deactivated"),
    ("not started", "the person has not started a chat with the bot"),
    ("unknown chat", "there is no such chat, or the bot has never been in it"),
    ("kicked", "the bot was removed from this chat"),
    ("channel", "the bot may not write in this chat"),
]


@pytest.mark.parametrize(("trouble", "reason"), UNREACHABLE)
async def test_a_place_that_cannot_be_reached_says_why(trouble: str, reason: str) -> None:
    async with connected(polls=True) as one:
        scene, ana = one.stand_in.scene, ana_in(one)
        place = ana
        match trouble:
            case "blocked":
                one.stand_in.human.block(ana)
            case "deactivated":
                scene.deactivate(ana)
            case "not started":
                place = scene.create_user("Bob").id
            case "unknown chat":
                place = -1009999
            case "kicked":
                place = scene.create_group("Ops", [ana]).id
                scene.set_status(place, one.stand_in.bot_id, Status.KICKED, by=ana)
            case "channel":
                place = scene.create_group("News", [ana], kind=GroupKind.CHANNEL).id
            case other:
                pytest.fail(f"nobody knows how to bring about {other}")
        with pytest.raises(Unreachable) as refused:
            await one.adapter.channel.post(card(ASKED), publication(place))
        assert refused.value.reason == reason
        assert one.stand_in.bot_token not in str(refused.value)


async def test_a_group_that_became_a_supergroup_says_where_it_is() -> None:
    async with connected(polls=True) as one:
        group = one.stand_in.scene.create_group("Ops", [ana_in(one)], kind=GroupKind.GROUP)
        new = one.stand_in.scene.migrate(group.id)
        with pytest.raises(PlaceMoved) as moved:
            await one.adapter.channel.post(card(ASKED), publication(group.id))
        assert moved.value.place == str(new.id)


FAULTS: list[tuple[FaultKind, dict[str, Any], type[ChannelError]]] = [
    (FaultKind.RATE_LIMITED, {"seconds": 3}, Transient),
    (FaultKind.STATUS, {"status": 502}, Ambiguous),
    (FaultKind.STATUS_AFTER, {"status": 504}, Ambiguous),
    (FaultKind.DROP_BEFORE, {}, Ambiguous),
    (FaultKind.DROP_AFTER, {}, Ambiguous),
    (FaultKind.ERROR, {"status": 400, "description": "Bad Request: BUTTON_DATA_INVALID"}, Misrendered),
]


@pytest.mark.parametrize(("kind", "more", "error"), FAULTS)
async def test_a_post_is_tried_once_whatever_happens_to_it(
    kind: FaultKind, more: dict[str, Any], error: type[ChannelError]
) -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        one.stand_in.faults.plan(Failure(kind=kind, method="sendMessage", **more))
        with pytest.raises(error) as failed:
            await one.adapter.channel.post(card(ASKED), publication(ana))
        assert len(one.stand_in.journal.of("sendMessage")) == 1
        assert failed.value.__cause__ is None
        assert failed.value.__context__ is None
        if isinstance(failed.value, Transient):
            assert failed.value.retry_after == 3


async def test_an_address_where_nobody_listens_is_no_lost_post() -> None:
    async with connected(polls=True) as one:
        lost = replace(one.adapter._settings, api_url="http://127.0.0.1:9")
        away = type(one.adapter)(lost, one.adapter.channel._codec, one.intake)
        with pytest.raises(Transient, match="could not be reached"):
            await away.start()
        await away.close()


async def test_a_token_that_is_not_known_is_for_an_operator() -> None:
    async with connected(polls=True) as one:
        wrong = replace(one.adapter._settings, bot_token="7000000001:" + "x" * 35)
        stranger = type(one.adapter)(wrong, one.adapter.channel._codec, one.intake)
        with pytest.raises(InstallationDead, match="TELEGRAM_BOT_TOKEN"):
            await stranger.start()
        await stranger.close()


async def test_a_card_that_was_deleted_is_gone() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await one.adapter.channel.post(card(ASKED), publication(ana))
        one.stand_in.human.delete(ana, ana, int(posted.message))
        with pytest.raises(MessageGone):
            await one.adapter.channel.redraw(card(confirmation()), publication(ana, posted=posted))


async def test_lost_posts_cannot_be_looked_for() -> None:
    async with connected(polls=True) as one:
        with pytest.raises(Ambiguous):
            await one.adapter.channel.find(publication(ana_in(one)))


@pytest.mark.parametrize("kind", [FaultKind.DROP_BEFORE, FaultKind.STATUS, FaultKind.RATE_LIMITED])
async def test_while_telegram_does_not_answer_nothing_is_concluded_about_a_lost_post(kind: FaultKind) -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        one.stand_in.fail(kind, "getChat")
        with pytest.raises(Transient):
            await one.adapter.channel.find(publication(ana))


async def test_a_lost_post_to_a_chat_that_is_gone_will_not_turn_up() -> None:
    async with connected(polls=True) as one:
        with pytest.raises(Unreachable):
            await one.adapter.channel.find(publication(41))


async def test_who_somebody_is_and_whether_they_are_there() -> None:
    async with connected(polls=True) as one:
        scene, channel = one.stand_in.scene, one.adapter.channel
        ana, bob, eve = ana_in(one), scene.create_user("Bob").id, scene.create_user("Eve").id
        group = str(scene.create_group("Ops", [ana, bob]).id)
        scene.set_status(int(group), bob, Status.KICKED, by=ana)
        assert await channel.standing(_who(ana)) == Standing(name="Ana Ruiz")
        assert await channel.standing(_who(987_654)) == Standing(known=False)
        assert [await channel.place_name(place) for place in (group, str(ana))] == ["Ops", "Ana Ruiz"]
        memberships = {
            "Ana created it": (ana, group, Membership.YES),
            "Bob was thrown out": (bob, group, Membership.NO),
            "Eve never came": (eve, group, Membership.NO),
            "Ana's own chat": (ana, str(ana), Membership.YES),
            "somebody else's chat": (eve, str(ana), Membership.NO),
            "a chat the bot is not in": (ana, "-1009999", Membership.UNDETERMINED),
        }
        for case, (user, place, expected) in memberships.items():
            assert await channel.membership(_who(user), place) is expected, case
        one.stand_in.faults.plan(Failure(kind=FaultKind.DROP_BEFORE, method="getChatMember"))
        assert await channel.membership(_who(ana), group) is Membership.UNDETERMINED
        scene.set_status(int(group), eve, Status.RESTRICTED, by=ana)
        assert await channel.membership(_who(eve), group) is Membership.YES


async def test_a_message_of_ours_is_taken_back_and_cannot_be_a_second_time() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await one.adapter.channel.post(card(ASKED), publication(ana))
        await one.adapter.channel.take_back(posted.channel, [posted.message])
        assert all(str(shown.id) != posted.message for shown in one.stand_in.world.history(ana))
        with pytest.raises((MessageGone, Misrendered)):
            await one.adapter.channel.take_back(posted.channel, [posted.message])


async def test_several_messages_are_taken_back_at_once_and_those_that_are_gone_are_passed_over() -> None:
    async with connected(polls=True) as one:
        ana, channel = ana_in(one), one.adapter.channel
        there = [(await channel.post(card(ASKED), publication(ana))).message for _ in range(3)]
        await channel.take_back(str(ana), there[:1])
        await channel.take_back(str(ana), there)
        left = {str(shown.id) for shown in one.stand_in.world.history(ana)}
        assert left.isdisjoint(there)
        assert len(one.stand_in.journal.of("deleteMessages", done=True)) == 1


async def test_of_several_messages_none_is_taken_back_where_one_is_too_old() -> None:
    async with connected(polls=True) as one:
        ana, channel = ana_in(one), one.adapter.channel
        old = (await channel.post(card(ASKED), publication(ana))).message
        one.stand_in.clock.advance(DELETE_AGE.number + 1)
        new = (await channel.post(card(ASKED), publication(ana))).message
        with pytest.raises(Misrendered):
            await channel.take_back(str(ana), [old, new])
        assert {old, new} <= {str(shown.id) for shown in one.stand_in.world.history(ana)}

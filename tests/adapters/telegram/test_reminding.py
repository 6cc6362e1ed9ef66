"""Reminders and lists, as the port to Telegram sends them to the stand-in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.sandbox.telegram.faults import FaultKind
from core.cards import Card
from core.channels import Posted
from core.errors import Ambiguous, ChannelError, MessageGone, Transient
from core.notices import DigestNotice, Named, ReminderNotice
from core.outbox import SendDigest
from core.people import Identity
from core.records import Status
from tests.adapters.telegram.connected import Connected, ana_in, connected, publication
from tests.blocks.telegram.cards import NOW, card, confirmation, settled

ASKED = card(confirmation(), expires_at=NOW + timedelta(hours=2))
ENDED = settled(confirmation(), Status.ACCEPTED)


def _notice(user: int, asked: Card = ASKED) -> ReminderNotice:
    return ReminderNotice(asked, 1, 2, (Named(Identity(provider="telegram", user=str(user)), "Ana"),), NOW, "UTC")


async def _posted(one: Connected) -> tuple[int, int, Posted]:
    """Ana, a group that she is in, and the card that was posted there."""
    ana = ana_in(one)
    group = one.stand_in.scene.create_group("Ops", [ana])
    return ana, group.id, await one.adapter.channel.post(ASKED, publication(group.id))


async def test_a_reminder_answers_its_card_rings_for_whom_it_calls_and_ends_without_ringing() -> None:
    async with connected(polls=True) as one:
        ana, group, posted = await _posted(one)
        own = publication(group, posted=posted)
        where = await one.adapter.channel.remind(_notice(ana), own)
        shown = one.stand_in.world.message(group, int(where.message))
        assert shown is not None
        assert (shown.reply_to, shown.notified, shown.silent) == (int(posted.message), (ana,), False)
        assert shown.text.startswith("🔔 Reminder 1 of 2\nAna: “Delete it?” still waits for your answer.")
        for _ in range(2):  # that it says so already is no error
            await one.adapter.channel.end_reminder(_notice(ana, ENDED), own, where)
        shown = one.stand_in.world.message(group, int(where.message))
        assert shown is not None
        assert shown.text.startswith("🔕 “Delete it?”: no longer waiting.")


async def test_a_reminder_of_a_card_that_was_deleted_arrives_all_the_same() -> None:
    async with connected(polls=True) as one:
        ana, group, posted = await _posted(one)
        await one.adapter.channel._client.delete(posted.channel, posted.message)
        where = await one.adapter.channel.remind(_notice(ana), publication(group, posted=posted))
        shown = one.stand_in.world.message(group, int(where.message))
        assert shown is not None
        assert shown.reply_to is None


async def test_a_reminder_that_was_deleted_is_gone() -> None:
    async with connected(polls=True) as one:
        ana, group, posted = await _posted(one)
        own = publication(group, posted=posted)
        where = await one.adapter.channel.remind(_notice(ana), own)
        await one.adapter.channel._client.delete(where.channel, where.message)
        with pytest.raises(MessageGone):
            await one.adapter.channel.end_reminder(_notice(ana, ENDED), own, where)


@pytest.mark.parametrize(
    ("kind", "error"),
    [(FaultKind.DROP_AFTER, Ambiguous), (FaultKind.RATE_LIMITED, Transient)],
)
async def test_a_reminder_is_sent_once_and_never_repeated_here(kind: FaultKind, error: type[ChannelError]) -> None:
    async with connected(polls=True) as one:
        ana, group, posted = await _posted(one)
        before = len(one.stand_in.journal.of("sendMessage"))
        one.stand_in.fail(kind, "sendMessage", chat_id=group)
        with pytest.raises(error):
            await one.adapter.channel.remind(_notice(ana), publication(group, posted=posted))
        assert len(one.stand_in.journal.of("sendMessage")) == before + 1


async def test_a_list_of_what_waits_is_sent_with_the_way_to_the_inbox() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        inbox = "https://sayso.example.com/inbox"
        made = DigestNotice((ASKED,), 0, held=False, now=NOW, zone="UTC", inbox_url=inbox, link_ok=True)
        to = SendDigest(provider="telegram", account="b", channel=str(ana), person="per_1", until=NOW)
        where = await one.adapter.channel.digest(made, to)
        shown = one.stand_in.world.message(ana, int(where.message))
        assert shown is not None
        assert shown.text.startswith("What waits for you today\n\n• Delete it?\nIt expires in 2 h (11:00 UTC).")
        assert [button["url"] for button in shown.content.buttons()] == [inbox]

"""Reminders, lists and the form for later through the Slack adapter, over sockets against the stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.slack.forms import BOTH, NEITHER
from bot.sandbox.slack.drawing import notifies
from bot.sandbox.slack.faults import FaultKind
from bot.sandbox.slack.seen import NotOnScreen
from core.cards import Card
from core.channels import Posted
from core.controls import Action
from core.errors import Ambiguous, ChannelError, MessageGone, Transient
from core.notices import DigestNotice, Named, ReminderNotice
from core.outbox import SendDigest
from core.people import Identity
from core.publications import Publication
from core.records import Status
from core.replies import Saved, Told
from tests.adapters.slack.rooms import ANA, Room, form_of, pressed, publication, room, submitted
from tests.blocks.slack.cards import CODEC, IN_AN_HOUR, NOW, card, confirmation, labels, settled, shown

ASKED = card(confirmation(), expires_at=IN_AN_HOUR)
ENDED = settled(confirmation(), Status.ACCEPTED, answer={"accepted": True})
INBOX = "https://sayso.example.com/inbox"


@pytest.fixture
async def own() -> AsyncIterator[Room]:
    async with room() as made:
        yield made


def _notice(asked: Card = ASKED) -> ReminderNotice:
    return ReminderNotice(asked, 1, 3, (Named(ANA, "Ana"),), NOW, "UTC")


def _copy(posted: Posted, **more: Any) -> Publication:
    return publication(channel=posted.channel, message=posted.message, **more)


async def test_a_reminder_under_a_card_is_shown_in_the_channel_calls_people_and_ends(own: Room) -> None:
    copy = _copy(await own.post(ASKED))
    where = await own.adapter.channel.remind(_notice(), copy)
    sent = own.message(where)
    assert (sent.thread_ts, sent.broadcast, notifies(sent)) == (copy.message, True, ["UANA"])
    assert [one.ts for one in own.ben.messages("CGEN")][-1] == sent.ts
    await own.adapter.channel.end_reminder(_notice(ENDED), copy, where)
    ended = own.message(where)
    assert "no longer waiting. Ana accepted this" in shown(list(ended.blocks))
    assert notifies(ended) == []
    assert (ended.thread_ts, ended.broadcast) == (copy.message, True)


async def test_a_reminder_in_somebody_elses_thread_stays_there(own: Room) -> None:
    parent = await own.post(ASKED)
    copy = _copy(await own.post(ASKED, thread=parent.message), thread=parent.message)
    sent = own.message(await own.adapter.channel.remind(_notice(), copy))
    assert (sent.thread_ts, sent.broadcast) == (parent.message, False)


async def test_a_reminder_in_a_direct_message_is_seen_there_and_calls_nobody_by_name(own: Room) -> None:
    copy = _copy(await own.post(ASKED, "UANA"))
    sent = own.message(await own.adapter.channel.remind(_notice(), copy))
    assert own.ana.messages(sent.channel)[-1].ts == sent.ts
    assert notifies(sent) == []


async def test_a_reminder_that_was_deleted_is_gone(own: Room) -> None:
    copy = _copy(await own.post(ASKED))
    where = await own.adapter.channel.remind(_notice(), copy)
    own.slack.platform.world.delete_message(own.message(where))
    with pytest.raises(MessageGone):
        await own.adapter.channel.end_reminder(_notice(ENDED), copy, where)


@pytest.mark.parametrize(("kind", "error"), [(FaultKind.DROP_AFTER, Ambiguous), (FaultKind.RATE_LIMITED, Transient)])
async def test_a_reminder_is_sent_once_and_never_repeated_here(
    own: Room, kind: FaultKind, error: type[ChannelError]
) -> None:
    copy = _copy(await own.post(ASKED))
    before = len(own.calls("chat.postMessage"))
    own.slack.fail(kind, "chat.postMessage")
    with pytest.raises(error):
        await own.adapter.channel.remind(_notice(), copy)
    assert len(own.calls("chat.postMessage")) == before + 1


async def test_a_list_of_what_waits_goes_to_the_person_with_the_way_to_the_inbox(own: Room) -> None:
    made = DigestNotice((ASKED,), 2, held=False, now=NOW, zone="UTC", inbox_url=INBOX, link_ok=True)
    to = SendDigest(provider="slack", account="T0ACME", channel="UANA", person="per_1", until=NOW)
    sent = own.message(await own.adapter.channel.digest(made, to))
    assert own.ana.messages(sent.channel)[-1].ts == sent.ts
    assert "What waits for you today" in shown(list(sent.blocks))
    assert labels(list(sent.blocks)) == ["Open full form", "Open inbox"]


async def test_the_menu_of_a_card_is_pressed_by_what_it_says(own: Room) -> None:
    await own.post(ASKED)
    own.intake.replies(Told("Waiting for Ana."))
    seen = await own.ana.press(option="Who is it waiting for?", watch=1)
    assert CODEC.unpack(pressed(own).token).action is Action.AWAITED
    assert "Waiting for Ana." in str(seen.private)


async def _opened(own: Room) -> None:
    await own.post(ASKED)
    own.intake.replies(form_of(ASKED, Action.PUT_OFF))
    seen = await own.ana.press(option="Another time or person…", watch=1)
    assert seen.modal is not None
    own.intake.replies(Saved("I will remind you.", unseen=True))


async def test_a_time_chosen_in_the_form_puts_off(own: Room) -> None:
    await _opened(own)
    at = datetime(2026, 12, 4, 9, 30, tzinfo=UTC)
    await own.ana.fill_in({"Remind me on": int(at.timestamp())})
    seen = await own.ana.submit(watch=1)
    assert "I will remind you." in str(seen.private)
    arrival = submitted(own)
    assert CODEC.unpack(arrival.token, str(ANA)).action is Action.PUT_OFF
    assert (arrival.fields["until"], arrival.fields["to"], arrival.named) == (at.isoformat(), "", None)


async def test_a_person_chosen_in_the_form_is_named_by_their_account(own: Room) -> None:
    await _opened(own)
    await own.ana.fill_in({"Or hand it to": "UBEN"})
    assert (await own.ana.submit()).errors == {}
    arrival = submitted(own)
    assert CODEC.unpack(arrival.token, str(ANA)).action is Action.DELEGATE
    assert arrival.named == Identity(provider="slack", account="T0ACME", user="UBEN")


async def test_the_form_takes_one_of_the_two_and_says_so_beside_its_fields(own: Room) -> None:
    await _opened(own)
    assert (await own.ana.submit()).errors == {"until:1": NEITHER}
    await own.ana.fill_in({"Remind me on": int((NOW + timedelta(days=1)).timestamp()), "Or hand it to": "UBEN"})
    assert (await own.ana.submit()).errors == {"to:1": BOTH}
    assert len(own.intake.arrived) == 1, "nothing but the press that opened it"


@pytest.mark.parametrize(
    ("field", "value"), [("Or hand it to", "UNONE"), ("Remind me on", 12), ("Remind me on", "tomorrow")]
)
async def test_nobody_can_send_what_a_picker_does_not_give(own: Room, field: str, value: object) -> None:
    await _opened(own)
    with pytest.raises(NotOnScreen):
        await own.ana.fill_in({field: value})

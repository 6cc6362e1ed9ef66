"""A list in place of too many reminders, on its way out: it has what would still be reminded of, and comes once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bot.authority import Authority
from bot.chats import Chats
from bot.errands.noting import Notes
from bot.errands.reminding import ReminderErrands
from bot.listing import Listing
from bot.pace import Pace
from bot.telemetry import Telemetry
from bot.turns import OwnTurns
from bot.waking import wake
from core.acts import Dismiss
from core.addresses import Provider
from core.cards import Card
from core.channels import Channel, Posted
from core.controls import Action
from core.dues import LEASE, DueKind
from core.errors import ChannelError, Transient
from core.loops.access import PersonSpeaks
from core.loops.acts import Acknowledge, NoAction
from core.loops.asking import Order
from core.loops.cards import LoopCard
from core.loops.owed import SayNudge
from core.notices import DigestNotice
from core.outbox import Lane, Remind, SendDigest
from core.people import Membership, Standing, Via
from core.ports import Connection
from core.use_cases.change import operate
from core.use_cases.fires import FIRES
from core.use_cases.loops import dispatch, move_as
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import ANA, BUILDER, HERE, OPAL, identity_on
from tests.use_cases.clockwork import asked
from tests.use_cases.floor import Asked
from tests.use_cases.test_reminding import quiet

ALL, ASIDE, PUT_OFF, ANSWERED = range(4)


class Died(BaseException):
    """The process is gone."""


@dataclass
class Chat:
    """A chat that keeps the lists it is sent, and fails as it is told."""

    provider: Provider = Provider.SLACK
    account: str = "T1"
    lists: list[DigestNotice] = field(default_factory=list)
    fails: list[BaseException] = field(default_factory=list)

    def message_url(self, channel: str, message: str, _thread: str | None) -> str:
        return f"https://acme.slack.com/{channel}/{message}"

    async def digest(self, made: DigestNotice, to: SendDigest) -> Posted:
        self.lists.append(made)
        if self.fails:
            raise self.fails.pop(0)
        return Posted(to.channel, str(len(self.lists)))


@dataclass
class Desk:
    b: Bench
    chat: Chat
    errands: ReminderErrands
    said: list[str] = field(default_factory=list)

    async def send(self, **later: float) -> list[str]:
        """Let time pass and do what is due and owed; the titles of the list that was sent then."""
        self.b.clock.move(**later)
        await wake(self.b.context, self.b.store.dues, FIRES, lambda *_: None)
        now, before = self.b.clock.now(), len(self.chat.lists)
        for claimed in await self.b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, f"desk {now}", 50):
            match claimed.delivery.task:
                case SendDigest() as task:
                    await self.errands.send_digest(claimed, task)
                case (Remind() | SayNudge()) as task:
                    self.said += [task.loop] if isinstance(task, SayNudge) else []
                    async with self.b.store.work() as work:
                        await work.finish(claimed)
                        await work.commit()
                case other:
                    raise AssertionError(other)
        listed = [one for made in self.chat.lists[before:] for one in made.entries]
        return [one.loop.title if isinstance(one, LoopCard) else one.interaction.content.title for one in listed]


@pytest.fixture
async def desk(sqlite_store_url: str) -> AsyncIterator[Desk]:
    async with bench(sqlite_store_url) as b:
        chats, chat = Chats(b.context, b.store.records, HERE), Chat()
        chats.adopt(Connection("con_1", HERE, Provider.SLACK, "T1", "Sayso", "U0"), cast("Channel", chat))
        listing = Listing(
            b.context,
            b.store.records,
            Authority(b.context, b.store.records, lambda *_: cast("Any", {"T1": Asked()})),
            lambda *_: {"T1": cast("Channel", chat)},
            link_ok=True,
        )
        yield Desk(
            b, chat, ReminderErrands(Notes(b.context, chats, Telemetry(), Pace(OwnTurns())), listing, link_ok=True)
        )


async def held(desk: Desk, **nudges: str) -> list[str]:
    """Four cards of Ana's whose reminders are held, because she had three within the hour already."""
    plan = {"every": "10m", "max": 1}
    for number in range(3):
        await asked(desk.b, plan, to="slack:T1.U1", title=f"First {number}")
    await desk.send(minutes=10)
    ids = [await asked(desk.b, {**plan, **nudges}, to="slack:T1.U1", title=f"Card {n}") for n in range(4)]
    assert await desk.send(minutes=10) == []
    return ids


async def order(desk: Desk, name: str, **more: Any) -> str:
    """The id of a work order for Ana, who is reminded of it in ten minutes, and of nothing after that for long."""
    fields = {"to": "person:ana", "title": name, "id": name, "due": "20m", "nudges": {"every": "10m", "max": 1}, **more}
    await dispatch(desk.b.context, Order.model_validate(fields), BUILDER)
    async with desk.b.store.work() as work:
        made = await work.loop_named(HERE, name)
    assert made is not None
    return made.id


async def test_cards_and_work_orders_are_counted_together_and_listed_in_one(desk: Desk) -> None:
    for number in range(2):
        await asked(desk.b, {"every": "10m", "max": 1}, to="slack:T1.U1", title=f"First {number}")
    first = await order(desk, "wo-1")
    assert await desk.send(minutes=10) == []
    assert desk.said == [first], "three of them are not too many"
    await asked(desk.b, {"every": "10m", "max": 1}, to="slack:T1.U1", title="Fourth")
    for number, due in ((2, "20m"), (3, "3h"), (4, "30m"), (5, "40m")):
        await order(desk, f"wo-{number}", due=due, nudges={"every": "10m" if number != 3 else "170m", "max": 1})
    assert await desk.send(minutes=40) == []
    assert desk.said == [first], "what would be the fourth is held"
    ana = PersonSpeaks(ANA, identity_on(ANA, Provider.SLACK), Standing(), Membership.YES, Via.SLACK)
    await move_as(desk.b.context, HERE, "wo-3", Acknowledge(), ana)
    await move_as(desk.b.context, HERE, "wo-4", NoAction("Not needed."), ana)
    # What has a deadline first. What was acknowledged before it was late, and what has ended, is not reminded of.
    assert await desk.send(minutes=20) == ["wo-2", "wo-5", "Fourth"]
    assert desk.chat.lists[0].held
    assert await desk.send(hours=5) == []


@pytest.mark.parametrize("place", ["U1", "C1"])
async def test_its_entries_lead_to_their_messages(desk: Desk, place: str) -> None:
    for number in range(5):
        await asked(desk.b, {"every": "10m", "max": 1}, to=f"slack:T1.{place}", title=f"Card {number}")
    await desk.send(minutes=10)
    assert await desk.send(hours=1, minutes=1)
    for one in desk.chat.lists[0].entries:
        assert isinstance(one, Card)
        assert one.message_url == f"https://acme.slack.com/{place}/{one.interaction.id}-m1"


async def test_the_list_of_the_morning_has_work_orders_as_well(desk: Desk) -> None:
    await order(desk, "wo-1", due="3d", nudges={"max": 0})
    await asked(desk.b, {"every": "1d", "max": 1}, to="slack:T1.U1", title="A question")
    async with desk.b.store.work() as work:
        await work.save_person(ANA.model_copy(update={"digest": "14:05", "timezone": "UTC"}))
        await work.set_due(DueKind.DIGEST, ANA.id, HERE, desk.b.clock.now())
        await work.commit()
    assert await desk.send(minutes=1) == ["wo-1", "A question"]
    assert not desk.chat.lists[0].held


async def test_what_was_set_aside_put_off_or_answered_is_not_in_it(desk: Desk) -> None:
    ids = await held(desk)
    await operate(desk.b.context, HERE, ids[ASIDE], Dismiss(), OPAL, identity_on(OPAL, Provider.SLACK))
    await desk.b.press(ANA, ids[PUT_OFF], Action.SNOOZE, option=1)
    await desk.b.press(ANA, ids[ANSWERED], Action.ACCEPT)
    assert await desk.send(minutes=50) == ["Card 0"]
    assert desk.chat.lists[0].held


async def test_with_nothing_left_in_it_there_is_none(desk: Desk) -> None:
    for id in await held(desk):
        await operate(desk.b.context, HERE, id, Dismiss(), OPAL, identity_on(OPAL, Provider.SLACK))
    assert await desk.send(minutes=50) == []
    assert await desk.send(hours=5) == []


async def test_it_waits_for_the_end_of_quiet_hours(desk: Desk) -> None:
    await held(desk, quiet=f"{quiet(60, 240)} UTC")
    assert await desk.send(minutes=50) == []
    assert await desk.send(minutes=169) == []
    assert await desk.send(minutes=1) == ["Card 0", "Card 1", "Card 2", "Card 3"]


@pytest.mark.parametrize(
    ("failure", "again"), [(Transient("later"), 1), (Died(), 0)], ids=["certainly not sent", "nobody knows"]
)
async def test_it_is_sent_again_only_when_it_was_certainly_not_sent(
    desk: Desk, failure: ChannelError | Died, again: int
) -> None:
    await held(desk)
    desk.chat.fails = [failure]
    try:
        assert len(await desk.send(minutes=50)) == 4
    except Died:
        assert again == 0
    await desk.send(minutes=10)
    assert len(desk.chat.lists) == 1 + again


async def test_one_whose_turn_had_not_come_when_its_process_died_is_sent(desk: Desk) -> None:
    await held(desk)
    desk.b.clock.move(minutes=50)
    await wake(desk.b.context, desk.b.store.dues, FIRES, lambda *_: None)
    now = desk.b.clock.now()
    assert len(await desk.b.store.outbox.claim([Lane.NUDGE], now, now + LEASE, "waits for its turn", 9)) == 1
    assert len(await desk.send(minutes=1)) == 4

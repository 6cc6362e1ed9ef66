"""Socket Mode: two connections that survive refreshes, hang-ups, silence and a Slack that is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from adapters.inbound import AnyArrival
from adapters.slack import SlackAdapter, SlackSettings, sockets
from bot.sandbox.slack.faults import FaultKind
from core.errors import ChannelError, InstallationDead, Misconfigured, Transient
from core.loops.replies import LoopReply
from core.replies import Quiet
from tests.adapters.slack.apps import serving
from tests.adapters.slack.rooms import FakeIntake, Room, SystemClock, room
from tests.blocks.slack.cards import CODEC, card, confirmation

CONFIRM = card(confirmation(accept_label="Delete it"))


@pytest.fixture
async def own(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    monkeypatch.setattr(sockets, "PING", 0.1)
    monkeypatch.setattr(sockets, "LOOK", 0.1)
    monkeypatch.setattr(sockets, "GAPS", (0.05,))
    async with room(socket=True) as made:
        await asyncio.wait_for(made.slack.platform.sockets.wait_for(2), 10)
        yield made


async def expect_press_works(own: Room) -> None:
    own.intake.arrived.clear()
    own.intake.replies(Quiet())
    seen = await own.ana.press("Delete it")
    assert (seen.status, seen.trouble) == (200, None)
    assert len(own.intake.arrived) == 1


async def until(own: Room, holds: Callable[[], bool]) -> None:
    """Return once something holds, looking whenever a connection opened or closed."""
    async with asyncio.timeout(20):
        while not holds():
            await own.slack.platform.sockets._changed.wait()


async def expect_reconnected(own: Room, times: int) -> None:
    """Return once connections were asked for so often and two are open."""
    await until(own, lambda: len(own.calls("apps.connections.open")) >= times and own.slack.platform.sockets.count >= 2)


async def test_two_connections_are_open(own: Room) -> None:
    assert own.slack.platform.sockets.count == 2


@pytest.mark.parametrize("reason", ["refresh_requested", "warning"])
async def test_a_refresh_loses_no_press(own: Room, reason: str) -> None:
    await own.post(CONFIRM)
    await own.slack.platform.sockets.refresh(reason)
    await expect_reconnected(own, 4)
    await expect_press_works(own)


async def test_connections_that_drop_are_opened_again(own: Room) -> None:
    await own.post(CONFIRM)
    await own.slack.platform.sockets.hang_up()
    await expect_reconnected(own, 4)
    await expect_press_works(own)


async def test_trouble_while_reconnecting_is_outlived(own: Room) -> None:
    await own.post(CONFIRM)
    own.slack.fail(FaultKind.STATUS, "apps.connections.open", status=500, count=3)
    await own.slack.platform.sockets.hang_up()
    await expect_reconnected(own, 7)
    await expect_press_works(own)


async def test_a_connection_that_carries_nothing_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "LOOK", 0.05)
    monkeypatch.setattr(sockets, "IDLE", 0.3)
    async with room(socket=True) as own:
        await expect_reconnected(own, 5)
        await own.post(CONFIRM)


async def test_closing_closes_every_connection(own: Room) -> None:
    await own.adapter.close()
    await until(own, lambda: own.slack.platform.sockets.count == 0)
    assert own.slack.platform.sockets.count == 0


async def test_a_wrong_app_token_is_told_at_once() -> None:
    async with serving() as slack:
        given = SlackSettings(slack.bot_token, app_token="xapp-1-wrong", api_url=slack.api_url)
        adapter = SlackAdapter(given, CODEC, FakeIntake(), SystemClock())
        with pytest.raises(Misconfigured):
            await adapter.connect_socket()
        await adapter.start()
        with pytest.raises(InstallationDead):
            await adapter.connect_socket()
        await adapter.close()


async def test_a_bot_token_is_no_app_token() -> None:
    async with serving() as slack:
        given = SlackSettings(slack.bot_token, app_token=slack.bot_token, api_url=slack.api_url)
        adapter = SlackAdapter(given, CODEC, FakeIntake(), SystemClock())
        await adapter.start()
        with pytest.raises(ChannelError, match="wrong kind"):
            await adapter.connect_socket()
        await adapter.close()


@dataclass
class FakeSlots:
    """As many slots as the test says; `dropped` once they were given back."""

    left: int
    is_away: bool = False
    dropped: bool = False

    async def hold(self, wanted: int) -> int:
        if self.is_away:
            raise Transient("the database is away")
        return min(self.left, wanted)

    async def drop(self) -> None:
        self.dropped = True


async def test_only_as_many_connections_are_open_as_there_are_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SLOT_GAP", 0.02)
    slots = FakeSlots(0)
    async with room(socket=True, slots=slots) as own:
        # Nothing is left for this process: that is no trouble, and it is not waited for.
        assert own.slack.platform.sockets.count == 0
        for slots.left in (1, 2, 1, 2):
            await until(own, lambda: own.slack.platform.sockets.count == slots.left)
        await own.post(CONFIRM)
        await expect_press_works(own)
    assert slots.dropped
    assert own.slack.platform.sockets._made == 3


async def test_a_connection_is_not_given_up_under_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SLOT_GAP", 0.02)
    slots = FakeSlots(2)
    async with room(socket=True, slots=slots) as own:
        await until(own, lambda: own.slack.platform.sockets.count == 2)
        await own.post(CONFIRM)
        begun, done = asyncio.Event(), asyncio.Event()

        async def answer(_: AnyArrival) -> LoopReply:
            begun.set()
            await done.wait()
            return Quiet()

        own.intake.answer = answer
        press = asyncio.create_task(own.ana.press("Delete it"))
        await begun.wait()
        slots.left = 0
        await until(own, lambda: own.slack.platform.sockets.count == 1)
        done.set()
        seen = await press
        assert (seen.status, seen.trouble) == (200, None)
        await until(own, lambda: own.slack.platform.sockets.count == 0)


async def test_slots_that_cannot_be_held_on_to_are_used_until_they_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SLOT_GAP", 0.02)
    slots = FakeSlots(2)
    async with room(socket=True, slots=slots) as own:
        await until(own, lambda: own.slack.platform.sockets.count == 2)
        slots.is_away = True
        await own.post(CONFIRM)
        await expect_press_works(own)
        monkeypatch.setattr(sockets, "LEASE", 0.0)  # now they are over
        await until(own, lambda: own.slack.platform.sockets.count == 0)
        slots.is_away = False
        await until(own, lambda: own.slack.platform.sockets.count == 2)

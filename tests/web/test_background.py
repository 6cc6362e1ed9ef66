"""What goes on by itself: it does not end unnoticed, and connecting to a chat does not end at all."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest
from structlog.testing import capture_logs

from bot.background import Pauses, begin
from bot.chats import CONNECTING, Chats, Identified
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.channels import Channel
from core.errors import Transient
from tests.web.calling import Calling


async def test_work_that_fails_by_itself_is_logged_when_it_happens() -> None:
    async def fails() -> None:
        raise LookupError("the table is gone")

    with capture_logs() as logged:
        task = begin(fails(), "relay")
        await asyncio.wait([task])
    assert [(one["log_level"], one["task"], str(one["exc_info"])) for one in logged] == [
        ("error", "relay", "the table is gone")
    ]


async def test_work_that_is_stopped_says_nothing() -> None:
    with capture_logs() as logged:
        task = begin(asyncio.sleep(60), "relay")
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    assert logged == []


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Transient("Slack is busy"), "Slack is busy"),  # what a provider may answer
        (KeyError("team_id"), "not foreseen"),  # what no provider should answer
    ],
)
async def test_connecting_goes_on_whatever_goes_wrong_and_says_why(api: Calling, trouble: Exception, said: str) -> None:
    chats = Chats(api.services.context, api.store.records, "wsp_1")
    seen: list[str] = []

    async def step() -> None:
        seen.append(chats.problems.get("slack", ""))
        if len(seen) == 1:
            raise trouble

    await chats.keep_trying("slack", step)
    assert seen[0] == CONNECTING
    assert said in seen[1]
    assert chats.problems == {}


async def test_an_arrival_that_comes_before_its_account_is_entered_waits_for_it(
    api: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    chats = Chats(api.services.context, api.store.records, WORKSPACE)
    chats.expect(Provider.SLACK)
    monkeypatch.setattr("bot.chats.ENTERING", 0.05)
    with pytest.raises(Transient):
        await chats.connection(Provider.SLACK, "T9")
    monkeypatch.setattr("bot.chats.ENTERING", 30.0)
    assert await chats.connection(Provider.TELEGRAM, "bot") is None  # nothing is expected there

    async def identify() -> Identified:
        return Identified("T9", "Acme", "U9BOT", cast("Channel", None))

    arrived = asyncio.create_task(chats.connection(Provider.SLACK, "T9"))
    await asyncio.sleep(0)
    await chats.connect(Provider.SLACK, identify)
    found = await arrived
    assert found is not None
    assert found.account == "T9"
    assert await chats.connection(Provider.SLACK, "T8") is None  # somebody else's


async def test_a_pause_is_as_long_as_what_was_done_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    now = [100.0]

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    monkeypatch.setattr("bot.background.asyncio", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr("bot.background.time", SimpleNamespace(monotonic=lambda: now[0]))
    rest = Pauses()
    for took in (0.0, 0.3, 0.01, 60.0):
        now[0] += took
        await rest()
    assert waited == [pytest.approx(one) for one in (0.05, 0.3, 0.05, 2.0)]

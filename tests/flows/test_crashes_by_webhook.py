"""Telegram by webhook: what a killed process took in, or did not, comes again and counts once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.flows.crashing import Crashing, crashing, writing_held
from tests.flows.gate import Stage
from tests.flows.killable import Nursery
from tests.flows.rig import TG_ANA, sqlite_at


@pytest.fixture
async def r(nursery: Nursery, tmp_path: Path) -> AsyncIterator[Crashing]:
    """A service on SQLite that Telegram delivers to."""
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as made:
        made.service.settings |= {"telegram_webhook_secret": "w" * 32, "sayso_public_url": made.to_us.url}
        await made.service.start()
        yield made


async def test_an_update_that_was_not_stored_is_delivered_again(r: Crashing, tmp_path: Path) -> None:
    asked = await r.posted((await r.ask(to=f"telegram:{r.group}"))["id"])
    with writing_held(tmp_path):
        tap = await r.telegram.human.press(TG_ANA, r.group, "Yes", wait=0.3)
        assert tap.answer is None
        await r.service.kill()
    await r.service.start()
    await r.expect_consistent(asked["id"], "answered")
    assert (await r.telegram.human.answered(tap.id)).text == "Saved: Yes"
    r.expect_quiet_log()


async def test_an_update_that_was_stored_unheard_counts_once_when_it_is_delivered_again(r: Crashing) -> None:
    asked = await r.posted((await r.ask(to=f"telegram:{r.group}"))["id"])
    stopped = r.to_us.stop("/telegram/webhook", "callback_query", stage=Stage.ANSWER)
    await r.telegram.human.press(TG_ANA, r.group, "Yes", wait=0.01)
    await stopped.wait()
    await r.service.kill()
    await r.service.start()
    await r.telegram.until(lambda: r.telegram.journal.deliveries[-1].status == 200, 20)
    await r.expect_consistent(asked["id"], "answered")
    assert [one["type"] for one in await r.receipts(asked["id"])] == ["created", "answered"]
    r.expect_quiet_log()

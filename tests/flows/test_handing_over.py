"""Who fetches a bot's updates is killed or stopped: another process goes on, soon."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.telegram.polling import HOLD_GAP, LEASE
from tests.flows.crashing import crashing
from tests.flows.killable import Nursery
from tests.flows.rig import TG_ANA, confirmation

MARGIN = 3.0
"""Seconds that everything but the waiting for the lease may take."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "bound"),
    [
        pytest.param("kill", LEASE + HOLD_GAP, id="killed: the lease has to lapse"),
        pytest.param("stop", HOLD_GAP, id="stopped: the lease is given back"),
    ],
)
async def test_a_press_is_answered_soon_after_whoever_fetched_is_gone(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path, how: str, bound: float
) -> None:
    async with crashing(nursery, fresh_database(), tmp_path, processes=2) as r:
        for one in r.lives:
            await one.start()  # the first one takes the lease
        card = (await r.api.post("/v1/interactions", json=confirmation(reason="none", to=f"telegram:{r.group}"))).json()
        copy = (await r.posted(card["id"]))["publications"][0]
        await (r.lives[0].kill() if how == "kill" else r.lives[0].stop())
        since = time.monotonic()
        await r.telegram.human.press(TG_ANA, r.group, "Deploy", message_id=int(copy["message"]), wait=0)
        r.api.base_url = r.lives[1].url
        settled = await r.shown_settled(card["id"], 40)
        took = time.monotonic() - since
        assert settled["status"] == "accepted"
        assert took <= bound + MARGIN, f"{took:.1f} s"

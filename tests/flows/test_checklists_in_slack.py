"""A checklist in Slack through the whole service: people with different views, ticks taken back, and completing it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.flows.rig import ANA, BEA, CHANNEL, Rig, eventually, rig, sqlite_at

ITEMS = ("Notes", "Canary", "On-call", "Rollback")


async def asked(r: Rig, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    items = [{"id": label.lower(), "label": label} for label in ITEMS]
    made = await r.ask(kind="checklist", title="Before the release", payload={"items": items, **more})
    card = await r.posted(made["id"])
    return card, {"channel": CHANNEL, "ts": card["publications"][0]["message"]}


async def expect_ticked(r: Rig, here: dict[str, Any], *labels: str) -> None:
    """Wait until the card shows exactly these ticked to somebody who has touched nothing since."""

    async def look() -> bool:
        return set(r.slack.person(BEA).ticked(**here)) == set(labels)

    await eventually(look)


async def test_nobodys_tick_is_lost_to_another_view_of_the_list(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        card, here = await asked(r, min=3)
        ana, bea = r.slack.person(ANA), r.slack.person(BEA)
        await bea.freeze()
        await ana.tick("Notes", **here)
        await ana.tick("Canary", **here)
        await bea.tick("Rollback", **here)
        await bea.refresh()
        await expect_ticked(r, here, "Notes", "Canary", "Rollback")
        assert set(ana.ticked(**here)) == {"Notes", "Canary", "Rollback"}
        await bea.untick("Canary", **here)
        await ana.tick("On-call", **here)
        await expect_ticked(r, here, "Notes", "On-call", "Rollback")
        await ana.press("Submit", **here)
        ended = await r.shown_settled(card["id"])
        assert ended["outcome"]["answer"]["selected"] == ["notes", "on-call", "rollback"]
        receipts = (await r.api.get(f"/v1/interactions/{card['id']}/receipts")).json()["items"]
        assert [one["type"] for one in receipts].count("ticked") == 5


async def test_second_thoughts_count_also_before_the_card_is_drawn_again(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        _, here = await asked(r)
        ana = r.slack.person(ANA)
        await ana.freeze()
        await ana.tick("Notes", **here)
        await ana.tick("Canary", **here)
        seen = await ana.untick("Notes", **here)
        assert seen.private == ()
        await ana.refresh()
        await expect_ticked(r, here, "Canary")


async def test_everybody_ticking_at_once_adds_up(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        _, here = await asked(r)
        ana, bea = r.slack.person(ANA), r.slack.person(BEA)
        await asyncio.gather(*(one.freeze() for one in (ana, bea)))
        await asyncio.gather(ana.tick("Notes", **here), bea.tick("Canary", **here), ana.tick("On-call", **here))
        await asyncio.gather(*(one.refresh() for one in (ana, bea)))
        await expect_ticked(r, here, "Notes", "Canary", "On-call")

"""The page that says who changed what: for operators, by pages; others learn nothing of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.startup import WORKSPACE
from core.people import Role
from core.use_cases.directory import add_person
from tests.web.visiting import Stage, staged


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


async def test_operators_read_it_a_page_at_a_time(stage: Stage) -> None:
    for number in range(51):
        await add_person(stage.context, WORKSPACE, f"p{number}", "<b>P</b>", Role.MEMBER, [])
    ana = stage.browser()
    await ana.sign_in()
    page = await ana.open("/audit")
    assert "added the person p50" in page.text
    assert "added the person p0:" not in page.text
    assert "<b>P</b>" not in page.text
    older = await ana.open(page.text.partition('href="/audit?after=')[2].partition('"')[0].join(("/audit?after=", "")))
    assert "added the person p0:" in older.text
    assert "added the person p50" not in older.text
    assert (await ana.open("/audit?after=nonsense")).status_code == 400


async def test_others_find_nothing_there(stage: Stage) -> None:
    stranger = stage.browser()
    assert (await stranger.open("/audit")).url.path == "/signin"
    ben = stage.browser()
    await ben.sign_in("ben")
    assert (await ben.open("/audit")).status_code == 404
    assert "/audit" not in (await ben.open("/inbox")).text

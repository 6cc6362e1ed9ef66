"""The settings on the inbox: whose zone times are told in, and the list of the morning."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import datetime
from html import unescape

import pytest

from bot.startup import WORKSPACE
from core.audience import Candidate
from core.dues import DueKind
from core.people import Person, Standing, Via
from core.quiet import WorkingCalendar
from core.use_cases.later import put_off
from core.use_cases.settings import set_calendar
from tests.web.visiting import ANA, NOW, Browser, Stage, question, staged

FOR_ANA = {"audience": {"answerers": ["person:ana"]}, "to": "review"}


@pytest.fixture
async def stage(store_url: str) -> AsyncIterator[Stage]:
    async with staged(store_url) as opened:
        yield opened


@pytest.fixture
async def ana(stage: Stage) -> Browser:
    browser = stage.browser()
    await browser.sign_in()
    return browser


def said(browser: Browser) -> str:
    """The words of the page that is open."""
    return unescape(re.sub(r"<[^>]*>", " ", browser.text))


async def person(stage: Stage) -> Person:
    found = await stage.store.records.person(WORKSPACE, "per_ana")
    assert found is not None
    return found


async def list_due(stage: Stage) -> datetime | None:
    async with stage.store.work() as work:
        row = await work.due(DueKind.DIGEST, "per_ana")
    return row.due_at if row else None


async def test_a_zone_and_a_list_are_set_moved_and_taken_back(stage: Stage, ana: Browser) -> None:
    await ana.open("/inbox")
    assert "Times are told in UTC time" in said(ana)
    assert '<option value="Europe/Madrid">' in ana.text
    assert (await ana.send("/inbox", {"zone": " europe/madrid ", "list": "on", "at": "8:30"})).status_code == 200
    assert "Saved. Your next list comes on 3 Dec 2026, 08:30 CET." in said(ana)
    assert ((await person(stage)).timezone, (await person(stage)).digest) == ("Europe/Madrid", "08:30")
    assert await list_due(stage) == NOW.replace(day=3, hour=7, minute=30)
    assert re.search(r'id="list"[^>]* checked', ana.text)
    await ana.send("/inbox", {"zone": "America/New_York", "list": "on", "at": "08:30"})
    assert await list_due(stage) == NOW.replace(hour=13, minute=30)
    await ana.send("/inbox", {"zone": "", "at": "08:30"})
    assert "Saved. You get no list." in said(ana)
    assert ((await person(stage)).timezone, (await person(stage)).digest) == (None, None)
    assert await list_due(stage) is None


async def test_what_is_wrong_is_told_at_its_field_and_nothing_is_kept(stage: Stage, ana: Browser) -> None:
    await ana.open("/inbox")
    page = await ana.send("/inbox", {"zone": "Europe/<b>", "list": "on", "at": "25:00"})
    assert page.status_code == 422
    for name, told in (("zone", "There is no time zone called Europe/&lt;b&gt;"), ("at", "Write a time of day like")):
        assert f'<a href="#{name}">{told}' in page.text
        assert told in page.text.partition(f'id="{name}-fault"')[2].partition("</div>")[0]
        assert re.search(rf'id="{name}"[^>]* aria-invalid="true"', page.text)
    assert 'value="Europe/&lt;b&gt;"' in page.text
    assert await person(stage) == ANA
    long = await ana.send("/inbox", {"zone": "x" * 100_000, "list": "on", "at": "09:00"})
    assert (long.status_code, await person(stage)) == (422, ANA)


async def test_only_ones_own_form_sets_anything(stage: Stage, ana: Browser) -> None:
    await ana.open("/inbox")
    refused = await ana.send("/inbox", {"zone": "UTC", "token": "0" * 64})
    assert (refused.status_code, await person(stage)) == (403, ANA)
    nobody = stage.browser()
    assert (await nobody.send("/inbox", {"zone": "UTC"})).url.path == "/signin"


async def test_what_waits_says_until_when_and_when_one_is_reminded_in_ones_own_zone(stage: Stage, ana: Browser) -> None:
    policy = {"expires_in": "24h", "starts": "asked", "nudges": {"every": "30m"}}
    id = await stage.ask(question(**FOR_ANA, policy=policy))
    await ana.open("/inbox")
    assert "Open until 3 Dec 2026, 10:00 UTC" in said(ana)
    await ana.send("/inbox", {"zone": "Asia/Tokyo"})
    await ana.open("/inbox")
    assert "Open until 3 Dec 2026, 19:00 JST (in 23 h)" in said(ana)
    assert "Next reminder 2 Dec 2026, 19:30 JST" in said(ana)
    candidate = Candidate(await person(stage), ANA.identities[0], Standing(name="Ana"))
    await put_off(stage.context, WORKSPACE, id, candidate, Via.REVIEW, option=2)
    await ana.open("/inbox")
    assert "You asked to be reminded on 3 Dec 2026, 09:00 JST" in said(ana)
    assert "Next reminder" not in said(ana)


async def test_without_a_zone_of_ones_own_the_workspaces_holds(stage: Stage, ana: Browser) -> None:
    await ana.open("/inbox")
    await ana.send("/inbox", {"list": "on", "at": "09:00"})
    assert await list_due(stage) == NOW.replace(day=3, hour=9)
    await set_calendar(stage.context, WORKSPACE, WorkingCalendar(zone="Europe/Madrid", days=("mon",)))
    assert await list_due(stage) == NOW.replace(day=7, hour=8)
    await set_calendar(stage.context, WORKSPACE, None)
    assert await list_due(stage) == NOW.replace(day=3, hour=9)

"""A card's page and time: put it off, hand it on, see whom it waits for. None of it decides anything."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape

import pytest

from bot.startup import WORKSPACE
from core.dues import DueKind
from core.receipts import ReceiptType
from core.use_cases.settings import set_times
from tests.web.visiting import NOW, Browser, Stage, confirmation, question, staged

FOR_ANA = {"audience": {"answerers": ["person:ana"]}, "to": "review"}


@pytest.fixture
async def stage(store_url: str) -> AsyncIterator[Stage]:
    async with staged(store_url) as opened:
        await set_times(opened.context, WORKSPACE, "per_ana", "Europe/Madrid", None)
        yield opened


@pytest.fixture
async def ana(stage: Stage) -> Browser:
    browser = stage.browser()
    await browser.sign_in()
    return browser


def said(browser: Browser) -> str:
    """The words of the page that is open."""
    return unescape(re.sub(r"<[^>]*>", " ", browser.text))


async def due(stage: Stage, id: str) -> object:
    async with stage.store.work() as work:
        row = await work.due(DueKind.SNOOZE, f"{id}/per_ana")
    return row and row.due_at.replace(microsecond=0)


async def test_a_card_is_put_off_by_a_button_or_until_a_time_in_ones_own_zone(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(question(**FOR_ANA))
    assert await ana.press(id, "snooze.0") == 200
    assert "You will be reminded on 2 Dec 2026, 11:15 CET." in said(ana)
    assert await due(stage, id) == NOW + timedelta(minutes=15)
    assert await ana.press(id, "snooze.2") == 200
    assert await due(stage, id) == NOW.replace(day=3, hour=8)
    assert await ana.press(id, "put-off", until="fri 9:30") == 200
    assert await due(stage, id) == NOW.replace(day=4, hour=8, minute=30)
    await ana.open(f"/review/{id}")
    assert "You asked to be reminded on 4 Dec 2026, 09:30 CET." in said(ana)
    assert (await stage.card(id)).is_pending
    assert "will be reminded 4 Dec 2026, 08:30 UTC" in said(ana)


async def test_what_happened_is_told_in_ones_own_zone_on_the_page_and_in_the_inbox(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation(**FOR_ANA))
    await ana.press(id, "accept")
    await ana.open(f"/review/{id}")
    assert "Ana accepted this on 2 Dec 2026, 11:00 CET" in said(ana)
    assert "UTC" not in said(ana)
    await ana.open("/inbox")
    assert "Ana accepted this on 2 Dec 2026, 11:00 CET" in said(ana)


@pytest.mark.parametrize(
    ("until", "told"),
    [
        ("", "Write a time like 20m"),
        ("soon <b>", "Write a time like 20m"),
        ("today 9:00", "Name a time that is still to come"),
        ("2027-12-01", "Name a time within the next 60 days"),
        ("9999d", "Name a time within the next 60 days"),
        ("0001-01-01T00:00", "Name a time that is still to come"),
    ],
)
async def test_a_time_that_is_none_is_told_at_its_field_and_kept(
    stage: Stage, ana: Browser, until: str, told: str
) -> None:
    id = await stage.ask(question(**FOR_ANA))
    assert await ana.press(id, "put-off", until=until) == 422
    assert '<details class="aside" id="later" open>' in ana.text
    assert re.search(r'<input id="until"[^>]* aria-describedby="until-hint until-fault" aria-invalid="true"', ana.text)
    assert told.lower() in re.split('id="until-fault"', ana.text)[1].partition("</div>")[0].lower()
    assert '<a href="#until">' in ana.text
    assert "soon &lt;b&gt;" in ana.text or "soon" not in until
    assert await due(stage, id) is None


async def test_what_was_typed_to_answer_outlives_a_wrong_time(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation(**FOR_ANA))
    await ana.press(id, "draft", reason="half a reason")
    assert await ana.press(id, "put-off", until="never") == 422
    assert "half a reason</textarea>" in ana.text
    assert await ana.press(id, "snooze.1") == 200
    assert "half a reason</textarea>" in ana.text


async def test_a_card_is_handed_to_somebody_who_may_answer_it_then(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(question(**FOR_ANA))
    ben = stage.browser()
    await ben.sign_in("ben")
    assert (await ben.open(f"/review/{id}")).status_code == 404
    await ana.open(f"/review/{id}")
    assert "Waiting for Ana." in said(ana)
    offered = re.findall(r'<option value="([^"]*)">', ana.text.partition('<datalist id="to-offers">')[2])
    assert offered == ["ben", "cleo", "dan"]
    assert "Cleo &lt;b&gt;</option>" in ana.text
    assert await ana.press(id, "hand-on", to=" @Ben ") == 200
    assert "Ben may answer this now as well. You still may." in said(ana)
    assert "Waiting for Ana or Ben." in said(ana)
    assert "Ana handed it to Ben, just now" in said(ana)
    assert await ben.press(id, "submit", q0="yes") == 200
    assert "Ana handed it to Ben" in said(ben)
    line = [one for one in await stage.store.records.receipts(WORKSPACE, id) if one.type is ReceiptType.DELEGATED]
    assert [(one.by.handle, one.via.value, one.data["to"]) for one in line] == [("ana", "review", "person:ben")]


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("", "There is nobody with that handle here"),
        ("nobody <b>", "There is nobody with that handle here"),
        ("ana", "That is you; name somebody else"),
    ],
)
async def test_a_wrong_handle_is_told_at_its_field(stage: Stage, ana: Browser, to: str, told: str) -> None:
    id = await stage.ask(question(**FOR_ANA))
    assert await ana.press(id, "hand-on", to=to) == 422
    assert told in ana.text.partition('id="to-fault"')[2].partition("</div>")[0]
    assert '<a href="#to">' in ana.text
    assert (await stage.card(id)).delegations == ()


async def test_only_whoever_may_answer_an_open_card_can_do_anything_about_its_time(stage: Stage, ana: Browser) -> None:
    other = await stage.ask(question(audience={"answerers": ["person:ben"]}, to="review"))
    own = await stage.ask(question(**FOR_ANA))
    await ana.open(f"/review/{own}")
    assert 'id="later"' in ana.text
    # Ana operates here: she may see the other card, and close it.
    await ana.open(f"/review/{other}")
    assert 'id="later"' not in ana.text
    for button in ("snooze.1", "hand-on"):
        assert (await ana.send(f"/review/{other}", {"do": button, "to": "ana"})).status_code == 403
    assert (await stage.card(other)).reminding.snoozes == ()
    await ana.open(f"/review/{own}")
    assert (await ana.send(f"/review/{own}", {"do": "snooze.1", "token": "0" * 64})).status_code == 403
    assert (await ana.send(f"/review/{own}", {"do": "snooze.9"})).status_code == 422
    assert (await stage.card(own)).reminding.snoozes == ()
    await ana.press(own, "submit", q0="yes")
    assert 'id="later"' not in ana.text
    assert (await ana.send(f"/review/{own}", {"do": "snooze.1"})).status_code == 409
    assert "already" in said(ana)


async def test_a_card_that_is_over_meanwhile_is_not_put_off(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(question(**FOR_ANA, policy={"expires_in": "1h", "starts": "asked"}))
    await ana.open(f"/review/{id}")
    assert "2 Dec 2026, 12:00 CET (in 59 min)" in said(ana)
    stage.clock.move(hours=1)
    assert (await ana.send(f"/review/{id}", {"do": "snooze.1"})).status_code == 409
    assert (await stage.card(id)).status.value == "expired"

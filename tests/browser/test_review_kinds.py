"""Checklists, verdicts and tasks on the review page in a real browser: saved as they are made, and without scripts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from bot.startup import WORKSPACE
from core.acts import Patch
from core.kinds import EXAMPLES, Kind
from core.kinds.checklist import Checklist, selected
from core.records import Status
from core.use_cases.change import change
from tests.blocks.web.visits import with_content
from tests.browser.pages_served import Service, served
from tests.browser.trouble import troubles
from tests.web.calling import CHANNEL
from tests.web.visiting import BUILDER

TREE = [
    {"key": "plan", "title": "Plan it"},
    {"key": "write", "title": "Write it", "parent": "plan"},
    {"key": "review", "title": "Review it", "parent": "write"},
]


def asked(kind: Kind, **payload: Any) -> dict[str, Any]:
    return {**EXAMPLES[kind], "to": CHANNEL, "payload": payload or EXAMPLES[kind]["payload"]}


@pytest_asyncio.fixture(loop_scope="session")
async def service(sqlite_store_url: str) -> AsyncIterator[Service]:
    async with served(sqlite_store_url) as running:
        yield running


async def window(service: Service, browser: Browser, name: str, id: str, *, scripts: bool = True) -> Page:
    """Somebody's own browser with the card open."""
    page = await (await browser.new_context(java_script_enabled=scripts)).new_page()
    await service.sign_in(page, name, f"/review/{id}")
    return page


async def ticked(service: Service, id: str) -> tuple[str, ...]:
    card = await service.stage.card(id)
    assert isinstance(card.content.payload, Checklist)
    return selected(card.content.payload, card.ticks)


async def test_ticks_of_two_people_are_saved_when_made_and_none_is_lost(service: Service, browser: Browser) -> None:
    id = await service.stage.ask(asked(Kind.CHECKLIST))
    ana = await window(service, browser, "ana", id)
    ben = await window(service, browser, "ben", id)
    noticed = [troubles(ana), troubles(ben)]
    await ana.get_by_label("Canary is clean").check()
    await expect(ana.get_by_role("status")).to_have_text("Saved: 2 of 3 ticked.")
    await ben.get_by_label("On-call engineer knows").check()
    await expect(ben.get_by_role("status")).to_have_text("Saved: 3 of 3 ticked.")
    await expect(ben.get_by_label("Canary is clean")).to_be_checked()
    await expect(ben.get_by_label("Canary is clean")).to_have_accessible_description(
        "two hours without an alert Ticked by Ana, 2 Dec 2026, 10:00 UTC, on this page."
    )
    await expect(ben.get_by_role("progressbar", name="3 of 3 ticked")).to_be_visible()
    await ana.get_by_label("Release notes reviewed").press("Space")
    await expect(ana.get_by_label("Release notes reviewed")).to_have_accessible_description(
        "Unticked by Ana, 2 Dec 2026, 10:00 UTC, on this page."
    )
    await expect(ana.get_by_role("status")).to_have_text("Saved: 2 of 3 ticked.")
    await expect(ana.get_by_label("Release notes reviewed")).to_be_focused()
    assert await ticked(service, id) == ("canary", "oncall")
    await expect(ana.get_by_role("region", name="History").get_by_role("listitem")).to_have_count(4)
    await ana.get_by_role("button", name="All done").click()
    await expect(ana.get_by_role("region", name="Outcome")).to_contain_text("2 of 3 ticked")
    await ben.get_by_label("Canary is clean").uncheck()
    await expect(ben.get_by_role("status")).to_contain_text("Not saved. This has been settled already.")
    await ben.get_by_role("button", name="Show how it stands").click()
    await expect(ben.get_by_role("region", name="Outcome")).to_be_visible()
    await expect(ben.get_by_text("You had filled in this; it was not sent")).to_be_visible()
    assert noticed == [[], []]


@pytest.mark.slow  # each kind's form is sent in tests/web; ticks and verdicts stand for its scripts
async def test_quick_ticks_while_one_is_being_saved_all_arrive(service: Service, browser: Browser) -> None:
    items = [{"id": f"i{number}", "label": f"Item {number}."} for number in range(30)]
    id = await service.stage.ask(asked(Kind.CHECKLIST, items=items))
    ana = await window(service, browser, "ana", id)
    await ana.evaluate("document.querySelectorAll('[name=ticks]').forEach(box => box.click())")
    await expect(ana.get_by_role("status")).to_have_text("Saved: 30 of 30 ticked.")
    assert len(await ticked(service, id)) == 30


@pytest.mark.slow
async def test_a_tick_on_a_changed_list_leads_to_the_changed_one(service: Service, browser: Browser) -> None:
    id = await service.stage.ask(asked(Kind.CHECKLIST))
    ana = await window(service, browser, "ana", id)
    changed = with_content(await service.stage.card(id), title="Before the 4.3 release").content
    await change(service.stage.context, WORKSPACE, id, Patch(1, changed), BUILDER)
    await ana.get_by_label("Canary is clean").check()
    await expect(ana.get_by_role("status")).to_contain_text("Not saved. This card was changed after you saw it")
    await ana.get_by_role("button", name="Show how it stands").click()
    await expect(ana.get_by_role("heading", name="Before the 4.3 release")).to_be_visible()
    await expect(ana.get_by_text("Changed since you saw it")).to_be_visible()
    await expect(ana.get_by_label("Canary is clean")).to_be_checked()


@pytest.mark.slow  # each kind's form is sent in tests/web; ticks and verdicts stand for its scripts
async def test_a_list_is_completed_without_scripts(service: Service, browser: Browser) -> None:
    id = await service.stage.ask(asked(Kind.CHECKLIST))
    page = await window(service, browser, "ben", id, scripts=False)
    await page.get_by_label("Release notes reviewed").uncheck()
    await page.get_by_role("button", name="All done").click()
    await expect(page.get_by_role("alert")).to_contain_text("Tick at least 2 (now 0).")
    await page.get_by_label("Canary is clean").check()
    await page.get_by_role("button", name="Save ticks").click()
    await expect(page.get_by_role("status")).to_have_text("Saved: 1 of 3 ticked.")
    await page.get_by_label("On-call engineer knows").check()
    await page.get_by_role("button", name="All done").click()
    await expect(page.get_by_role("region", name="Outcome")).to_contain_text("2 of 3 ticked")
    assert (await service.stage.card(id)).status is Status.COMPLETED


async def test_verdicts_are_given_by_keyboard_and_a_reason_appears_where_one_is_taken(
    service: Service, browser: Browser
) -> None:
    id = await service.stage.ask(asked(Kind.ITEM_VERDICTS))
    page = await window(service, browser, "ana", id, scripts=False)
    first = page.get_by_role("group", name="pydantic 2.11 to 2.12")
    await expect(first.get_by_label("Reason")).to_be_hidden()
    await first.get_by_label("No verdict yet").focus()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    await expect(first.get_by_label("Reject")).to_be_checked()
    await page.keyboard.press("Tab")
    await expect(first.get_by_label("Reason")).to_be_focused()
    await page.get_by_role("button", name="Save verdicts").click()
    await expect(page.get_by_role("alert")).to_contain_text("Item 1: A reason is required.")
    await page.get_by_role("alert").get_by_role("link").click()
    await page.keyboard.type("too risky")
    await page.get_by_role("button", name="Save verdicts").click()
    await expect(page.get_by_role("status")).to_have_text("Saved: 1 of 2 decided.")
    await expect(first).to_contain_text("too risky")
    await expect(first.get_by_role("radio")).to_have_count(0)


@pytest.mark.slow  # each kind's form is sent in tests/web; ticks and verdicts stand for its scripts
async def test_a_draft_is_kept_while_it_is_written_and_shown_to_others_as_being_answered(
    service: Service, browser: Browser
) -> None:
    id = await service.stage.ask(asked(Kind.ITEM_VERDICTS))
    ben = await window(service, browser, "ben", id)
    await ben.get_by_role("group", name="sqlalchemy").get_by_label("Reject").check()
    await ben.get_by_role("group", name="sqlalchemy").get_by_label("Reason").fill("It breaks the build")
    await expect(ben.get_by_role("status")).to_have_text("Draft saved.")
    ana = await window(service, browser, "ana", id)
    await expect(ana.get_by_text("Ben is answering…")).to_be_visible()
    await ben.reload()
    await expect(ben.get_by_role("group", name="sqlalchemy").get_by_label("Reason")).to_have_value(
        "It breaks the build"
    )
    assert (await service.stage.card(id)).verdicts == ()


@pytest.mark.slow  # each kind's form is sent in tests/web; ticks and verdicts stand for its scripts
async def test_a_task_takes_along_what_it_is_part_of(service: Service, browser: Browser) -> None:
    id = await service.stage.ask(asked(Kind.SUGGESTED_TASKS, tasks=TREE))
    page = await window(service, browser, "ana", id)
    plan, write, review = (page.get_by_role("checkbox", name=one["title"]) for one in TREE)
    await review.check()
    await expect(plan).to_be_checked()
    await write.uncheck()
    await expect(review).not_to_be_checked()
    await page.get_by_text("Change “Plan it”").click()
    await page.get_by_label("Title").first.fill("Plan it well")
    await page.get_by_role("button", name="Create tasks").click()
    await expect(page.get_by_role("region", name="Outcome")).to_contain_text("1 task created, 2 skipped")
    (made,) = await service.stage.store.records.tasks(WORKSPACE, None, interaction=id)
    assert made.title == "Plan it well"


@pytest.mark.slow  # each kind's form is sent in tests/web; ticks and verdicts stand for its scripts
async def test_an_operator_gets_to_the_other_side_with_the_state(service: Service, browser: Browser) -> None:
    id = await service.stage.ask(asked(Kind.CONNECTION))
    page = await window(service, browser, "ana", id)
    await page.route(
        "https://agent.example/**",
        lambda route: route.fulfill(body="<h1>The other side</h1>", content_type="text/html"),
    )
    await page.get_by_role("button", name="Connect").click()
    await page.wait_for_url("https://agent.example/connect/github?state=*")
    await expect(page.get_by_role("heading", name="The other side")).to_be_visible()
    assert await page.evaluate("document.referrer") == ""

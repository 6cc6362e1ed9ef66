"""The review page in a real browser: by keyboard alone, without scripts, with mistakes and second thoughts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from core.records import Status
from tests.browser.pages_served import Service, served
from tests.browser.trouble import troubles
from tests.web.visiting import confirmation, question

REGIONS = [{"id": name.lower(), "label": name} for name in ("Europe", "Asia", "America")]
FORM: dict[str, Any] = question(
    payload={
        "questions": [
            {"id": "version", "type": "text", "prompt": "Version", "pattern": r"\d+\.\d+", "pattern_hint": "Like 4.2"},
            {"id": "region", "type": "choice", "prompt": "Region", "options": REGIONS, "custom": True},
            {"id": "tell", "type": "choices", "prompt": "Whom to tell", "options": REGIONS, "min": 2},
            {
                "id": "cluster",
                "type": "choice",
                "prompt": "Cluster",
                "options": [{"id": f"c{number}", "label": f"cluster {number}"} for number in range(40)],
            },
            {"id": "sure", "type": "boolean", "prompt": "Sure?"},
        ]
    }
)


@pytest_asyncio.fixture(loop_scope="session")
async def service(sqlite_store_url: str) -> AsyncIterator[Service]:
    async with served(sqlite_store_url) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def ana(service: Service, browser: Browser) -> AsyncIterator[Page]:
    """A window of a browser in which Ana is signed in; more windows of it are `ana.context.new_page()`."""
    context = await browser.new_context()
    page = await context.new_page()
    noticed = troubles(page)
    page.on("console", lambda message: noticed.append(message.text) if "Security Policy" in message.text else None)
    await service.sign_in(page)
    yield page
    assert noticed == []


FOCUS = """() => {
    const one = document.activeElement
    const shown = [one, one.closest('.option')].some(it => it && getComputedStyle(it).outlineStyle !== 'none')
    return [one.id || one.value || one.textContent.trim(), shown]
}"""


async def tab_to(page: Page, target: str) -> None:
    """Press Tab until the focus is there; wherever it goes on the way, it can be seen."""
    for _ in range(40):
        await page.keyboard.press("Tab")
        at, seen = await page.evaluate(FOCUS)
        assert seen, f"the focus cannot be seen at {at}"
        if at == target:
            return
    pytest.fail(f"Tab never reaches {target}")


async def test_a_form_is_answered_by_keyboard_alone(service: Service, ana: Page) -> None:
    id = await service.stage.ask(FORM)
    await ana.goto(service.card(id))
    keys = ana.keyboard
    await tab_to(ana, "Skip to the content")
    await keys.press("Enter")
    await tab_to(ana, "q0")
    await keys.type("4.2")
    await tab_to(ana, "q1")
    await keys.press("ArrowDown")
    await tab_to(ana, "q2")
    await keys.press("Space")
    await tab_to(ana, "q2-3")
    await keys.press("Space")
    await tab_to(ana, "q3")
    await keys.type("cluster 7")
    await tab_to(ana, "q4")
    await keys.press("Space")
    await tab_to(ana, "submit")
    await keys.press("Enter")
    await expect(ana.get_by_role("status")).to_have_text("Saved: 5 of 5 questions")
    outcome = (await service.stage.card(id)).outcome
    assert outcome is not None
    assert outcome.answer == {
        "version": {"value": "4.2"},
        "region": {"value": "asia"},
        "tell": {"values": ["europe", "america"]},
        "cluster": {"value": "c7"},
        "sure": {"value": True},
    }


async def test_mistakes_are_announced_and_each_leads_to_its_field(service: Service, ana: Page) -> None:
    id = await service.stage.ask(FORM)
    await ana.goto(service.card(id))
    await ana.get_by_label("Version").fill("four")
    await ana.get_by_label("Other").check()
    await ana.get_by_role("button", name="Submit").click()
    alert = ana.get_by_role("alert")
    await expect(alert).to_be_focused()
    await expect(ana).to_have_title("Error: Release 4.2 · sayso")
    await expect(alert.get_by_role("listitem")).to_have_text(
        [
            "Question 1: Like 4.2.",
            "Question 2: Write your own words, or choose something else.",
            "Question 3: An answer is required.",
            "Question 4: An answer is required.",
            "Question 5: An answer is required.",
        ]
    )
    for target in ("q0", "q1.custom", "q2", "q3", "q4"):
        await alert.locator(f"a[href='#{target}']").click()
        await expect(ana.locator(f"[id='{target}']")).to_be_focused()
    await expect(ana.get_by_label("Version")).to_have_value("four")
    await expect(ana.get_by_label("Version")).to_have_accessible_description("Like 4.2. Error: Like 4.2.")
    await expect(ana.get_by_role("radiogroup", name="Question 5 of 5 Sure?")).to_have_accessible_description(
        "Error: An answer is required."
    )


@pytest.mark.slow  # the rules of Enter, drafts, closing and origins are asked of the pages in tests/web
async def test_enter_in_a_field_does_not_send_a_form_of_several(service: Service, ana: Page) -> None:
    id = await service.stage.ask(FORM)
    await ana.goto(service.card(id))
    await ana.get_by_label("Version").fill("4.2")
    await ana.keyboard.press("Enter")
    await ana.get_by_role("button", name="Save draft").click()
    await expect(ana.get_by_text("It is not sent yet.")).to_be_visible()
    await expect(ana.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow  # the rules of Enter, drafts, closing and origins are asked of the pages in tests/web
async def test_enter_sends_the_only_answer(service: Service, ana: Page) -> None:
    id = await service.stage.ask(question(payload={"questions": [FORM["payload"]["questions"][0]]}))
    await ana.goto(service.card(id))
    await ana.get_by_label("Version").fill("4.2")
    await ana.keyboard.press("Enter")
    await expect(ana.get_by_role("status")).to_have_text("Saved: 4.2")
    assert (await service.stage.card(id)).status is Status.ANSWERED


@pytest.mark.slow  # the rules of Enter, drafts, closing and origins are asked of the pages in tests/web
async def test_a_saved_draft_is_there_after_a_reload_and_in_another_window(service: Service, ana: Page) -> None:
    id = await service.stage.ask(FORM)
    await ana.goto(service.card(id))
    await ana.get_by_label("Version").fill("4.2 beta")
    await ana.get_by_role("combobox", name="Cluster").select_option("cluster 9")
    await ana.get_by_role("button", name="Save draft").click()
    await ana.reload()
    other = await ana.context.new_page()
    await other.goto(service.card(id))
    for page in (ana, other):
        await expect(page.get_by_label("Version")).to_have_value("4.2 beta")
        await expect(page.get_by_role("combobox", name="Cluster")).to_have_value("c9")
    assert (await service.stage.card(id)).is_pending


async def test_everything_works_without_scripts(service: Service, browser: Browser) -> None:
    context = await browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    noticed = troubles(page)
    id = await service.stage.ask(confirmation(payload={"reason": "required"}))
    await service.sign_in(page, "ben", f"/review/{id}")
    await page.get_by_text("Reply in words instead").click()
    await page.get_by_label("Your words").fill("Which backup?")
    await page.get_by_role("button", name="Send words").click()
    await expect(page.get_by_role("heading", name="Your words so far")).to_be_visible()
    await page.get_by_role("button", name="Reject").click()
    await expect(page.get_by_role("alert")).to_contain_text("A reason is required.")
    await page.get_by_label("Reason").fill("Not before Monday")
    await page.get_by_role("button", name="Reject").click()
    await expect(page.get_by_role("region", name="Outcome")).to_contain_text("Not before Monday")
    await page.get_by_role("link", name="Inbox").click()
    await page.get_by_role("link", name="Delete the staging database?").click()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert noticed == []


async def test_two_windows_of_one_person_end_with_one_answer(service: Service, ana: Page) -> None:
    id = await service.stage.ask(confirmation())
    other = await ana.context.new_page()
    for page in (ana, other):
        await page.goto(service.card(id))
    await ana.get_by_role("button", name="Delete it").click()
    await expect(ana.get_by_role("status")).to_have_text("Saved: Delete it")
    await other.get_by_label("Reason (optional)", exact=True).fill("wait")
    await other.get_by_role("button", name="Keep it").click()
    await expect(other.get_by_role("alert")).to_contain_text("This has been settled already.")
    await expect(other.get_by_text("You had filled in this; it was not sent")).to_be_visible()
    assert (await service.stage.card(id)).status is Status.ACCEPTED


@pytest.mark.slow  # the rules of Enter, drafts, closing and origins are asked of the pages in tests/web
async def test_an_operator_closes_a_card_behind_a_disclosure(service: Service, ana: Page) -> None:
    id = await service.stage.ask(confirmation())
    await ana.goto(service.card(id))
    skip = ana.get_by_role("button", name="Skip")
    await expect(skip).to_be_hidden()
    await ana.get_by_text("Close without an answer").click()
    await expect(skip).to_have_accessible_description("It ends here: no answer is needed.")
    await skip.click()
    await expect(ana.get_by_text("Skipped", exact=True)).to_be_visible()


@pytest.mark.slow  # the rules of Enter, drafts, closing and origins are asked of the pages in tests/web
async def test_another_site_cannot_send_our_form(service: Service, ana: Page) -> None:
    id = await service.stage.ask(confirmation())
    await ana.goto(service.card(id))
    revision = await ana.locator("[name=revision]").input_value()
    evil = await ana.context.new_page()
    await evil.route("http://localhost:1/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    await evil.goto("http://localhost:1/")
    await evil.set_content(PAGE.format(action=service.card(id), revision=revision))
    await evil.get_by_role("button").click()
    await expect(evil.get_by_text("was not sent from a page of this service")).to_be_visible()
    assert (await service.stage.card(id)).is_pending


PAGE = (
    '<form method="post" action="{action}" enctype="multipart/form-data">'
    '<input name="do" value="accept"><input name="revision" value="{revision}"><button>Win a prize</button></form>'
)

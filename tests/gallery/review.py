"""A card on the review page: how to get there, and what a person does with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.async_api import Page, expect

from bot.sandbox.gallery import Format
from tests.gallery.spot import Spot, Step
from tests.gallery.stage import WIDTH, Stage


async def ask(stage: Stage, one: Format) -> dict[str, Any]:
    return await stage.ask(one, "review", "person:ana")


async def meet(stage: Stage, one: Format, asked: Mapping[str, Any], person: str) -> Spot:
    page = await stage.page(person)
    await page.goto(f"{stage.rig.url}/review/{asked['id']}")
    return Spot(stage, one, asked, page, fit)


async def fit(page: Page) -> None:
    """As tall as the page."""
    await page.set_viewport_size({"width": WIDTH, "height": 400})
    height = await page.evaluate("document.documentElement.scrollHeight")
    await page.set_viewport_size({"width": WIDTH, "height": int(height)})


async def settled(spot: Spot) -> None:
    await expect(spot.page.get_by_role("heading", name="Outcome")).to_be_visible()


async def instead_of_the_chat(spot: Spot) -> None:
    """Leave the chat for the card's page."""
    await spot.page.close()
    there = await meet(spot.stage, spot.one, spot.asked, "ana")
    spot.page, spot.fit = there.page, there.fit


def fill(label: str, text: str) -> Step:
    """Type into a field."""

    async def step(spot: Spot) -> None:
        await spot.page.get_by_label(label).first.fill(text)

    return step


def check(*labels: str) -> Step:
    """Choose options, or tick them."""

    async def step(spot: Spot) -> None:
        for label in labels:
            await spot.page.get_by_label(label).first.check()

    return step


def select(label: str, option: str) -> Step:
    """Take an option of a list."""

    async def step(spot: Spot) -> None:
        await spot.page.get_by_label(label).select_option(label=option)

    return step


def press(label: str) -> Step:
    """Press a button of the form."""

    async def step(spot: Spot) -> None:
        await spot.page.get_by_role("button", name=label, exact=True).click()

    return step


def judge(item: str, verdict: str, reason: str = "") -> Step:
    """Choose a verdict for an item, with its reason."""

    async def step(spot: Spot) -> None:
        group = spot.page.locator("fieldset.item", has_text=item)
        await group.get_by_label(verdict, exact=True).check()
        if reason:
            await group.locator("textarea, input[type=text]").fill(reason)

    return step


def says(words: str) -> Step:
    """Wait until the page says something."""

    async def step(spot: Spot) -> None:
        await expect(spot.page.get_by_text(words).first).to_be_visible()

    return step


async def complained(spot: Spot) -> None:
    """Wait for the page that says what to put right."""
    await expect(spot.page.get_by_role("alert")).to_be_visible()

"""Every format on the review page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.async_api import Page, expect

from bot.sandbox.gallery import Format
from bot.sandbox.gallery.choices import CHOICE, CHOICES, CUSTOM, LONG_CHOICE
from bot.sandbox.gallery.decisions import CONFIRMATION, WHY_NOT
from bot.sandbox.gallery.forms import MIXED
from bot.sandbox.gallery.words import PATTERN, TEXT
from tests.gallery.spot import Spot, Step, Steps, Surface
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


async def complained(spot: Spot) -> None:
    """Wait for the page that says what to put right."""
    await expect(spot.page.get_by_role("alert")).to_be_visible()


NOTE = TEXT.answer["note"]["value"]
REMEDY = CUSTOM.answer["remedy"]["custom"]

STEPS: Mapping[str, Steps] = {
    TEXT.id: Steps(
        "a text area",
        "half the text typed",
        (fill("What shall customers read?", NOTE[:31]),),
        (fill("What shall customers read?", NOTE), press("Submit")),
    ),
    CHOICE.id: Steps("radio buttons", "one chosen", (check("Ship it now"),), (press("Submit"),)),
    LONG_CHOICE.id: Steps(
        "a list of the browser's",
        "one chosen",
        (select("In which region", "Zaragoza (eu-south-2)"),),
        (press("Submit"),),
    ),
    CHOICES.id: Steps(
        "checkboxes", "one ticked", (check("Enterprise"),), (check("Renewing within 60 days"), press("Submit"))
    ),
    CUSTOM.id: Steps(
        "radio buttons, `Other` with a text field",
        "`Other` chosen, own words begun",
        (check("Other"), fill("In your own words", REMEDY[:16])),
        (fill("In your own words", REMEDY), press("Submit")),
    ),
    PATTERN.id: Steps(
        "a text field",
        "a wrong text, refused beside its field",
        (fill("Which ticket", "20917"), press("Submit"), complained),
        (fill("Which ticket", "CHG-20917"), press("Submit")),
    ),
    CONFIRMATION.id: Steps(
        "two buttons and a text area for the reason",
        "the reason typed",
        (fill("Why is it still needed?", WHY_NOT[:28]),),
        (fill("Why is it still needed?", WHY_NOT), press("Keep it")),
    ),
    MIXED.id: Steps(
        "the whole form",
        "half of it filled in",
        (check("By the river"), fill("How many of us come?", "17"), fill("First day", "2027-05-11")),
        (
            check("Vegan", "No gluten", "Yes"),
            fill("What would make it worth the trip?", MIXED.answer["wish"]["value"]),
            press("Submit"),
        ),
    ),
}

SURFACE = Surface("review", "review page", ask, meet, settled, STEPS)

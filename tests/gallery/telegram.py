"""A card in the Telegram client: how to get there, and what a person does with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.async_api import Locator, Page, expect

from bot.sandbox.gallery import Format
from tests.flows.rig import TG_ANA, TG_BEA
from tests.gallery.spot import Spot, Step
from tests.gallery.stage import Stage

USERS = {"ana": TG_ANA, "bea": TG_BEA}
WIDTH = 480
TALLEST = 4_000
LEAST = 420


async def ask(stage: Stage, one: Format) -> dict[str, Any]:
    _, group = stage.room(one)
    return await stage.ask(one, f"telegram:{group}")


async def meet(stage: Stage, one: Format, asked: Mapping[str, Any], person: str) -> Spot:
    page = await stage.page(person)
    _, group = stage.room(one)
    await page.set_viewport_size({"width": WIDTH, "height": LEAST})
    await page.goto(f"{stage.rig.telegram.api_url}/client?as={USERS[person]}&chat={group}")
    spot = Spot(stage, one, asked, page, fit)
    await expect(card(spot)).to_be_visible()
    return spot


async def fit(page: Page) -> None:
    """As tall as the chat. What flashes up and goes by itself would lie over it."""
    await page.locator("#toast").evaluate("one => { one.hidden = true; }")
    await page.set_viewport_size({"width": WIDTH, "height": LEAST})
    over = await page.locator("#scroll").evaluate("one => one.scrollHeight - one.clientHeight")
    await page.set_viewport_size({"width": WIDTH, "height": min(TALLEST, LEAST + int(over))})


async def settled(spot: Spot) -> None:
    await expect(card(spot).locator("button.key")).to_have_count(0)


def card(spot: Spot) -> Locator:
    """The message that is the card, with its keyboard."""
    return spot.page.locator(f"#m{spot.asked['publications'][0]['message']}")


def tap(label: str) -> Step:
    """Tap a button of the card."""

    async def step(spot: Spot) -> None:
        await card(spot).get_by_role("button", name=label, exact=True).click()

    return step


def reach(label: str) -> Step:
    """Come to a button of the card by keyboard."""

    async def step(spot: Spot) -> None:
        await spot.page.keyboard.press("Tab")
        await card(spot).get_by_role("button", name=label, exact=True).focus()

    return step


def shows(label: str) -> Step:
    """Wait until the card has a button."""

    async def step(spot: Spot) -> None:
        await expect(card(spot).get_by_role("button", name=label, exact=True)).to_be_visible()

    return step


def says(words: str) -> Step:
    """Wait until the card says something."""

    async def step(spot: Spot) -> None:
        await expect(card(spot)).to_contain_text(words)

    return step


def write(text: str) -> Step:
    """Type into the reply to the bot's prompt, and do not send it yet."""

    async def step(spot: Spot) -> None:
        await expect(spot.page.locator("#reply")).to_be_visible()
        await spot.page.locator("#text").fill(text)

    return step


async def reply_to_the_card(spot: Spot) -> None:
    """Begin a reply to the card itself."""
    await card(spot).hover()
    await card(spot).get_by_role("button", name="Reply", exact=True).click()


async def send(spot: Spot) -> None:
    """Send what was typed."""
    await spot.page.locator("#text").press("Enter")


def hears(words: str) -> Step:
    """Wait for words of the bot."""

    async def step(spot: Spot) -> None:
        await expect(spot.page.locator(".bubble", has_text=words).last).to_be_visible()

    return step

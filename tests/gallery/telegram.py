"""Every format in the Telegram client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.async_api import Locator, Page, expect

from bot.sandbox.gallery import Format
from bot.sandbox.gallery.choices import CHOICE, CHOICES, CUSTOM, LONG_CHOICE
from bot.sandbox.gallery.decisions import CONFIRMATION, WHY_NOT
from bot.sandbox.gallery.forms import MIXED
from bot.sandbox.gallery.words import PATTERN, TEXT
from tests.flows.rig import TG_ANA, TG_BEA
from tests.gallery import review
from tests.gallery.spot import Spot, Step, Steps, Surface
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


async def back(spot: Spot) -> None:
    """Come back from the review page."""
    await spot.page.close()
    there = await meet(spot.stage, spot.one, spot.asked, "ana")
    spot.page, spot.fit = there.page, there.fit


NOTE = TEXT.answer["note"]["value"]
REMEDY = CUSTOM.answer["remedy"]["custom"]

STEPS: Mapping[str, Steps] = {
    TEXT.id: Steps(
        "`Answer…` asks for a reply in words",
        "half the text in the reply",
        (tap("Answer…"), write(NOTE[:31])),
        (write(NOTE), send),
    ),
    CHOICE.id: Steps(
        "one button per option", "nothing between: a tap decides", (reach("Ship it now"),), (tap("Ship it now"),)
    ),
    LONG_CHOICE.id: Steps(
        "a button per option, in pages of 8",
        "the second page",
        (tap("›"), shows("Zaragoza (eu-south-2)")),
        (tap("Zaragoza (eu-south-2)"),),
    ),
    CHOICES.id: Steps(
        "buttons that tick, and `Submit`",
        "one ticked",
        (tap("☐ Enterprise"), shows("☑ Enterprise")),
        (tap("☐ Renewing within 60 days"), shows("☑ Renewing within 60 days"), tap("Submit")),
    ),
    CUSTOM.id: Steps(
        "buttons, and `Other…` asks for a reply in words",
        "own words in the reply",
        (tap("Other…"), write(REMEDY[:16])),
        (write(REMEDY), send),
    ),
    PATTERN.id: Steps(
        "`Answer…` asks for a reply in words",
        "a wrong text, refused in the chat",
        (tap("Answer…"), write("20917"), send, hears("CHG-20917")),
        (reply_to_the_card, write("CHG-20917"), send),
    ),
    CONFIRMATION.id: Steps(
        "two buttons; a no asks for the reason as a reply",
        "the reason in the reply",
        (tap("Keep it"), write(WHY_NOT[:28])),
        (write(WHY_NOT), send),
    ),
    MIXED.id: Steps(
        "an address on the card: the review page",
        "half of the form filled in there",
        (review.instead_of_the_chat, *review.STEPS[MIXED.id].begin),
        (*review.STEPS[MIXED.id].finish, review.settled, back),
    ),
}

SURFACE = Surface("telegram", "Telegram", ask, meet, settled, STEPS)

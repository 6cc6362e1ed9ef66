"""A card in the Slack client: how to get there, and what a person does with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.async_api import Locator, Page, expect

from bot.sandbox.gallery import Format
from tests.flows.rig import ANA, BEA
from tests.gallery.spot import Spot, Step
from tests.gallery.stage import WIDTH, Stage

USERS = {"ana": ANA, "bea": BEA}
TALLEST = 4_000
LEAST = 420
HEIGHT = """() => {
    const over = pane => pane ? Math.max(0, pane.scrollHeight - pane.clientHeight) : 0;
    const modal = document.querySelector('#modal[open]');
    const inside = modal ? modal.offsetHeight + over(modal.querySelector('.modal-body')) + 60 : 0;
    return Math.max(innerHeight + over(document.getElementById('messages')), inside / 0.9);
}"""


async def ask(stage: Stage, one: Format) -> dict[str, Any]:
    channel, _ = stage.room(one)
    return await stage.ask(one, f"slack:{channel}")


async def meet(stage: Stage, one: Format, asked: Mapping[str, Any], person: str) -> Spot:
    page = await stage.page(person)
    channel, _ = stage.room(one)
    await page.goto(f"{stage.rig.slack.url}/client/?user={USERS[person]}&channel={channel}")
    spot = Spot(stage, one, asked, page, fit)
    await expect(card(spot)).to_be_visible()
    return spot


async def fit(page: Page) -> None:
    """As tall as the conversation, and as the modal or the open list that lies over it."""
    panel = page.locator(".picker-panel")
    if await panel.count():
        height = await panel.evaluate(f"one => Math.max({LEAST}, one.getBoundingClientRect().bottom + 100)")
    else:
        await page.set_viewport_size({"width": WIDTH, "height": LEAST})
        height = await page.evaluate(HEIGHT)
    await page.set_viewport_size({"width": WIDTH, "height": min(TALLEST, int(height) + 1)})


async def settled(spot: Spot) -> None:
    await expect(card(spot).locator(".actions-row")).to_have_count(0)


def card(spot: Spot) -> Locator:
    """The message that is the card."""
    return spot.page.locator(f'.record[data-record="{spot.asked["publications"][0]["message"]}"]')


def modal(spot: Spot) -> Locator:
    """The modal that lies over everything."""
    return spot.page.locator("#modal[open]")


def press(label: str) -> Step:
    """Press a button of the card."""

    async def step(spot: Spot) -> None:
        await card(spot).get_by_role("button", name=label, exact=True).click()

    return step


def reach(label: str) -> Step:
    """Come to a button of the card by keyboard."""

    async def step(spot: Spot) -> None:
        await spot.page.keyboard.press("Tab")
        await card(spot).get_by_role("button", name=label, exact=True).focus()

    return step


def tick(*labels: str) -> Step:
    """Tick boxes on the card."""

    async def step(spot: Spot) -> None:
        for label in labels:
            await card(spot).get_by_label(label).check()

    return step


def look_for(placeholder: str, typed: str) -> Step:
    """Open the card's list and type into its search."""

    async def step(spot: Spot) -> None:
        await card(spot).get_by_role("button", name=placeholder).click()
        await spot.page.keyboard.type(typed)

    return step


def take(label: str) -> Step:
    """Take an option of the open list."""

    async def step(spot: Spot) -> None:
        await spot.page.get_by_role("option", name=label).click()

    return step


def fill(text: str) -> Step:
    """Type into the only text field of the modal."""

    async def step(spot: Spot) -> None:
        await modal(spot).locator("[data-text]").fill(text)

    return step


def type_in(label: str, text: str) -> Step:
    """Type into the field of the modal with this label."""

    async def step(spot: Spot) -> None:
        await modal(spot).locator(".field", has_text=label).locator("input, textarea").fill(text)

    return step


def choose(label: str, *options: str) -> Step:
    """Choose options of a group of the modal."""

    async def step(spot: Spot) -> None:
        group = modal(spot).locator("fieldset.field", has_text=label)
        for one in options:
            await group.get_by_label(one, exact=True).check()

    return step


def judge(verdict: str, left: int) -> Step:
    """Press a verdict of the first item that has none, and `left` to say how many have none then."""

    async def step(spot: Spot) -> None:
        await card(spot).get_by_role("button", name=verdict, exact=True).first.click()
        await expect(card(spot).get_by_role("button", name=verdict, exact=True)).to_have_count(left)

    return step


def shows(words: str) -> Step:
    """Wait until the card says something."""

    async def step(spot: Spot) -> None:
        await expect(card(spot)).to_contain_text(words)

    return step


async def send(spot: Spot) -> None:
    """Press the modal's own button."""
    await modal(spot).locator("footer .primary").click()


async def complained(spot: Spot) -> None:
    """Wait for the fault beside a field."""
    await expect(modal(spot).locator(".field-error")).to_be_visible()

"""Where somebody meets a card, and what they do there: steps, and the surfaces that have them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page

from bot.sandbox.gallery import Format
from tests.gallery.stage import Stage


@dataclass
class Spot:
    """One card in front of one person. `asked` is the interaction as the API showed it when it was posted, `fit` makes
    the window as tall as what the page shows."""

    stage: Stage
    one: Format
    asked: Mapping[str, Any]
    page: Page
    fit: Callable[[Page], Awaitable[None]]


Step = Callable[[Spot], Awaitable[None]]


@dataclass(frozen=True)
class Steps:
    """How a person answers one format on one surface.

    `control` is what the card is answered with and `between` what being half done looks like, both in the README's
    words. `begin` leaves it half done, `finish` does the rest. `others` are words that somebody else then reads on the
    card; empty where it is as before to them.
    """

    control: str
    between: str
    begin: tuple[Step, ...]
    finish: tuple[Step, ...]
    others: str = ""


@dataclass(frozen=True)
class Surface:
    """One of the places where cards are answered, and how to get there.

    `ask` asks a format there, `meet` opens its card for a person, `settled` waits until the outcome is on the screen.
    """

    id: str
    name: str
    ask: Callable[[Stage, Format], Awaitable[dict[str, Any]]]
    meet: Callable[[Stage, Format, Mapping[str, Any], str], Awaitable[Spot]]
    settled: Step
    steps: Mapping[str, Steps]


async def do(spot: Spot, steps: tuple[Step, ...]) -> None:
    """One step after another."""
    for step in steps:
        await step(spot)

"""The table of formats and surfaces in the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.sandbox.gallery import FORMATS, Format
from tests.gallery import review_steps, slack_steps, telegram_steps
from tests.gallery.spot import Surface

SURFACES: Final[tuple[Surface, ...]] = (slack_steps.SURFACE, telegram_steps.SURFACE, review_steps.SURFACE)
PART: Final = "formats"


def parity_table(formats: Sequence[Format] = FORMATS, surfaces: Sequence[Surface] = SURFACES) -> str:
    """A row for each format; for each surface the control, and what being half answered looks like."""
    head = ["format", *(surface.name for surface in surfaces)]
    rows = [[one.name, *(_cell(surface, one) for surface in surfaces)] for one in formats]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(surface: Surface, one: Format) -> str:
    steps = surface.steps[one.id]
    return f"{steps.control} → *{steps.between}*"

"""The right control for each size, and how much stands on one page: tables that renderers and tests both read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blocks.slack.limits import BUTTON_TEXT, CHECKBOX_OPTIONS, RADIO_OPTIONS, SELECT_OPTIONS, length
from blocks.words import neutralise


@dataclass(frozen=True)
class Size:
    """Up to `most` options stand in one `element` of Slack's, for this reason."""

    element: str
    most: int
    reason: str


ONE_ON_A_CARD: Final = (
    Size("button", 5, "as many as read well in one row; one press decides"),
    Size("radio_buttons", RADIO_OPTIONS.number, "all in sight under each other; Slack takes ten"),
    Size("static_select", SELECT_OPTIONS.number, "a menu that is searched by typing; Slack takes a hundred"),
)
ONE_IN_A_FORM: Final = (
    Size("radio_buttons", RADIO_OPTIONS.number, "a form has no buttons: what is chosen waits for Submit"),
    Size("static_select", SELECT_OPTIONS.number, "a menu that is searched by typing; Slack takes a hundred"),
)
SEVERAL: Final = (
    Size("checkboxes", CHECKBOX_OPTIONS.number, "all in sight under each other; Slack takes ten"),
    Size("multi_static_select", SELECT_OPTIONS.number, "a menu that is searched by typing; Slack takes a hundred"),
)
GROUP: Final = Size("checkboxes", CHECKBOX_OPTIONS.number, "the boxes of a checklist that Slack takes in one group")
TICKED_PAGE: Final = Size(
    "checkboxes", 30, "three groups of boxes: a phone scrolls them, and all fit when all are ticked"
)
JUDGED_PAGE: Final = Size("button", 10, "each item has a row of buttons; ten are a few screens of a phone")


def control_for(count: int, sizes: Sequence[Size]) -> str | None:
    """The element that takes so many options; None where Slack has none."""
    return next((size.element for size in sizes if count <= size.most), None)


def fits_control(label: str) -> bool:
    """Whether a label can stand whole on a button or in a list of options, which have the same limit."""
    shown = neutralise(label)
    return bool(shown.strip()) and length(shown) <= BUTTON_TEXT.number

"""Every format in the Slack client: the control, and what a person does with it step by step."""

from __future__ import annotations

from collections.abc import Mapping

from bot.sandbox.gallery.choices import CHOICE, CHOICES, CUSTOM, LONG_CHOICE
from bot.sandbox.gallery.decisions import CONFIRMATION, CONNECTION, NOT_NOW, WHY_NOT
from bot.sandbox.gallery.forms import MIXED
from bot.sandbox.gallery.lists import CHECKLIST, VERDICTS
from bot.sandbox.gallery.lists import WHY_NOT as WHY_NOT_PILLOW
from bot.sandbox.gallery.tasks import TASKS
from bot.sandbox.gallery.words import PATTERN, TEXT
from tests.gallery.slack import (
    ask,
    choose,
    complained,
    fill,
    judge,
    look_for,
    meet,
    press,
    reach,
    send,
    settled,
    shows,
    take,
    tick,
    type_in,
)
from tests.gallery.spot import Steps, Surface

NOTE = TEXT.answer["note"]["value"]
ANSWERING = "Ana is answering"
REMEDY = CUSTOM.answer["remedy"]["custom"]

STEPS: Mapping[str, Steps] = {
    TEXT.id: Steps(
        "`Answer…` opens a modal with a text field",
        "half the text in the modal",
        (press("Answer…"), fill(NOTE[:31])),
        (fill(NOTE), send),
        others=ANSWERING,
    ),
    CHOICE.id: Steps(
        "one button per option", "nothing between: a press decides", (reach("Ship it now"),), (press("Ship it now"),)
    ),
    LONG_CHOICE.id: Steps(
        "a list with a search", "the list open, searched", (look_for("Choose one", "eu-s"),), (take("Zaragoza"),)
    ),
    CHOICES.id: Steps(
        "checkboxes and `Submit`",
        "one box ticked",
        (tick("Enterprise"),),
        (tick("Renewing within 60 days"), press("Submit")),
    ),
    CUSTOM.id: Steps(
        "buttons, and `Other…` opens a modal",
        "own words in the modal",
        (press("Other…"), fill(REMEDY[:16])),
        (fill(REMEDY), send),
        others=ANSWERING,
    ),
    PATTERN.id: Steps(
        "`Answer…` opens a modal with a text field",
        "a wrong text, refused beside its field",
        (press("Answer…"), fill("20917"), send, complained),
        (fill("CHG-20917"), send),
        others=ANSWERING,
    ),
    CONFIRMATION.id: Steps(
        "two buttons; a no opens a modal for the reason",
        "the reason in the modal",
        (press("Keep it"), fill(WHY_NOT[:28])),
        (fill(WHY_NOT), send),
        others=ANSWERING,
    ),
    CHECKLIST.id: Steps(
        "checkboxes that save each tick, and a button",
        "ticked, and saved",
        (tick("Release notes are reviewed"), shows("2 of 4 ticked")),
        (tick("The old checkout can be switched back on"), shows("3 of 4 ticked"), press("Ready for launch")),
        others="2 of 4 ticked",
    ),
    VERDICTS.id: Steps(
        "a button per verdict below each item; a reason in a modal",
        "one decided, the reason for the next in the modal",
        (judge("Approve", left=2), judge("Reject", left=2), fill(WHY_NOT_PILLOW[:24])),
        (fill(WHY_NOT_PILLOW), send, shows("2 of 3"), press("Defer")),
        others="1 of 3",
    ),
    TASKS.id: Steps(
        "checkboxes and `Create tasks`",
        "one more ticked",
        (tick("Say in the runbook what to do then"),),
        (press("Create tasks"),),
    ),
    CONNECTION.id: Steps(
        "`Decline` opens a modal; granted only on the review page",
        "the reason in the modal",
        (press("Decline"), fill(NOT_NOW[:21])),
        (fill(NOT_NOW), send),
        others=ANSWERING,
    ),
    MIXED.id: Steps(
        "`Answer…` opens a modal with the whole form",
        "half of the form filled in",
        (
            press("Answer…"),
            choose("Which house?", "By the river"),
            type_in("How many", "17"),
            type_in("First day", "2027-05-11"),
        ),
        (
            choose("What must the kitchen know?", "Vegan", "No gluten"),
            choose("Shall a bus", "Yes"),
            type_in("What would make it", MIXED.answer["wish"]["value"]),
            send,
        ),
        others=ANSWERING,
    ),
}

SURFACE = Surface("slack", "Slack", ask, meet, settled, STEPS)

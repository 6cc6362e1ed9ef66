"""Every format on the review page: the control, and what a person does with it step by step."""

from __future__ import annotations

from collections.abc import Mapping

from bot.sandbox.gallery.choices import CHOICE, CHOICES, CUSTOM, LONG_CHOICE
from bot.sandbox.gallery.decisions import CONFIRMATION, CONNECTION, NOT_NOW, WHY_NOT
from bot.sandbox.gallery.forms import MIXED
from bot.sandbox.gallery.lists import CHECKLIST, VERDICTS
from bot.sandbox.gallery.lists import WHY_NOT as WHY_NOT_PILLOW
from bot.sandbox.gallery.tasks import TASKS
from bot.sandbox.gallery.words import PATTERN, TEXT
from tests.gallery.review import ask, check, complained, fill, judge, meet, press, says, select, settled
from tests.gallery.spot import Steps, Surface

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
    CHECKLIST.id: Steps(
        "checkboxes, `Save ticks` and a button",
        "ticked and saved",
        (check("Release notes are reviewed"), press("Save ticks"), says("2 of 4 ticked")),
        (check("The old checkout can be switched back on"), press("Ready for launch")),
    ),
    VERDICTS.id: Steps(
        "radio buttons per item, each with its reason",
        "one decided and saved, one begun",
        (
            judge("pydantic", "Approve"),
            press("Save verdicts"),
            says("1 of 3"),
            judge("pillow", "Reject", WHY_NOT_PILLOW[:24]),
        ),
        (judge("pillow", "Reject", WHY_NOT_PILLOW), judge("redis", "Defer"), press("Save verdicts")),
    ),
    TASKS.id: Steps(
        "checkboxes, with title, assignee and priority to change",
        "one more ticked",
        (check("Say in the runbook what to do then"),),
        (press("Create tasks"),),
    ),
    CONNECTION.id: Steps(
        "`Decline` with a reason; for operators `Connect`",
        "the reason typed",
        (fill("Reason", NOT_NOW[:21]),),
        (fill("Reason", NOT_NOW), press("Decline")),
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

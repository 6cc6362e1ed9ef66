"""Every format in the Telegram client: the control, and what a person does with it step by step."""

from __future__ import annotations

from collections.abc import Mapping

from bot.sandbox.gallery.choices import CHOICE, CHOICES, CUSTOM, LONG_CHOICE
from bot.sandbox.gallery.decisions import CONFIRMATION, CONNECTION, NOT_NOW, WHY_NOT
from bot.sandbox.gallery.forms import MIXED
from bot.sandbox.gallery.lists import CHECKLIST, VERDICTS
from bot.sandbox.gallery.lists import WHY_NOT as WHY_NOT_PILLOW
from bot.sandbox.gallery.tasks import TASKS
from bot.sandbox.gallery.words import PATTERN, TEXT
from tests.gallery.spot import Steps, Surface
from tests.gallery.telegram import ask, hears, meet, reach, reply_to_the_card, says, send, settled, shows, tap, write

NOTE = TEXT.answer["note"]["value"]
ANSWERING = "Ana is answering"
REMEDY = CUSTOM.answer["remedy"]["custom"]

STEPS: Mapping[str, Steps] = {
    TEXT.id: Steps(
        "`Answer…` asks for a reply in words",
        "half the text in the reply",
        (tap("Answer…"), write(NOTE[:31])),
        (write(NOTE), send),
        others=ANSWERING,
    ),
    CHOICE.id: Steps(
        "one button per option", "nothing between: a tap decides", (reach("Ship it now"),), (tap("Ship it now"),)
    ),
    LONG_CHOICE.id: Steps(
        "a button per option, in pages of 8 that can be searched",
        "what was found",
        (tap("Search…"), write("eu-s"), send, shows("Zaragoza (eu-south-2)")),
        (tap("Zaragoza (eu-south-2)"),),
    ),
    CHOICES.id: Steps(
        "buttons that tick, and `Submit`",
        "one ticked",
        (tap("☐ Enterprise"), shows("☑ Enterprise")),
        (tap("☐ Renewing within 60 days"), shows("☑ Renewing within 60 days"), tap("Submit")),
        others=ANSWERING,
    ),
    CUSTOM.id: Steps(
        "buttons, and `Other…` asks for a reply in words",
        "own words in the reply",
        (tap("Other…"), write(REMEDY[:16])),
        (write(REMEDY), send),
        others=ANSWERING,
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
        others=ANSWERING,
    ),
    CHECKLIST.id: Steps(
        "buttons that tick and save each tick, and a button",
        "ticked, and saved",
        (tap("☐ Release notes are reviewed"), shows("☑ Release notes are reviewed")),
        (
            tap("☐ The old checkout can be switched back on"),
            shows("☑ The old checkout can be switched back on"),
            tap("Ready for launch"),
        ),
        others="2 of 4 ticked",
    ),
    VERDICTS.id: Steps(
        "a button per verdict, one item at a time; a reason as a reply",
        "one decided, the reason for the next in the reply",
        (tap("Approve"), says("pillow"), tap("Reject"), write(WHY_NOT_PILLOW[:24])),
        (write(WHY_NOT_PILLOW), send, says("redis"), tap("Defer")),
        others="1 of 3 decided",
    ),
    TASKS.id: Steps(
        "buttons that tick, and `Create tasks`",
        "one more ticked",
        (tap("☐ ↳ Say in the runbook what to do then"), shows("☑ ↳ Say in the runbook what to do then")),
        (tap("Create tasks"),),
        others=ANSWERING,
    ),
    CONNECTION.id: Steps(
        "`Decline` asks for a reason as a reply; granted only on the review page",
        "the reason in the reply",
        (tap("Decline"), write(NOT_NOW[:21])),
        (write(NOT_NOW), send),
        others=ANSWERING,
    ),
    MIXED.id: Steps(
        "one question after the other, with `Back` and a summary before `Submit`",
        "the fourth of six questions",
        (
            tap("Answer"),
            tap("By the river"),
            says("How many of us come?"),
            write("17"),
            send,
            says("First day"),
            write("2027-05-11"),
            send,
            tap("☐ Vegan"),
            shows("☑ Vegan"),
        ),
        (
            tap("☐ No gluten"),
            shows("☑ No gluten"),
            tap("Next"),
            tap("Yes"),
            says("What would make it worth the trip?"),
            write(MIXED.answer["wish"]["value"]),
            send,
            tap("Submit"),
        ),
        others=ANSWERING,
    ),
}

SURFACE = Surface("telegram", "Telegram", ask, meet, settled, STEPS)

"""What a card offers to do about time: the button that opens the menu, the menu in place of the controls, and the
prompts it leads to. None of it decides anything."""

from __future__ import annotations

from typing import Final

from blocks.telegram.keyboard import Button, Controls, Keyboard, in_rows
from blocks.telegram.parts import code, joined
from blocks.words import listed
from core.controls import Action
from core.moments import SNOOZES

LATER: Final = "Later…"
ANOTHER_TIME: Final = "Another time…"
HAND_TO: Final = "Hand it to…"
AWAITED: Final = "Who is it waiting for?"
BACK: Final = "Back"
EXPLAINED: Final = "Later: choose when I am to remind you of this again, or hand it to somebody else. It stays open."
"""What the card says while its menu is shown, since the buttons are too small to."""
UNTIL_BOX: Final = "20m, 18:30, mon 9:00"
TO_BOX: Final = "A handle, such as ana"
_EXAMPLES: Final = ("20m", "2h", "18:30", "tomorrow 9:00", "mon 9:00", "2027-01-05 09:00")
_TIMES: Final = f"For example {listed([code(one) for one in _EXAMPLES], 'or')}."
_ZONE: Final = "Times of day are those of your time zone; /zone says which."


def opens_menu(controls: Controls) -> Button:
    """The button that shows the menu."""
    return controls.button(LATER, Action.MENU)


def menu(controls: Controls) -> Keyboard:
    """The menu: when to be reminded, whom to hand it to, whom it waits for, and the way back to the controls."""
    moments = [controls.button(label, Action.SNOOZE, option=option) for option, (label, _) in enumerate(SNOOZES)]
    moments += [controls.button(ANOTHER_TIME, Action.PUT_OFF), controls.button(HAND_TO, Action.DELEGATE)]
    return (
        *in_rows(moments),
        (controls.button(AWAITED, Action.AWAITED),),
        (controls.button(BACK, Action.MENU, option=1),),
    )


def wants_moment(reply: str, about: str, *, again: bool) -> str:
    """Ask until when. `reply` says what to do with the words, `about` names the card; both are HTML. `again`: how to
    write a time is said already, as what was wrong with another."""
    how = _ZONE if again else f"{_TIMES} {_ZONE}"
    return joined((f"{reply} with when I am to remind you of {about}.", how))


def wants_person(reply: str, about: str) -> str:
    """Ask whom to hand a card to; as above."""
    what = f"{reply} with the handle of the person to hand {about} to, such as <code>ana</code>."
    return joined((what, "They may answer it then as well, and I tell them so. You may still answer it yourself."))

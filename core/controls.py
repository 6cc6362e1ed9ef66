"""What a control in chat stands for. It confers nothing: authority is judged when it is pressed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Action(IntEnum):
    """The numbers are on the wire (inside control tokens): never reuse one."""

    ANSWER = 1
    """Choose option `option` of question `question`, at once. For a boolean, option 0 is yes and 1 is no."""
    ACCEPT = 2
    REJECT = 3
    """Reject without a reason (the card takes none, or the person gives none)."""
    REASON = 4
    """Ask for the reason of a reject."""
    WRITE = 5
    """Ask for the words, number or day that answers question `question`."""
    OTHER = 6
    """Ask for own words instead of (or besides) the options of question `question`."""
    TOGGLE = 7
    """Tick or untick option `option` in the person's draft."""
    SUBMIT = 8
    """Answer with what is ticked."""
    PAGE = 9
    """Show page `option` of the keyboard."""
    COMMENT = 10
    """Ask for words that decide nothing."""
    HOLD = 11
    """Part of a multi-step control whose own press does nothing (a checkbox before Submit, a page number)."""
    PICK = 12
    """One option inside a control that is submitted as a whole (a checkbox, a multi-select)."""
    FORM = 13
    """Ask for all answers at once, in a form of its own."""
    STEP = 14
    """Show question `question` of a form that is filled in one by one; the number of questions shows the summary."""
    SEARCH = 15
    """Ask for words to look for among the options of question `question`; with option 1, show all of them again."""
    TICK = 16
    """Tick item `option` of a checklist, at once."""
    UNTICK = 17
    """Untick item `option` of a checklist, at once."""
    TICKS = 18
    """A group of checkboxes of a checklist was touched. What is ticked in it now comes with it, as TICK."""
    VERDICT = 19
    """Give item `option` the verdict `question`, at once and without a reason."""
    JUDGE = 20
    """Ask for the reason of verdict `question` on item `option`."""
    CLEAR = 21
    """Empty the person's draft and close the form."""
    MENU = 22
    """Show what can be done about time in place of the controls; with option 1, show the controls again."""
    SNOOZE = 23
    """Leave the presser alone with it for a while: option 0 is 15 minutes, 1 an hour, 2 until tomorrow at nine."""
    PUT_OFF = 24
    """Ask until when the presser wants to be left alone with it."""
    DELEGATE = 25
    """Ask whom the presser hands it to."""
    AWAITED = 26
    """Tell the presser whom it waits for."""


DECIDES = frozenset(
    {
        Action.ANSWER,
        Action.ACCEPT,
        Action.REJECT,
        Action.SUBMIT,
        Action.TICK,
        Action.UNTICK,
        Action.TICKS,
        Action.VERDICT,
    }
)
OPENS_FORM = frozenset(
    {
        Action.REASON,
        Action.WRITE,
        Action.OTHER,
        Action.COMMENT,
        Action.FORM,
        Action.SEARCH,
        Action.JUDGE,
        Action.PUT_OFF,
        Action.DELEGATE,
    }
)
ANSWERS = DECIDES | {
    Action.REASON,
    Action.WRITE,
    Action.OTHER,
    Action.TOGGLE,
    Action.FORM,
    Action.STEP,
    Action.SEARCH,
    Action.JUDGE,
}
"""What decides, or is filled in to decide later: of no use where answers are not taken."""
ASIDE = frozenset({Action.COMMENT, Action.SEARCH, Action.PUT_OFF, Action.DELEGATE})
"""Forms whose words are no part of an answer, so whoever has one open is not answering yet."""


MOST_REVISIONS = 65_535
"""The most that a control token has room for: buttons of later ones could not be drawn."""


@dataclass(frozen=True)
class Control:
    """One control of one revision on one copy of a card.

    `publication` is the copy's number (0: no copy). `seen` is the start of the digest of what was shown,
    8 hex digits. `option` is an index into the options or items, a page for PAGE, and for SUBMIT whether the card
    was drawn with something filled in (1) or untouched (0).
    """

    interaction: str
    publication: int
    revision: int
    seen: str
    action: Action
    question: int = 0
    option: int = 0

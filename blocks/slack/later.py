"""What can be done about a card's time: a menu on the card, and the form for another time or another person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from blocks.codec import Codec
from blocks.slack import inputs
from blocks.slack.controls import block_id, control, press
from blocks.slack.limits import ACTIONS_ELEMENTS
from blocks.slack.parts import Block, actions, context, mrkdwn, option, plain, words
from blocks.slack.prose import line, prose
from blocks.words import one_line
from core.cards import Card
from core.controls import Action, Control
from core.moments import SNOOZES
from core.people import Identity
from core.records import Interaction

MENU: Final = "later"
"""The action id of the menu; there is one on a card."""
TITLE: Final = "Later, or someone else"
LATER: Final = "Later…"
OTHERWISE: Final = "Another time or person…"
AWAITED: Final = "Who is it waiting for?"
UNTIL, TO = "until", "to"
"""The fields of the form: a moment, and an account."""
ON_THIS_DEVICE: Final = "In the time zone of this device. Nobody else is reminded any later."
MAY_ANSWER_TOO: Final = "They may then answer as well as you, and get the question in a direct message."


def menu(card: Card, codec: Codec) -> Block:
    """The three dots of a card. Each option's value is its token."""
    offered = [(_remind(label), control(card, Action.SNOOZE, 0, place)) for place, (label, _) in enumerate(SNOOZES)]
    offered += [(OTHERWISE, control(card, Action.PUT_OFF)), (AWAITED, control(card, Action.AWAITED))]
    options = [option(label, codec.pack(what)) for label, what in offered]
    return {"type": "overflow", "action_id": MENU, "options": options}


def short_menu(card: Card, codec: Codec) -> Block:
    """The button that a card without room for the menu has in its place; it opens the form."""
    return press(codec, LATER, control(card, Action.PUT_OFF))


def at_the_end(rows: Sequence[Block], element: Block, card: Card) -> list[Block]:
    """Rows of controls with one more at the end of the last row that has room, else in a row of its own."""
    for place in range(len(rows) - 1, -1, -1):
        row = rows[place]
        if row["type"] == "actions" and len(row["elements"]) < ACTIONS_ELEMENTS.number:
            full = {**row, "elements": [*row["elements"], element]}
            return [*rows[:place], full, *rows[place + 1 :]]
    return [*rows, actions(block_id(MENU, card), element)]


def _remind(label: str) -> str:
    """`Remind me in 15 minutes`, `Remind me tomorrow at 9:00`."""
    if label[0].isdigit():
        return f"Remind me in {label}"
    day, _, clock = label.partition(" ")
    return f"Remind me {day.lower()} at {clock}"


def tokens(asked: Control, codec: Codec, person: Identity) -> dict[str, str]:
    """The tokens of the form: what it is sent with when a time is chosen, and when a person is."""
    put_off, delegate = (replace(asked, action=action) for action in (Action.PUT_OFF, Action.DELEGATE))
    return {"token": codec.pack(put_off, str(person)), TO: codec.pack(delegate, str(person))}


def fields(interaction: Interaction, place: str) -> list[Block]:
    """The blocks of the form: a moment, or a person. `place` is where the card is, in mrkdwn."""
    told = f"Fill in one of the two. The question stays open in {place}, where its card says whom you hand it to."
    title = line(words(one_line(interaction.content.title) or "…", "bold"))
    return [
        *prose(title),
        context(mrkdwn(told)),
        _field(interaction, UNTIL, "Remind me on", {"type": "datetimepicker"}, ON_THIS_DEVICE),
        _field(
            interaction, TO, "Or hand it to", {"type": "users_select", "placeholder": plain("Choose a person")},
            MAY_ANSWER_TOO,
        ),
    ]  # fmt: skip


def _field(interaction: Interaction, name: str, label: str, element: Block, hint: str) -> Block:
    made = {**element, "action_id": inputs.VALUE}
    return {
        **inputs.field(f"{name}:{interaction.revision}", label, made, optional=True),
        "hint": plain(hint),
    }

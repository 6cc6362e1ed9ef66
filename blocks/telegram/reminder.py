"""Reminders under a card: whom it waits for and how long there is, and one line that it waits no more."""

from __future__ import annotations

from typing import Final

from blocks.telegram.parts import shortened
from blocks.telegram.text import escape
from blocks.timely import ASKED_FOR, count, left, over, quoted, waits
from blocks.words import isolate
from core.notices import Named, ReminderNotice

_RINGS: Final = "🔔"
_SILENT: Final = "🔕"


def reminder(notice: ReminderNotice, *, alone: bool) -> str:
    """The reminder as HTML, with people called by their accounts, which makes their phones ring. `alone`: the chat is
    one person's. Once the card is settled it calls nobody: it says how it ended."""
    interaction = notice.card.interaction
    if not interaction.is_pending:
        return f"{_SILENT} {escape(over(interaction, notice.zone))}"
    what = f"<b>{escape(quoted(interaction))}</b> {waits(alone=alone or bool(notice.calls))}."
    lead = _lead(notice, alone=alone)
    said = f"{lead}: {what}" if lead else what
    number = f"{_RINGS} {count(notice)}" if notice.of else ""
    until = left(interaction, notice.now, notice.zone)
    lines = (number, said if number else f"{_RINGS} {said}", f"{escape(until)}." if until else "")
    return "\n".join(line for line in lines if line)


def _lead(notice: ReminderNotice, *, alone: bool) -> str:
    names = "" if alone else ", ".join(_called(one) for one in notice.calls)
    if notice.of:
        return names
    return f"{names}, {ASKED_FOR}" if names else f"{ASKED_FOR[:1].upper()}{ASKED_FOR[1:]}"


def _called(one: Named) -> str:
    name = escape(shortened(isolate(one.name))) or "you"
    return f'<a href="tg://user?id={one.identity.user}">{name}</a>'

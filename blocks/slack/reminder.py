"""Reminders in the thread of a card: whom it waits for and how long there is, and one line that it waits no more."""

from __future__ import annotations

from blocks.slack.content import full_form_button
from blocks.slack.notice import notice
from blocks.slack.parts import Block, actions, context, plain, rich, section, words
from blocks.slack.text import escape
from blocks.timely import ASKED_FOR, count, left, over, quoted, waits
from core.notices import Named, ReminderNotice


def reminder(one: ReminderNotice, *, alone: bool) -> tuple[list[Block], str]:
    """The blocks of a reminder and its text for notifications, which is escaped. `alone`: the conversation is one
    person's. Once the card is settled it calls nobody: it says how it ended."""
    interaction = one.card.interaction
    if not interaction.is_pending:
        ended = over(interaction, one.zone)
        return notice(ended), escape(ended)
    calls = () if alone else one.calls
    before = f", {ASKED_FOR}: " if calls else f"{ASKED_FOR[:1].upper()}{ASKED_FOR[1:]}: "
    if one.of:
        before = ": " if calls else ""
    waiting = f" {waits(alone=alone or bool(calls))}."
    said = section(*_called(calls), *_said(before), words(quoted(interaction), "bold"), words(waiting))
    small = [part for part in (count(one), left(interaction, one.now, one.zone)) if part]
    blocks = [
        rich(said),
        *([context(*(plain(part) for part in small))] if small else []),
        *([actions("reminded", *link)] if (link := full_form_button(one.card)) else []),
    ]
    names = ", ".join(f"<@{named.identity.user}>" for named in calls)
    text = f"{names}{escape(f'{before}{quoted(interaction)}{waiting}')}"
    return blocks, " ".join((text, *(f"{escape(part)}." for part in small)))


def _said(text: str) -> list[Block]:
    return [words(text)] if text else []


def _called(calls: tuple[Named, ...]) -> list[Block]:
    """Those it waits for, as mentions of their accounts, which make their clients ring."""
    elements: list[Block] = []
    for named in calls:
        elements += [words(", ")] if elements else []
        elements.append({"type": "user", "user_id": named.identity.user})
    return elements

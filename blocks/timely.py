"""Wording about time that every surface shares: reminders, lists of what waits, and who a card was handed to.

These give plain text, with names and titles from outside made safe to stand in a line; each surface still escapes it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from blocks.words import duration, isolate, listed, one_line, who
from core.addressed import account, answerers
from core.addresses import ChatAddress
from core.audience import Audience
from core.awaited import clock
from core.notices import DigestNotice, ReminderNotice
from core.quiet import zone_of
from core.records import Interaction
from core.reminding import Delegation
from core.telling import outcome_sentence, when

ASKED_FOR: Final = "you asked to be reminded"
NO_LONGER: Final = "no longer waiting"
HELD: Final = "Several things wait for you"
MORNING: Final = "What waits for you today"
ESCALATED: Final = "Escalated to"
"""Before the names of those who were brought in because nobody had answered."""
LONGEST_NAMES: Final = 260
"""Who handed a card to whom is told in numbers where it would take the card over."""
MOST_NAMED: Final = 3
"""Those brought in that are named; beyond them it says how many more there are."""
SOON: Final = timedelta(hours=20)
"""Within this time a time of day says which day it is."""


def count(notice: ReminderNotice) -> str:
    """`Reminder 2 of 3`; nothing for one that somebody asked for."""
    return f"Reminder {notice.number} of {notice.of}" if notice.of else ""


def quoted(interaction: Interaction) -> str:
    """The title as a name in a sentence: `“Release 4.2”`."""
    return in_quotes(interaction.content.title)


def in_quotes(title: str) -> str:
    """Outside words as a name in a sentence."""
    return f"“{isolate(title) or '…'}”"


def waits(*, alone: bool) -> str:
    """What a card does that is not settled, after its title. `alone`: one person, who is told this, is to answer."""
    return "still waits for your answer" if alone else "still waits for an answer"


def left(interaction: Interaction, now: datetime, zone: str) -> str:
    """`It expires in 2 h (18:00 CET)`; nothing where it does not expire. `zone` is an IANA name."""
    if interaction.expires_at is None:
        return ""
    length, at = interaction.expires_at - now, zone_of(zone)
    local = interaction.expires_at.astimezone(at)
    moment = f"{local:%H:%M %Z}" if length < SOON else clock(local, at)
    return f"It expires in {duration(length)} ({moment})"


def over(interaction: Interaction, zone: str) -> str:
    """What a reminder says once its card is settled: that it waits no longer, and how it ended. `zone` is an IANA
    name."""
    sentence = outcome_sentence(interaction, spelled=lambda at: when(at, zone))
    return f"{quoted(interaction)}: {NO_LONGER}. {sentence}"


def heading(digest: DigestNotice) -> str:
    """The head of a list of what waits."""
    return HELD if digest.held else MORNING


def unlisted(digest: DigestNotice) -> str:
    """How many more wait than are listed; nothing when all are."""
    return f"{digest.more} more {'waits' if digest.more == 1 else 'wait'} for you." if digest.more else ""


def escalated(interaction: Interaction) -> str:
    """`Escalated to any operator and ana`; nothing when it was not. Those brought in are named by their accounts."""
    nudges = interaction.policy.nudges
    if interaction.reminding.escalated_at is None or nudges is None:
        return ""
    named = answerers(Audience(answerers=nudges.escalate_to))
    told = [isolate(account(one) if isinstance(one, ChatAddress) else one) for one in named]
    more = [f"{len(told) - MOST_NAMED} more"] if len(told) > MOST_NAMED else []
    return f"{ESCALATED} {listed([*told[:MOST_NAMED], *more])}"


def handed_on(interaction: Interaction) -> str:
    """`Ana handed it to Ben`, `Ana handed it to Ben; Ben handed it to Cid`; nothing when nobody did."""
    told = "; ".join(handed(one) for one in interaction.delegations)
    return told if len(told) <= LONGEST_NAMES else f"Handed on {len(interaction.delegations)} times"


def handed(one: Delegation) -> str:
    """One time that somebody handed it on: `Ana handed it to Ben`."""
    return f"{who(one.by)} handed it to {isolate(one_line(one.name)) or 'someone'}"

"""Wording that every surface shares: who, when, how long, and lists.

These give plain text. What comes from outside (a name) is neutralised, on one line and isolated here; each
surface still escapes the sentence it stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

from blocks.characters import isolate, neutralise, one_line
from core.people import By, Via
from core.telling import when

__all__ = ["ago", "duration", "isolate", "listed", "neutralise", "one_line", "through", "until", "when", "who"]


def who(by: By) -> str:
    """Name whoever did something: `Ana`, `@ana` when only the handle is known, `agent ci`, `the timer`."""
    match by.type:
        case "person":
            return isolate(by.name or "") or isolate(f"@{by.handle}" if by.handle else "") or "someone"
        case "agent":
            name = isolate(by.name or by.handle or "")
            return f"agent {name}" if name else "an agent"
        case "timer":
            return "the timer"
        case _:
            assert_never(by.type)


def duration(length: timedelta) -> str:
    """Spell how long, rounded down: `45 s`, `1 h 30 min`, `23 h`, `5 days`. No time is promised that is not there.

    Under ten hours the minutes are told too; a negative length is `0 s`.
    """
    seconds = max(0, int(length.total_seconds()))
    minutes, hours, days = seconds // 60, seconds // 3_600, seconds // 86_400
    if minutes < 1:
        return f"{seconds} s"
    if hours < 1:
        return f"{minutes} min"
    if days >= 2:
        return f"{days} days"
    odd = minutes % 60
    return f"{hours} h {odd} min" if hours < 10 and odd else f"{hours} h"


def until(length: timedelta) -> str:
    """Spell time to come: `in 23 h`, or `now` when it is over or under a second away."""
    return f"in {duration(length)}" if length >= timedelta(seconds=1) else "now"


def ago(length: timedelta) -> str:
    """Spell time gone by: `5 min ago`, or `just now` under a minute."""
    return f"{duration(length)} ago" if length >= timedelta(minutes=1) else "just now"


def through(via: Via, page: str = "on the review page") -> str:
    """Name the surface of an act: `in Slack`. `page` is what the review page is called here; the timer has none."""
    match via:
        case Via.SLACK:
            return "in Slack"
        case Via.TELEGRAM:
            return "in Telegram"
        case Via.REVIEW:
            return page
        case Via.API:
            return "through the API"
        case Via.MCP:
            return "through MCP"
        case Via.TIMER:
            return ""
        case _:
            assert_never(via)


def listed(items: Sequence[str], last: str = "and") -> str:
    """Join words as a sentence does: `a`, `a and b`, `a, b and c`; nothing for no items."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def how_many(number: int, one: str, more: str = "") -> str:
    """A number with its noun: `1 card`, `2 cards`, `0 people`."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"

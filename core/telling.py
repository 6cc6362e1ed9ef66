"""Plain sentences about how a card stands, for people who may read it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import assert_never

from core.endings import wording
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.item_verdicts import Verdicts
from core.kinds.questions import BooleanQuestion, ChoiceQuestion, ChoicesQuestion, Question
from core.people import By
from core.quiet import zone_of
from core.records import Interaction, Outcome, Status
from core.standing import so_far

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def when(at: datetime, zone: str = "UTC") -> str:
    """Spell an instant as people can read it anywhere: `2 Dec 2026, 14:05 UTC`. `at` knows its zone; where that of the
    reader is known, `zone` is its IANA name: `2 Dec 2026, 15:05 CET`."""
    if at.tzinfo is None:
        raise ValueError("a time without a zone names no instant; give it one")
    moment = at.astimezone(zone_of(zone))
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}, {moment:%H:%M %Z}"


def who(by: By) -> str:
    """The name a person or agent goes by."""
    if by.type == "timer":
        return "the timer"
    return by.name or by.handle or "someone"


def option_label(question: Question, value: object) -> str:
    """What an answer's value reads like: the option's label, Yes or No, or the value itself."""
    if isinstance(question, ChoiceQuestion | ChoicesQuestion):
        return next((option.label for option in question.options if option.id == value), str(value))
    if isinstance(question, BooleanQuestion):
        return "Yes" if value is True else "No"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def answer_lines(payload: Questions, answer: object) -> list[tuple[str, str]]:
    """Each answered question's prompt with its answer in words."""
    lines: list[tuple[str, str]] = []
    given = answer if isinstance(answer, dict) else {}
    for question in payload.questions:
        one = given.get(question.id)
        if not isinstance(one, dict):
            continue
        parts: list[str] = []
        if "value" in one:
            parts.append(option_label(question, one["value"]))
        values = one.get("values")
        if isinstance(values, list | tuple):
            parts.extend(option_label(question, value) for value in values)
        if isinstance(one.get("custom"), str):
            parts.append(str(one["custom"]))
        lines.append((question.prompt, ", ".join(parts) if parts else "none"))
    return lines


def decision(interaction: Interaction, outcome: Outcome) -> str:  # noqa: C901, PLR0912  # one flat case per kind
    """What was decided, in a few words: the answer itself, or the label that was pressed."""
    payload = interaction.content.payload
    answer = outcome.answer or {}
    match payload:
        case Confirmation():
            if outcome.status is Status.ACCEPTED:
                return payload.accept_label
            if outcome.status is Status.REJECTED:
                return payload.reject_label
        case Questions():
            lines = answer_lines(payload, outcome.answer)
            if len(payload.questions) == 1 and lines:
                return lines[0][1]
            if outcome.status is Status.ANSWERED:
                return f"{len(lines)} of {len(payload.questions)} questions"
        case Checklist():
            if outcome.status is Status.COMPLETED:
                return f"{_count(answer.get('selected'))} of {len(payload.items)} ticked"
        case ItemVerdicts():
            if outcome.status is Status.COMPLETED:
                return verdict_counts(payload, interaction.verdicts)
        case SuggestedTasks():
            if outcome.status is Status.ACCEPTED:
                made = _count(answer.get("created"))
                return f"{made} {'task' if made == 1 else 'tasks'} created, {len(payload.tasks) - made} skipped"
            if outcome.status is Status.REJECTED:
                return "No tasks created"
        case ConnectionRequest():
            if outcome.status is Status.ACCEPTED:
                return f"{payload.service} connected"
            if outcome.status is Status.REJECTED:
                return f"{payload.service} not connected"
        case _:
            assert_never(payload)
    return ""


def _count(value: object) -> int:
    return len(value) if isinstance(value, list | tuple) else 0


def verdict_counts(payload: ItemVerdicts, given: Verdicts) -> str:
    """How often each verdict was given, such as `3 Approve, 1 Reject`, in the order of the verdicts."""
    counts = ((sum(one.verdict == option.id for one in given), option.label) for option in payload.verdicts)
    return ", ".join(f"{count} {label}" for count, label in counts if count)


def outcome_sentence(interaction: Interaction, longest: int = 140, spelled: Callable[[datetime], str] = when) -> str:
    """Who settled it, how and when; what was decided is left out where it would not fit in `longest` characters.

    `spelled` spells the moment, for a reader whose time zone is known."""
    outcome = interaction.outcome
    if outcome is None:
        return "This is still open."
    at, name = spelled(outcome.at), who(outcome.by)
    what = decision(interaction, outcome)
    match outcome.status:
        case Status.ANSWERED | Status.ACCEPTED | Status.REJECTED | Status.COMPLETED:
            verb = wording(interaction.content.kind, outcome.status).did
            full = f"{name} {verb} this on {at}: {what}"
            return full if what and len(full) <= longest else f"{name} {verb} this on {at}."
        case Status.EXPIRED:
            return f"The time to answer ended on {at}."
        case Status.WITHDRAWN:
            return f"{name} took this question back on {at}."
        case Status.SUPERSEDED:
            if outcome.successor is None:
                return f"Words of {name} took the place of this on {at}."
            return f"A newer question replaced this one on {at}."
        case Status.CANCELLED:
            return f"{name} cancelled this on {at}."
        case Status.SKIPPED:
            return f"{name} skipped this on {at}: no answer was needed."
        case Status.UNDELIVERABLE:
            return f"This could not be delivered ({at})."
        case Status.PENDING:
            return "This is still open."
        case _:
            assert_never(outcome.status)


def saved_sentence(interaction: Interaction) -> str:
    """What someone is told whose act was committed."""
    outcome = interaction.outcome
    if outcome is None:
        return _saved_progress(interaction)
    what = decision(interaction, outcome)
    return f"Saved: {what}" if what and len(what) <= 120 else "Your answer is saved."


def _saved_progress(interaction: Interaction) -> str:
    progress = so_far(interaction)
    return f"Saved: {progress}." if progress else "Your vote is saved."

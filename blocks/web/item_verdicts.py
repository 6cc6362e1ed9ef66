"""Item verdicts on the page: one verdict per item, saved as far as they were given; what is decided stands."""

from __future__ import annotations

from collections.abc import Iterator

from blocks.web.facts import HERE
from blocks.web.page import Progress, Visit
from blocks.web.parts import (
    Asked,
    Button,
    Choice,
    Field,
    Judged,
    Judging,
    Line,
    faults_at,
    line_or_area,
    shown,
    typed,
)
from blocks.web.reading import spelled
from blocks.words import isolate, listed, through, when, who
from core.fields import Fields
from core.forms import reason_name, verdict_name
from core.kinds.base import Reason
from core.kinds.item_verdicts import ItemVerdicts, Verdict, VerdictItem
from core.records import Interaction

JUDGE = "verdicts"


def fields(payload: ItemVerdicts, interaction: Interaction, visit: Visit) -> Iterator[Field]:
    """Every item in order: with its verdict where it has one, else with the verdicts to choose from."""
    standing = {one.item: one for one in interaction.verdicts}
    for index, item in enumerate(payload.items):
        name, given = verdict_name(index), standing.get(item.id)
        yield Field(
            name=name,
            label=shown(item.label) or "…",
            control=_judged(payload, given) if given is not None else _judging(payload, index, visit),
            help=shown(item.description),
            place=_place(payload, index),
            unit="Item",
            href=item.href or "",
            marks=_marks(item),
            required=False,
            faults=faults_at(visit.wrong, name) if given is None else (),
        )


def buttons() -> tuple[Button, ...]:
    """Give the verdicts that are chosen; the others stay open."""
    return Button(JUDGE, "Save verdicts", main=True), Button("draft", "Save draft")


def progress(payload: ItemVerdicts, interaction: Interaction) -> Progress:
    """How many items are decided."""
    done = len(interaction.verdicts)
    return Progress(done, len(payload.items), f"{done} of {len(payload.items)} decided")


def asked(payload: ItemVerdicts, interaction: Interaction) -> Iterator[Asked]:
    """Every item with the verdict that it has, if any."""
    standing = {one.item: one for one in interaction.verdicts}
    labels = [isolate(one.label) or "…" for one in payload.verdicts]
    yield Asked(label="Verdicts to choose from", hint=f"{listed(labels, 'or')}.")
    for index, item in enumerate(payload.items):
        given = standing.get(item.id)
        told = _judged(payload, given) if given is not None else Judged("No verdict", "")
        yield Asked(
            label=shown(item.label) or "…",
            help=shown(item.description),
            place=_place(payload, index),
            unit="Item",
            href=item.href or "",
            marks=_marks(item),
            said=(told.verdict,) if given is not None else (),
            reason=told.reason,
            note=told.note,
        )


def unsent(payload: ItemVerdicts, interaction: Interaction, filled: Fields) -> Iterator[tuple[str, str]]:
    """Verdicts that were chosen and not saved, for items that had none when the card was settled."""
    decided = {one.item for one in interaction.verdicts}
    for index, item in enumerate(payload.items):
        option = payload.option(typed(filled, verdict_name(index)))
        reason = typed(filled, reason_name(index)).strip()
        if item.id not in decided and (option is not None or reason):
            words = (option.label if option else "", reason)
            yield shown(item.label) or "…", shown(": ".join(part for part in words if part))


def _marks(item: VerdictItem) -> tuple[str, ...]:
    return ("recommended",) if item.recommended else ()


def _place(payload: ItemVerdicts, index: int) -> str:
    return f"{index + 1} of {len(payload.items)}" if len(payload.items) > 1 else ""


def _judged(payload: ItemVerdicts, given: Verdict) -> Judged:
    option = payload.option(given.verdict)
    note = ", ".join(part for part in (who(given.by), when(given.at), through(given.via, HERE)) if part)
    return Judged(shown(option.label if option else given.verdict), note, shown(given.reason))


def _judging(payload: ItemVerdicts, index: int, visit: Visit) -> Judging:
    filled = visit.filled or {}
    chosen = typed(filled, verdict_name(index))
    known = payload.option(chosen) is not None
    choices = tuple(
        Choice(
            value=spelled(one.id),
            label=shown(one.label) or "…",
            chosen=one.id == chosen,
            reasoned=one.reason is not Reason.NONE,
        )
        for one in payload.verdicts
    )
    return Judging((*choices, Choice("", "No verdict yet", chosen=not known)), _reason(payload, index, visit))


def _reason(payload: ItemVerdicts, index: int, visit: Visit) -> Field | None:
    needed = [f"“{shown(one.label)}”" for one in payload.verdicts if one.reason is Reason.REQUIRED]
    taken = [f"“{shown(one.label)}”" for one in payload.verdicts if one.reason is Reason.OPTIONAL]
    if not needed and not taken:
        return None
    rules = [f"Needed with {listed(needed)}." if needed else "", f"Welcome with {listed(taken)}." if taken else ""]
    name = reason_name(index)
    words = line_or_area(typed(visit.filled or {}, name), multiline=False)
    return Field(
        name=name,
        label="Reason",
        control=words if isinstance(words, Line) else line_or_area(words.value, multiline=True, rows=2),
        hint=" ".join(rule for rule in rules if rule),
        required=not taken,
        faults=faults_at(visit.wrong, name),
        touched=bool(typed(visit.filled or {}, name).strip()),
    )

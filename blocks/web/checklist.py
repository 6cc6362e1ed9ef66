"""A checklist on the page: a box per item with who ticked it, saved as it stands, and the button that completes it.

The form carries what was ticked when it was drawn, so that only what its person changed is sent and nobody else's tick
is undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blocks.web.facts import HERE
from blocks.web.page import Progress, Visit
from blocks.web.parts import Asked, Button, Choice, Field, Pick, faults_at, shown
from blocks.web.reading import HAD, spelled, ticked_ids
from blocks.words import isolate, through, when, who
from core.fields import Fields
from core.forms import TICKS
from core.kinds.checklist import CheckItem, Checklist, Tick, selected
from core.records import Interaction


def fields(payload: Checklist, interaction: Interaction, visit: Visit) -> Iterator[Field]:
    """One field with a box per item: ticked as things stand, and as this person changed it since."""
    chosen = as_changed(payload, selected(payload, interaction.ticks), visit.filled)
    yield Field(
        name=TICKS,
        label="Tick what applies",
        control=Pick("checkbox", _choices(payload, interaction, chosen)),
        hint=_demands(payload),
        faults=faults_at(visit.wrong, TICKS),
    )


def buttons(payload: Checklist) -> tuple[Button, ...]:
    """Complete it, or only save the ticks."""
    return Button("accept", shown(payload.accept_label) or "Submit", main=True), Button(TICKS, "Save ticks")


def had(payload: Checklist, interaction: Interaction) -> tuple[str, ...]:
    """What is ticked now, as a form carries it."""
    return tuple(spelled(id) for id in selected(payload, interaction.ticks))


def as_changed(payload: Checklist, now: Sequence[str], filled: Fields | None) -> set[str]:
    """What a form shows as ticked: what is ticked now, with what this person changed and has not saved."""
    if filled is None or HAD not in filled:
        return set(now)
    before, after = set(ticked_ids(filled, HAD)), set(ticked_ids(filled, TICKS))
    known = {item.id for item in payload.items}
    return ((set(now) | (after - before)) - (before - after)) & known


def progress(payload: Checklist, interaction: Interaction) -> Progress:
    """How many are ticked."""
    done = len(selected(payload, interaction.ticks))
    return Progress(done, len(payload.items), f"{done} of {len(payload.items)} ticked")


def asked(payload: Checklist, interaction: Interaction) -> Iterator[Asked]:
    """Every item, and which are ticked, by whom and when."""
    chosen = set(selected(payload, interaction.ticks))
    yield Asked(
        label="Items",
        hint=_demands(payload),
        choices=_choices(payload, interaction, chosen),
        word="ticked",
        folds=False,
    )


def unsent(payload: Checklist, interaction: Interaction, filled: Fields) -> Iterator[tuple[str, str]]:
    """Ticks that were made and not saved, as far as the card does not show the same."""
    now = set(selected(payload, interaction.ticks))
    chosen = as_changed(payload, tuple(now), filled)
    for told, ids in (("You had ticked", chosen - now), ("You had unticked", now - chosen)):
        labels = [isolate(item.label) or "…" for item in payload.items if item.id in ids]
        if labels:
            yield told, "\n".join(labels)


def _choices(payload: Checklist, interaction: Interaction, chosen: set[str]) -> tuple[Choice, ...]:
    last = {tick.item: tick for tick in interaction.ticks}
    return tuple(
        Choice(
            value=spelled(item.id),
            label=shown(item.label) or "…",
            description=shown(item.description),
            marks=("recommended",) if item.recommended else (),
            chosen=item.id in chosen,
            note=_note(item, last.get(item.id)),
        )
        for item in payload.items
    )


def _note(item: CheckItem, last: Tick | None) -> str:
    if last is None:
        return "Ticked from the start, by whoever asked." if item.checked else ""
    surface = through(last.via, HERE)
    return f"{'Ticked' if last.on else 'Unticked'} by {who(last.by)}, {when(last.at)}, {surface}.".replace(", .", ".")


def _demands(payload: Checklist) -> str:
    least, most, everything = payload.min, payload.most, len(payload.items)
    label = shown(payload.accept_label) or "Submit"
    if least == most:
        rule = f"Exactly {least} must be ticked when “{label}” is pressed."
    elif least and most < everything:
        rule = f"From {least} to {most} must be ticked when “{label}” is pressed."
    elif least:
        rule = f"At least {least} must be ticked when “{label}” is pressed."
    elif most < everything:
        rule = f"At most {most} may be ticked when “{label}” is pressed."
    else:
        rule = f"“{label}” ends it, with whatever is ticked then."
    return f"Everybody who may answer shares these ticks. {rule}"

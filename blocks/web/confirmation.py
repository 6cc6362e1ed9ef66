"""A confirmation on the page: a field for the reason, two buttons, and what they said once one was pressed."""

from __future__ import annotations

from collections.abc import Iterator

from blocks.web.page import Visit
from blocks.web.parts import Asked, Button, Choice, Field, faults_at, line_or_area, shown, typed
from core.kinds.confirmation import LONGEST_REASON, Confirmation, Reason
from core.records import Interaction, Status


def fields(payload: Confirmation, visit: Visit) -> Iterator[Field]:
    """The reason, where one is taken."""
    if payload.reason is Reason.NONE:
        return
    reject = shown(payload.reject_label)
    needed = "Needed" if payload.reason is Reason.REQUIRED else "Sent only"
    yield Field(
        name="reason",
        label=shown(payload.reason_label),
        control=line_or_area(typed(visit.filled or {}, "reason"), multiline=True),
        hint=f"{needed} if you press “{reject}”. At most {LONGEST_REASON:,} characters.",
        required=payload.reason is Reason.REQUIRED,
        faults=faults_at(visit.wrong, "reason"),
    )


def buttons(payload: Confirmation) -> tuple[Button, ...]:
    """The two ways to decide, under the asker's own labels."""
    return (
        Button("accept", shown(payload.accept_label) or "Accept", main=True),
        Button("reject", shown(payload.reject_label) or "Reject"),
    )


def asked(payload: Confirmation, interaction: Interaction) -> Iterator[Asked]:
    """The two choices there are, or were, and which of them was taken."""
    labels = (
        (payload.accept_label, interaction.status is Status.ACCEPTED),
        (payload.reject_label, interaction.status is Status.REJECTED),
    )
    yield Asked(
        label="To choose between",
        choices=tuple(Choice("", shown(label), chosen=taken) for label, taken in labels),
    )

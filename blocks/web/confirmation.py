"""A confirmation on the page: a field for the reason, two buttons, and what they said once one was pressed."""

from __future__ import annotations

from collections.abc import Iterator

from blocks.web.page import Visit
from blocks.web.parts import Asked, Button, Choice, Field, shown
from blocks.web.reasons import reason_field
from core.kinds.base import Reason
from core.kinds.confirmation import Confirmation
from core.records import Interaction, Status


def fields(payload: Confirmation, visit: Visit) -> Iterator[Field]:
    """The reason, where one is taken."""
    if payload.reason is not Reason.NONE:
        yield reason_field(payload.reason, payload.reason_label, shown(payload.reject_label), visit)


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

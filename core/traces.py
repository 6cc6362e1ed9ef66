"""The receipts that acts leave: who did what, on which revision, under which policy."""

from __future__ import annotations

from pydantic import JsonValue

from core.acts import Act, Stamp
from core.receipts import ReceiptDraft, ReceiptType
from core.records import Interaction


def draft(
    interaction: Interaction, type_: ReceiptType, stamp: Stamp, data: dict[str, JsonValue] | None = None
) -> ReceiptDraft:
    """A receipt of `type_` for an act stamped `stamp`, on the content as it stands in `interaction`."""
    kept = dict(data or {})
    if stamp.quoted is not None:
        kept["quoted"] = {"message": stamp.quoted.message, "agent": stamp.quoted.agent}
    return ReceiptDraft(
        id=stamp.receipt,
        type=type_,
        by=stamp.by,
        via=stamp.via,
        provider_event=stamp.provider_event,
        revision=interaction.revision,
        digest=interaction.content.digest(),
        policy={"audience": interaction.audience.model_dump(mode="json"), **interaction.policy.wire()},
        at=stamp.now,
        data=kept,
    )


def late_answer(settled: Interaction, act: Act, stamp: Stamp) -> ReceiptDraft:
    """The line kept for an answer by someone who might have answered, but came too late."""
    data: dict[str, JsonValue] = {"act": act.name.value, "status": settled.status.value}
    return draft(settled, ReceiptType.LATE_ANSWER, stamp, data)

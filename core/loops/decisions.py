"""What an act on a loop leads to, as a value, and what every step of it shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from core.acts import Stamp
from core.blank import is_blank
from core.errors import Invalid
from core.events import LoopEventType
from core.loops.acts import Result
from core.loops.outcomes import LoopOutcome, LoopState, Mark
from core.loops.values import LONGEST_WORDS, Loop
from core.loops.wording import NEEDS_SUMMARY
from core.receipts import ReceiptDraft, ReceiptType
from core.sentences.values import Status as ResultStatus


@dataclass(frozen=True)
class LoopDecision:
    """What an act led to. `receipt` is the id of the receipt that stands for it: a new one, or with `repeated` the one
    of the first time, and then nothing is new. `said` is what the events carry besides the loop."""

    after: Loop
    receipt: str
    receipts: tuple[ReceiptDraft, ...] = ()
    events: tuple[LoopEventType, ...] = ()
    said: Mapping[str, JsonValue] = field(default_factory=dict)
    repeated: bool = False


def changed(before: Loop, **changes: object) -> Loop:
    """The next version."""
    return before.model_copy(update={"version": before.version + 1, **changes})


def mark(stamp: Stamp) -> Mark:
    """That the stamped act was done."""
    return Mark(by=stamp.by, via=stamp.via, at=stamp.now, receipt=stamp.receipt)


def line(loop: Loop, type_: ReceiptType, stamp: Stamp, data: Mapping[str, JsonValue] | None = None) -> ReceiptDraft:
    """A receipt of `type_` for an act stamped `stamp`. A loop has one revision: what was ordered never changes."""
    return ReceiptDraft(
        id=stamp.receipt,
        type=type_,
        by=stamp.by,
        via=stamp.via,
        provider_event=stamp.provider_event,
        revision=1,
        digest=loop.digest(),
        policy=loop.reminders.model_dump(mode="json"),
        at=stamp.now,
        data=dict(data or {}),
    )


def ended(
    before: Loop,
    state: LoopState,
    stamp: Stamp,
    *,
    result: ResultStatus | None = None,
    summary: str | None = None,
    reason: str | None = None,
    **changes: object,
) -> LoopDecision:
    """The decision that ends a loop, with its one receipt and one event."""
    outcome = LoopOutcome(
        status=state,
        by=stamp.by,
        via=stamp.via,
        at=stamp.now,
        receipt=stamp.receipt,
        result=result,
        summary=summary,
        reason=reason,
    )
    after = changed(before, state=state, outcome=outcome, **changes)
    data: dict[str, JsonValue] = {"result": result.value if result else None, "summary": summary, "reason": reason}
    kept = {key: value for key, value in data.items() if value is not None}
    receipt = line(after, ReceiptType(state.value), stamp, kept)
    return LoopDecision(after, stamp.receipt, (receipt,), (LoopEventType(f"loop.{state.value}"),))


def summary_of(act: Result) -> str:
    """The words of a result; with a status there may be none. `Invalid` when there are none, or too many."""
    if act.status is not None and is_blank(act.summary):
        return ""
    return words(act.summary, "/summary", NEEDS_SUMMARY)


def words(text: str, pointer: str, needed: str) -> str:
    """The words of a result or a reason. `Invalid` when there are none, or too many."""
    said = text.strip()
    if is_blank(said):
        raise Invalid.at(pointer, needed)
    if len(said) > LONGEST_WORDS:
        raise Invalid.at(pointer, f"at most {LONGEST_WORDS} characters")
    return said

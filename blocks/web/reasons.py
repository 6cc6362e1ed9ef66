"""The field for the reason of a reject, and when its words are too many."""

from __future__ import annotations

from blocks.web.page import Visit
from blocks.web.parts import Field, faults_at, line_or_area, shown, typed
from core.kinds.base import LONGEST_REASON, Reason


def reason_field(rule: Reason, label: str, button: str, visit: Visit) -> Field:
    """A reason that is sent only with the button called `button`."""
    needed = "Needed" if rule is Reason.REQUIRED else "Sent only"
    return Field(
        name="reason",
        label=shown(label),
        control=line_or_area(typed(visit.filled or {}, "reason"), multiline=True),
        hint=f"{needed} if you press “{button}”. At most {LONGEST_REASON:,} characters.",
        required=rule is Reason.REQUIRED,
        faults=faults_at(visit.wrong, "reason"),
    )

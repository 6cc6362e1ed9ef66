"""What the demo's agent asks, and how it puts in words what it heard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.answers import Answer


@dataclass(frozen=True)
class DemoCard:
    """One request; `labels` are the words for option ids."""

    title: str
    request: Mapping[str, Any]
    labels: Mapping[str, str] = field(default_factory=dict)

    def words(self, answer: Answer) -> str:
        """What was decided, in words."""
        reason = f" ({answer.reason})" if answer.reason else ""
        if not answer.answer or answer.status != "answered":
            return answer.status + reason
        parts: list[str] = []
        for given in answer.answer.values():
            chosen = given.get("values") or ([given["value"]] if "value" in given else [])
            parts += [self.labels.get(one, str(one)) for one in chosen]
            parts += [given["custom"]] if "custom" in given else []
        return ", ".join(parts)


def _options(labels: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"id": id_, "label": label} for id_, label in labels.items()]


_SHIP = {"now": "Ship it now", "monday": "Wait for Monday", "no": "Do not ship"}
_REGIONS = {"eu": "Europe", "us": "United States", "in": "India", "br": "Brazil"}

SHIP = DemoCard(
    "Release 4.2",
    {
        "body": "The canary has been **clean** for two hours:\n\n- error rate `0.02 %`\n- p95 `210 ms`",
        "recommendation": "Ship it: nothing got worse.",
        "questions": [{"id": "when", "prompt": "When do we ship?", "type": "choice", "options": _options(_SHIP)}],
        "policy": {"expires_in": "24h"},
    },
    _SHIP,
)
DELETE = DemoCard(
    "Delete the staging database?",
    {
        "body": "It was last used 41 days ago. A backup is kept for 30 days.",
        "kind": "confirmation",
        "payload": {"accept_label": "Delete it", "reject_label": "Keep it", "reason": "optional"},
    },
)
REGIONS = DemoCard(
    "Regions for 4.2",
    {
        "questions": [
            {
                "id": "regions",
                "prompt": "Where does it go first?",
                "type": "choices",
                "options": _options(_REGIONS),
                "custom": True,
            }
        ]
    },
    _REGIONS,
)
NOTE = DemoCard(
    "Release note",
    {
        "body": "One sentence for the status page.",
        "questions": [
            {"id": "note", "prompt": "What shall people read?", "type": "text", "placeholder": "4.2 makes …"}
        ],
    },
)

ROUNDS: tuple[tuple[DemoCard, ...], ...] = ((SHIP, DELETE), (REGIONS, NOTE))
REPLIES: Mapping[str, str] = {"Ship it now": "4.2 is shipping. I will say so when it is everywhere."}

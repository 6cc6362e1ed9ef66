"""The states of an interaction as a Mermaid diagram, drawn from the transition table and nothing else."""

from __future__ import annotations

from core.interactions import TRANSITIONS
from core.records import Status


def state_diagram() -> str:
    """One line per change of status, with the acts that may lead to it. Statuses that no kind reaches are left out."""
    lines = ["stateDiagram-v2", f"    [*] --> {Status.PENDING.value}: ask"]
    reached = {Status.PENDING}
    for before, acts in TRANSITIONS.items():
        leading: dict[Status, list[str]] = {}
        for act, afters in acts.items():
            for after in afters:
                leading.setdefault(after, []).append(act.value)
        reached.update(leading)
        lines += [
            f"    {before.value} --> {after.value}: {', '.join(leading[after])}" for after in Status if after in leading
        ]
    lines += [f"    {status.value} --> [*]" for status in Status if status in reached and not TRANSITIONS[status]]
    return "\n".join(lines) + "\n"

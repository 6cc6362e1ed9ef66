"""Lines of the audit as rows, and back."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from core.audit import About, Actor, AuditLine, Changed


def audit_row(line: AuditLine) -> dict[str, Any]:
    """As it is inserted."""
    return {
        "id": line.id,
        "workspace": line.workspace,
        "at": line.at,
        "actor": line.actor.model_dump(mode="json"),
        "what": line.what.value,
        "about": line.about.model_dump(mode="json"),
        "before": dict(line.before) if line.before is not None else None,
        "after": dict(line.after) if line.after is not None else None,
    }


def audit_line_of(row: Row[Any]) -> AuditLine:
    """As it was kept."""
    return AuditLine(
        id=row.id,
        workspace=row.workspace,
        at=row.at,
        actor=Actor.model_validate(row.actor),
        what=Changed(row.what),
        about=About.model_validate(row.about),
        before=row.before,
        after=row.after,
    )

"""Writing a line of the audit in the transaction that makes the change: there is never one without the other."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from core.audit import About, Actor, AuditLine, Changed
from core.ports import Context, Work


async def note(
    work: Work,
    context: Context,
    workspace: str | None,
    what: Changed,
    about: About,
    *,
    before: Mapping[str, JsonValue] | None = None,
    after: Mapping[str, JsonValue] | None = None,
    by: Actor | None = None,
) -> None:
    """Note a change; `by` whom, if it is not whoever the context acts for."""
    await work.note(
        AuditLine(
            id=context.ids.new("aud"),
            workspace=workspace,
            at=context.clock.now(),
            actor=by or context.actor,
            what=what,
            about=about,
            before=before,
            after=after,
        )
    )

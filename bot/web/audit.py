"""Who changed what in a workspace, for its operators, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from blocks.audited import Audited, audited
from blocks.web.later import local
from bot.web.auth import Sessions
from bot.web.drawing import Drawing
from core.errors import Invalid, NotFound
from core.ids import id_bytes
from core.people import Role
from core.reading import Records
from core.use_cases.later import zone_for

PER_PAGE = 50


@dataclass(frozen=True)
class Shown:
    """One line, with its moment in the reader's zone."""

    at: datetime
    when: str
    told: Audited


class AuditPage:
    """Shows operators the audit. Others get what an unknown address gets."""

    def __init__(self, records: Records, sessions: Sessions, drawing: Drawing) -> None:
        self._records = records
        self._sessions = sessions
        self._drawing = drawing

    async def show(self, request: Request) -> Response:
        """The page; `?after=` is the last line of the one before."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go("/signin?next=/audit")
        if visitor.person.role is not Role.OPERATOR:
            raise NotFound("there is no such page")
        after = request.query_params.get("after")
        if after is not None:
            try:
                id_bytes("aud", after)
            except Invalid:
                raise Invalid.at("", "This address is mistyped: go back to the audit and on from there.") from None
        zone = await zone_for(self._records, visitor.person)
        lines = await self._records.audited(visitor.person.workspace, before=after, limit=PER_PAGE + 1)
        shown = [Shown(one.at, local(one.at, zone), audited(one)) for one in lines[:PER_PAGE]]
        return self._drawing.page(
            "audit.html",
            visitor=visitor,
            lines=shown,
            later=after is not None,
            next=lines[PER_PAGE - 1].id if len(lines) > PER_PAGE else None,
        )

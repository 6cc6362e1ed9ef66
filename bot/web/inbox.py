"""A person's own cards: those that wait on them, and those they had a part in."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from blocks.web import entry
from bot.listing import Listing
from bot.web.auth import Sessions
from bot.web.drawing import Drawing
from core.errors import Invalid
from core.ids import id_bytes
from core.ports import Context
from core.reading import Records

PER_PAGE = 20


class InboxPage:
    """Lists cards, newest first, a page at a time."""

    def __init__(
        self, context: Context, records: Records, listing: Listing, sessions: Sessions, drawing: Drawing
    ) -> None:
        self._context = context
        self._records = records
        self._listing = listing
        self._sessions = sessions
        self._drawing = drawing

    async def show(self, request: Request) -> Response:
        """Both lists. `?open=` and `?past=` are where they begin: the id of the last card of the page before."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go("/signin?next=/inbox")
        after, past_after = _cursor(request, "open"), _cursor(request, "past")
        now, person = self._context.clock.now(), visitor.person
        if after is None and past_after is None:
            await self._listing.look_around(person, visitor.identity)
        waiting = await self._listing.page_of(person, visitor.identity, after=after, limit=PER_PAGE)
        past = await self._records.past_for(person.workspace, person, after=past_after, limit=PER_PAGE + 1)
        return self._drawing.page(
            "inbox.html",
            visitor=visitor,
            open=[entry(card.interaction, now) for card in waiting.cards],
            open_next=waiting.next,
            later=after is not None,
            unsure=waiting.unsure,
            past=[entry(one, now) for one in past[:PER_PAGE]],
            past_next=past[PER_PAGE - 1].id if len(past) > PER_PAGE else None,
            past_later=past_after is not None,
        )


def _cursor(request: Request, name: str) -> str | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        id_bytes("int", text)
    except Invalid:
        raise Invalid.at("", "This address is mistyped: go back to the inbox and on from there.") from None
    return text

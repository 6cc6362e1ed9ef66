"""What is a person's own: cards and work orders that wait on them, and cards they had a part in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from blocks.web import entry
from bot.listing import Listing
from bot.web.auth import Sessions, Visitor
from bot.web.clocks import Clocks, clocks_of, keep_clocks, typed_clocks
from bot.web.drawing import Drawing
from bot.web.loop_lines import entry as loop_entry
from bot.web.security import Guard, read_posted
from core.errors import Forbidden, Invalid
from core.ids import id_bytes
from core.loops.cards import LoopCard
from core.people import Person
from core.ports import Context
from core.reading import Records
from core.urgency import Urgency
from core.use_cases.later import zone_for

PER_PAGE = 20
T = TypeVar("T")
OLD_FORM = "This page was open for too long, so nothing was saved. Open your inbox again and send it once more."


class InboxPage:
    """Lists what waits, the most urgent first, and what is past, newest first, a page at a time."""

    def __init__(
        self,
        context: Context,
        records: Records,
        listing: Listing,
        sessions: Sessions,
        guard: Guard,
        drawing: Drawing,
    ) -> None:
        self._context = context
        self._records = records
        self._listing = listing
        self._sessions = sessions
        self._guard = guard
        self._drawing = drawing

    async def show(self, request: Request) -> Response:
        """Both lists. `?open=` and `?past=` are where they begin: the place of the last one of the page before, and the
        id of the last card."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go("/signin?next=/inbox")
        saved = "saved" in request.query_params
        return await self._draw(request, visitor, await self._clocks(visitor.person, saved=saved))

    async def keep(self, request: Request) -> Response:
        """Keep what a person sets about their time, or show it again with what is wrong."""
        self._guard.check_origin(request)
        posted = await read_posted(request)
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go("/signin?next=/inbox")
        if not self._sessions.may_post(visitor, posted.get("token", ("",))[-1]):
            raise Forbidden(OLD_FORM)
        try:
            await keep_clocks(self._context, visitor.person, posted)
        except Invalid as invalid:
            wrong = typed_clocks(await self._clocks(visitor.person), posted, invalid)
            return await self._draw(request, visitor, wrong, status=422)
        return self._drawing.go("/inbox?saved")

    async def _clocks(self, person: Person, *, saved: bool = False) -> Clocks:
        return await clocks_of(self._context, self._records, person, saved=saved)

    async def _draw(self, request: Request, visitor: Visitor, clocks: Clocks, *, status: int = 200) -> Response:
        after, past_after = _from(request, "open", Urgency.read), _from(request, "past", _card_id)
        now, person = self._context.clock.now(), visitor.person
        if after is None and past_after is None:
            await self._listing.look_around(person, visitor.identity)
        zone = await zone_for(self._records, person)
        waiting = await self._listing.page_of(person, visitor.identity, after=after, limit=PER_PAGE)
        past = await self._records.past_for(person.workspace, person, after=past_after, limit=PER_PAGE + 1)
        return self._drawing.page(
            "inbox.html",
            status,
            clocks=clocks,
            visitor=visitor,
            open=[
                loop_entry(one.loop, zone)
                if isinstance(one, LoopCard)
                else entry(one.interaction, now, zone, person.id)
                for one in waiting.entries
            ],
            open_next=waiting.next,
            later=after is not None,
            unsure=waiting.unsure,
            past=[entry(one, now, zone, person.id) for one in past[:PER_PAGE]],
            past_next=past[PER_PAGE - 1].id if len(past) > PER_PAGE else None,
            past_later=past_after is not None,
        )


def _card_id(text: str) -> str:
    id_bytes("int", text)
    return text


def _from(request: Request, name: str, read: Callable[[str], T]) -> T | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        return read(text)
    except Invalid:
        raise Invalid.at("", "This address is mistyped: go back to the inbox and on from there.") from None

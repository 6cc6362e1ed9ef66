"""What is a person's own: cards and work orders that wait on them, and cards they had a part in."""

from __future__ import annotations

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
from core.use_cases.later import zone_for
from core.waiting import by_urgency

PER_PAGE = 20
MOST_ORDERS = 20
"""Work orders on the first page; the others are on theirs."""
OLD_FORM = "This page was open for too long, so nothing was saved. Open your inbox again and send it once more."


class InboxPage:
    """Lists cards, newest first, a page at a time."""

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
        """Both lists. `?open=` and `?past=` are where they begin: the id of the last card of the page before."""
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
        after, past_after = _cursor(request, "open"), _cursor(request, "past")
        now, person = self._context.clock.now(), visitor.person
        if after is None and past_after is None:
            await self._listing.look_around(person, visitor.identity)
        zone = await zone_for(self._records, person)
        waiting = await self._listing.page_of(person, visitor.identity, after=after, limit=PER_PAGE)
        orders, more_orders = await self._orders(visitor) if after is None else ((), False)
        # The first page begins with what is most urgent of both kinds; the ones after it go on with older questions.
        listed = by_urgency((*waiting.cards, *orders)) if orders else waiting.cards
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
                for one in listed
            ],
            more_orders=more_orders,
            open_next=waiting.next,
            later=after is not None,
            unsure=waiting.unsure,
            past=[entry(one, now, zone, person.id) for one in past[:PER_PAGE]],
            past_next=past[PER_PAGE - 1].id if len(past) > PER_PAGE else None,
            past_later=past_after is not None,
        )

    async def _orders(self, visitor: Visitor) -> tuple[tuple[LoopCard, ...], bool]:
        orders, more = await self._listing.orders_of(visitor.person, visitor.identity)
        shown_ones = by_urgency(orders)[:MOST_ORDERS]
        return tuple(one for one in shown_ones if isinstance(one, LoopCard)), more or len(orders) > MOST_ORDERS


def _cursor(request: Request, name: str) -> str | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        id_bytes("int", text)
    except Invalid:
        raise Invalid.at("", "This address is mistyped: go back to the inbox and on from there.") from None
    return text

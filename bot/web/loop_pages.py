"""Work orders as pages: what is open, what is overdue, what has ended, and each with its trail and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from blocks.web import body_html
from blocks.web.parts import sentence
from bot.authority import Authority
from bot.loop_reach import copies_of, has_part, membership_in, reach
from bot.web.auth import Sessions, Visitor
from bot.web.doors import BUSY
from bot.web.drawing import Drawing
from bot.web.loop_lines import BUTTONS, act_of, line, moves, slots_told, trail
from bot.web.security import Guard, Posted, read_posted
from core.errors import (
    IdentityUndetermined,
    Invalid,
    LoopEnded,
    LoopTaken,
    NotAnAnswerer,
    NotFound,
    Raced,
    Refused,
)
from core.ids import id_bytes
from core.loops.access import PersonSpeaks, check_may_move, overrules
from core.loops.controls import LoopAction
from core.loops.keeping import Ordered
from core.loops.outcomes import ENDED, OPEN_STATES, LoopState
from core.loops.values import Loop
from core.loops.wording import unknown_words
from core.people import Membership, Role, Via
from core.ports import Context
from core.reading import Records
from core.use_cases.later import zone_for
from core.use_cases.loop_opening import names_again
from core.use_cases.loops import dispatch_again_as, move_as

PER_PAGE = 20
ENDED_STATES = tuple(sorted(ENDED))
UNSURE = "The chat could not say just now whether you are in this conversation. Open this page again in a moment."
OLD_FORM = "This page was open for too long, so nothing was sent. What you typed is still here; please send it again."
NO_BUTTON = "Nothing was sent, because no button was pressed."
SIGNED_OUT = (
    "You are signed out",
    "Nothing was sent. Sign in again in a new tab, then come back to this one and go on: what you typed is still here.",
)


@dataclass(frozen=True)
class Opened:
    """A work order that a visitor may read. `refusal` is why they may not move it, None when they may."""

    visitor: Visitor
    loop: Loop
    speaker: PersonSpeaks
    refusal: str | None


class LoopPages:
    """Shows work orders to signed-in people, to operators all and to others theirs and their conversations', and takes
    their forms."""

    def __init__(
        self,
        context: Context,
        records: Records,
        authority: Authority,
        sessions: Sessions,
        guard: Guard,
        drawing: Drawing,
    ) -> None:
        self._context = context
        self._records = records
        self._authority = authority
        self._sessions = sessions
        self._guard = guard
        self._drawing = drawing

    async def show_all(self, request: Request) -> Response:
        """The lists, newest first. `?overdue=`, `?open=` and `?ended=` are where each begins: the id of the last work
        order of the page before."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go("/signin?next=/loops")
        zone = await zone_for(self._records, visitor.person)
        lists = []
        for heading in ("Overdue", "Open", "Ended"):
            after = _cursor(request, heading.lower())
            found = await self._under(heading, visitor, after)
            some = found[:PER_PAGE]
            known = await reach(self._authority, visitor.person, visitor.identity, some)
            drawn = [line(one.loop, zone) for one in some if known[one.loop.id] is Membership.YES]
            unsure = any(known[one.loop.id] is Membership.UNDETERMINED for one in some)
            next_ = some[-1].loop.id if len(found) > PER_PAGE else None
            lists.append((heading, drawn, next_, after is not None, unsure))
        return self._drawing.page("loops.html", visitor=visitor, lists=lists, zone=zone)

    async def show(self, request: Request) -> Response:
        """One work order and everything that was done about it. Opening it changes nothing."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go(f"/signin?{urlencode({'next': _path(request)})}")
        return await self._draw(await self._open(request, visitor), saved="saved" in request.query_params)

    async def act(self, request: Request) -> Response:
        """Do what the pressed button says, or show the page again with what was typed and why nothing was done."""
        self._guard.check_origin(request)
        posted = await read_posted(request)
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            kept = [(name, value) for name, values in posted.items() for value in values]
            heading, text = SIGNED_OUT
            return self._drawing.page(
                "held.html", 401, heading=heading, text=text, kept=kept, to=_path(request), signin=True
            )
        opened = await self._open(request, visitor)
        if not self._sessions.may_post(visitor, posted.get("token", ("",))[-1]):
            return await self._draw(opened, posted, status=403, alarm=OLD_FORM)
        try:
            if posted.get("do", ("",))[-1] == BUTTONS[LoopAction.DISPATCH_AGAIN]:
                return await self._dispatch_again(opened)
            act = act_of(posted)
            if act is None:
                return await self._draw(opened, posted, status=422, alarm=NO_BUTTON)
            await move_as(self._context, visitor.person.workspace, opened.loop.name, act, opened.speaker)
        except Invalid as invalid:
            return await self._draw(opened, posted, status=422, invalid=invalid)
        except (LoopEnded, LoopTaken) as late:
            return await self._draw(await self._open(request, visitor), posted, status=409, alarm=str(late))
        except NotAnAnswerer as refused:
            return await self._draw(opened, posted, status=403, alarm=str(refused))
        except IdentityUndetermined as unsure:
            return await self._draw(opened, posted, status=503, alarm=str(unsure))
        except Raced:
            return await self._draw(opened, posted, status=503, alarm=BUSY[1])
        return self._drawing.go(f"{_path(request)}?saved")

    async def _dispatch_again(self, opened: Opened) -> Response:
        """Go on to the order that follows; where it cannot be, this page says why."""
        workspace = opened.visitor.person.workspace
        try:
            made = await dispatch_again_as(self._context, workspace, opened.loop.name, opened.speaker)
        except Invalid as invalid:
            return await self._draw(opened, status=409, alarm=sentence(invalid.faults[0].detail))
        return self._drawing.go(f"{_page_of(made.name)}?saved")

    async def _following(self, loop: Loop) -> str:
        """The name of the order that it was dispatched again as; empty if it was not."""
        if loop.is_open or loop.outcome is None:
            return ""
        found = [await self._records.loop(loop.workspace, name, None) for name in names_again(loop)]
        return next((one.loop.name for one in found if one is not None and one.loop.parent == loop.name), "")

    async def _open(self, request: Request, visitor: Visitor) -> Opened:
        """Raises `NotFound` for an unknown one and for another's alike, `IdentityUndetermined` where a chat could not
        say whether it is theirs."""
        name, person = str(request.path_params["name"]), visitor.person
        found = await self._records.loop(person.workspace, name, None)
        if found is None:
            raise NotFound(unknown_words(name))
        candidate = await self._authority.candidate(person, visitor.identity, tuple(copies_of(found.conversation)))
        membership = membership_in(candidate, found.conversation)
        if person.role is not Role.OPERATOR and not has_part(person, found.loop):
            if membership is Membership.UNDETERMINED:
                raise IdentityUndetermined(UNSURE)
            if membership is not Membership.YES:
                raise NotFound(unknown_words(name))
        speaker = PersonSpeaks(person, visitor.identity, candidate.standing, membership, Via.REVIEW)
        try:
            check_may_move(found.loop, speaker)
        except Refused as refused:
            return Opened(visitor, found.loop, speaker, str(refused))
        return Opened(visitor, found.loop, speaker, None)

    async def _draw(
        self,
        opened: Opened,
        typed: Posted | None = None,
        *,
        status: int = 200,
        alarm: str = "",
        invalid: Invalid | None = None,
        saved: bool = False,
    ) -> Response:
        loop, person = opened.loop, opened.visitor.person
        zone, following = await zone_for(self._records, person), await self._following(loop)
        # Its card offers this once it is declined; of an escalated one, its sender and the operators are told.
        escalated = loop.is_open and loop.escalated_at is not None and overrules(loop, opened.speaker)
        may_again = escalated or (loop.state is LoopState.DECLINED and not following)
        response = self._drawing.page(
            "loop.html",
            status,
            visitor=opened.visitor,
            order=line(loop, zone),
            body=body_html(loop.body),
            slots=list(slots_told(loop, zone)),
            moves=moves(loop, typed or {}, invalid, again=may_again) if opened.refusal is None else None,
            again=following,
            refusal=opened.refusal if loop.is_open else "",
            trail=trail(await self._records.loop_receipts(person.workspace, loop.name), zone),
            zone=zone,
            alarm=alarm,
            saved=saved,
            invalid=invalid is not None,
        )
        if status == 503:
            response.headers["Retry-After"] = "5"
        return response

    async def _under(self, heading: str, visitor: Visitor, after: str | None) -> Sequence[Ordered]:
        """What may stand under a heading, one more than a page: to an operator all of it, to others what is theirs by
        name or deed, and what is talked about where they are."""
        person, records = visitor.person, self._records
        states, late = (ENDED_STATES, None) if heading == "Ended" else (OPEN_STATES, heading == "Overdue")
        if person.role is Role.OPERATOR:
            return await records.loops(
                person.workspace, None, after=after, limit=PER_PAGE + 1, states=states, overdue=late
            )
        return await records.loops_around(
            person.workspace, person, after=after, limit=PER_PAGE + 1, states=states, overdue=late
        )


def _path(request: Request) -> str:
    return _page_of(str(request.path_params["name"]))


def _page_of(name: str) -> str:
    return f"/loops/{quote(name, safe='')}"


def _cursor(request: Request, name: str) -> str | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        id_bytes("lop", text)
    except Invalid:
        raise Invalid.at("", "This address is mistyped: go back to the work orders and on from there.") from None
    return text

"""The page of a card: the form for whoever may answer, the outcome once there is one. Opening it decides nothing."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from blocks.web import render
from blocks.web.connection import CONNECT
from blocks.web.item_verdicts import JUDGE
from blocks.web.later import HAND_ON, PUT_OFF, TIMES
from bot.web.auth import Sessions, Visitor
from bot.web.connecting import set_out
from bot.web.deeds import ANSWERS, CLOSES, DRAFT, answering, closing, placed, rest_of, unsaved
from bot.web.desk import Desk, Opened
from bot.web.doors import BUSY
from bot.web.drawing import Drawing
from bot.web.filling import Filling, Fillings, Typed, moved, posted_on
from bot.web.pausing import take_time, time_fields
from bot.web.security import Guard, Posted, policy, read_posted
from bot.web.visits import NONE, News, Visits
from core.errors import (
    Expired,
    Forbidden,
    IdentityUndetermined,
    Invalid,
    NotAnAnswerer,
    Raced,
    Settled,
    SignInRequired,
    StaleRevision,
)
from core.forms import TICKS
from core.interactions import too_late
from core.people import Via
from core.ports import Context
from core.use_cases.answer import answer
from core.use_cases.change import operate

SIGNED_OUT = (
    "You are signed out",
    "Nothing was sent. Sign in again in a new tab, then come back to this one and go on: what you typed is still here.",
)
UNSURE = "Try again in a moment"
KEPT = "What you typed is still here."
OLD_FORM = "This page was open for too long, so nothing was sent. What you typed is still here; please send it again."
CHANGED = "This card was changed after you saw it, so nothing was sent. Look at it again, then answer."
PROGRESSES = frozenset({TICKS, JUDGE})
"""Buttons after which the card stays open and the page says what is saved."""
NO_BUTTON = "Nothing was sent, because no button was pressed."


class ReviewPages:
    """Shows cards and takes their forms."""

    def __init__(
        self,
        context: Context,
        desk: Desk,
        sessions: Sessions,
        fillings: Fillings,
        visits: Visits,
        guard: Guard,
        drawing: Drawing,
    ) -> None:
        self._context = context
        self._desk = desk
        self._sessions = sessions
        self._fillings = fillings
        self._visits = visits
        self._guard = guard
        self._drawing = drawing

    async def show(self, request: Request) -> Response:
        """The card as it stands, with what this person had filled in."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go(f"/signin?next={_path(request)}")
        opened = await self._desk.open(visitor, request.path_params["id"])
        filling = await self._fillings.of(opened.interaction, visitor.person)
        timed = next((one for one in (PUT_OFF, HAND_ON) if one in request.query_params), "")
        return await self._draw(opened, filling, news=News(saved="saved" in request.query_params, timed=timed))

    async def act(self, request: Request) -> Response:
        """Do what the pressed button says, or show the form again with what was typed."""
        self._guard.check_origin(request)
        posted = await read_posted(request)
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._hold(request, posted, 401, *SIGNED_OUT, signin=True)
        try:
            opened = await self._desk.open(visitor, request.path_params["id"])
        except IdentityUndetermined as unsure:
            return self._hold(request, posted, 503, UNSURE, f"{unsure} {KEPT}", visitor=visitor)
        revision = _revision(posted)
        button = posted.get("do", ("",))[-1]
        filling = posted_on(posted, opened.interaction, revision)
        if button in TIMES:
            # It comes from a form of its own, without what is filled in to answer.
            kept = await self._fillings.of(opened.interaction, visitor.person) or Filling()
            filling = replace(kept, fields={**kept.fields, **time_fields(posted)})
        if not self._sessions.may_post(visitor, posted.get("token", ("",))[-1]):
            return await self._draw(opened, filling, status=403, alarm=OLD_FORM)
        return await self._press(opened, button, filling, revision)

    async def _press(self, opened: Opened, button: str, filling: Filling, revision: int) -> Response:
        """Everything that can go wrong comes back as the same page, with what was typed still in it."""
        interaction, fields = opened.interaction, filling.fields
        try:
            return await self._pressed(opened, button, filling, revision)
        except Invalid as invalid:
            wrong = placed(interaction, button, invalid, fields)
            if button not in TIMES:
                filling = replace(filling, fields=unsaved(interaction.content.payload, button, fields))
                await self._try_to_keep(opened, filling.fields)
            current = await self._desk.open(opened.visitor, interaction.id)
            return await self._draw(current, filling, status=422, news=News(wrong=wrong))
        except StaleRevision:
            await self._try_to_keep(opened, fields)
            current = await self._desk.open(opened.visitor, interaction.id)
            if current.interaction.revision != interaction.revision:
                filling = moved(fields, current.interaction)
            return await self._draw(current, filling, status=409, alarm=CHANGED)
        except Settled as late:
            current = await self._desk.open(opened.visitor, interaction.id)
            return await self._draw(current, filling, status=409, alarm=f"{late} Your form was not sent.")
        except NotAnAnswerer as refused:
            return await self._draw(replace(opened, refusal=str(refused)), filling, status=403)
        except SignInRequired as again:
            await self._try_to_keep(opened, fields)
            return await self._draw(opened, filling, status=403, alarm=f"{again} What you typed is saved as a draft.")
        except Forbidden as refused:
            return await self._draw(opened, filling, status=403, alarm=str(refused))
        except IdentityUndetermined as unsure:
            # They may be among those asked after all, so the form stays.
            return await self._draw(replace(opened, refusal=None), filling, status=503, alarm=f"{unsure} {KEPT}")
        except Raced:
            return await self._draw(opened, filling, status=503, alarm=f"{BUSY[1]} {KEPT}")

    async def _pressed(self, opened: Opened, button: str, filling: Filling, revision: int) -> Response:
        interaction = opened.interaction
        if button == CONNECT:
            return await self._leave(opened, revision)
        if button in TIMES:
            done = await take_time(self._context, opened, button, filling.fields)
            return self._drawing.go(f"/review/{interaction.id}?{done}")
        if button not in ANSWERS | CLOSES | {DRAFT}:
            return await self._draw(opened, filling, status=422, alarm=NO_BUTTON)
        late = await self._do(opened, button, filling.fields, revision)
        if late:
            current = await self._desk.open(opened.visitor, interaction.id)
            kept = await self._fillings.of(current.interaction, opened.visitor.person)
            return await self._draw(current, kept, news=News(saved=True, late=late))
        return self._drawing.go(f"/review/{interaction.id}{'?saved' if button in PROGRESSES else ''}")

    async def _leave(self, opened: Opened, revision: int) -> Response:
        self._check_revision(opened, revision)
        return await set_out(self._context, opened, revision)

    async def _do(self, opened: Opened, button: str, fields: Typed, revision: int) -> tuple[str, ...]:
        """Do what a button says; what comes back is what of it came too late, in sentences."""
        interaction, person = opened.interaction, opened.visitor.person
        self._check_revision(opened, revision)
        if button == DRAFT:
            if not interaction.is_pending:
                raise too_late(interaction)
            if interaction.is_due(self._context.clock.now()):
                raise Expired("The time to answer this is over.", None)
            await self._fillings.keep(interaction, person, fields, answering=opened.refusal is None)
            return ()
        late: list[str] = []
        if button in CLOSES:
            act = closing(button, fields, revision)
            await operate(self._context, interaction.workspace, interaction.id, act, person, opened.visitor.identity)
        else:
            for deed in answering(interaction, button, fields, revision):
                done = await answer(
                    self._context, interaction.workspace, interaction.id, deed, opened.candidate, Via.REVIEW
                )
                late += [f"{fault.detail}." for fault in done.late]
        left = rest_of(interaction.content.payload, button, fields)
        if left is not None:
            await self._try_to_keep(opened, left)
        else:
            await self._fillings.forget(interaction, person)
        return tuple(late)

    async def _try_to_keep(self, opened: Opened, fields: Typed) -> None:
        person = opened.visitor.person
        await self._fillings.try_to_keep(opened.interaction, person, fields, answering=opened.refusal is None)

    def _check_revision(self, opened: Opened, revision: int) -> None:
        if opened.interaction.is_pending and revision != opened.interaction.revision:
            raise StaleRevision(CHANGED, None)

    async def _draw(
        self,
        opened: Opened,
        filling: Filling | None,
        *,
        status: int = 200,
        alarm: str = "",
        news: News = NONE,
    ) -> Response:
        page = render(opened.interaction, await self._visits.of(opened, filling, news))
        response = self._drawing.page("review.html", status, page=page, alarm=alarm, visitor=opened.visitor)
        if page.form is not None:
            response.headers["Content-Security-Policy"] = policy(scripts=True, leaves=page.form.leaves)
        if status == 503:
            response.headers["Retry-After"] = "5"
        return response

    def _hold(
        self,
        request: Request,
        posted: Posted,
        status: int,
        title: str,
        text: str,
        *,
        signin: bool = False,
        visitor: Visitor | None = None,
    ) -> Response:
        """A page that shows nothing of the card and keeps what was typed for the next try."""
        kept = [(name, value) for name, values in posted.items() for value in values]
        path = _path(request)
        response = self._drawing.page(
            "held.html", status, heading=title, text=text, kept=kept, to=path, signin=signin, visitor=visitor
        )
        if status == 503:
            response.headers["Retry-After"] = "5"
        return response


def _path(request: Request) -> str:
    return f"/review/{quote(request.path_params['id'], safe='')}"


def _revision(posted: Posted) -> int:
    text = posted.get("revision", ("",))[-1]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0

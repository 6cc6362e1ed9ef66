"""How the service stands, for operators: which chats work, what waits, what was given up, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response

from blocks.web.later import local
from bot.web.auth import Sessions, Visitor
from bot.web.drawing import Drawing
from core.errors import NotFound
from core.examining import Deliveries, GivenUp
from core.outbox import Lane
from core.people import Role
from core.ports import Clock, Connection
from core.reading import Counts, Records
from core.use_cases.later import zone_for

LANES: Mapping[Lane, str] = {
    Lane.TALK: "Answers to people",
    Lane.POST: "Cards and results",
    Lane.NUDGE: "Reminders",
    Lane.REDRAW: "Changes of cards",
    Lane.HEAR: "Webhooks",
}
MOST_GIVEN_UP = 20
LATE = timedelta(seconds=30)
"""What has been due for so long is worth an operator's look."""
RECENT = timedelta(hours=24)
Accounts = Callable[[str], Sequence[Connection]]
"""The accounts of a workspace as this process knows them, in order, each with its problem."""


@dataclass(frozen=True)
class ChatView:
    """One account of a chat. `problem` says why it cannot be used; empty when it works."""

    name: str
    problem: str


@dataclass(frozen=True)
class LaneView:
    """What is owed in a lane. `late` is how long the oldest has been due, in words; empty when nothing is late."""

    name: str
    waiting: int
    late: str


@dataclass(frozen=True)
class GivenUpView:
    """A delivery that will never be done. `again` is the command that sends a webhook once more."""

    what: str
    where: str
    why: str
    at: datetime
    when: str
    again: str


@dataclass(frozen=True)
class Standing:
    """Everything on the page. `worries` are sentences: what an operator should look at first."""

    worries: tuple[str, ...]
    chats: tuple[ChatView, ...]
    pending: int
    lanes: tuple[LaneView, ...]
    webhooks: tuple[Deliveries, ...]
    given_up: tuple[GivenUpView, ...]


class StatusPage:
    """Shows operators how things stand in their workspace. Others get what an unknown address gets."""

    def __init__(
        self, records: Records, clock: Clock, accounts: Accounts, sessions: Sessions, drawing: Drawing
    ) -> None:
        self._records = records
        self._clock = clock
        self._accounts = accounts
        self._sessions = sessions
        self._drawing = drawing

    async def show(self, request: Request) -> Response:
        """The page. Nothing on it changes anything."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go("/signin?next=/status")
        if visitor.person.role is not Role.OPERATOR:
            raise NotFound("there is no such page")
        return self._drawing.page("status.html", visitor=visitor, standing=await self._standing(visitor))

    async def _standing(self, visitor: Visitor) -> Standing:
        now, workspace = self._clock.now(), visitor.person.workspace
        zone = await zone_for(self._records, visitor.person)
        counts = await self._records.counts(now, workspace)
        webhooks = await self._records.deliveries(workspace, now - RECENT)
        given_up = await self._records.given_up(workspace, MOST_GIVEN_UP)
        chats = tuple(
            ChatView(f"{one.provider.value.capitalize()}: {one.name or one.account}", one.problem or "")
            for one in self._accounts(workspace)
        )
        return Standing(
            worries=worries(chats, counts, webhooks, now),
            chats=chats,
            pending=counts.pending,
            lanes=tuple(_lane(lane, counts, now) for lane in Lane),
            webhooks=webhooks,
            given_up=tuple(_given_up(one, lambda at: local(at, zone)) for one in given_up),
        )


def worries(
    chats: tuple[ChatView, ...], counts: Counts, webhooks: tuple[Deliveries, ...], now: datetime
) -> tuple[str, ...]:
    """What an operator should look at first, in sentences."""
    found = [f"{chat.name} cannot be used: {chat.problem}. Run sayso doctor." for chat in chats if chat.problem]
    if not chats:
        found.append("No chat is connected, so cards reach people only on their review pages.")
    if counts.overdue_since is not None and now - counts.overdue_since > LATE:
        found.append(f"Questions are past their time by {_long(now - counts.overdue_since)}: is a worker running?")
    late = [lane for lane, since in counts.late_since.items() if now - since > LATE]
    found += [f"{LANES[lane]} are late by {_long(now - counts.late_since[lane])}." for lane in late]
    waits = min(counts.undone_since.values(), default=now)
    if now - waits > LATE:
        found.append(f"Reminders and what else is due are late by {_long(now - waits)}: is a worker running?")
    found += [f"The webhook of {one.agent} fails ({one.last})." for one in webhooks if one.failing]
    return tuple(found)


def _lane(lane: Lane, counts: Counts, now: datetime) -> LaneView:
    since = counts.late_since.get(lane)
    late = now - since if since is not None else timedelta()
    return LaneView(LANES[lane], counts.waiting.get(lane, 0), _long(late) if late > LATE else "")


def _given_up(one: GivenUp, when: Callable[[datetime], str]) -> GivenUpView:
    again = f"sayso replay {one.event}" if one.event else ""
    return GivenUpView(LANES[one.lane], one.where, one.why, one.at, when(one.at), again)


def _long(time: timedelta) -> str:
    seconds = int(time.total_seconds())
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'s' if count > 1 else ''}"
    return f"{seconds} seconds"

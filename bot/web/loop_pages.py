"""Work orders as pages: what is open, what is overdue, what has ended, and each with its trail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from blocks.web.later import local
from blocks.web.parts import shown
from blocks.words import one_line, who
from bot.authority import Authority
from bot.web.auth import Sessions, Visitor
from bot.web.drawing import Drawing
from core.addresses import Provider
from core.errors import IdentityUndetermined, NotFound
from core.loops.keeping import Ordered
from core.loops.outcomes import ENDED, OPEN_STATES, LoopState
from core.loops.places import Conversation
from core.loops.values import Loop
from core.loops.wording import told_step, unknown_words
from core.people import Membership, Person, Role
from core.publications import Publication
from core.reading import Records
from core.use_cases.later import zone_for

MOST = 100
"""Work orders under one heading."""
UNSURE = "The chat could not say just now whether you are in this conversation. Open this page again in a moment."
STATES = {
    LoopState.OPEN: "Open",
    LoopState.ACKNOWLEDGED: "Seen",
    LoopState.CLAIMED: "Claimed",
    LoopState.RUNNING: "In work",
    LoopState.CLOSED: "Done",
    LoopState.DECLINED: "Declined",
    LoopState.NO_ACTION: "No action needed",
}


class LoopPages:
    """Shows work orders to signed-in people: to operators all, to others theirs and their conversations'."""

    def __init__(self, records: Records, authority: Authority, sessions: Sessions, drawing: Drawing) -> None:
        self._records = records
        self._authority = authority
        self._sessions = sessions
        self._drawing = drawing

    async def show_all(self, request: Request) -> Response:
        """The lists, newest first."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go("/signin?next=/loops")
        zone = await zone_for(self._records, visitor.person)
        open_ = await self._open_for(visitor)
        lists = (
            ("Overdue", [one for one in open_ if one.overdue_at is not None]),
            ("Open", [one for one in open_ if one.overdue_at is None]),
            ("Ended", await self._ended_for(visitor)),
        )
        drawn = [(heading, [_line(loop, zone) for loop in loops]) for heading, loops in lists]
        return self._drawing.page("loops.html", visitor=visitor, lists=drawn)

    async def show(self, request: Request) -> Response:
        """One work order and everything that was done about it."""
        name = str(request.path_params["name"])
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._drawing.go(f"/signin?{urlencode({'next': f'/loops/{name}'})}")
        found = await self._records.loop(visitor.person.workspace, name, None)
        if found is None:
            raise NotFound(unknown_words(name))
        known = await self._may_read(visitor, [found])
        if known[found.loop.conversation] is Membership.UNDETERMINED:
            raise IdentityUndetermined(UNSURE)
        if known[found.loop.conversation] is not Membership.YES:
            raise NotFound(unknown_words(name))
        zone = await zone_for(self._records, visitor.person)
        trail = []
        for receipt in await self._records.loop_receipts(visitor.person.workspace, name):
            step, said = told_step(receipt)
            trail.append((receipt.at, local(receipt.at, zone), f"{who(receipt.by)} {step}", shown(said)))
        loop = found.loop
        return self._drawing.page(
            "loop.html", visitor=visitor, loop=_line(loop, zone), body=shown(loop.body), trail=trail
        )

    async def _open_for(self, visitor: Visitor) -> list[Loop]:
        person = visitor.person
        if person.role is Role.OPERATOR:
            found = await self._records.loops(person.workspace, None, states=OPEN_STATES, limit=MOST)
        else:
            found = await self._records.loops_for(person.workspace, person, limit=MOST)
        known = await self._may_read(visitor, found)
        return [
            one.loop for one in found if _has_part(person, one.loop) or known[one.loop.conversation] is Membership.YES
        ]

    async def _ended_for(self, visitor: Visitor) -> list[Loop]:
        """For who is no operator: what was for them by name; where else they had a part, the chat shows."""
        person = visitor.person
        theirs = None if person.role is Role.OPERATOR else f"person:{person.handle}"
        found = await self._records.loops(person.workspace, None, states=tuple(ENDED), recipient=theirs, limit=MOST)
        return [one.loop for one in found]

    async def _may_read(self, visitor: Visitor, found: Sequence[Ordered]) -> dict[str, Membership]:
        """Whether the visitor may read what is talked about in each conversation, judged now."""
        person = visitor.person
        if person.role is Role.OPERATOR or all(_has_part(person, one.loop) for one in found):
            return dict.fromkeys((one.loop.conversation for one in found), Membership.YES)
        copies = {one.loop.conversation: copy for one in found for copy in _copies(one.conversation)}
        candidate = await self._authority.candidate(person, visitor.identity, tuple(copies.values()))
        known = {id: candidate.memberships[copy.conversation] for id, copy in copies.items()}
        return {one.loop.conversation: known.get(one.loop.conversation, Membership.NO) for one in found}


def _has_part(person: Person, loop: Loop) -> bool:
    """Whether it is for a person by name, or they ordered it or did something about it."""
    done = [mark.by for mark in (loop.acknowledged, loop.claimed, loop.outcome) if mark is not None]
    acted = any(by.type == "person" and by.id == person.id for by in (loop.sender, *done))
    return acted or loop.recipient == f"person:{person.handle}"


def _copies(conversation: Conversation | None) -> Iterable[Publication]:
    """A conversation as the chat is asked about it. Programs' own have no members."""
    if conversation is not None and conversation.is_chat:
        yield Publication(
            id=conversation.id,
            workspace=conversation.workspace,
            interaction="",
            number=1,
            provider=Provider(conversation.provider),
            account=conversation.account,
            place=conversation.place,
            channel=conversation.channel,
        )


def _line(loop: Loop, zone: str) -> dict[str, str]:
    """What a list says of one."""
    ended = loop.outcome
    said = " ".join(part for part in (ended.summary or ended.reason,) if part) if ended is not None else ""
    has_it = f", {who(loop.claimed.by)} has it" if loop.claimed is not None and ended is None else ""
    return {
        "name": loop.name,
        "title": one_line(loop.title) or "…",
        "state": f"Overdue, {STATES[loop.state].lower()}" if loop.overdue_at and not ended else STATES[loop.state],
        "about": f"{loop.name}, ordered by {who(loop.sender)} of {one_line(loop.recipient)}{has_it}",
        "due": f"Due {local(loop.due_at, zone)}" if loop.due_at else "",
        "ended": f"By {who(ended.by)} on {local(ended.at, zone)}" if ended is not None else "",
        "said": shown(said),
    }

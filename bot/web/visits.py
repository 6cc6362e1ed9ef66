"""What a card's page is drawn from besides the card: its history, its copies, and what a person did on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from blocks.web import Remark, Visit
from blocks.web.page import Times
from bot.place_names import PlaceNames
from bot.web.desk import Opened
from bot.web.filling import Filling
from core.addresses import ChatAddress, parse_address
from core.kinds import ConnectionRequest, SuggestedTasks
from core.people import Membership, Role
from core.ports import Context
from core.reading import Records
from core.receipts import Receipt, ReceiptType
from core.replies import Wrong
from core.tasks import Task
from core.use_cases.answer import MOST_TASKS
from core.use_cases.later import zone_for
from core.use_cases.timing import whom_it_waits_for

MOST_OFFERED = 200
"""People who are offered by name to hand a card to; any other is named by their handle."""


@dataclass(frozen=True)
class News:
    """What there is to say about what was just done. `wrong`, `saved` and `late` as in `blocks.web.Visit`."""

    wrong: Wrong | None = None
    saved: bool = False
    late: tuple[str, ...] = ()
    timed: str = ""
    """The button about time that was pressed, if one was."""


NONE = News()


class Visits:
    """Looks up what a page shows."""

    def __init__(self, context: Context, records: Records, names: PlaceNames) -> None:
        self._context = context
        self._records = records
        self._names = names

    async def of(self, opened: Opened, filling: Filling | None, news: News) -> Visit:
        """The visit of one person to one card."""
        interaction, person, copies = opened.interaction, opened.visitor.person, opened.whole.publications
        workspace, id, payload = interaction.workspace, interaction.id, interaction.content.payload
        receipts = await self._records.receipts(workspace, id)
        connects = isinstance(payload, ConnectionRequest)
        return Visit(
            person=person.id,
            operator=person.role is Role.OPERATOR,
            refusal=opened.refusal,
            now=self._context.clock.now(),
            filled=filling.fields if filling else None,
            drafted_at=filling.since if filling else None,
            wrong=news.wrong,
            changed=filling.changed if filling else (),
            unplaced=filling.unplaced if filling else (),
            remarks=_remarks(receipts, person.id),
            saved=news.saved,
            late=news.late,
            answering=await self._answering(opened),
            operators=await self._operators(workspace) if connects else (),
            receipts=receipts,
            announced=await self._records.announced(workspace, id),
            copies=copies,
            tasks=await self._tasks(workspace, id) if isinstance(payload, SuggestedTasks) else (),
            signed_in_at=opened.candidate.signed_in_at,
            times=await self._times(opened, news.timed),
            names=await self._names.of(workspace, _known_to(opened)),
        )

    async def _times(self, opened: Opened, done: str) -> Times:
        """What a person's page says of time, in their own zone."""
        interaction, person = opened.interaction, opened.visitor.person
        zone, now = await zone_for(self._records, person), self._context.clock.now()
        if not interaction.is_pending or opened.refusal is not None:
            return Times(zone)
        until = interaction.reminding.snoozed_until(person.id)
        mine = [one.name for one in interaction.delegations if one.by.id == person.id]
        answerers = interaction.audience.answerers
        others = [
            (one.handle, one.name)
            for one in await self._records.people(interaction.workspace)
            if not one.automatic and one.id != person.id and f"person:{one.handle}" not in answerers
        ]
        return Times(
            zone=zone,
            until=until if until is not None and until > now else None,
            handed_to=mine[-1] if mine else "",
            waiting=await whom_it_waits_for(self._records, self._context, interaction, opened.candidate),
            people=tuple(others[:MOST_OFFERED]),
            done=done,
        )

    async def _answering(self, opened: Opened) -> tuple[str, ...]:
        """Who else is filling it in just now, each once."""
        interaction, person = opened.interaction, opened.visitor.person
        if not interaction.is_pending:
            return ()
        now = self._context.clock.now()
        drafts = await self._records.live_drafts(interaction.workspace, interaction.id)
        others = [one for one in drafts if one.person != person.id and one.is_held(now)]
        return tuple({one.person: one.name for one in others}.values())

    async def _operators(self, workspace: str) -> tuple[str, ...]:
        people = await self._records.people(workspace)
        return tuple(one.name or one.handle for one in people if one.role is Role.OPERATOR)

    async def _tasks(self, workspace: str, id: str) -> tuple[Task, ...]:
        return tuple(await self._records.tasks(workspace, None, interaction=id, limit=MOST_TASKS))


def _known_to(opened: Opened) -> Iterator[str]:
    """The addresses whose names this person may know: people, and the conversations that they are in. What a channel is
    called may be as private as what is said there."""
    inside = {place for place, known in opened.candidate.memberships.items() if known is Membership.YES}
    for text in (*opened.interaction.to, *_elsewhere(opened)):
        address = parse_address(text)
        if not isinstance(address, ChatAddress):
            continue
        copies = [one for one in opened.whole.publications if one.provider is address.provider]
        at = {one.conversation for one in copies if address.place in (one.place, one.channel)}
        if address.is_user or at & inside:
            yield text


def _elsewhere(opened: Opened) -> Iterator[str]:
    """The conversations of copies that stand elsewhere than where the card was addressed. Direct messages have no
    name."""
    for copy in opened.whole.publications:
        addressed = any(to.partition("/")[0].endswith(copy.place) for to in opened.interaction.to)
        if not copy.is_private and not (addressed and copy.channel in (None, copy.place)):
            yield copy.conversation


def _remarks(receipts: tuple[Receipt, ...], person: str) -> tuple[Remark, ...]:
    """This person's own words on the card, given without deciding. Others' are between them and the asker."""
    return tuple(
        Remark(str(one.data.get("text", "")), one.at)
        for one in receipts
        if one.type is ReceiptType.COMMENTED and one.by.type == "person" and one.by.id == person
    )

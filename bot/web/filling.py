"""What a person has filled in on a card's page: kept between visits, moved to a changed card, forgotten when sent."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from blocks.web.changes import carry, changed, seen
from blocks.web.parts import typed
from blocks.web.reading import is_blank, read_form
from bot.web.security import Posted
from core.drafts import Draft
from core.errors import Raced
from core.people import Person
from core.ports import Context, Work
from core.reading import Records
from core.records import Interaction
from core.use_cases.drafting import keep, stop_answering
from core.use_cases.transact import transact

Typed = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True)
class Filling:
    """What was typed, for the card as it is now. `changed` and `unplaced` are what moving it there brought up;
    `since` is when it was kept."""

    fields: Typed = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    since: datetime | None = None


def posted_on(posted: Posted, interaction: Interaction, revision: int) -> Filling:
    """What a form holds that was drawn from `revision` of a card, where it belongs on the card as it is."""
    content = interaction.content
    if revision == interaction.revision:
        return Filling(read_form(content.payload, posted))
    before = posted.get("seen", ("",))[-1]
    moves = carry(posted, before, content)
    fields = read_form(content.payload, {new: posted[old] for old, new in moves.to.items()})
    gone = tuple(words for name in moves.gone if (words := posted[name][-1]).strip())
    return Filling({**fields, "seen": seen(content)}, changed(before, content), gone)


def moved(fields: Typed, interaction: Interaction) -> Filling:
    """What was filled in on an earlier revision, where it belongs on the card as it is."""
    content, before = interaction.content, typed(fields, "seen")
    moves = carry(fields, before, content)
    there = {new: fields[old] for old, new in moves.to.items()}
    gone = tuple(words for name in moves.gone if (words := typed(fields, name)).strip())
    return Filling({**there, "seen": seen(content)}, changed(before, content), gone)


class Fillings:
    """Keeps what people typed. It is theirs alone: nobody else's page shows it."""

    def __init__(self, context: Context, records: Records) -> None:
        self._context = context
        self._records = records

    async def of(self, interaction: Interaction, person: Person) -> Filling | None:
        """What this person had filled in, if anything is kept."""
        draft = await self._records.draft(interaction.workspace, interaction.id, _scope(person))
        if draft is None:
            return None
        current = draft.revision == interaction.revision
        filling = Filling(draft.fields) if current else moved(draft.fields, interaction)
        return replace(filling, since=draft.updated_at)

    async def keep(self, interaction: Interaction, person: Person, fields: Typed, *, answering: bool = True) -> None:
        """Keep what was typed on the card as it stands here, while it is open. Nothing typed is nothing kept.
        `answering`: they may answer, so others are shown that they do."""

        async def write(work: Work) -> None:
            now = self._context.clock.now()
            current = await work.interaction(interaction.workspace, interaction.id)
            if current is None or not current.is_pending or current.is_due(now):
                return
            scope, publications = _scope(person), await work.publications(interaction.id)
            if is_blank(interaction.content.payload, fields):
                await stop_answering(work, self._context, current, publications, scope, forget=True)
                return
            earlier = await work.draft(interaction.id, scope)
            draft = Draft(
                interaction=interaction.id,
                scope=scope,
                person=person.id,
                name=person.name,
                revision=interaction.revision,
                fields=dict(fields),
                updated_at=now,
                live=earlier is not None and earlier.live,
            )
            if answering:
                await keep(work, self._context, current, publications, draft)
            else:
                await work.save_draft(draft)

        await transact(self._context, write)

    async def try_to_keep(
        self, interaction: Interaction, person: Person, fields: Typed, *, answering: bool = True
    ) -> None:
        """The same, where something else matters more: when too much happens at once, nothing is kept."""
        with suppress(Raced):
            await self.keep(interaction, person, fields, answering=answering)

    async def forget(self, interaction: Interaction, person: Person) -> None:
        """Drop it: it was sent. What was sent stands even when this fails."""

        async def drop(work: Work) -> None:
            current = await work.interaction(interaction.workspace, interaction.id)
            publications = await work.publications(interaction.id)
            if current is not None:
                await stop_answering(work, self._context, current, publications, _scope(person), forget=True)

        with suppress(Raced):
            await transact(self._context, drop)


def _scope(person: Person) -> str:
    return f"review:{person.id}"

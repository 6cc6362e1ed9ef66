"""What a copy shows now, and the bookkeeping around an edit that makes it so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.cards import Card
from core.drafts import Draft
from core.outbox import Claimed, RedrawCard
from core.ports import Context, Work
from core.publications import Publication, PublicationState, Surface
from core.records import Interaction
from core.use_cases.transact import transact


@dataclass(frozen=True)
class Ready:
    """A card to post or redraw. `reconcile`: an earlier post's outcome is unknown, so look before posting."""

    publication: Publication
    card: Card
    reconcile: bool = False

    @property
    def copy(self) -> Publication:
        """Where it is shown."""
        return self.publication


async def card_of(
    work: Work, context: Context, interaction: Interaction, publication: Publication, link_ok: bool
) -> Card:
    """What this copy shows now. A pending card shows the expiry that its delivery starts."""
    now = context.clock.now()
    draft = await work.draft(interaction.id, publication.conversation) if interaction.is_pending else None
    live = draft if draft is not None and _is_live(draft, interaction, now, publication) else None
    busy = await work.live_drafts(interaction.id) if interaction.is_pending else ()
    return Card(
        interaction=interaction,
        publication=publication.number,
        review_url=context.review_url(interaction.id),
        link_ok=link_ok,
        page=publication.page,
        menu=publication.menu,
        draft=live.fields if live else None,
        holder=live.name if live and not publication.is_private else None,
        step=live.step if live else None,
        search=live.search if live else "",
        answering=_names([one for one in busy if one.is_held(now) and not _is_own(one, publication)]),
    )


def _is_live(draft: Draft, interaction: Interaction, now: datetime, publication: Publication) -> bool:
    return draft.revision == interaction.revision and (publication.is_private or draft.is_held(now))


def _is_own(draft: Draft, publication: Publication) -> bool:
    """Whether a private copy would tell its only reader that they are answering."""
    user = draft.scope.partition(":")[2].rpartition(".")[2]
    return publication.is_private and (draft.scope == publication.conversation or user == publication.place)


def _names(drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Who they are, each once."""
    return tuple({draft.person: draft.name for draft in drafts}.values())


async def begin_redraw(context: Context, claimed: Claimed, task: RedrawCard, link_ok: bool) -> Ready | None:
    """Load what a copy must show now. None: there is nothing to redraw, and the delivery is finished."""

    async def inner(work: Work) -> Ready | None:
        publication = await work.publication(task.publication)
        interaction = await work.interaction(publication.workspace, publication.interaction) if publication else None
        if publication is None or interaction is None or publication.message is None:
            await work.finish(claimed)
            return None
        return Ready(publication, await card_of(work, context, interaction, publication, link_ok))

    return await transact(context, inner)


async def redrawn(context: Context, claimed: Claimed, ready: Ready, surface: Surface | None) -> None:
    """The copy shows the card of `ready` now (or is gone, `surface` None: then nothing more is owed to it)."""

    async def inner(work: Work) -> None:
        stored = await work.publication(ready.publication.id)
        shown = ready.card.interaction
        if stored is not None:
            state = stored.state if shown.is_pending else PublicationState.SETTLED
            changes = {"state": state, "shown_version": shown.version, "shown_revision": shown.revision}
            if surface is not None:
                changes["surface"] = surface
            await work.save_publication(stored.model_copy(update=changes))
        await work.finish(claimed)

    await transact(context, inner)

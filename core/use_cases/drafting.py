"""What people have filled in and not sent: kept, shown to others as "is answering", and lapsing by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.audience import Candidate
from core.drafts import HOLD, Draft
from core.errors import NotAnAnswerer
from core.fields import Fields
from core.forms import initial_fields
from core.ports import Context, Work
from core.publications import Publication
from core.reading import Records
from core.records import Interaction
from core.use_cases.recording import redraw_all, take_back_prompts
from core.use_cases.transact import transact


async def own_draft(work: Work, interaction: Interaction, scope: str, candidate: Candidate, now: datetime) -> Draft:
    """The person's draft there, or a fresh one that nobody is shown yet. `NotAnAnswerer` while someone else holds a
    shared form."""
    return await kept_draft(work, interaction, scope, candidate, now) or Draft(
        interaction=interaction.id,
        scope=scope,
        person=candidate.person.id,
        name=candidate.person.name,
        revision=interaction.revision,
        fields=initial_fields(interaction.content.payload),
        updated_at=now,
        live=False,
    )


async def kept_draft(
    work: Work, interaction: Interaction, scope: str, candidate: Candidate, now: datetime
) -> Draft | None:
    """The person's draft there, if they have one. What was filled in in a group is nobody's once its hold is over,
    whether or not it was cleared by then: cards do not show it any more. `NotAnAnswerer` while someone else holds a
    shared form."""
    draft = await work.draft(interaction.id, scope)
    if draft is None or draft.revision != interaction.revision:
        return None
    if draft.person == candidate.person.id:
        return draft if draft.is_held(now) or not draft.is_shared else None
    if draft.is_held(now):
        raise NotAnAnswerer(f"{draft.name} is filling this in just now. Nothing has changed.")
    return None


async def keep(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    draft: Draft,
    **changes: object,
) -> None:
    """Save a draft as touched now. The copies in its conversation are redrawn, and all others once, when it comes to
    life: they say who is answering."""
    now = context.clock.now()
    await work.save_draft(draft.model_copy(update={**changes, "live": True, "updated_at": now}))
    here = [one for one in publications if one.conversation == draft.scope]
    await redraw_all(work, context, interaction, here if draft.live else publications, now)


async def note_answering(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    candidate: Candidate,
    fields: Fields | None = None,
) -> None:
    """A person has a form of their own open, filled with `fields` as far as is known: others are shown that."""
    if candidate.identity is None:
        return
    draft = await own_draft(work, interaction, str(candidate.identity), candidate, context.clock.now())
    await keep(work, context, interaction, publications, draft, fields=dict(draft.fields if fields is None else fields))


async def stop_answering(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    scope: str,
    *,
    forget: bool,
) -> None:
    """A form was closed: nobody is shown it any more. What was filled in stays its person's, unless to `forget`."""
    draft = await work.draft(interaction.id, scope)
    if draft is None:
        return
    here = [one for one in publications if one.conversation == scope]
    if forget:
        await work.drop_draft(interaction.id, scope)
        await take_back_prompts(work, context, interaction, here, context.clock.now(), form_of=draft.person)
    elif draft.live:
        await work.save_draft(draft.model_copy(update={"live": False}))
    if not interaction.is_pending:
        return
    # Others were shown it only while it was live; its own conversation shows what was filled in as long as it is kept.
    drawn = publications if draft.live else here if forget else []
    await redraw_all(work, context, interaction, drawn, context.clock.now())


async def lapse_holds(context: Context, records: Records, limit: int = 50) -> int:
    """Stop showing people as answering who touched nothing for `HOLD`, and owe the cards a redraw; return how many.

    What was filled in in a group goes, so that others may begin; elsewhere it stays its person's.
    """
    lapsed = 0
    for draft in await records.lapsed_drafts(context.clock.now() - HOLD, limit):
        lapsed += await _lapse(context, draft)
    return lapsed


async def _lapse(context: Context, found: Draft) -> bool:
    async def inner(work: Work) -> bool:
        publications = await work.publications(found.interaction)
        draft = await work.draft(found.interaction, found.scope)
        if draft is None or not draft.live or draft.is_held(context.clock.now()):
            return False
        now = context.clock.now()
        if draft.is_shared:
            await work.drop_draft(found.interaction, found.scope)
        else:
            await work.save_draft(draft.model_copy(update={"live": False}))
        workspace = publications[0].workspace if publications else ""
        interaction = await work.interaction(workspace, found.interaction)
        if interaction is not None and interaction.is_pending:
            if draft.is_shared:
                here = [one for one in publications if one.conversation == found.scope]
                await take_back_prompts(work, context, interaction, here, now, form_of=draft.person)
            await redraw_all(work, context, interaction, publications, now)
        return True

    return await transact(context, inner)

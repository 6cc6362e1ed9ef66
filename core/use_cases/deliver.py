"""The bookkeeping around a provider call: what to do before it, and what its outcome means. The relay calls these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from core.acts import FailDelivery
from core.addresses import Provider
from core.channels import Posted
from core.interactions import decide
from core.outbox import Claimed, PostCard
from core.people import TIMER, Via
from core.ports import Context, Work
from core.pseudonyms import GONE
from core.publications import Publication, PublicationState, Surface
from core.records import Interaction
from core.use_cases.destinations import next_fallback
from core.use_cases.recording import post, record, redraw_all, stamp_for, take_out
from core.use_cases.schedule import schedule
from core.use_cases.showing import Ready, card_of
from core.use_cases.transact import transact

SEARCH_GRACE = timedelta(seconds=30)
"""A post whose answer was lost may show up late in the provider's history."""
PROOF_WAIT = timedelta(seconds=60)
"""Where history cannot be read, a press within this time proves that a lost post arrived."""
LOOK_AFTER = timedelta(seconds=2)
"""How soon a post whose answer was lost is looked for."""
FAILED_WAIT = timedelta(seconds=5)
"""How long to wait, at least, after the provider itself said that it failed: then a post has hardly been done."""
MOST_POSTS = 2
"""Where history cannot be read, a lost post gets one replacement; when that is lost as well, it stays unknown."""

_LOST = frozenset({PublicationState.SENDING, PublicationState.UNKNOWN})
_OPEN = _LOST | {PublicationState.QUEUED}


async def only_account(work: Work, workspace: str, provider: Provider) -> str:
    """The account of a provider in a workspace that has exactly one, else `""`."""
    accounts = [one.account for one in await work.connections(workspace) if one.provider is provider]
    return accounts[0] if len(accounts) == 1 else ""


async def begin_post(context: Context, claimed: Claimed, task: PostCard, link_ok: bool) -> Ready | None:
    """Note that a call is about to be made. None: nothing is to be posted any more, and the delivery is finished.

    A card asked for while its provider was not connected yet gets the one account that now is.
    """

    async def inner(work: Work) -> Ready | None:
        publication = await work.publication(task.publication)
        interaction = await work.interaction(publication.workspace, publication.interaction) if publication else None
        if publication is None or interaction is None:
            await work.abandon(claimed, "the card is gone")
            return None
        reconcile = publication.state in _LOST
        if publication.state not in _OPEN:
            await work.finish(claimed)
            return None
        if not interaction.is_pending and not reconcile:
            # Settled before it was ever shown: there is nothing to ask any more.
            gone = publication.model_copy(update={"state": PublicationState.SETTLED})
            await work.save_publication(gone)
            await work.finish(claimed)
            return None
        if not publication.account:
            account = await only_account(work, publication.workspace, publication.provider)
            publication = publication.model_copy(update={"account": account})
        if not reconcile:
            publication = await _mark_sending(work, context, publication)
        drawn = _with_clock(interaction, publication, context.clock.now())
        card = await card_of(work, context, drawn, publication, link_ok)
        return Ready(publication, card, reconcile)

    return await transact(context, inner)


async def begin_replacement(context: Context, claimed: Claimed, ready: Ready) -> Ready | None:
    """Note that a lost post is posted anew. None: it turned up meanwhile, or nothing is asked any more."""

    async def inner(work: Work) -> Ready | None:
        stored = await work.publication(ready.publication.id)
        interaction = await work.interaction(stored.workspace, stored.interaction) if stored else None
        if stored is None or interaction is None or stored.state not in _LOST or not interaction.is_pending:
            await work.finish(claimed)
            return None
        publication = await _mark_sending(work, context, stored)
        drawn = _with_clock(interaction, publication, context.clock.now())
        return Ready(publication, replace(ready.card, interaction=drawn))

    return await transact(context, inner)


async def _mark_sending(work: Work, context: Context, publication: Publication) -> Publication:
    now, posts = context.clock.now(), publication.posts + 1
    sending = publication.model_copy(update={"state": PublicationState.SENDING, "attempt_at": now, "posts": posts})
    await work.save_publication(sending)
    return sending


def _with_clock(interaction: Interaction, publication: Publication, now: datetime) -> Interaction:
    """The interaction with its clock started by this delivery, if it waits for one. A delivery that was begun while a
    clock was ahead starts it now."""
    policy = interaction.policy
    timed = policy.expires_in is not None or policy.nudges is not None
    if publication.attempt_at is None or interaction.started_at is not None or not interaction.is_pending or not timed:
        return interaction
    start = min(publication.attempt_at, now)
    ends = interaction.expires_at or policy.expiry(start)
    return interaction.model_copy(update={"started_at": start, "expires_at": ends})


async def posted(context: Context, claimed: Claimed, ready: Ready, where: Posted) -> None:
    """The provider has it: note where, start the clock, and owe a redraw if the card changed meanwhile, or if it was
    found, as it shows what was so when it was posted."""
    await transact(context, lambda work: _posted_in(work, context, claimed, ready, where))


async def _posted_in(work: Work, context: Context, claimed: Claimed, ready: Ready, where: Posted) -> None:
    now = context.clock.now()
    stored = await work.publication(ready.publication.id)
    if stored is None:
        await work.abandon(claimed, "the card is gone")
        return
    before = await work.interaction(stored.workspace, stored.interaction)
    if before is None:
        await work.abandon(claimed, "the card is gone")
        return
    if stored.place != ready.publication.place:
        # Whoever it was sent to was forgotten meanwhile.
        there = (stored.provider.value, stored.account, (where.channel, where.message))
        await take_out(work, context, stored.workspace, *there, now)
        await work.finish(claimed)
        return
    found = {
        "state": PublicationState.POSTED,
        "channel": where.channel,
        "message": where.message,
        "surface": where.surface or stored.surface or Surface.NATIVE,
        "reason": None,
        "shown_version": None if ready.reconcile else ready.card.interaction.version,
        "shown_revision": None if ready.reconcile else ready.card.interaction.revision,
    }
    publications = await work.publications(before.id)
    if stored.message is not None and (stored.channel, stored.message) != (where.channel, where.message):
        # The lost post and its replacement both arrived: two copies of one card.
        number = max(one.number for one in publications) + 1
        copy = stored.model_copy(update={**found, "id": context.ids.new("pub"), "number": number})
        await work.add_publication(copy)
    else:
        await work.save_publication(stored.model_copy(update=found))
    await work.finish(claimed)
    after = _with_clock(before, ready.publication, now)
    if after is not before:
        if after.expires_at != before.expires_at:
            after = after.model_copy(update={"version": before.version + 1})
        await work.save_interaction(before, after, None)
        await schedule(work, before, after)
        if found["shown_version"] == before.version and after.started_at == ready.publication.attempt_at:
            # This copy was drawn with the clock that its own delivery starts.
            await _note_shown(work, where, stored, after)
    publications = await work.publications(before.id)
    found_at = (where.channel, where.message)
    stale = [
        one
        for one in publications
        if (one.shown_version is not None and one.shown_version < after.version)
        or (ready.reconcile and (one.channel, one.message) == found_at)
    ]
    await redraw_all(work, context, after, stale if after.is_pending else publications, now)


async def _note_shown(work: Work, where: Posted, stored: Publication, after: Interaction) -> None:
    copy = await work.publication_at(stored.provider.value, stored.account, where.channel, where.message)
    if copy is not None:
        await work.save_publication(copy.model_copy(update={"shown_version": after.version}))


async def post_lost(
    context: Context, claimed: Claimed, ready: Ready, error: str, due_at: datetime, *, answered: bool
) -> None:
    """The outcome is not known: look for it at `due_at`. `answered`: the provider failed, so it does not count."""

    async def inner(work: Work) -> None:
        stored = await work.publication(ready.publication.id) or ready.publication
        if stored.state not in _LOST:
            await work.finish(claimed)
        else:
            posts = stored.posts - 1 if answered else stored.posts
            await work.save_publication(stored.model_copy(update={"state": PublicationState.UNKNOWN, "posts": posts}))
            await work.postpone(claimed, due_at, error)

    await transact(context, inner)


async def stays_unknown(context: Context, claimed: Claimed, ready: Ready) -> None:
    """No further copy is posted; a press on a lost one still counts and shows that it is there."""

    async def inner(work: Work) -> None:
        await _note_unknown(work, ready)
        await work.abandon(claimed, "its post and the replacement both had an unknown outcome")

    await transact(context, inner)


async def wait_for_proof(context: Context, claimed: Claimed, ready: Ready, until: datetime) -> None:
    """Let later cards overtake while a press may still prove that this one arrived."""

    async def inner(work: Work) -> None:
        await _note_unknown(work, ready)
        await work.postpone(claimed, until, "waits to see whether it arrived", blocking=False)

    await transact(context, inner)


async def _note_unknown(work: Work, ready: Ready) -> None:
    """A process that died in a call left its copy as `sending`; nothing is being sent any more."""
    stored = await work.publication(ready.publication.id)
    if stored is not None and stored.state is PublicationState.SENDING:
        await work.save_publication(stored.model_copy(update={"state": PublicationState.UNKNOWN}))


async def not_sent(context: Context, claimed: Claimed, ready: Ready, due_at: datetime, error: str) -> None:
    """It was certainly not done: owe it again. A worker that lost its claim leaves the copy to the one that has it."""

    async def inner(work: Work) -> None:
        stored = await work.publication(ready.publication.id)
        if not await work.postpone(claimed, due_at, error) or stored is None or ready.reconcile:
            return
        if stored.state is PublicationState.SENDING:
            queued = {"state": PublicationState.QUEUED, "posts": max(stored.posts - 1, 0)}
            await work.save_publication(stored.model_copy(update=queued))

    await transact(context, inner)


async def unreachable(context: Context, claimed: Claimed, ready: Ready, reason: str) -> None:
    """This place will never have the card: try the next fallback, or settle as undeliverable when none is left."""
    await transact(context, lambda work: _unreachable_in(work, context, claimed, ready, reason))


async def _unreachable_in(work: Work, context: Context, claimed: Claimed, ready: Ready, reason: str) -> None:
    own = ready.publication
    stored = await work.publication(own.id)
    if not await work.abandon(claimed, reason) or stored is None or stored.state not in _OPEN:
        # Another worker has it, or a press proved meanwhile that a lost post did arrive.
        return
    await fail_copy(work, context, stored, reason)


async def fail_copy(work: Work, context: Context, copy: Publication, reason: str) -> None:
    """Nobody will ever see this copy: go on with the next fallback, or settle where none is left, inside the caller's
    transaction."""
    before, now = await work.interaction(copy.workspace, copy.interaction), context.clock.now()
    await work.save_publication(copy.model_copy(update={"state": PublicationState.FAILED, "reason": reason}))
    if before is None or not before.is_pending or before.is_due(now):
        return
    publications = await work.publications(before.id)
    if any(one.state is not PublicationState.FAILED for one in publications):
        return
    after, another, unusable = await next_fallback(work, context, before, publications)
    if another is not None:
        await work.add_publication(another)
        await work.save_interaction(before, after, None)
        await post(work, context, another, now)
        return
    if "review" in (*before.to, *before.policy.fallback):
        return
    stamp = stamp_for(context, TIMER, Via.TIMER)
    decision = decide(before, FailDelivery("; ".join((*_reasons(publications), *unusable))), stamp)
    await record(work, context, before, decision, publications, now, timed=False)


def _reasons(publications: Sequence[Publication]) -> list[str]:
    if len(publications) == 1:
        return [publications[0].reason or "it could not be delivered"]
    reasons = [one.reason if one.reason == GONE else f"{one.conversation}: {one.reason}" for one in publications]
    return list(dict.fromkeys(reasons))

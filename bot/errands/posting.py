"""A message that is posted once: looked for when its answer was lost, replaced once at most where a chat cannot be
searched, given up with a word. What each outcome means for cards, work orders and alerts is in their own books."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol, TypeVar

import structlog

from bot.chats import DEAD_WAIT
from bot.errands.noting import Notes
from core.channels import Posted
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    InstallationEnded,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)
from core.loops.values import LoopCopy
from core.outbox import Claimed
from core.ports import Context
from core.publications import Publication
from core.use_cases import deliver

log = structlog.get_logger("sayso.errands")


class Postable(Protocol):
    """What is made ready to be posted. `reconcile`: an earlier post's outcome is unknown."""

    @property
    def copy(self) -> Publication | LoopCopy:
        """Where it is, or is to be."""

    @property
    def reconcile(self) -> bool:
        """Whether to look before posting."""


R = TypeVar("R", bound=Postable)
T = TypeVar("T")


class Book(Protocol[R]):
    """What is noted of each outcome: `core.use_cases.deliver` for cards, `loop_delivery` for work orders and alerts."""

    async def posted(self, context: Context, claimed: Claimed, ready: R, where: Posted, /) -> None:
        """The provider has it."""

    async def begin_replacement(self, context: Context, claimed: Claimed, ready: R, /) -> R | None:
        """It is to be posted anew; None: it turned up."""

    async def post_lost(
        self, context: Context, claimed: Claimed, ready: R, error: str, due_at: datetime, /, *, answered: bool
    ) -> None:
        """Whether the provider has it is not known."""

    async def stays_unknown(self, context: Context, claimed: Claimed, ready: R, /) -> None:
        """It never will be known."""

    async def wait_for_proof(self, context: Context, claimed: Claimed, ready: R, until: datetime, /) -> None:
        """It may yet be."""

    async def not_sent(self, context: Context, claimed: Claimed, ready: R, due_at: datetime, error: str, /) -> None:
        """The provider does not have it."""

    async def unreachable(self, context: Context, claimed: Claimed, ready: R, reason: str, /) -> None:
        """It never will."""


async def post_once(
    notes: Notes,
    claimed: Claimed,
    ready: R,
    book: Book[R],
    make: Callable[[R], Awaitable[Posted]],
    find: Callable[[R], Awaitable[Posted | None]],
) -> None:
    """Post what is ready, or `find` it when the answer of an earlier try was lost. `make` and `find` raise only
    `ChannelError`s."""
    context = notes.context
    try:
        if ready.reconcile:
            found = await _look(notes, claimed, ready, book, find)
            if isinstance(found, Posted):
                await book.posted(context, claimed, ready, found)
                notes.telemetry.delivered(claimed)
                return
            replacement = await book.begin_replacement(context, claimed, ready) if found else None
            if replacement is None:
                return
            ready = replacement
        where = await make(ready)
        notes.chats.note_dead(ready.copy.provider, ready.copy.account, None)
        await book.posted(context, claimed, ready, where)
        notes.telemetry.delivered(claimed)
    except ChannelError as error:
        await _failed(notes, claimed, ready, book, error)


async def _look(
    notes: Notes, claimed: Claimed, ready: R, book: Book[R], find: Callable[[R], Awaitable[Posted | None]]
) -> Posted | bool:
    """Where the lost post is; True: post it anew; False: wait or give up, and that is noted."""
    now, copy = notes.context.clock.now(), ready.copy
    started = copy.attempt_at or now
    try:
        found, grace, searched = await find(ready), deliver.SEARCH_GRACE, True
    except Ambiguous:
        found, grace, searched = None, deliver.PROOF_WAIT, False
    if found is not None:
        return found
    if copy.posts == 0:
        # Every post so far was answered with a failure, and the wait for that is over.
        return True
    if now < started + grace:
        await book.wait_for_proof(notes.context, claimed, ready, started + grace)
        return False
    if searched or copy.posts < deliver.MOST_POSTS:
        return True
    await book.stays_unknown(notes.context, claimed, ready)
    return False


async def _failed(notes: Notes, claimed: Claimed, ready: R, book: Book[R], error: ChannelError) -> None:
    now, context, copy = notes.context.clock.now(), notes.context, ready.copy
    if ready.reconcile:
        notes.telemetry.failed(claimed, error)  # of looking for it, which the pace of writing has no part in
    else:
        await notes.failed(claimed, error)
    about = {"delivery": claimed.delivery.id, "where": copy.channel or copy.place}
    match error:
        case Ambiguous():
            log.warning("post outcome unknown", error=str(error), **about)
            due = _look_at(notes, claimed, now, answered=error.answered)
            await book.post_lost(context, claimed, ready, str(error), due, answered=error.answered)
        case Unreachable():
            log.warning("unreachable", code=error.code, **about)
            await book.unreachable(context, claimed, ready, error.reason)
        case Misrendered():
            log.warning("card refused by the provider", error=str(error), **about)
            reason = f"{copy.provider.value.capitalize()} did not accept the form of this card"
            await book.unreachable(context, claimed, ready, reason)
        case PlaceMoved():
            but = copy.id if isinstance(copy, Publication) else None
            await notes.moved(copy.provider, copy.account, copy.channel or copy.place, error.place, but)
            await book.not_sent(context, claimed, ready, now, str(error))
        case InstallationEnded():
            await book.unreachable(context, claimed, ready, str(error))
        case InstallationDead():
            await book.not_sent(context, claimed, ready, now + DEAD_WAIT, str(error))
            # After it: where the account turns out to have ended, what waits is hurried, and this with it.
            notes.chats.note_dead(copy.provider, copy.account, str(error))
        case _:
            after = error.retry_after if isinstance(error, Transient) else None
            due = notes.due_again(claimed, after) or now + DEAD_WAIT
            notes.telemetry.not_yet(claimed, error, due)
            await book.not_sent(context, claimed, ready, due, str(error))


def _look_at(notes: Notes, claimed: Claimed, now: datetime, *, answered: bool) -> datetime:
    if not answered:
        return now + deliver.LOOK_AFTER
    return max(now + deliver.FAILED_WAIT, notes.due_again(claimed, None) or now)


async def redraw_again(
    notes: Notes,
    claimed: Claimed,
    copy: Publication | LoopCopy,
    draw: Callable[[], Awaitable[T]],
    noted: Callable[[T | None], Awaitable[None]],
) -> None:
    """Edit a message until it shows what it must. `noted` is called with what drawing it returned, or with None for a
    message that is gone."""
    try:
        drawn = await draw()
    except (MessageGone, Unreachable) as gone:
        notes.telemetry.failed(claimed, gone)
        log.info("copy is gone", delivery=claimed.delivery.id, error=str(gone))
        await noted(None)
    except Misrendered as ours:
        notes.telemetry.failed(claimed, ours)
        log.warning("redraw refused by the provider", delivery=claimed.delivery.id, error=str(ours))
        await notes.end(claimed, str(ours))
    except ChannelError as error:
        # An edit from current state may be repeated whatever happened to the last one.
        await notes.again(claimed, error, copy)
    else:
        notes.chats.note_dead(copy.provider, copy.account, None)
        await noted(drawn)
        notes.telemetry.delivered(claimed)

"""What may be purged: conditions shared by the work that does it and the read side that counts it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, Table, and_, exists, or_

from core.ids import make_id
from core.loops.outcomes import ENDED, OPEN_STATES
from core.loops.places import FollowUpState
from core.store.tables import (
    PENDING,
    alerts,
    follow_ups,
    handovers,
    interactions,
    loop_receipts,
    loops,
    receipts,
    sayings,
    tool_calls,
)

_ENDED = [state.value for state in ENDED]
_OPEN = [state.value for state in OPEN_STATES]


def first_id(prefix: str, moment: datetime) -> str:
    """Ids before it are older than a moment: they begin with when they were made, so an index finds them."""
    return make_id(prefix, max(0, int(moment.timestamp() * 1000)), 0)


def is_over(workspace: str, before: datetime) -> ColumnElement[bool]:
    """The condition on `interactions` for settled ones to which nothing happened since."""
    table = interactions.c
    since = exists().where(receipts.c.interaction == table.id, receipts.c.at >= before)
    running = exists().where(tool_calls.c.interaction == table.id, tool_calls.c.over_at.is_(None))
    return and_(
        table.workspace == workspace,
        table.id < first_id("int", before),
        table.status != PENDING,
        table.created_at < before,
        ~since,
        ~running,
    )


def loop_is_over(workspace: str, before: datetime) -> ColumnElement[bool]:
    """The condition on `loops` for those that have ended and to which nothing happened since."""
    table = loops.c
    since = exists().where(loop_receipts.c.loop == table.id, loop_receipts.c.at >= before)
    return and_(
        table.workspace == workspace,
        table.id < first_id("lop", before),
        table.state.in_(_ENDED),
        table.created_at < before,
        ~since,
    )


def others(workspace: str, before: datetime) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """The conditions on what is said and kept in conversations, which has no receipts."""
    said = sayings.c
    going_on = exists().where(loops.c.conversation == said.conversation, loops.c.state.in_(_OPEN))
    yield sayings, and_(said.workspace == workspace, said.id < first_id("msg", before), said.at < before, ~going_on)
    handed = handovers.c
    yield (
        handovers,
        and_(handed.workspace == workspace, handed.event.is_not(None), handed.at < before),
    )
    follow = follow_ups.c
    yield (
        follow_ups,
        and_(follow.workspace == workspace, follow.state != FollowUpState.WAITING.value, follow.due_at < before),
    )
    raised = alerts.c
    ordered = exists().where(
        loops.c.workspace == raised.workspace, loops.c.name == raised.order, loops.c.state.in_(_OPEN)
    )
    yield (
        alerts,
        and_(raised.workspace == workspace, raised.created_at < before, or_(raised.order.is_(None), ~ordered)),
    )

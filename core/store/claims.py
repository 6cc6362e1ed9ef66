"""The claim of what is owed: one statement, the same on both databases, safe between any number of workers."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    exists,
    func,
    not_,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from core.outbox import TASKS, Lane
from core.store.columns import UtcDateTime
from core.store.tables import CLAIMED, WAITING, outbox

_earlier = outbox.alias("earlier")
_taken = outbox.alias("taken")


@cache
def claim_statement(lanes: tuple[Lane, ...]) -> ReturningUpdate[Any]:
    """The claim, built once for these lanes. `claimed_by` gives its parameters.

    A delivery is taken when its lease lapsed, or when it is due and first in its key: none of the key is claimed,
    and no earlier one waits that is due as well or blocks. PostgreSQL passes over rows that another worker is taking
    just now (SKIP LOCKED), but still sees them as earlier ones; SQLite lets one worker claim at a time. What two
    snapshots could still let through, the unique index on claimed keys refuses (`Raced`).
    """
    table = outbox.c
    in_lanes = table.lane.in_([lane.value for lane in lanes])
    now, most = bindparam("own_now", type_=UtcDateTime()), bindparam("own_most", type_=Integer())
    lapsed = (
        select(table.seq)
        .where(in_lanes, table.state == CLAIMED, table.lease_until <= now, _is_known())
        .order_by(table.lease_until, table.seq)
        .limit(most)
        .with_for_update(skip_locked=True)
        .cte("lapsed")
    )
    due = (
        select(table.seq)
        .where(in_lanes, table.state == WAITING, table.due_at <= now, _is_known(), _is_first(_earlier.c.due_at <= now))
        .order_by(table.due_at, table.seq)
        .limit(select(most - func.count()).select_from(lapsed).scalar_subquery())
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    return (
        update(outbox)
        .where(table.seq.in_(select(lapsed.c.seq).union_all(select(due.c.seq))))
        .values(
            state="claimed",
            owner=bindparam("own_owner"),
            lease_until=bindparam("own_lease_until"),
            generation=table.generation + 1,
            attempts=table.attempts + 1,
        )
        .returning(outbox)
    )


def claimed_by(now: datetime, lease_until: datetime, owner: str, most: int) -> dict[str, object]:
    """The parameters of the claim: `most` is how many deliveries are taken."""
    return {"own_now": now, "own_lease_until": lease_until, "own_owner": owner, "own_most": most}


@cache
def next_due_statement(lanes: tuple[Lane, ...]) -> Select[Any]:
    """The earliest moment at which the claim would find something, as things stand."""
    table = outbox.c
    in_lanes = table.lane.in_([lane.value for lane in lanes])
    lapses = select(func.min(table.lease_until).label("moment")).where(in_lanes, table.state == CLAIMED, _is_known())
    is_due = (
        select(table.due_at.label("moment"))
        .where(in_lanes, table.state == WAITING, _is_known(), _is_first())
        .order_by(table.due_at, table.seq)
        .limit(1)
        .subquery()
    )
    moments = lapses.union_all(select(is_due.c.moment)).subquery()
    return select(func.min(moments.c.moment))


def _is_known() -> ColumnElement[bool]:
    """Whether this program knows what is to be done; what a newer one owes is left to its replicas."""
    name: ColumnElement[str] = type_coerce(outbox.c.task, JSON())["task"].as_string()
    return name.in_(sorted(TASKS))


def _is_first(*also_first: ColumnElement[bool]) -> ColumnElement[bool]:
    """Nothing of the same key is claimed, and nothing earlier waits that blocks (or is `also_first`)."""
    table = outbox.c
    being_done = exists().where(_taken.c.lane == table.lane, _taken.c.key == table.key, _taken.c.state == CLAIMED)
    waits_before = exists().where(
        _earlier.c.lane == table.lane,
        _earlier.c.key == table.key,
        _earlier.c.state == WAITING,
        _earlier.c.seq < table.seq,
        or_(_earlier.c.blocking, *also_first),
    )
    return and_(not_(being_done), not_(waits_before))

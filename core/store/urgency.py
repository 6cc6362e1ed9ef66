"""The order of what waits as SQL, which an index over (workspace, due, id) serves from its beginning or a place."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, UnaryExpression, and_, or_

from core.urgency import Urgency

Due = ColumnElement[datetime | None]
Order = tuple[UnaryExpression[datetime | None], UnaryExpression[str]]


def most_urgent_first(due: Due, id: ColumnElement[str]) -> Order:
    """What to order by."""
    return due.asc().nulls_last(), id.desc()


def less_urgent(due: Due, id: ColumnElement[str], prefix: str, after: Urgency | None) -> list[ColumnElement[bool]]:
    """The condition for what comes after a place, None: all; `prefix` is that of the ids in the column."""
    if after is None:
        return []
    older = id < after.id(prefix)
    if after.due is None:
        return [due.is_(None), older]
    return [or_(due > after.due, due.is_(None), and_(due == after.due, older))]

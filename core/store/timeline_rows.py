"""Timelines as rows."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, select

from core.restoring import Timeline
from core.store.tables import timelines

OLDEST_FIRST = select(timelines).order_by(timelines.c.id)


def timeline_of(row: Row[Any]) -> Timeline:
    """The row as a value."""
    return Timeline(row.id, row.home, row.began_at, row.known_until, row.positions)

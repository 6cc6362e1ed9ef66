"""Going through a table by id in short transactions: each looks at so many rows, however few of them it changes."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Select, Table, select

LOOKED_AT = 20
"""How many times as many rows are looked at in one transaction as are changed: nobody waits while all are read."""


def edge(table: Table, limit: int, *here: ColumnElement[bool]) -> Select[str]:
    """The id of the last row to look at of those `here`; none: all that are left may be looked at."""
    return select(table.c.id).where(*here).order_by(table.c.id).offset(limit * LOOKED_AT - 1).limit(1)

"""Sign-ins, sessions and links as rows."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Row

from core.access import Link, Session, SignIn
from core.people import Identity


def signin_of(row: Row[Any]) -> SignIn:
    """The sign-in a row holds."""
    return SignIn(**{field.name: getattr(row, field.name) for field in fields(SignIn)})


def session_of(row: Row[Any]) -> Session:
    """The session a row holds."""
    return Session(**{field.name: getattr(row, field.name) for field in fields(Session)})


def link_row(value: Link) -> dict[str, Any]:
    """The columns of a link."""
    return {**asdict(value), "claimed": value.claimed.model_dump(mode="json") if value.claimed else None}


def link_of(row: Row[Any]) -> Link:
    """The link a row holds."""
    known = {field.name: getattr(row, field.name) for field in fields(Link)}
    claimed = known.pop("claimed")
    return Link(**known, claimed=Identity.model_validate(claimed) if claimed is not None else None)

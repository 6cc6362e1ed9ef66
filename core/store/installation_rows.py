"""Installations and invitations as rows: shared by the work and the read side."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import ColumnElement, Row, and_

from core.addresses import Provider
from core.installations import Installation, InstallState, Invitation
from core.store.tables import installations


def installation_of(row: Row[Any]) -> Installation:
    """The installation a row holds."""
    known = {field.name: getattr(row, field.name) for field in fields(Installation)}
    return Installation(**{**known, "provider": Provider(row.provider)})


def installation_row(value: Installation) -> dict[str, Any]:
    """The columns of an installation."""
    return {**asdict(value), "provider": value.provider.value, "facts": dict(value.facts)}


def is_installation(provider: Provider, account: str) -> ColumnElement[bool]:
    """The condition for the row of an account."""
    return and_(installations.c.provider == provider.value, installations.c.account == account)


def state_of(row: Row[Any]) -> InstallState:
    """The state a row holds."""
    return InstallState(row.hash, row.expires_at, row.invitation)


def invitation_of(row: Row[Any]) -> Invitation:
    """The invitation a row holds."""
    return Invitation(**{field.name: getattr(row, field.name) for field in fields(Invitation)})

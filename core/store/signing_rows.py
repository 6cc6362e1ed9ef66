"""Signing keys as rows: shared by the work and the read side."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sqlalchemy import Row

from core.signing import SigningKey


def signing_key_of(row: Row[Any]) -> SigningKey:
    """The key a row holds."""
    return SigningKey(**{field.name: getattr(row, field.name) for field in fields(SigningKey)})

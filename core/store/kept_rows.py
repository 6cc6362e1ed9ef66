"""What is left of what was purged, as rows: shared by the work and the read side."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sqlalchemy import Row

from core.retention import Proof, Purged


def purged_of(row: Row[Any]) -> Purged:
    """What a row says was purged."""
    return Purged(**{field.name: getattr(row, field.name) for field in fields(Purged)})


def proof_of_row(row: Row[Any]) -> Proof:
    """The proof a row holds."""
    return Proof(**{field.name: getattr(row, field.name) for field in fields(Proof)})

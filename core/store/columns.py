"""Columns that mean the same on SQLite and PostgreSQL, alone and where tables share some, and how constraints are
named."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    DateTime,
    ForeignKey,
    Integer,
    MetaData,
    Text,
    UniqueConstraint,
    literal_column,
    types,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import SchemaItem

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(types.TypeDecorator[datetime]):
    """A moment. Naive ones are refused going in; coming out they are aware and in UTC, also where the database
    keeps no zone (SQLite) or answers in its own."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002  # given
        """Refuse a naive moment and write UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002  # given
        """Read UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Words(types.TypeDecorator[str]):
    """Text from anywhere. What one of the databases cannot keep (NUL, lone surrogates) becomes U+FFFD both when
    it is written and when it is looked for; JSON columns keep even that as it was."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002  # given
        """Replace what cannot be kept."""
        return None if value is None else _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value)


class Document(types.TypeDecorator[Any]):
    """A JSON value, kept as the text it was written as: numbers, order and escapes come back unchanged.
    Python's None is SQL's NULL."""

    impl = types.JSON(none_as_null=True)
    cache_ok = True


Counter = BigInteger().with_variant(Integer(), "sqlite")
"""A whole number that may grow; on SQLite the one type that counts by itself."""


def spelled(word: str) -> ColumnElement[str]:
    """One of our own words, written into the statement: the planner then sees that a partial index holds the rows."""
    return literal_column(f"'{word}'", Words())


def text(name: str, **options: Any) -> Column[str]:
    """A text column that must be filled."""
    return Column(name, Words(), nullable=False, **options)


def maybe_text(name: str, **options: Any) -> Column[str | None]:
    """A text column that may be empty."""
    return Column(name, Words(), nullable=True, **options)


def moment(name: str) -> Column[datetime]:
    """A moment that must be known."""
    return Column(name, UtcDateTime(), nullable=False)


def maybe_moment(name: str) -> Column[datetime | None]:
    """A moment that may be unknown."""
    return Column(name, UtcDateTime(), nullable=True)


def document(name: str, **options: Any) -> Column[Any]:
    """A JSON value that must be there."""
    return Column(name, Document(), nullable=False, **options)


def maybe_document(name: str) -> Column[Any]:
    """A JSON value that may be missing."""
    return Column(name, Document(), nullable=True)


def whole(name: str, **options: Any) -> Column[int]:
    """A whole number that must be known."""
    return Column(name, BigInteger(), nullable=False, **options)


def maybe_whole(name: str) -> Column[int | None]:
    """A whole number that may be unknown."""
    return Column(name, BigInteger(), nullable=True)


def message_key() -> tuple[Column[str], ...]:
    """The message of a chat that a row is about, as its key."""
    return tuple(text(name, primary_key=True) for name in ("provider", "account", "channel", "message"))


def chain_of(subject: str, id: Column[str]) -> tuple[SchemaItem, ...]:
    """A line in the chain of receipts of a `subject`, whose key is `id`: the whole of it, and what it is found by."""
    return (
        text("id", primary_key=True),
        text("workspace"),
        Column(subject, ForeignKey(id), nullable=False),
        whole("seq"),
        text("type"),
        maybe_text("by_id"),
        maybe_text("by_identity"),
        moment("at"),
        document("line"),
        maybe_text("salt"),
        maybe_text("key"),
        maybe_text("signature"),
        maybe_moment("redacted_at"),
        maybe_text("redaction_digest"),
        maybe_text("redaction_key"),
        maybe_text("redaction_signature"),
        UniqueConstraint(subject, "seq"),
    )

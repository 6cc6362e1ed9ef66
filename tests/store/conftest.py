"""A real database for every test here."""

from __future__ import annotations

from tests.stores import (
    postgres_database,
    postgres_store_url,
    sqlite_store_url,
    sqlite_template,
    store,
    store_url,
    woken,
)

__all__ = [
    "postgres_database",
    "postgres_store_url",
    "sqlite_store_url",
    "sqlite_template",
    "store",
    "store_url",
    "woken",
]

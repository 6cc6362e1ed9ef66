"""A real database for every test here."""

from __future__ import annotations

from tests.stores import store, store_url, woken

__all__ = ["store", "store_url", "woken"]

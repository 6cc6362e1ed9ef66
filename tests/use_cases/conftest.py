"""The use cases on a real store, as a fixture."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.stores import sqlite_store_url, sqlite_template
from tests.use_cases.bench import Bench, bench

__all__ = ["sqlite_store_url", "sqlite_template"]


@pytest.fixture
async def b(sqlite_store_url: str) -> AsyncIterator[Bench]:
    """The use cases on a store of this test's own."""
    async with bench(sqlite_store_url) as made:
        yield made

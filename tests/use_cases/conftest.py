"""The use cases on a real store, as a fixture."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.stores import mostly_sqlite_url as store_url
from tests.use_cases.bench import Bench, bench
from tests.use_cases.floor import Floor

__all__ = ["store_url"]


@pytest.fixture
async def b(sqlite_store_url: str) -> AsyncIterator[Bench]:
    """The use cases on a store of this test's own."""
    async with bench(sqlite_store_url) as made:
        yield made


@pytest.fixture
def f(b: Bench) -> Floor:
    """Work orders on the bench."""
    return Floor(b)

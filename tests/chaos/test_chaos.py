"""A small chaos run, so that the large one goes on working."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.chaos.running import Sizes, run
from tests.flows.killable import Nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Where replicas come from."""
    own = Nursery()
    yield own
    own.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_three_replicas_among_failing_chats_break_no_promise(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path
) -> None:
    result = await run(
        nursery, fresh_database(), tmp_path, 1, Sizes(seconds=20, cards=100, orders=16, people=8, places=4)
    )
    assert result.kills
    assert result.broken == []
    assert not result.exceeded
    assert result.tracebacks == []

"""The service under load goes back to copies that were taken under load, and is killed while it does so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from tests.chaos.copies import InFile, InServer
from tests.chaos.going_back import Result, Sizes, run
from tests.flows.killable import Nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Where processes come from."""
    own = Nursery()
    yield own
    own.close()


@pytest.fixture
def server(postgres_server: URL) -> Iterator[InServer]:
    """A database of a server, and those into which its copies are put."""
    own = InServer(postgres_server)
    yield own
    own.close()


def expect_consistent(result: Result) -> None:
    """Nothing was broken, and there was something to break."""
    assert result.broken == []
    assert result.tracebacks == []
    assert result.killed
    assert result.statuses["interaction.restored"]
    assert result.statuses["loop.restored"]
    assert result.lost


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [1, 2])
async def test_a_file_goes_back_to_copies_taken_while_it_was_written(
    nursery: Nursery, tmp_path: Path, seed: int
) -> None:
    expect_consistent(await run(nursery, InFile(tmp_path), tmp_path, seed, Sizes(), processes=1))


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_a_server_goes_back_to_dumps_taken_while_two_processes_wrote(
    nursery: Nursery, server: InServer, tmp_path: Path
) -> None:
    expect_consistent(await run(nursery, server, tmp_path, 3, Sizes(), processes=2))

"""What the flows share: one process that has everything loaded, of which those to be killed are forks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.flows.killable import Nursery


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where killable processes come from; started on first use."""
    own = Nursery()
    yield own
    own.close()

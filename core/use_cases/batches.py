"""Doing something to everything of a kind, in small transactions: whoever else writes gets between them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from core.ports import Context, Work
from core.use_cases.transact import transact

BATCH = 100


class Known(Protocol):
    """What is told apart by an id."""

    @property
    def id(self) -> str:
        """Its id."""


T = TypeVar("T", bound=Known)


async def each(
    context: Context,
    found: Callable[[Work, str], Awaitable[Sequence[T]]],
    do: Callable[[Work, T], Awaitable[None]],
    first: Callable[[Work], Awaitable[None]] | None = None,
) -> None:
    """Do it to whatever is `found` after an id, by id, until nothing is; in each transaction after what comes
    `first`."""
    after: str | None = ""
    while after is not None:

        async def some(work: Work, after: str = after) -> str | None:
            if first is not None:
                await first(work)
            batch = await found(work, after)
            for one in batch:
                await do(work, one)
            return batch[-1].id if batch else None

        after = await transact(context, some)

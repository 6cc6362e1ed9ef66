"""Whether what is owed is still to be done, looked at before its turn comes: what is not is ended without a turn, and
of what goes on nothing is written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TypeVar

from core.ports import Context, Work, WorkFactory

T = TypeVar("T")


class _GoesOn(Exception):
    """Ends the transaction of whatever is to be done, so that nothing of it stays."""


class _Looking:
    """A `WorkFactory` that commits only what led to nothing to do."""

    def __init__(self, works: WorkFactory) -> None:
        self._works = works

    def __call__(self) -> AbstractAsyncContextManager[Work]:
        return self._works()

    async def run(self, inner: Callable[[Work], Awaitable[T]]) -> T:
        """Run `inner`, and keep what it wrote only when it returns nothing."""
        found: list[T] = []

        async def looked(work: Work) -> T:
            result = await inner(work)
            if result:
                found.append(result)
                raise _GoesOn
            return result

        try:
            return await self._works.run(looked)
        except _GoesOn:
            return found[-1]


async def is_wanted(context: Context, begin: Callable[[Context], Awaitable[object]]) -> bool:
    """Whether `begin`, which makes a call ready in a transaction of the context it is given, would go on to make it.
    Otherwise it has noted why not."""
    return bool(await begin(replace(context, work=_Looking(context.work))))

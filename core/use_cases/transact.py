"""One transaction, done again from what then stands when another one won."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.errors import Raced
from core.ports import Context, Work

TRIES = 8
"""A lost race is decided again; this many in a row means that something else is wrong."""

T = TypeVar("T")


async def transact(context: Context, inner: Callable[[Work], Awaitable[T]]) -> T:
    """Run `inner` in a transaction and commit it. `inner` may run several times, so it must do nothing but decide
    and write; it holds up others while it runs, so it may wait for nothing but its work. Raises whatever it raises, and
    `Raced` when every try lost."""
    for tries_left in reversed(range(TRIES)):
        try:
            return await context.work.run(inner)
        except Raced:
            if not tries_left:
                raise
    raise Raced("no try was made")

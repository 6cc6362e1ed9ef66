"""Words that take several messages of a chat: each is sent once, whatever becomes of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from core.channels import Another
from core.errors import Ambiguous, InstallationDead, PlaceMoved, Transient

TRIES: Final = 4
USUAL_WAIT: Final = 1.0
LONGEST_WAIT: Final = 60.0
"""Seconds between tries, when the chat names none, and at most."""
Sent = TypeVar("Sent")
Pause = Callable[[float], Awaitable[None]]


async def send_all(
    sends: Sequence[Callable[[], Awaitable[Sent]]], another: Another | None = None, pause: Pause = asyncio.sleep
) -> list[Sent]:
    """Send one after the other, each but the first once `another` says so. What keeps the first from going says that
    nothing was sent. Once it is there, the others are waited for here, and what then stays unsent is `Ambiguous`: the
    whole is never said twice."""
    sent: list[Sent] = []
    for send in sends:
        if sent and another is not None and not await another():
            raise Ambiguous(f"{len(sent)} of {len(sends)} messages are there, and the chat takes no more now")
        sent.append(await (_wait_for(send, len(sent), len(sends), pause) if sent else send()))
    return sent


async def _wait_for(send: Callable[[], Awaitable[Sent]], there: int, of: int, pause: Pause) -> Sent:
    why = ""
    for tries_left in reversed(range(TRIES)):
        try:
            return await send()
        except Transient as error:
            why = str(error)
            if tries_left:
                await pause(min(error.retry_after or USUAL_WAIT, LONGEST_WAIT))
        except (InstallationDead, PlaceMoved) as error:
            why = str(error)
            break
    raise Ambiguous(f"{there} of {of} messages are there, and the next was not taken: {why}")

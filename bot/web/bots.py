"""The Telegram bots whose word about somebody is taken, each in its own workspace alone.

Whoever holds a bot's token can make proofs for any account of Telegram. A bot that one tenant brought must therefore
open nothing of another's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ProvingBot:
    """A connected bot. `number` is its account's id, `workspace` where people are that it may let in; `own`: it is the
    one of the settings."""

    number: str
    workspace: str
    token: str = field(repr=False)
    own: bool = False


Bots = Callable[[], Sequence[ProvingBot]]
"""Those that are connected in this process now."""


def no_bots() -> Sequence[ProvingBot]:
    """Where Telegram is off."""
    return ()


def bot_numbered(bots: Bots, number: str) -> ProvingBot | None:
    """One of them."""
    return next((one for one in bots() if one.number == number), None)


def own_bot(bots: Bots) -> ProvingBot | None:
    """The one of the settings."""
    return next((one for one in bots() if one.own), None)

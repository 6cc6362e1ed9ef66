"""Ids in Slack's shapes."""

from __future__ import annotations

import secrets
import string
import uuid

from bot.sandbox.clock import Clock

_LETTERS = string.ascii_uppercase + string.digits


class Mint:
    """Draws ids; message stamps are unique and ascending."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_stamp = 0

    def stamp(self) -> str:
        """Return the next message `ts`: Unix seconds with six decimals, as a string."""
        micros = max(int(self._clock.wall() * 1_000_000), self._last_stamp + 1)
        self._last_stamp = micros
        return f"{micros // 1_000_000}.{micros % 1_000_000:06d}"

    def name(self, prefix: str) -> str:
        """Return an id such as `U7K2…` or `C09Q…`."""
        return prefix + "".join(secrets.choice(_LETTERS) for _ in range(10))

    def control(self) -> str:
        """Return what Slack puts in for a missing block_id or action_id."""
        return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(5))

    def trigger(self) -> str:
        """Return a trigger id."""
        return f"{secrets.randbelow(10**13)}.{secrets.randbelow(10**12)}.{secrets.token_hex(16)}"

    def secret(self) -> str:
        """Return a part of an address that nobody can guess."""
        return secrets.token_urlsafe(18)

    def envelope(self) -> str:
        """Return a Socket Mode envelope id."""
        return str(uuid.uuid4())

    def view_hash(self) -> str:
        """Return a new view hash."""
        return f"{int(self._clock.wall())}.{secrets.token_hex(4)}"

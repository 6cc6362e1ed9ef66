"""Whether a credential is what it should be: told by its shape, then asked of its provider. Nothing here prints one."""

from __future__ import annotations

from dataclasses import dataclass

TIMEOUT = 10.0
"""Seconds that somebody who is asked has to answer."""


@dataclass(frozen=True)
class Fault:
    """What is wrong, as a sentence without its full stop, and what to do about it, as a sentence with one.

    `unreachable`: nobody answered, or asked to wait, so nothing was found out about the credential itself. `passing`:
    it will be over in a moment.
    """

    found: str
    todo: str
    unreachable: bool = False
    passing: bool = False

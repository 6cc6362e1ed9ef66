"""Options that may stand without their value."""

from __future__ import annotations

import re
from collections.abc import Sequence

FOREVER = "forever"
NUMBER = re.compile(r"\d+(\.\d+)?")


def spread_wait(arguments: Sequence[str]) -> list[str]:
    """Let `--wait` stand alone: as an option it takes a value, so it is given one where none follows."""
    spread: list[str] = []
    for position, argument in enumerate(arguments):
        if argument == "--":
            return [*spread, *arguments[position:]]
        following = arguments[position + 1 : position + 2]
        alone = argument == "--wait" and not (following and NUMBER.fullmatch(following[0]))
        spread.append(f"--wait={FOREVER}" if alone else argument)
    return spread

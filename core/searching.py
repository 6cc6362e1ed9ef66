"""Narrowing a long list of options by typing."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_SEARCH = 100


def matching(labels: Sequence[str], search: str) -> tuple[int, ...]:
    """The indexes of the labels that contain what is looked for, whatever its case; all of them when it is blank."""
    wanted = search.strip().casefold()
    return tuple(index for index, label in enumerate(labels) if wanted in label.casefold())

"""What people's clients showed ticked when they last touched a group of boxes.

Until a redraw reaches it, a client shows what its person touched, which is no longer what was drawn. Somebody who
ticks a box and takes it back before that has changed something twice, although it looks as if nothing was changed; and
what they ticked before says nothing anew. So each touch is compared with the last one of the same person and group.

This is kept in memory: after a restart a first touch is compared with what was drawn.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

MOST: Final = 10_000
"""Groups of boxes that are remembered; each is needed for the seconds until it is drawn again."""


@dataclass(frozen=True)
class Touch:
    """A group as its person's client shows it. `group` is whose, on which message, and its block id; `at` is when it
    was touched, in Slack's time; `ticked` are the items whose boxes are ticked."""

    group: tuple[str, ...]
    at: float
    ticked: frozenset[int]


class Touches:
    """The last saved touch of each person and group."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._last: OrderedDict[tuple[str, ...], Touch] = OrderedDict()

    def before(self, touch: Touch) -> Touch | None:
        """The last touch of the same group by the same person. One with a later time has this one in it."""
        return self._last.get(touch.group)

    def saved(self, touch: Touch) -> None:
        """Remember a touch that was saved."""
        last = self._last.get(touch.group)
        if last is None or last.at < touch.at:
            self._last[touch.group] = touch
            self._last.move_to_end(touch.group)
        while len(self._last) > self._most:
            self._last.popitem(last=False)

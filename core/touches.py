"""Groups of boxes that are touched in a chat, and what their person changed in them.

Slack tells which boxes of a group are ticked now, and not which one was touched. Until a redraw reaches it, a client
shows what its person touched, which is no longer what was drawn: somebody who ticks a box and takes it back before that
has changed something twice, although it looks as if nothing was changed; and what they ticked before says nothing anew.
So each touch is compared with the last one of the same person and group, and the first one with what was drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.fields import Fields

MOST_GROUPS = 20
"""Groups that are remembered of a person on a card. Each is needed until it is drawn again."""


@dataclass(frozen=True)
class Touch:
    """A group was touched. `group` is its name, which it has in no other drawing; `drawn` are the items that were drawn
    ticked in it, by index; `at` is when, in seconds of the chat's own clock."""

    group: str
    drawn: frozenset[int]
    at: float


def is_overtaken(touched: Fields, touch: Touch) -> bool:
    """Whether a later touch of the group was saved already, which has this one in it."""
    last = _last(touched, touch.group)
    return last is not None and touch.at < last[0]


def shown_before(touched: Fields, touch: Touch) -> frozenset[int]:
    """The items that were ticked in this person's client before the touch."""
    last = _last(touched, touch.group)
    return touch.drawn if last is None else last[1]


def remember(touched: Fields, touch: Touch, ticked: frozenset[int]) -> dict[str, str | tuple[str, ...]]:
    """What is kept once a touch is saved: by group, when and which items are `ticked` then. `touched` is what was kept
    before."""
    now = (repr(touch.at), *(str(item) for item in sorted(ticked)))
    groups = sorted({**touched, touch.group: now}, key=lambda name: _at(touched, name, touch), reverse=True)
    return {name: touched[name] if name != touch.group else now for name in groups[:MOST_GROUPS]}


def _at(touched: Fields, name: str, touch: Touch) -> float:
    last = _last(touched, name)
    return touch.at if name == touch.group or last is None else last[0]


def _last(touched: Fields, group: str) -> tuple[float, frozenset[int]] | None:
    kept = touched.get(group)
    if not isinstance(kept, tuple):
        return None
    at, *items = kept
    return float(at), frozenset(int(item) for item in items)

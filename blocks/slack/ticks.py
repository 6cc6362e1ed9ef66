"""A group of checkboxes of a checklist: how its block is named, and what somebody changed in it.

Slack tells of a touched group which boxes are ticked now, not which one was touched, and people act on what they see,
which may be older than what is saved. So a group's `block_id` says which of its boxes were drawn ticked, and only the
difference is what its person did: nobody takes back the tick of somebody whose tick they have not seen. A block with
another id is a new one to Slack, so a redraw also brings everybody's boxes up to date. A client may remember what was
touched under an id that it had before, so no id comes back: each also says by what acts its group came to be so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from typing import Final

from core.kinds.checklist import Ticks
from core.touches import Touch

GROUP: Final = "ticks"
_MASK: Final = 16
_MARK: Final = 12


def group_id(token: str, ticked: Collection[int], acts: Ticks = ()) -> str:
    """The block id of a group: its TICKS token, the indexes of its items that are drawn ticked, and a mark of the last
    acts on its items."""
    mask = sum(1 << item for item in set(ticked))
    told = "".join(f"{one.item}\n{one.on}\n{one.at.isoformat()}\n" for one in acts)
    return f"{GROUP}.{token}.{mask:x}.{hashlib.sha256(told.encode()).hexdigest()[:_MARK]}"


def is_group(block_id: str) -> bool:
    """Whether a block is such a group."""
    return block_id.startswith(f"{GROUP}.")


def group_action(head: str) -> str:
    """The action id of the checkboxes in a group; `head` is what the tokens of all its boxes begin with."""
    return f"{GROUP}.{head}"


def box_value(item: int, tail: str) -> str:
    """The value of one box: the index of its item, and the rest of its token."""
    return f"{item}.{tail}"


def box_token(action_id: str, value: str) -> str:
    """The whole TICK token of a box."""
    return action_id.partition(".")[2] + value.partition(".")[2]


def touched(block_id: str, action_id: str, values: Iterable[str], at: str) -> tuple[str, tuple[str, ...], Touch] | None:
    """Read a touched group, from the values of the boxes that are ticked now and the time of the touch in seconds: its
    TICKS token, the TICK tokens of these boxes, and the touch. None: we made no such group.

    Nothing here is proved: the tokens are checked where they are unsealed, the items where they are ticked.
    """
    try:
        _, token, mask, _ = block_id.split(".")
        drawn = int(mask, _MASK)
        boxes = {int(value.partition(".")[0]): box_token(action_id, value) for value in values}
        touch = Touch(block_id, frozenset(item for item in range(drawn.bit_length()) if drawn >> item & 1), float(at))
    except ValueError:
        return None
    return token, tuple(boxes[item] for item in sorted(boxes)), touch

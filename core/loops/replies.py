"""What somebody is told after they acted on a loop, besides what `core.replies` has."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.fields import Fields
from core.loops.controls import LoopControl
from core.loops.values import Loop
from core.replies import Reply


@dataclass(frozen=True)
class OpenLoopForm:
    """Show a form for `control` (one of `OPENS_LOOP_FORM`). Its one field is `result` or `reason`; opening it decides
    nothing."""

    loop: Loop
    control: LoopControl
    fields: Fields = field(default_factory=dict)


LoopReply = Reply | OpenLoopForm

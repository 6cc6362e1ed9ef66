"""A confirmation as a Telegram card: accept and reject, and a second reject where a reason may be left out.

An optional reason is asked for by a reply prompt, and a prompt cannot carry buttons on every server. So the way
to reject without words stands on the card itself, from which every settlement removes it, and not on a prompt
that would keep a deciding button after the fact.
"""

from __future__ import annotations

from typing import assert_never

from blocks.telegram import limits
from blocks.telegram.asked import Asked
from blocks.telegram.keyboard import Controls, caption, in_rows
from blocks.telegram.sizes import READABLE
from blocks.telegram.text import escape
from core.controls import Action
from core.kinds.base import Reason
from core.kinds.confirmation import Confirmation


def accept_label(payload: Confirmation) -> str:
    """What stands on the button that accepts."""
    return caption(payload.accept_label) or "Accept"


def reject_label(payload: Confirmation) -> str:
    """What stands on the button that rejects, and asks for the reason where the card takes one."""
    return caption(payload.reject_label) or "Reject"


def no_reason_label(payload: Confirmation) -> str:
    """What stands on the button that rejects without the optional reason."""
    return f"{reject_label(payload)} (no reason)"


def asked(payload: Confirmation, controls: Controls) -> Asked:
    """What the card shows."""
    labels = (accept_label(payload), reject_label(payload))
    accept = controls.button(labels[0], Action.ACCEPT)
    reject = controls.button(labels[1], Action.REJECT if payload.reason is Reason.NONE else Action.REASON)
    rows, how = in_rows((accept, reject)), ""
    match payload.reason:
        case Reason.NONE:
            pass
        case Reason.OPTIONAL:
            rows = (*rows, (controls.button(no_reason_label(payload), Action.REJECT),))
        case Reason.REQUIRED:
            how = f"“{escape(labels[1])}” asks for a reason."
        case _:
            assert_never(payload.reason)
    is_long = any(limits.utf16_length(label) > READABLE.most for label in labels)
    return Asked(paragraphs=(offered(payload) if is_long else "",), how=(how,), submit=rows)


def offered(payload: Confirmation) -> str:
    """What could be decided, in words."""
    return "\n".join(f"• {escape(label)}" for label in (accept_label(payload), reject_label(payload)))

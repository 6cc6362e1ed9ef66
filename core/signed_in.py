"""Step-up: cards whose answer counts only from their own page, soon after its person signed in there.

A chat proves whose account pressed, not who held the phone. Where that is not enough, the asker's policy says
`sign_in: "required"`: people answer on the signed-in page alone, and no chat shows a control that decides. Programs are
not concerned: a key is proved anew with each request.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.errors import SignInRequired
from core.policy import Policy


def needs_sign_in(policy: Policy) -> bool:
    """Whether people answer on the signed-in page alone."""
    return policy.sign_in == "required"


def is_fresh(policy: Policy, signed_in_at: datetime | None, now: datetime) -> bool:
    """Whether a sign-in of that moment (None: there was none, they act from a chat) is good for an answer."""
    if not needs_sign_in(policy):
        return True
    return signed_in_at is not None and now - signed_in_at <= policy.sign_in_lasts


def answered_signed_in(policy: Policy) -> str:
    """What a card in a chat says in the place of its controls."""
    return f"This is answered on its own page, within {spelled(policy.sign_in_lasts)} of signing in there."


def check_signed_in(policy: Policy, signed_in_at: datetime | None, now: datetime) -> None:
    """Raise `SignInRequired` unless it is."""
    if is_fresh(policy, signed_in_at, now):
        return
    within = spelled(policy.sign_in_lasts)
    if signed_in_at is None:
        raise SignInRequired(
            f"This is answered only on its own page, within {within} of signing in there. Nothing has changed."
        )
    raise SignInRequired(
        f"An answer to this counts only within {within} of signing in, and you signed in earlier. Nothing has changed."
    )


def spelled(length: timedelta) -> str:
    """How long a sign-in is good: `15 minutes`, `1 hour`."""
    seconds = int(length.total_seconds())
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds % size == 0:
            return f"{seconds // size} {unit}{'' if seconds == size else 's'}"
    return f"{seconds} seconds"

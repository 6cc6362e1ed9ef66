"""What all ways to sign in share: which browser a form is from, from where it came, and how often it may."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from bot.web.security import Guard, Posted

FORM: Final = "sign in"
"""What form tokens of a browser without a session are signed for."""
ASKS, TRIES = 30, 100
WINDOW: Final = 600.0
"""From one network address: so many requests for a code or a way out, and so many codes tried or ways back, in so many
seconds."""
OLD_FORM: Final = "This page was open for too long, or cookies are off. Please try again."


def is_from(guard: Guard, browser: str, posted: Posted, purpose: str) -> bool:
    """Whether a form was drawn for this browser."""
    return bool(browser) and guard.is_signed(one(posted, "token"), purpose, browser)


def address(request: Request) -> str:
    """The network address of whoever asks."""
    return request.client.host if request.client else ""


def one(posted: Posted, name: str) -> str:
    """The last value of a field."""
    return posted.get(name, ("",))[-1]

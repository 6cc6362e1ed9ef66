"""Signing requests to the app as Slack does, and wrongly on purpose."""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum
from typing import assert_never

from blocks.slack import limits


class Signature(StrEnum):
    """How a request is signed; only `GOOD` is Slack's."""

    GOOD = "good"
    BAD = "bad"  # made with another secret
    STALE = "stale"  # rightly made, six minutes ago
    MISSING = "missing"
    GARBLED = "garbled"  # a time that is no number and a signature that is not ASCII


def signed_headers(secret: str, body: str, now: float, signature: Signature = Signature.GOOD) -> dict[str, str]:
    """Return the headers that sign `body` at `now` (Unix seconds)."""
    match signature:
        case Signature.GOOD:
            return _headers(secret, body, int(now))
        case Signature.BAD:
            return _headers(f"{secret}x", body, int(now))
        case Signature.STALE:
            return _headers(secret, body, int(now) - limits.SIGNATURE_AGE.number - 60)
        case Signature.MISSING:
            return {}
        case Signature.GARBLED:
            return {"X-Slack-Request-Timestamp": "soon", "X-Slack-Signature": "v0=\xe9"}
        case _:
            assert_never(signature)


def _headers(secret: str, body: str, stamp: int) -> dict[str, str]:
    digest = hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": str(stamp), "X-Slack-Signature": f"v0={digest}"}

"""One spelling for every JSON value and moment, and its sha256: what digests and receipt hashes are taken of."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime

from pydantic import JsonValue


def canonical(value: JsonValue) -> bytes:
    """Spell `value` in one way only: sorted keys, no spaces, UTF-8, no NaN."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def digest(value: JsonValue) -> str:
    """Return `sha256:` and the hex hash of the canonical spelling."""
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def rfc3339(moment: datetime) -> str:
    """Spell an aware moment as RFC 3339 in UTC with microseconds."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a zone cannot be written down")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

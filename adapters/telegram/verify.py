"""Is this really Telegram? The secret that was given with the webhook comes back in a header of every delivery."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final

HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"


def is_genuine(headers: Mapping[str, str], secret: str) -> bool:
    """Whether a delivery carries the secret, compared in constant time. `headers` are case-insensitive.

    An empty secret is nobody's: it never matches.
    """
    given = headers.get(HEADER, "")
    return bool(secret) and hmac.compare_digest(given.encode("utf-8", "surrogatepass"), secret.encode("utf-8"))

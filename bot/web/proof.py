"""By what somebody who has this deployment's key can tell that an address leads to it, and not to another one.

`GET /healthz?nonce=…` is answered with a header that only this key makes of that nonce. The key serves for nothing
else, and a nonce is used once by whoever asks, so that an answer is worth nothing to anybody who overhears it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final

NONCE: Final = "nonce"
HEADER: Final = "X-Sayso-Proof"
PURPOSE: Final = "health"
"""The purpose of the key, for `Settings.key`."""
SHAPE: Final = re.compile(r"[\w-]{16,64}", re.ASCII)


def prove(key: bytes, nonce: str) -> str:
    """The proof for a nonce, in hexadecimal."""
    return hmac.new(key, nonce.encode(), hashlib.sha256).hexdigest()

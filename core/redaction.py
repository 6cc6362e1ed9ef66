"""What looks like a secret, and values in which none can be read: for logs, and for cards that show what a program
sent."""

from __future__ import annotations

import re
from typing import Final

from pydantic import JsonValue

SECRET: Final = re.compile(
    r"xox[a-z]-[\w-]+|xapp-[\w-]+|whsec_[\w+/=-]+|\bsk_[\w-]{16,}|(?:\b|(?<=/bot))\d{5,}:[\w-]{30,}|(?<=Bearer )\S+"
)
"""Slack and Telegram tokens, webhook secrets and API keys, wherever they may have been put."""
HIDDEN: Final = "(secret)"
_NAMED: Final = re.compile(
    r"secret|token|passw|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|authorization|credential|cookie",
    re.IGNORECASE,
)
_IN_ADDRESS: Final = re.compile(r"(?<=://)[^/\s@:]*:[^/\s@]*(?=@)")


def without_secrets(text: str) -> str:
    """A text in which whatever looks like a secret is hidden."""
    return _IN_ADDRESS.sub(HIDDEN, SECRET.sub(HIDDEN, text))


def redacted(value: JsonValue, *, name: str = "") -> JsonValue:
    """A JSON value in which secrets are hidden: what a field's name says is one, and what looks like one. Numbers and
    truth values are none."""
    if _NAMED.search(name) and isinstance(value, str | list | dict) and value:
        return HIDDEN
    if isinstance(value, dict):
        return {key: redacted(one, name=key) for key, one in value.items()}
    if isinstance(value, list):
        return [redacted(one) for one in value]
    return without_secrets(value) if isinstance(value, str) else value

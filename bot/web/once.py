"""`Idempotency-Key`: the same key and body do a thing once, and hear the same answer."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Header

from bot.web.bodies import Body
from core.canonical import digest
from core.errors import Invalid

REPLAYED = {"Idempotent-Replayed": "true"}
"""The header of an answer that was given before."""
_VISIBLE = re.compile(r"[!-~]{1,255}")

OnceKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="1 to 255 visible characters; the same key and body count once.",
        json_schema_extra={"pattern": "^[!-~]{1,255}$"},
    ),
]


def once(key: str | None, body: Body, about: str | None = None) -> tuple[str, str] | None:
    """The key and the digest of the body, or None without a key. `about`: what the address names, where the same body
    means something else for something else. Raises `Invalid` for a key that is none."""
    if key is None:
        return None
    if not _VISIBLE.fullmatch(key):
        raise Invalid.at("/Idempotency-Key", "an Idempotency-Key is 1 to 255 visible characters")
    return key, digest(body.document if about is None else {"about": about, "body": body.document})

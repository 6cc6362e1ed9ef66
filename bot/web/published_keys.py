"""The public keys that receipts are checked with, for anybody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.reading import Records
from core.signing import SigningKey, published

PATH = "/.well-known/receipt-keys"


Vouched = Callable[[Sequence[SigningKey]], Sequence[SigningKey]]
"""Of the keys in the database, those that this deployment made."""


def keys_route(records: Records, vouched: Vouched) -> Route:
    """All keys that ever signed, oldest first."""

    async def keys(_: Request) -> Response:
        return JSONResponse(
            {"keys": published(vouched(await records.signing_keys()))}, headers={"Cache-Control": "public, max-age=60"}
        )

    return Route(PATH, keys, methods=["GET"])

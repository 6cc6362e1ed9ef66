"""The public keys that receipts are checked with, for anybody."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.reading import Records
from core.signing import published

PATH = "/.well-known/receipt-keys"


def keys_route(records: Records) -> Route:
    """All keys that ever signed, oldest first."""

    async def keys(_: Request) -> Response:
        return JSONResponse(
            {"keys": published(await records.signing_keys())}, headers={"Cache-Control": "public, max-age=60"}
        )

    return Route(PATH, keys, methods=["GET"])

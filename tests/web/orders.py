"""Calls about work orders whose answers are held to the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.web.calling import Calling
from tests.web.test_openapi import check, document_of

ONE = "/v1/loops/{name}"
TO_REVIEWER = {"title": "Audit the exec endpoints", "to": "agent:reviewer"}


class Orders:
    """Calls whose answers are held to the document."""

    def __init__(self, api: Calling, document: dict[str, Any]) -> None:
        self.api = api
        self._document = document

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        by: str = "builder",
        query: str = "",
        once: str | None = None,
        **named: str,
    ) -> tuple[int, dict[str, Any], Mapping[str, str]]:
        headers = {"Idempotency-Key": once} if once is not None else None
        address = path.removeprefix("/v1").format(**named) + query
        response = await self.api.call(method.upper(), address, body, by=by, headers=headers)
        check(self._document, response, method, path)
        answer: dict[str, Any] = response.json()
        return response.status_code, answer, response.headers

    async def order(self, *, by: str = "builder", **fields: Any) -> dict[str, Any]:
        status, made, headers = await self("post", "/v1/loops", {**TO_REVIEWER, **fields}, by=by)
        assert status == 201, made
        assert headers["Location"] == f"/v1/loops/{made['id']}"
        return made

    async def names(self, query: str = "", *, by: str = "builder") -> list[str]:
        _, found, _ = await self("get", "/v1/loops", by=by, query=query)
        return [one["id"] for one in found["items"]]


@pytest.fixture
async def orders(api: Calling) -> Orders:
    return Orders(api, await document_of(api))


def slug(problem: dict[str, Any]) -> str:
    return str(problem["type"]).rpartition("/")[2]

"""What is not asked for properly: no key, too much, too often, the wrong address; and the service goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from bot.startup import WORKSPACE
from bot.web.api import build_api
from bot.web.bodies import LARGEST
from bot.web.keys import OperatorKey, bearer_key, hash_key, make_key, make_webhook_secret
from bot.web.quotas import Quotas
from bot.web.turnstile import Turnstile
from core.errors import RateLimited, Unauthorized
from core.people import Agent, AgentRole
from core.reading import Records
from tests.web.calling import Calling, key_of, question
from tests.web.serving import served, until


def slug(response: httpx2.Response) -> str:
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert {"type", "title", "status", "detail"} <= set(problem)
    assert problem["status"] == response.status_code
    return str(problem["type"]).rpartition("/")[2]


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic c2s6",
        "sk_key-of-builder",
        "Bearer sk_unknown",
        "Bearer a b",
        "Bearer \u00e4",
    ],
)
async def test_without_a_good_key_nothing_is_told(api: Calling, header: str | None) -> None:
    headers = [] if header is None else [(b"authorization", header.encode())]
    for path in ("/v1/interactions", "/v1/events", "/v1/interactions/int_1"):
        response = await api.http.get(path, headers=headers)
        assert (response.status_code, slug(response)) == (401, "unauthorized")
        assert response.headers["www-authenticate"] == "Bearer"


async def test_a_revoked_key_is_no_key(api: Calling) -> None:
    async with api.store.work() as work:
        await work.revoke_agent(WORKSPACE, "agt_builder", api.clock.now())
        await work.commit()
    assert (await api.get("/interactions")).status_code == 401


async def test_the_operator_key_of_the_settings_is_good_without_being_stored(api: Calling) -> None:
    operator = Agent(id="agt_boss", workspace=WORKSPACE, name="boss", role=AgentRole.OPERATOR)
    services = replace(api.services, operator=OperatorKey(operator, hash_key("from-the-settings")))
    id = await api.ask()
    transport = httpx2.ASGITransport(build_api(services))
    async with httpx2.AsyncClient(transport=transport, base_url="https://sayso.example.com") as http:
        good = await http.get(f"/v1/interactions/{id}", headers={"Authorization": "Bearer from-the-settings"})
        other = await http.get(f"/v1/interactions/{id}", headers={"Authorization": "Bearer from-the-setting"})
    assert (good.status_code, other.status_code) == (200, 401)


def test_keys_and_secrets_are_random_and_shaped() -> None:
    assert len({make_key() for _ in range(100)}) == 100
    assert make_key().startswith("sk_")
    assert len(make_key()) == 46
    assert make_webhook_secret().startswith("whsec_")
    key = make_key()
    assert bearer_key(f"bearer   {key}") == key
    assert key not in hash_key(key)
    with pytest.raises(Unauthorized):
        bearer_key(key)


@pytest.mark.parametrize(
    ("method", "path", "status", "problem"),
    [
        ("GET", "/nothing", 404, "not-found"),
        ("GET", "/v1", 404, "not-found"),
        ("GET", "/mcp", 404, "not-found"),
        ("POST", "/v1/interactions/", 404, "not-found"),  # no redirect that would turn a POST into something else
        ("DELETE", "/v1/interactions", 405, "method-not-allowed"),
        ("PUT", "/v1/interactions/int_1", 405, "method-not-allowed"),
        ("POST", "/v1/events", 405, "method-not-allowed"),
        ("GET", "/v1/interactions/int_1/respond", 405, "method-not-allowed"),
        ("GET", "/v1/interactions/%00", 404, "not-found"),
        ("GET", "/v1/interactions/" + "x" * 5000, 404, "not-found"),
    ],
)
async def test_whatever_is_not_there_is_a_problem_too(
    api: Calling, method: str, path: str, status: int, problem: str
) -> None:
    response = await api.http.request(method, path, headers={"Authorization": f"Bearer {key_of('builder')}"})
    assert (response.status_code, slug(response)) == (status, problem)


async def test_what_breaks_here_is_a_problem_without_its_insides(api: Calling, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr(api.services.records, "interactions", broken)
    response = await api.get("/interactions")
    assert (response.status_code, slug(response)) == (500, "internal")
    assert "hunter2" not in response.text
    assert (await api.get("/events")).status_code == 200


async def chunks(size: int, each: int = 64 * 1024) -> AsyncIterator[bytes]:
    for start in range(0, size, each):
        yield b" " * min(each, size - start)


@pytest.mark.parametrize("size", [LARGEST + 1, 10_000_000])
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_that_is_too_large_is_told_so_over_a_real_socket(api: Calling, size: int, chunked: bool) -> None:
    headers = {"Authorization": f"Bearer {key_of('builder')}"}
    async with served(build_api(api.services)) as address, httpx2.AsyncClient(base_url=address) as http:
        content: Any = chunks(size) if chunked else b" " * size
        response = await http.post("/v1/interactions", content=content, headers=headers)
        assert (response.status_code, slug(response)) == (413, "too-large")
        assert [fault["pointer"] for fault in response.json()["errors"]] == [""]
        assert (await http.get("/v1/interactions", headers=headers)).status_code == 200


async def test_a_body_of_exactly_the_limit_is_read(api: Calling) -> None:
    body = json.dumps(question()).encode()
    padded = body + b" " * (LARGEST - len(body))
    assert (await api.call("POST", "/interactions", raw=padded)).status_code == 201
    assert (await api.call("POST", "/interactions", raw=padded + b" ")).status_code == 413


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"null", b'"x"', b"[]", b"1" * 5000, b"[" * 50_000, b'{"kind": "questions", "kind": "x"}', b"\xff\xfe"],
)
@pytest.mark.parametrize("path", ["/interactions", "/interactions/{id}/respond", "/interactions/{id}/withdraw"])
async def test_a_malformed_body_is_the_callers_mistake(api: Calling, raw: bytes, path: str) -> None:
    id = await api.ask()
    response = await api.call("POST", path.format(id=id), raw=raw)
    if raw == b"" and path.endswith("withdraw"):
        assert response.status_code == 200  # this one may be left out
        return
    assert response.status_code in (400, 422)
    assert slug(response) == "invalid"
    assert response.json()["errors"]


def test_a_bucket_allows_a_burst_then_its_rate() -> None:
    now = 1000.0
    quotas = Quotas(rate=2, burst=3, now=lambda: now)
    for _ in range(3):
        quotas.check("a")
    with pytest.raises(RateLimited) as refused:
        quotas.check("a")
    assert refused.value.retry_after == 0.5
    quotas.check("b")
    now += 0.5
    quotas.check("a")
    with pytest.raises(RateLimited):
        quotas.check("a")
    now += 3600
    for _ in range(3):
        quotas.check("a")
    with pytest.raises(RateLimited):
        quotas.check("a")


async def test_calling_too_often_says_when_to_call_again(api: Calling) -> None:
    services = replace(api.services, quotas=Quotas(rate=0.5, burst=2))
    transport = httpx2.ASGITransport(build_api(services))
    async with httpx2.AsyncClient(transport=transport, base_url="https://sayso.example.com") as http:
        headers = {"Authorization": f"Bearer {key_of('builder')}"}
        answers = [await http.get("/v1/interactions", headers=headers) for _ in range(3)]
        other = await http.get("/v1/interactions", headers={"Authorization": f"Bearer {key_of('boss')}"})
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert slug(answers[2]) == "rate-limited"
    assert answers[2].headers["retry-after"] == "2"
    assert other.status_code == 200


async def test_whoever_tries_key_after_key_is_told_to_wait(api: Calling) -> None:
    services = replace(api.services, strangers=Turnstile(2, 60))
    transport = httpx2.ASGITransport(build_api(services))
    async with httpx2.AsyncClient(transport=transport, base_url="https://sayso.example.com") as http:
        tried = [await http.get("/v1/events", headers={"Authorization": f"Bearer sk_{n}"}) for n in range(3)]
        good = await http.get("/v1/events", headers={"Authorization": f"Bearer {key_of('builder')}"})
    assert [answer.status_code for answer in tried] == [401, 401, 429]
    assert 0 < int(tried[2].headers["retry-after"]) <= 60
    assert good.status_code == 200


async def test_a_wait_whose_client_hung_up_stops_reading(api: Calling, monkeypatch: pytest.MonkeyPatch) -> None:
    id = await api.ask()
    reads = 0
    records: Records = api.services.records
    real = records.interaction

    async def counted(*args: Any) -> Any:
        nonlocal reads
        reads += 1
        return await real(*args)

    monkeypatch.setattr(records, "interaction", counted)
    async with served(build_api(api.services)) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writer.write(
            f"GET /v1/interactions/{id}?wait=60 HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {key_of('builder')}\r\n\r\n".encode()
        )
        await writer.drain()
        await until(lambda: api.services.waiter._bells)
        writer.close()
        await writer.wait_closed()
        await api.ask()  # something happens in the workspace, so everybody looks again
        await until(lambda: not api.services.waiter._bells)
        assert not await reader.read()
    assert reads < 10
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


async def test_a_client_that_leaves_in_the_middle_of_its_body_breaks_nothing(
    api: Calling, caplog: pytest.LogCaptureFixture
) -> None:
    arriving = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(arriving)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"authorization", f"Bearer {key_of('builder')}".encode())]
    scope = {"type": "http", "method": "POST", "path": "/v1/interactions", "query_string": b"", "headers": headers}
    await build_api(api.services)(scope, receive, send)
    assert sent[0]["status"] == 400
    assert caplog.records == []

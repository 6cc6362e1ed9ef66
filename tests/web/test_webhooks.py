"""Webhooks: what is signed, what an answer means, and where a request may go at all."""

from __future__ import annotations

import base64
import ipaddress
import json
import socket
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import responses
import standardwebhooks

from bot.shapes import Network
from bot.webhooks import Delivered, Failed, Gone, Result, Webhooks, body_of, signature
from core.events import Event, EventType
from tests.web.receivers import answering, receiving

NOW = datetime(2026, 12, 2, 10, 0, 0, tzinfo=UTC)
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OLD = "whsec_" + base64.b64encode(b"o" * 32).decode()
EVENT = Event(
    id="evt_1",
    workspace="wsp_1",
    position=7,
    type=EventType.ANSWERED,
    at=NOW - timedelta(minutes=3),
    interaction="int_1",
    data={"interaction": {"id": "int_1", "title": "déjà vu 🙂"}, "state": {"run": 1}},
)
LOOPBACK: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"),)
ADDRESS = "https://agent.example/hook"


class At:
    """A clock that stands."""

    def now(self) -> datetime:
        return NOW


def send(url: str, allowed: Sequence[Network] = (), secrets: Sequence[str] = (SECRET,)) -> Result:
    webhooks = Webhooks(At(), allowed)
    try:
        return webhooks.send_blocking(url, EVENT, secrets)
    finally:
        webhooks.close()


def test_the_signature_is_the_one_of_the_specification() -> None:
    # The vector that the specification's own repository publishes.
    signed = signature([SECRET], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@responses.activate
@pytest.mark.parametrize("receivers_secret", [SECRET, OLD])
def test_while_rotating_a_receiver_with_either_secret_can_verify(receivers_secret: str) -> None:
    responses.post(ADDRESS, status=200)
    assert send(ADDRESS, secrets=(SECRET, OLD)) == Delivered(200)
    request = responses.calls[0].request
    headers = {name: str(value) for name, value in request.headers.items()}
    assert len(headers["webhook-signature"].split(" ")) == 2
    body = request.body
    assert isinstance(body, bytes)
    with_now = standardwebhooks.Webhook(receivers_secret)
    signed = with_now.sign(msg_id="evt_1", timestamp=NOW, data=body.decode())
    assert signed in headers["webhook-signature"].split(" ")
    assert (headers["webhook-id"], headers["webhook-timestamp"]) == ("evt_1", str(int(NOW.timestamp())))


@responses.activate
def test_every_try_carries_the_same_bytes_under_the_same_id() -> None:
    responses.post(ADDRESS, status=500)
    responses.post(ADDRESS, status=200)
    assert send(ADDRESS) == Failed("answered 500", 500)
    assert send(ADDRESS) == Delivered(200)
    first, second = (call.request for call in responses.calls)
    assert first.body == second.body == body_of(EVENT)
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert json.loads(body_of(EVENT)) == {
        "type": "interaction.answered",
        "timestamp": "2026-12-02T09:57:00.000000Z",
        "data": EVENT.data,
    }


ANSWERS: list[tuple[int, dict[str, str], Result, str]] = [
    (200, {}, Delivered(200), "2xx is delivered"),
    (204, {}, Delivered(204), "without a body too"),
    (299, {}, Delivered(299), "to the end of 2xx"),
    (410, {}, Gone(), "410 stops"),
    (301, {"Location": ADDRESS}, Failed("answered 301", 301), "a redirect is not followed: it was not checked"),
    (404, {}, Failed("answered 404", 404), "a receiver that is being deployed"),
    (429, {"Retry-After": "30"}, Failed("answered 429", 429, 30.0), "it says when"),
    (503, {"Retry-After": "Wed, 02 Dec 2026 10:02:00 GMT"}, Failed("answered 503", 503, 120.0), "as a date"),
    (503, {"Retry-After": "Wed, 02 Dec 2026 09:00:00 GMT"}, Failed("answered 503", 503, 0.0), "a date gone by"),
    (503, {"Retry-After": "99999999999"}, Failed("answered 503", 503, 86400.0), "at most a day"),
    (503, {"Retry-After": "soon"}, Failed("answered 503", 503), "nonsense is not obeyed"),
    (503, {"Retry-After": f"Mon, 01 Jan 2024 00:00:00 +{'9' * 17}"}, Failed("answered 503", 503), "no zone at all"),
    (503, {"Retry-After": f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT"}, Failed("answered 503", 503), "no year at all"),
    (503, {"Retry-After": "-5"}, Failed("answered 503", 503), "nor is the past"),
]


@responses.activate
@pytest.mark.parametrize(("status", "headers", "result", "reason"), ANSWERS)
def test_what_an_answer_means(status: int, headers: dict[str, str], result: Result, reason: str) -> None:
    responses.post(ADDRESS, status=status, headers=headers)
    assert send(ADDRESS) == result, reason
    assert len(responses.calls) == 1


@responses.activate
def test_a_lost_connection_is_a_failure_that_names_no_secret() -> None:
    responses.post(ADDRESS, body=ConnectionResetError(104, "Connection reset by peer"))
    result = send(ADDRESS)
    assert isinstance(result, Failed)
    assert result.status is None
    assert SECRET not in result.reason


def test_an_allowed_network_is_reached_over_plain_http_with_its_port_in_host() -> None:
    with receiving(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) as receiver:
        assert send(receiver.url, LOOPBACK) == Delivered(200)
    head, _, body = receiver.heard[0].partition(b"\r\n\r\n")
    assert f"Host: 127.0.0.1:{receiver.port}".encode() in head.split(b"\r\n")
    assert b"x-forwarded-for" not in head.lower()
    assert body == body_of(EVENT)


def test_an_allowed_ipv6_network_has_brackets_in_host() -> None:
    with receiving(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), socket.AF_INET6) as receiver:
        allowed: tuple[Network, ...] = (ipaddress.ip_network("::1/128"),)
        assert send(f"http://[::1]:{receiver.port}/", allowed) == Delivered(200)
    assert f"Host: [::1]:{receiver.port}".encode() in receiver.heard[0].split(b"\r\n")


REFUSED = [
    ("http://127.0.0.1:{port}/", "plain http to where nobody allowed it"),
    ("https://127.0.0.1:{port}/", "loopback"),
    ("https://localhost:{port}/", "loopback by name"),
    ("https://0.0.0.0:{port}/", "this host"),
    ("https://[::1]:{port}/", "IPv6 loopback"),
    ("https://[::ffff:127.0.0.1]:{port}/", "IPv4 mapped into IPv6"),
    ("https://[::127.0.0.1]:{port}/", "IPv4 written as IPv6 in the old way"),
    ("https://[64:ff9b::7f00:1]:{port}/", "NAT64"),
    ("https://[::ffff:0:127.0.0.1]:{port}/", "IPv4 translated into IPv6"),
    ("https://[2002:7f00:1::]:{port}/", "6to4"),
    ("https://[1::1]:{port}/", "IPv6 that nobody was given"),
    ("https://[4000::1]:{port}/", "nor this"),
    ("https://[fe80::1]:{port}/", "link-local IPv6"),
    ("https://[fd00::1]:{port}/", "unique local IPv6"),
    ("https://10.0.0.1/", "private"),
    ("https://172.16.0.1/", "private"),
    ("https://192.168.1.1/", "private"),
    ("https://100.64.0.1/", "carrier-grade NAT"),
    ("https://169.254.169.254/latest/meta-data/", "a cloud's metadata"),
    ("https://224.0.0.1/", "multicast"),
    ("https://user:pass@127.0.0.1:{port}/", "a password in front changes nothing"),
]


@pytest.mark.parametrize(("url", "reason"), REFUSED)
def test_private_addresses_are_refused_before_anything_is_sent(url: str, reason: str) -> None:
    with receiving(answering(b"HTTP/1.1 200 OK\r\n\r\n")) as receiver:
        result = send(url.format(port=receiver.port))
    assert isinstance(result, Failed), reason
    assert result.reason.startswith("this address may not be reached"), (reason, result.reason)
    assert receiver.connections == 0


@pytest.mark.parametrize("url", ["ftp://agent.example/", "https://", "nonsense", "https://[::1", "https://a b/"])
def test_what_is_no_address_is_a_failure_and_no_crash(url: str) -> None:
    result = send(url, LOOPBACK)
    assert isinstance(result, Failed)
    assert result.status is None


def resolve_as(monkeypatch: pytest.MonkeyPatch, answers: list[list[str]], name: str = "agent.example") -> list[str]:
    """Answer each lookup of `name` with the next list; return the names that were looked up."""
    real = socket.getaddrinfo
    asked: list[str] = []

    def fake(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host != name:
            return real(host, port, *args, **kwargs)
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port or 0)) for address in answers.pop(0)]

    monkeypatch.setattr(socket, "getaddrinfo", fake)
    return asked


@pytest.mark.parametrize(
    ("addresses", "reason"),
    [
        (["127.0.0.1"], "a public name for a private address"),
        (["93.184.216.34", "10.0.0.1"], "one bad address among good ones"),
        (["10.0.0.1", "93.184.216.34"], "in either order"),
    ],
)
def test_a_name_is_judged_by_every_address_it_has(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str], reason: str
) -> None:
    resolve_as(monkeypatch, [addresses])
    result = send(ADDRESS)
    assert isinstance(result, Failed), reason
    assert result.reason.startswith("this address may not be reached"), reason


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "127.1", "0177.0.0.1"])
def test_an_address_in_disguise_is_judged_by_what_it_leads_to(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    resolve_as(monkeypatch, [["127.0.0.1"]], host)  # as the system's resolver reads these
    result = send(f"https://{host}/")
    assert isinstance(result, Failed)
    assert result.reason.startswith("this address may not be reached")


def test_a_name_cannot_be_rebound_between_the_check_and_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        receiving(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as checked,
        receiving(answering(b"HTTP/1.1 200 OK\r\n\r\n")) as other,
    ):
        # A second lookup would lead elsewhere; there must be none.
        asked = resolve_as(monkeypatch, [["127.0.0.1"], ["127.0.0.2"]])
        assert send(f"http://agent.example:{checked.port}/", LOOPBACK) == Delivered(200)
    assert asked == ["agent.example"]
    assert (checked.connections, other.connections) == (1, 0)
    assert f"Host: agent.example:{checked.port}".encode() in checked.heard[0].split(b"\r\n")


def test_the_environment_adds_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        receiving(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as receiver,
        receiving(answering(b"HTTP/1.1 200 OK\r\n\r\n")) as proxy,
    ):
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        assert send(receiver.url, LOOPBACK) == Delivered(200)
    assert proxy.connections == 0


def test_a_redirect_to_a_private_address_is_not_followed() -> None:
    with receiving(answering(b"HTTP/1.1 200 OK\r\n\r\n")) as inner:
        moved = f"HTTP/1.1 307 Moved\r\nLocation: {inner.url}\r\nContent-Length: 0\r\n\r\n".encode()
        with receiving(answering(moved)) as outer:
            assert send(outer.url, LOOPBACK) == Failed("answered 307", 307)
    assert inner.connections == 0


def test_a_receiver_without_tls_is_not_spoken_to_in_the_clear() -> None:
    with receiving(answering(b"HTTP/1.1 200 OK\r\n\r\n"), reads=False) as receiver:
        result = send(f"https://127.0.0.1:{receiver.port}/", LOOPBACK)
    assert result == Failed("no answer: SSLError")
    assert body_of(EVENT) not in b"".join(receiver.heard)


async def test_sending_does_not_block_the_loop() -> None:
    with receiving(answering(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")) as receiver:
        webhooks = Webhooks(At(), LOOPBACK)
        assert await webhooks.send(receiver.url, EVENT, (SECRET,)) == Delivered(202)
        webhooks.close()

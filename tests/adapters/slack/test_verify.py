"""Only what Slack signed, whole and readable, gets past the guard; nothing is answered with a 500."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest

from adapters.slack.verify import LARGEST, Turned, check, sign
from blocks.slack.modal import CALLBACK
from bot.sandbox.slack.courier import Sort
from bot.sandbox.slack.signing import Signature
from core.replies import Quiet
from tests.adapters.slack.rooms import Room, SystemClock, room
from tests.blocks.slack.cards import card, confirmation

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
NOW = 1_796_205_600
EVENT = json.dumps({"type": "event_callback", "event": {"type": "x"}}).encode()


def headers(body: bytes = EVENT, *, kind: str = "application/json", **changed: str) -> dict[str, str]:
    stamp = str(NOW)
    signed = {"x-slack-request-timestamp": stamp, "x-slack-signature": sign(stamp, body, SECRET), "content-type": kind}
    return {**signed, **{name.replace("_", "-"): value for name, value in changed.items()}}


def status(body: bytes, given: dict[str, str], now: float = NOW, secret: str = SECRET) -> int | None:
    payload = check(given, body, secret, now)
    return payload.status if isinstance(payload, Turned) else None


def test_the_signature_is_slacks_own_example() -> None:
    """The example of Slack's page on verifying requests, which fixes the formula."""
    body = (
        b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name="
        b"foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks."
        b"slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121."
        b"803a0bc887a14d10d2c447fce8b6703c"
    )
    expected = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
    assert sign("1531420618", body, "8f742231b10e8888abcd99yyyzzz85a5") == expected


TURNED: list[tuple[str, bytes, dict[str, str], float, int]] = [
    # why, the body, its headers, our clock, the status
    ("no signature", EVENT, {"content-type": "application/json"}, NOW, 401),
    ("no timestamp", EVENT, headers(x_slack_request_timestamp=""), NOW, 401),
    ("a timestamp in words", EVENT, headers(x_slack_request_timestamp="soon"), NOW, 401),
    ("a timestamp of other digits", EVENT, headers(x_slack_request_timestamp="١٧٩٦٢٠٥٦٠٠"), NOW, 401),
    ("a timestamp that never ends", EVENT, headers(x_slack_request_timestamp="9" * 5_000), NOW, 401),
    ("a signature of another version", EVENT, headers(x_slack_signature="v1=" + "0" * 64), NOW, 401),
    ("a signature that is not ASCII", EVENT, headers(x_slack_signature="v0=" + "é" * 64), NOW, 401),
    ("another body's signature", EVENT, headers(b"{}"), NOW, 401),
    ("301 seconds old", EVENT, headers(), NOW + 301, 401),
    ("301 seconds ahead", EVENT, headers(), NOW - 301, 401),
    ("more than a megabyte", b"x" * (LARGEST + 1), headers(b"x" * (LARGEST + 1)), NOW, 413),
    ("not JSON", b"{", headers(b"{"), NOW, 400),
    ("not UTF-8", b'{"type": "\xff"}', headers(b'{"type": "\xff"}'), NOW, 400),
    ("a list", b"[]", headers(b"[]"), NOW, 400),
    ("no type", b"{}", headers(b"{}"), NOW, 400),
    ("nothing", b"", headers(b""), NOW, 400),
    ("endless nesting", b"[" * 100_000, headers(b"[" * 100_000), NOW, 400),
    ("another content type", EVENT, headers(kind="text/plain"), NOW, 400),
]


@pytest.mark.parametrize(("why", "body", "given", "now", "wanted"), TURNED, ids=[row[0] for row in TURNED])
def test_what_is_not_slacks_is_turned_away(
    why: str, body: bytes, given: dict[str, str], now: float, wanted: int
) -> None:
    assert status(body, given, now) == wanted, why


@pytest.mark.parametrize("now", [NOW, NOW + 300, NOW - 300])
def test_what_slack_signed_passes_for_five_minutes(now: float) -> None:
    assert status(EVENT, headers(), now) is None


def test_a_missing_secret_lets_nothing_in() -> None:
    assert status(EVENT, headers(), secret="") == 401


FORMS: list[tuple[str, dict[str, str], int | None]] = [
    ("a command", {"command": "/sayso", "text": "", "user_id": "U1"}, None),
    ("a command of nobody", {"command": "/sayso", "text": ""}, 400),
    ("an interaction", {"payload": '{"type": "block_actions", "user": {"id": "U1"}, "actions": [{}]}'}, None),
    ("a press of nobody", {"payload": '{"type": "block_actions", "actions": [{}]}'}, 400),
    ("a press of somebody unnamed", {"payload": '{"type": "block_actions", "user": {"id": ""}, "actions": [{}]}'}, 400),
    ("a press of nothing", {"payload": '{"type": "block_actions", "user": {"id": "U1"}, "actions": []}'}, 400),
    ("a form of nobody", {"payload": '{"type": "view_submission", "view": {"type": "modal"}}'}, 400),
    ("a team that is an object", {"payload": '{"type": "event_callback", "event": {"type": "x"}, "team_id": {}}'}, 400),
    ("a certificate check", {"ssl_check": "1"}, None),
    ("something else", {"a": "b"}, 400),
    ("a payload that is no JSON", {"payload": "{"}, 400),
    ("a payload that is no object", {"payload": "[]"}, 400),
    ("a view without a type", {"payload": '{"type": "view_submission", "view": {}}'}, 400),
    ("a view that is a word", {"payload": '{"type": "view_submission", "view": "x"}'}, 400),
    ("a user that is a number", {"payload": '{"type": "block_actions", "user": 7}'}, 400),
    ("an event that is none", {"payload": '{"type": "event_callback"}'}, 400),
]


@pytest.mark.parametrize(("why", "form", "wanted"), FORMS, ids=[row[0] for row in FORMS])
def test_a_form_holds_a_command_or_a_payload(why: str, form: dict[str, str], wanted: int | None) -> None:
    body = urlencode(form).encode()
    assert status(body, headers(body, kind="application/x-www-form-urlencoded")) == wanted, why


def test_a_form_has_one_reading() -> None:
    """Two readers of the same body must not see two payloads."""
    body = urlencode([("payload", '{"type": "x"}'), ("payload", '{"type": "y"}')]).encode()
    assert check(headers(body, kind="application/x-www-form-urlencoded"), body, SECRET, NOW) == '{"type": "y"}'


# -------------------------------------------------------------------------------------- the same, over the wire


@pytest.fixture
async def own() -> AsyncIterator[Room]:
    async with room() as made:
        yield made


async def send(own: Room, body: bytes, kind: str = "application/json") -> int:
    url = own.slack.request_url
    assert url is not None
    stamp = str(int(SystemClock().now().timestamp()))
    signature = sign(stamp, body, own.slack.signing_secret)
    signed = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature, "Content-Type": kind}
    async with aiohttp.ClientSession(headers=signed) as session, session.post(url, data=BytesIO(body)) as answer:
        return answer.status


@pytest.mark.parametrize("signature", [one for one in Signature if one is not Signature.GOOD])
async def test_a_forged_press_reaches_nobody(own: Room, signature: Signature) -> None:
    await own.post(card(confirmation(accept_label="Delete it")))
    own.intake.replies(Quiet())
    await own.ana.press("Delete it")
    payload = own.slack.platform.journal.deliveries[-1].payload
    own.intake.arrived.clear()
    assert (await own.slack.deliver(payload, signature=signature)).status == 401
    assert own.intake.arrived == []


SHAPES: list[dict[str, Any]] = [
    {"type": "event_callback", "event": {"type": "message", "channel": 7, "user": ["x"], "channel_type": "im"}},
    {"type": "event_callback", "event": {"type": "user_change", "user": "U1"}},
    {"type": "event_callback", "event": {"type": "app_home_opened"}, "authorizations": "none"},
    {"type": "event_callback", "event": {"type": "app_home_opened"}, "authorizations": [7]},
    {"type": "event_callback", "event": {"type": "channel_id_changed"}, "team_id": 7},
    {"type": "block_actions", "actions": "none", "container": {"type": "message"}, "user": {}},
    {"type": "block_actions", "actions": [7], "team": 7, "user": {"id": 7}},
    {"type": "block_actions", "actions": [], "user": {"id": "U1"}, "container": {"type": "message"}},
    {"type": "block_actions", "actions": [{}], "user": {"id": "U1", "team_id": {}}, "container": {"type": "message"}},
    {"type": "event_callback", "event": {"type": "user_change", "user": {"id": "U1"}}, "team_id": {"T1": 1}},
    {
        "type": "block_actions",
        "actions": [{"type": "button", "action_id": 7, "value": 7}],
        "container": {"type": "message"},
    },
    {"type": "block_actions", "actions": [{"type": "static_select", "action_id": "a"}], "state": {"values": {"b": 7}}},
    {"type": "view_submission", "view": {"type": "modal", "callback_id": CALLBACK, "private_metadata": "{"}},
    {
        "type": "view_submission",
        "view": {"type": "modal", "callback_id": CALLBACK, "state": {"values": {"q0:1": 7}}},
    },
    {"type": "view_submission", "view": {"type": "modal", "callback_id": "other"}},
    {"type": "view_closed", "view": {"type": "modal"}},
    {"type": "shortcut", "callback_id": "x"},
    {"type": "something_new"},
    {"type": "url_verification"},
]


@pytest.mark.parametrize("shape", SHAPES, ids=[json.dumps(shape)[:60] for shape in SHAPES])
async def test_a_signed_payload_of_an_odd_shape_is_no_failure_of_ours(own: Room, shape: dict[str, Any]) -> None:
    assert await send(own, json.dumps(shape).encode()) < 500
    form = urlencode({"payload": json.dumps(shape)}).encode()
    assert await send(own, form, "application/x-www-form-urlencoded") < 500


async def test_slacks_handshake_is_answered(own: Room) -> None:
    attempt = await own.slack.deliver({"type": "url_verification", "challenge": "c"}, Sort.EVENT)
    assert (attempt.status, attempt.body) == (200, {"challenge": "c"})


async def test_a_large_body_is_refused_before_it_is_read(own: Room) -> None:
    assert await send(own, b"x" * 10_000_000) == 413


async def test_only_a_post_is_taken(own: Room) -> None:
    url = own.slack.request_url
    assert url is not None
    async with aiohttp.ClientSession() as session, session.get(url) as got:
        assert got.status == 405

"""What Slack and Telegram deliver, bent out of shape: real arrivals are recorded, changed at random, signed as the
provider would, and sent again. Nothing of it may break the service, and it goes on working."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import hashlib
import hmac
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx2
import pytest
import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.app import build
from bot.config import load
from bot.sandbox.gallery import FORMATS, Format
from bot.sandbox.serving import serving
from tests.flows.formats_in_slack import in_slack
from tests.flows.formats_in_telegram import in_telegram
from tests.flows.rig import (
    CHANNEL,
    KEY,
    NOBODY,
    TG_ANA,
    Rig,
    eventually,
    free_port,
    settings_for,
    sqlite_at,
    stand_ins,
    unpaced,
)

SECRET = "w" * 32
SLACK, TELEGRAM = "/slack/events", "/telegram/webhook"
STRANGE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**31,
    2**63,
    10**40,
    1.5,
    float("nan"),
    "",
    " ",
    "\x00",
    "\ud800",
    "../../etc/passwd",
    "<!channel> <@U1ANA> *x*",
    "𝕏" * 5_000,
    "x" * 70_000,
    [],
    {},
    [[[[[]]]]],
    {"": {"": {"": None}}},
    "int_01m8w4gqsceb49mqtc2tpqna9q",
)
"""What stands where something else should."""


class Recorder:
    """Passes everything on, and keeps what the providers posted."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.kept: list[tuple[str, str, bytes]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in (SLACK, TELEGRAM):
            await self.app(scope, receive, send)
            return
        parts: list[bytes] = []

        async def listen() -> Message:
            message = await receive()
            parts.append(message.get("body", b""))
            return message

        await self.app(scope, listen, send)
        kind = dict(scope["headers"]).get(b"content-type", b"").decode()
        self.kept.append((scope["path"], kind, b"".join(parts)))


@contextlib.asynccontextmanager
async def recorded(folder: Path) -> AsyncIterator[tuple[Rig, Recorder]]:
    """The service with both chats delivering to it."""
    async with contextlib.AsyncExitStack() as stack:
        slack, telegram, group = await stack.enter_async_context(stand_ins())
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        more: dict[str, Any] = {"telegram_webhook_secret": SECRET, "sayso_public_url": url}
        app = build(load(settings_for(slack, telegram, sqlite_at(folder), port, **more)), unpaced())
        recorder = Recorder(await stack.enter_async_context(app.running()))
        await stack.enter_async_context(serving(recorder, port=port))

        async def connected() -> bool:
            return app.chats.is_connected

        await eventually(connected)
        slack.request_url = f"{url}{SLACK}"
        headers = {"Authorization": f"Bearer {KEY}"}
        api = await stack.enter_async_context(
            httpx2.AsyncClient(base_url=url, headers=headers, timeout=70, verify=NOBODY)
        )
        yield Rig(slack, telegram, api, url, group, [app]), recorder
        await app.waiter.close()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def bent(document: Any, dice: random.Random) -> Any:
    """The document with one to three places changed, dropped, doubled or swapped."""
    for _ in range(dice.randint(1, 3)):
        document = copy.deepcopy(document)
        inside = [path for path in places(document) if path]
        if not inside:
            return document
        *way, last = dice.choice(inside)
        holder = document
        for step in way:
            holder = holder[step]
        match dice.randint(0, 4):
            case 0:
                del holder[last]
            case 1 if isinstance(holder, dict):
                holder[dice.choice(("", "id", "type", "payload", "x" * 300))] = holder.pop(last)
            case 2 if isinstance(holder, list):
                holder.extend([holder[last]] * dice.choice((1, 200)))
            case 3:
                holder[last] = [holder[last]] if dice.random() < 0.5 else {"value": holder[last]}
            case _:
                holder[last] = dice.choice(STRANGE)
    return document


def fresh(document: Any, number: int) -> Any:
    """With a name of its own, so that it is not taken for what arrived before."""
    if isinstance(document, dict):
        names = {"update_id": 10_000_000 + number, "trigger_id": f"13345224609.{number}.x", "event_id": f"Ev{number}"}
        return {key: names.get(key, value) for key, value in document.items()}
    return document


def torn(body: bytes, dice: random.Random) -> bytes:
    """The bytes cut, or with some of them changed."""
    where = dice.randrange(len(body))
    return body[:where] + dice.choice((b"", bytes([dice.randrange(256)]) * 3 + body[where + 1 :]))


def mutant(kind: str, body: bytes, dice: random.Random, number: int) -> bytes:
    """What was recorded, bent."""
    if dice.random() < 0.05:
        return torn(body, dice)
    if "json" in kind:
        return json.dumps(bent(fresh(json.loads(body), number), dice)).encode()
    fields = dict(parse_qsl(body.decode(), keep_blank_values=True))
    if "payload" in fields and dice.random() < 0.95:
        fields["payload"] = json.dumps(bent(fresh(json.loads(fields["payload"]), number), dice))
    else:
        fields = {key: str(value)[:90_000] for key, value in bent(fresh(fields, number), dice).items()}
    return urlencode(fields, errors="replace").encode()


def signed(secret: str, body: bytes) -> dict[str, str]:
    """The headers that Slack signs these bytes with, whatever they are."""
    stamp = str(int(time.time()))
    digest = hmac.new(secret.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest}"}


async def record(r: Rig, formats: Sequence[Format]) -> None:
    """Let people do in both chats what they do."""
    for one in formats:
        for to, answer in ((f"slack:{CHANNEL}", in_slack), (f"telegram:{r.group}", in_telegram)):
            asked = await r.posted(
                (await r.ask(**dict(one.request) | {"to": to, "title": f"{one.request['title']} ({to})"}))["id"]
            )
            await answer(r, one, asked)
    await r.slack.person("U1ANA").command("/sayso")
    r.telegram.human.write(TG_ANA, TG_ANA, "/inbox")
    order = await r.api.post("/v1/loops", json={"to": f"slack:{CHANNEL}", "title": "Audit the endpoints"})
    assert order.status_code == 201, order.text


async def bombard(folder: Path, seed: int, many: int, formats: Sequence[Format]) -> Counter[int]:
    """Send `many` bent arrivals; how often each status was answered."""
    statuses: Counter[int] = Counter()
    broken: list[str] = []
    dice = random.Random(seed)  # the same every time
    with structlog.testing.capture_logs() as logged:
        async with recorded(folder) as (r, recorder):
            await record(r, formats)
            for one in formats[:4]:  # there is something to hit
                for to in (f"slack:{CHANNEL}", f"telegram:{r.group}"):
                    await r.ask(**dict(one.request) | {"to": to, "title": "There is something to hit"})
            seeds = list(recorder.kept)
            assert {path for path, _, _ in seeds} == {SLACK, TELEGRAM}
            slots = asyncio.Semaphore(8)

            async def send(number: int) -> None:
                path, kind, body = dice.choice(seeds)
                body = mutant(kind, body, dice, number)
                if path == SLACK:
                    headers = signed(r.slack.signing_secret, body)
                else:
                    headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
                async with slots:
                    answer = await r.api.post(path, content=body, headers={**headers, "Content-Type": kind})
                statuses[answer.status_code] += 1
                if not 200 <= answer.status_code < 500:
                    broken.append(f"{path} {answer.status_code} {body[:2_000]!r}")

            await asyncio.gather(*(send(number) for number in range(many)))
            asked = await r.posted((await r.ask(title="After all that"))["id"])
            await r.slack.person("U1ANA").press("Yes", channel=CHANNEL, ts=asked["publications"][0]["message"])
            assert (await r.shown_settled(asked["id"]))["status"] == "answered"
    assert not broken, "\n".join(broken[:5])
    errors = [line for line in logged if line["log_level"] in ("error", "critical")]
    assert not errors, errors[:3]
    return statuses


async def test_bent_arrivals_get_an_answer_and_break_nothing(tmp_path: Path) -> None:
    statuses = await bombard(tmp_path, 1, 200, FORMATS[::3])
    assert statuses[200] > 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
async def test_thousands_of_bent_arrivals_break_nothing(tmp_path: Path, seed: int) -> None:
    statuses = await bombard(tmp_path, seed, 3_000, FORMATS)
    assert statuses[200] > 1_000

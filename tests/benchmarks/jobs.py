"""What is measured: the requests of each job, built before the clock runs, and what it takes to make their cards."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from bot.sandbox.slack.signing import signed_headers
from core.store import Store, open_engine
from tests.benchmarks.baseline import PATH
from tests.benchmarks.filling import fill, prepare
from tests.benchmarks.load import Sample, drive
from tests.benchmarks.running import CHANNELS, PEOPLE, Running, get
from tests.benchmarks.wire import Wire, request, with_json
from tests.flows.rig import KEY, eventually
from tests.store.making import settle_in

KEYED = {"Authorization": f"Bearer {KEY}"}
BODY = "The canary has been **clean** for two hours:\n\n- error rate `0.02 %`\n- p95 `210 ms`"
NAMED = ["agent:operator"]
_POSTS = 'sayso_outbox_waiting{lane="post"}'


def _question(to: str, **more: Any) -> dict[str, Any]:
    options = [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]
    question = {"id": "q1", "prompt": "Ship now?", "type": "choice", "options": options}
    return {
        "kind": "questions",
        "to": to,
        "title": "Release 4.2",
        "body": BODY,
        "payload": {"questions": [question]},
    } | more


async def insert(run: Running, count: int, at_once: int) -> Sample:
    """The bare route."""
    rows = [with_json("POST", PATH, {"title": "Release 4.2", "body": json.dumps(_question("review"))})] * count
    return (await drive(run.baseline, rows, at_once, 201))[0]


async def _ask(run: Running, contents: Iterable[dict[str, Any]], at_once: int) -> tuple[Sample, list[str]]:
    requests = [
        with_json("POST", "/v1/interactions", content, {**KEYED, "Idempotency-Key": str(uuid.uuid4())})
        for content in contents
    ]
    sample, answers = await drive(run.service, requests, at_once, 201)
    return sample, [answer.json()["id"] for answer in answers]


async def ask(run: Running, count: int, at_once: int) -> tuple[Sample, list[str]]:
    """Ask where no chat is involved, as the client does: with an Idempotency-Key. Gives the ids too."""
    return await _ask(run, [_question("review", audience={"answerers": NAMED})] * count, at_once)


async def ask_in_slack(run: Running, count: int, at_once: int) -> Sample:
    """Ask in Slack; the cards are posted meanwhile."""
    places = itertools.islice(itertools.cycle(CHANNELS), count)
    return (await _ask(run, [_question(f"slack:{place}") for place in places], at_once))[0]


async def act(run: Running, ids: Sequence[str], at_once: int) -> Sample:
    """Answer cards by API, each once."""
    return (await drive(run.service, [_respond(id_) for id_ in ids], at_once, 200))[0]


def _respond(id_: str) -> bytes:
    body = {"answers": {"q1": {"value": "yes"}}, "revision": 1}
    return with_json("POST", f"/v1/interactions/{id_}/respond", body, KEYED)


async def press(run: Running, messages: Sequence[Mapping[str, Any]], at_once: int) -> Sample:
    """Press the first button of each message, as Slack tells of it: signed, over HTTP, until its 200, before which the
    decision is committed (unless that takes more than 2.5 seconds). No message may be pressed twice."""
    requests = [_pressed(run, message, PEOPLE[number % len(PEOPLE)]) for number, message in enumerate(messages)]
    run.pressed.update(message["ts"] for message in messages)
    return (await drive(run.service, requests, at_once, 200))[0]


def _pressed(run: Running, message: Mapping[str, Any], user: str) -> bytes:
    team, app = run.stand_in["team_id"], message["app_id"]
    block = next(block for block in message["blocks"] if block["type"] == "actions")
    button = block["elements"][0]
    payload = {
        "type": "block_actions",
        "team": {"id": team, "domain": "acme"},
        "user": {"id": user, "username": user.lower(), "name": user.lower(), "team_id": team},
        "api_app_id": app,
        "enterprise": None,
        "is_enterprise_install": False,
        "container": {
            "type": "message",
            "message_ts": message["ts"],
            "channel_id": message["channel"],
            "is_ephemeral": False,
        },
        "channel": {"id": message["channel"], "name": message["channel"].lower()},
        "message": {name: message[name] for name in ("type", "user", "ts", "text", "team", "blocks")},
        "state": {"values": {}},
        "trigger_id": f"{uuid.uuid4().int % 10**13}.{uuid.uuid4().hex}",
        "response_url": f"{run.stand_in['api_url']}none",
        "actions": [{**button, "block_id": block["block_id"], "action_ts": f"{time.time():.6f}"}],
    }
    body = urlencode({"payload": json.dumps(payload)})
    headers = signed_headers(run.stand_in["signing_secret"], body, time.time())
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    return request("POST", "/slack/events", body.encode(), {**form, **headers})


async def cards(run: Running) -> list[dict[str, Any]]:
    """Wait until every card that is owed is up, and give those that nobody pressed."""

    async def nothing_owed() -> bool:
        return await _metric(run, _POSTS) == 0

    await eventually(nothing_owed, 120)
    told = [await get(run.slack, f"/_control/messages?channel={channel}") for channel in CHANNELS]
    found = [message for answer in told for message in answer.json()["messages"]]
    return [message for message in found if message["ts"] not in run.pressed]


async def drain(run: Running, count: int) -> float:
    """How many first posts a second the outbox loses, to a Slack that sets no pace, once nobody asks any more."""
    await ask_in_slack(run, count, 32)
    waiting, begun = await _metric(run, _POSTS), time.perf_counter()
    while left := await _metric(run, _POSTS):
        await asyncio.sleep(0.05)
        assert left <= waiting
    return waiting / (time.perf_counter() - begun)


async def memory_among_many(run: Running, database: str, count: int) -> int:
    """The service's resident memory, in bytes, once so many cards are open and it has looked at them."""
    store = Store(open_engine(database))
    try:
        await settle_in(store)
        rows = await prepare(store)
        for first in range(0, count, 10_000):
            await fill(store, rows, first, first + 10_000)
    finally:
        await store.close()
    for path in ("/metrics", "/readyz", "/v1/interactions?limit=100", "/metrics"):
        wire = await Wire.open(run.service)
        assert (await wire.send(request("GET", path, headers=KEYED))).status == 200
        await wire.close()
    await asyncio.sleep(2)  # the timers look too
    return run.memory


async def expect_all_settled(run: Running) -> None:
    """A press is answered with 200 whatever came of it: that each was counted shows in what is left.

    A press that would take longer than Slack waits is answered before it is decided, so a moment is given.
    """

    async def nothing_open() -> bool:
        return await _metric(run, "sayso_interactions_pending") == 0

    await eventually(nothing_open, 15)


async def _metric(run: Running, name: str) -> float:
    told = (await get(run.service, "/metrics")).body.decode()
    return next(float(line.rpartition(" ")[2]) for line in told.splitlines() if line.startswith(f"{name} "))


async def heard(run: Running, ids: Sequence[str]) -> Sample:
    """From the 200 of an answer, which is committed by then, to the end of a long poll that waits for it. All the cards
    are waited for; they are answered one after the other. A poll that hears before the 200 took no time."""
    polls = [await Wire.open(run.service) for _ in ids]
    ended: dict[str, float] = {}

    async def wait(wire: Wire, id_: str) -> None:
        answer = await wire.send(request("GET", f"/v1/interactions/{id_}?wait=60", headers=KEYED))
        ended[id_] = time.perf_counter()
        assert answer.json()["status"] == "answered"

    waits = [asyncio.create_task(wait(wire, id_)) for wire, id_ in zip(polls, ids, strict=True)]
    await asyncio.sleep(1)  # the polls have arrived and looked, which nothing tells
    own = await Wire.open(run.service)
    took = []
    for id_, waiting in zip(ids, waits, strict=True):
        assert (await own.send(_respond(id_))).status == 200
        answered = time.perf_counter()
        await waiting
        took.append(max(0.0, ended[id_] - answered))
    for wire in (*polls, own):
        await wire.close()
    return Sample(sum(took), tuple(took))

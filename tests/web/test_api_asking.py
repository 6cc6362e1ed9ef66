"""Asking over HTTP: what comes back, what is asked once, what is refused and where the mistake is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.kinds import EXAMPLES
from tests.web.calling import Calling, for_agent, question


async def test_what_was_asked_comes_back_whole(api: Calling) -> None:
    asked = question(
        to=["slack:T1.C0123", "telegram:-100123/7", "review"],
        policy={"expires_in": "24h", "default": {"ship": {"value": "no"}}, "fallback": ["slack:T1.C9"]},
        continuation={"webhook": "https://agent.example/hook", "state": {"run": [1, None, "x"]}},
        audience={"answerers": ["conversation", "person:ana"], "exclude": ["creator"]},
    )
    response = await api.post("/interactions", asked)
    assert response.status_code == 201
    shown = response.json()
    assert response.headers["location"] == f"/v1/interactions/{shown['id']}"
    assert response.headers["cache-control"] == "no-store"
    for name in ("kind", "to", "title", "body", "recommendation"):
        assert shown[name] == asked[name]
    assert shown["continuation"] == asked["continuation"]
    assert shown["policy"]["default"] == {"ship": {"value": "no"}}
    assert shown["audience"]["answerers"] == ["conversation", "person:ana"]
    assert shown["payload"]["questions"][0]["options"][1]["description"] == "wait for Monday"
    assert (shown["status"], shown["revision"], shown["outcome"], shown["expires_at"]) == ("pending", 1, None, None)
    assert shown["review_url"] == f"https://sayso.example.com/review/{shown['id']}"
    assert shown["creator"] == {"type": "agent", "id": "agt_builder", "handle": "builder", "identity": None}
    assert [(one["provider"], one["channel"], one["state"]) for one in shown["publications"]] == [
        ("slack", "C0123", "queued"),
        ("telegram", "-100123", "queued"),
    ]
    assert (await api.get(f"/interactions/{shown['id']}")).json() == shown


@pytest.mark.parametrize("kind", EXAMPLES)
async def test_every_kinds_example_can_be_asked(either_api: Calling, kind: Any) -> None:
    id = await either_api.ask({**EXAMPLES[kind], "to": "slack:T1.C0123"})
    assert (await either_api.get(f"/interactions/{id}")).json()["kind"] == kind.value


async def test_the_same_key_and_body_ask_once(either_api: Calling) -> None:
    headers = {"Idempotency-Key": "run-7"}
    first = await either_api.call("POST", "/interactions", question(), headers=headers)
    # The same body in another spelling is the same body.
    reordered = dict(reversed(question().items()))
    again = await either_api.call("POST", "/interactions", reordered, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert len((await either_api.get("/interactions")).json()["items"]) == 1


async def test_the_same_key_with_another_body_is_a_conflict(api: Calling) -> None:
    headers = {"Idempotency-Key": "run-7"}
    await api.call("POST", "/interactions", question(), headers=headers)
    other = await api.call("POST", "/interactions", question(title="Another"), headers=headers)
    assert other.status_code == 422
    assert other.json()["type"].endswith("/idempotency-conflict")
    assert len((await api.get("/interactions")).json()["items"]) == 1


async def test_a_key_is_one_agents_own_and_free_again_after_settlement(api: Calling) -> None:
    headers = {"Idempotency-Key": "deploy"}
    mine = await api.call("POST", "/interactions", question(), headers=headers)
    others = await api.call("POST", "/interactions", question(), headers=headers, by="stranger")
    assert mine.json()["id"] != others.json()["id"]
    await api.post(f"/interactions/{mine.json()['id']}/withdraw")
    anew = await api.call("POST", "/interactions", question(), headers=headers)
    assert anew.json()["id"] != mine.json()["id"]


async def test_forty_requests_with_one_key_ask_once(either_api: Calling) -> None:
    headers = {"Idempotency-Key": "storm"}
    calls = [either_api.call("POST", "/interactions", question(), headers=headers) for _ in range(40)]
    answers = await asyncio.gather(*calls)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "ä"])
async def test_an_idempotency_key_is_visible_characters(api: Calling, key: str) -> None:
    response = await api.http.post(
        "/v1/interactions",
        json=question(),
        headers=[(b"authorization", b"Bearer sk_key-of-builder"), (b"idempotency-key", key.encode())],
    )
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["/Idempotency-Key"]


SLACK_SHAPE = "not an address on slack; write it like slack:C0123 or slack:T0AB.C0123/1712000000.000100"
DURATION = "a duration is a whole number and a unit, such as 30s, 10m, 24h or 7d"
WEBHOOK_SHAPE = "must be an http(s) address of at most 2000 characters"
HOUR = {"expires_in": "1h"}
YES = {"id": "yes", "label": "Yes"}
NAME = {"id": "name", "prompt": "Who?", "type": "text"}
CHOICE = {"id": "ship", "prompt": "Ship now?", "type": "choice"}
FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"title": ""}, "/title", "must have at least 1 character"),
    ({"to": "slack:nowhere"}, "/to", SLACK_SHAPE),
    ({"to": ["slack:C1", "slack:C1"]}, "/to/1", "this address is named twice"),
    ({"to": [f"slack:C{n}" for n in range(9)]}, "/to", "must have at most 8 items"),
    ({"to": "review"}, "/audience", "with no chat to answer from, say who may answer"),
    ({"to": "person:nobody"}, "/to", "there is nobody with the handle nobody"),
    (
        {"audience": {"answerers": ["person:ghost"]}},
        "/audience/answerers/0",
        "there is nobody with the handle ghost",
    ),
    ({"audience": {"answerers": ["agent:ghost"]}}, "/audience/answerers/0", "there is no agent called ghost"),
    (
        {"audience": {"answerers": ["agent:builder"], "exclude": ["creator"]}},
        "/audience/exclude",
        "nobody is left who may answer: the audience names nobody but the creator",
    ),
    ({"audience": {"quorum": 2}}, "/audience/quorum", "a quorum over 1 is for confirmations only"),
    (
        {"kind": "confirmation", "payload": {}, "policy": HOUR | {"default": {}}},
        "/policy/default",
        "a default answer is for questions only",
    ),
    ({"policy": {"default": {"ship": {"value": "no"}}}}, "/policy/default", "a default answer needs expires_in"),
    (
        {"policy": HOUR | {"default": {"ship": {"value": "maybe"}}}},
        "/policy/default/ship/value",
        "not the id of an option",
    ),
    ({"policy": HOUR | {"default": {"ship": 5}}}, "/policy/default/ship", "must be an object"),
    ({"policy": {"expires_in": "soon"}}, "/policy/expires_in", DURATION),
    ({"body": "x" * 20_001}, "/body", "must have at most 20000 characters"),
    ({"body": "x" * 40_000}, "/body", "must have at most 20000 characters"),
    ({"continuation": {"state": "x" * 8_000}}, "/continuation/state", "may have at most 8000 bytes as JSON"),
    ({"continuation": {"webhook": "http://"}}, "/continuation/webhook", WEBHOOK_SHAPE),
    ({"continuation": {"webhook": "https://hook.example:x/"}}, "/continuation/webhook", WEBHOOK_SHAPE),
    (
        {"payload": {"questions": [NAME, {**NAME, "id": "other"}, NAME]}},
        "/payload/questions/2/id",
        "question ids must be unique; 'name' appears twice",
    ),
    (
        {"payload": {"questions": [NAME, {**CHOICE, "options": [YES, YES]}]}},
        "/payload/questions/1/options/1/id",
        "option ids must be unique; 'yes' appears twice",
    ),
    (
        {"payload": {"questions": [{**CHOICE, "type": "choices", "options": [YES], "initial": ["yes", "no"]}]}},
        "/payload/questions/0/initial/1",
        "initial holds something that is not the id of an option",
    ),
    (
        {"payload": {"questions": [{**NAME, "min_length": 4, "max_length": 3}]}},
        "/payload/questions/0/min_length",
        "min_length is greater than max_length",
    ),
]


@pytest.mark.parametrize(("changes", "pointer", "detail"), FAULTS)
async def test_a_fault_is_pointed_at_and_nothing_is_asked(
    api: Calling, changes: dict[str, Any], pointer: str, detail: str
) -> None:
    response = await api.post("/interactions", question(**changes))
    problem = response.json()
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["type"].endswith("/invalid")
    assert problem["errors"] == [{"pointer": pointer, "detail": detail}]
    assert (await api.get("/interactions")).json() == {"items": [], "next": None}


async def test_superseding_ends_the_old_card_in_the_same_step(api: Calling) -> None:
    old = await api.ask()
    new = await api.ask(question(supersedes=old))
    shown = (await api.get(f"/interactions/{old}")).json()
    assert (shown["status"], shown["outcome"]["successor"]) == ("superseded", new)
    again = await api.post("/interactions", question(supersedes=old))
    assert again.status_code == 409
    assert again.json()["type"].endswith("/superseded")
    assert again.json()["outcome"]["successor"] == new
    foreign = await api.post("/interactions", question(supersedes=new), by="stranger")
    assert foreign.status_code == 404


async def test_one_supersede_key_keeps_one_card_open(either_api: Calling) -> None:
    calls = [either_api.post("/interactions", question(supersede_key="deploy", title=f"No. {n}")) for n in range(16)]
    assert {response.status_code for response in await asyncio.gather(*calls)} == {201}
    statuses = [one["status"] for one in (await either_api.get("/interactions")).json()["items"]]
    assert sorted(statuses) == ["pending", *["superseded"] * 15]


SOON_OVER = {"expires_in": "10m", "starts": "asked"}


async def test_what_is_replaced_after_its_time_expired_and_did_not_stand_in_the_way(either_api: Calling) -> None:
    old = await either_api.ask(question(supersede_key="deploy", policy=SOON_OVER))
    either_api.clock.move(minutes=11)
    new = await either_api.ask(question(supersede_key="deploy"))
    outcome = (await either_api.get(f"/interactions/{old}")).json()["outcome"]
    assert (outcome["status"], outcome["via"], outcome["successor"]) == ("expired", "timer", None)
    assert (await either_api.get(f"/interactions/{new}")).json()["status"] == "pending"


async def test_nothing_is_asked_in_the_place_of_a_named_card_whose_time_was_over(api: Calling) -> None:
    old = await api.ask(question(policy=SOON_OVER))
    api.clock.move(minutes=11)
    late = await api.post("/interactions", question(supersedes=old))
    assert late.status_code == 409
    assert (late.json()["type"].rpartition("/")[2], late.json()["outcome"]["via"]) == ("expired", "timer")
    assert [one["id"] for one in (await api.get("/interactions")).json()["items"]] == [old]


async def test_an_agent_that_was_revoked_cannot_be_asked(api: Calling) -> None:
    async with api.store.work() as work:
        await work.revoke_agent(WORKSPACE, "agt_reviewer", api.clock.now())
        await work.commit()
    refused = await api.post("/interactions", question(**for_agent("reviewer")))
    assert refused.json()["errors"] == [
        {"pointer": "/audience/answerers/0", "detail": "there is no agent called reviewer"}
    ]

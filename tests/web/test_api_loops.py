"""Work orders over HTTP: ordered, moved, told of, and each answer held to the OpenAPI document."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.startup import WORKSPACE
from bot.web.stream import _stream
from core.canonical import rfc3339
from core.dues import DueKind
from core.reminding import LoopReminder, ReminderState
from tests.chains import first_break, receipts_of
from tests.web.calling import CHANNEL
from tests.web.orders import ONE, TO_REVIEWER, Orders, orders, slug

__all__ = ["orders"]


async def test_an_order_goes_from_opened_to_closed_and_its_receipts_are_a_chain(orders: Orders) -> None:
    made = await orders.order(id="wo-7", priority="high", due="45m", **{"from": "646"}, continuation={"state": [1]})
    assert (made["id"], made["state"], made["sender"]["handle"], made["sender_label"]) == (
        "wo-7", "open", "builder", "646",
    )  # fmt: skip
    assert made["url"] == "https://sayso.example.com/loops/wo-7"
    for act, body, state in (
        ("ack", None, "acknowledged"),
        ("claim", None, "claimed"),
        ("result", {"summary": "14 of 14", "status": "OK"}, "closed"),
    ):
        status, moved, _ = await orders("post", f"{ONE}/{act}", body, by="reviewer", name="wo-7")
        assert (status, moved["state"], moved["repeated"]) == (200, state, False)
    _, shown, _ = await orders("get", ONE, name="wo-7")
    assert (shown["outcome"]["by"]["handle"], shown["outcome"]["summary"]) == ("reviewer", "14 of 14")
    _, first, _ = await orders("get", f"{ONE}/receipts", query="?limit=3", name="wo-7")
    _, rest, _ = await orders("get", f"{ONE}/receipts", query=f"?after={first['next']}", name="wo-7")
    lines = first["items"] + rest["items"]
    assert [line["type"] for line in lines] == ["opened", "acknowledged", "claimed", "closed"]
    assert first_break(receipts_of(lines)) is None
    assert (lines[-1]["id"], rest["next"]) == (shown["outcome"]["receipt"], None)
    status, _, _ = await orders("get", f"{ONE}/receipts", query="?after=rcp_x", name="wo-7")
    assert status == 422


async def test_every_step_is_an_event_for_both_and_nobody_else(orders: Orders) -> None:
    made = await orders.order(continuation={"state": {"run": 7}})
    await orders("post", f"{ONE}/decline", {"reason": "The node is down"}, by="reviewer", name=made["id"])
    for by, types in (
        ("builder", ["loop.opened", "loop.declined"]),
        ("reviewer", ["loop.opened", "loop.declined"]),
        ("boss", ["loop.opened", "loop.declined"]),
        ("stranger", []),
    ):
        _, page, _ = await orders("get", "/v1/events", by=by)
        assert [one["type"] for one in page["items"]] == types, by
        theirs = {"run": 7} if by == "builder" else None
        assert all(one["data"]["state"] == theirs for one in page["items"]), by


async def test_a_reminder_that_waits_is_told_where_orders_are_read_and_listed(orders: Orders) -> None:
    held, free = await orders.order(), await orders.order()
    at = orders.api.clock.now() + timedelta(minutes=40)
    async with orders.api.store.work() as work:
        loop = await work.loop_named(WORKSPACE, held["id"])
        assert loop is not None
        reminder = LoopReminder("rem_1", WORKSPACE, loop.id, "per_ana", orders.api.clock.now(), ReminderState.HELD)
        await work.add_loop_reminder(reminder)
        await work.set_due(DueKind.HELD, "per_ana", WORKSPACE, at)
        await work.commit()
    _, one, _ = await orders("get", ONE, name=held["id"])
    _, listed, _ = await orders("get", "/v1/loops")
    waits = [{"reason": "rate_cap", "until": rfc3339(at)}]
    assert one["nudges"]["waiting"] == waits
    assert {each["id"]: each["nudges"]["waiting"] for each in listed["items"]} == {held["id"]: waits, free["id"]: []}


async def test_where_an_order_is_heard_of_is_told_to_its_sender_alone(orders: Orders) -> None:
    heard, nothing = {"webhook": "https://agent.example/s3cret", "state": {"run": 7}}, {"webhook": None, "state": None}
    made = await orders.order(continuation=heard)
    assert made["continuation"] == heard
    for by, told in (("builder", heard), ("reviewer", nothing), ("boss", nothing)):
        _, one, _ = await orders("get", ONE, by=by, name=made["id"])
        _, listed, _ = await orders("get", "/v1/loops", by=by)
        _, moved, _ = await orders("post", f"{ONE}/ack", by=by, name=made["id"])
        _, page, _ = await orders("get", "/v1/events", by=by)
        answers = [one, *listed["items"], moved, *(event["data"]["loop"] for event in page["items"])]
        assert [answer["continuation"] for answer in answers] == [told] * len(answers), by
        assert len(answers) >= 4
    stream = _stream(orders.api.services, orders.api.agents["reviewer"], 0)
    messages = [await anext(stream) for _ in range(3)]  # how long to wait before a reconnect, and two events
    assert b"loop.acknowledged" in messages[2]
    assert not any(b"s3cret" in message for message in messages)
    await orders("post", f"{ONE}/decline", {"reason": "No"}, by="reviewer", name=made["id"])
    status, again, _ = await orders("post", f"{ONE}/dispatch", by="reviewer", name=made["id"])
    assert (status, again["sender"]["handle"], again["continuation"]) == (201, "reviewer", nothing)


async def test_a_second_claim_is_told_who_has_it_and_a_repeat_is_the_same_receipt(orders: Orders) -> None:
    made = await orders.order()
    _, won, _ = await orders("post", f"{ONE}/claim", by="reviewer", name=made["id"])
    _, again, _ = await orders("post", f"{ONE}/claim", {}, by="reviewer", name=made["id"])
    assert (again["repeated"], again["receipt"]) == (True, won["receipt"])
    status, late, _ = await orders("post", f"{ONE}/claim", name=made["id"])
    assert (status, slug(late)) == (409, "already-claimed")
    assert late["claimed"] == won["claimed"]
    assert "reviewer" in late["detail"]


async def test_of_many_claims_at_once_one_wins(orders: Orders) -> None:
    made = await orders.order()
    claims = [orders("post", f"{ONE}/claim", by=by, name=made["id"]) for by in ("builder", "reviewer", "boss") * 4]
    answers = await asyncio.gather(*claims)
    holders = {str(one["claimed"]) for _, one, _ in answers}
    assert len(holders) == 1
    _, chain, _ = await orders("get", f"{ONE}/receipts", name=made["id"])
    assert [line["type"] for line in chain["items"]].count("claimed") == 1


@pytest.mark.parametrize("act", ["ack", "claim", "result", "decline", "no-action"])
async def test_what_has_ended_answers_who_ended_it_and_when(orders: Orders, act: str) -> None:
    made = await orders.order()
    _, ended, _ = await orders("post", f"{ONE}/no-action", {"reason": "It recovered"}, by="reviewer", name=made["id"])
    body = {"result": {"summary": "done"}, "decline": {"reason": "no"}, "no-action": {"reason": "no"}}.get(act)
    status, late, _ = await orders("post", f"{ONE}/{act}", body, by="boss", name=made["id"])
    assert (status, slug(late), late["outcome"]) == (409, "already-settled", ended["outcome"])
    assert "reviewer" in late["detail"]


async def test_slots_are_claimed_and_done_one_by_one(orders: Orders) -> None:
    made = await orders.order(slots=2)
    assert [one["state"] for one in made["slots"]] == ["open", "open"]
    await orders("post", f"{ONE}/claim", {"slot": 1}, by="reviewer", name=made["id"])
    status, taken, _ = await orders("post", f"{ONE}/claim", {"slot": 1}, name=made["id"])
    assert (status, slug(taken)) == (409, "already-claimed")
    await orders("post", f"{ONE}/claim", {"slot": 2}, name=made["id"])
    _, freed, _ = await orders("post", f"{ONE}/decline", {"reason": "busy", "slot": 1}, by="reviewer", name=made["id"])
    assert [one["state"] for one in freed["slots"]] == ["open", "claimed"]
    _, half, _ = await orders("post", f"{ONE}/result", {"summary": "one", "slot": 1}, by="reviewer", name=made["id"])
    assert half["outcome"] is None
    _, whole, _ = await orders("post", f"{ONE}/result", {"summary": "two", "slot": 2}, name=made["id"])
    assert whole["state"] == "closed"
    await orders("get", "/v1/events")


async def test_who_is_no_part_of_it_does_not_even_know(orders: Orders) -> None:
    made = await orders.order()
    for method, path, body in (
        ("get", ONE, None),
        ("get", f"{ONE}/receipts", None),
        ("post", f"{ONE}/ack", None),
        ("post", f"{ONE}/claim", None),
        ("post", f"{ONE}/result", {"summary": "mine"}),
        ("post", f"{ONE}/decline", {"reason": "mine"}),
        ("post", f"{ONE}/no-action", {"reason": "mine"}),
    ):
        status, problem, _ = await orders(method, path, body, by="stranger", name=made["id"])
        assert (status, slug(problem)) == (404, "not-found"), path
    assert await orders.names(by="stranger") == []
    assert (await orders("get", "/v1/conversations", by="stranger"))[1]["items"] == []
    status, _, _ = await orders("post", f"{ONE}/ack", name="wo-unknown")
    assert status == 404


async def test_a_list_has_pages_and_is_narrowed(orders: Orders) -> None:
    for number in range(1, 4):
        await orders.order(id=f"wo-{number}")
    await orders.order(id="wo-4", to=CHANNEL, due="10m")
    await orders("post", f"{ONE}/ack", by="reviewer", name="wo-2")
    assert await orders.names("?limit=2") == ["wo-4", "wo-3"]
    assert await orders.names("?limit=2&after=wo-3") == ["wo-2", "wo-1"]
    assert await orders.names("?state=acknowledged") == ["wo-2"]
    assert await orders.names("?state=open&state=closed&recipient=agent:reviewer") == ["wo-3", "wo-1"]
    assert await orders.names("?overdue=true") == []
    assert await orders.names(by="reviewer") == ["wo-3", "wo-2", "wo-1"]
    assert len(await orders.names(by="boss")) == 4
    for query in ("?after=wo-9", "?state=lost", "?limit=0"):
        status, _, _ = await orders("get", "/v1/loops", query=query)
        assert status == 422, query


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"title": ""}, "/title"),
    ({"title": "\x1c", "body": "> quoted"}, "/title"),  # nobody can read it
    ({"due": "yesterday"}, "/due"),
    ({"due": "2020-01-01T00:00:00Z"}, "/due"),  # over already
    ({"id": "a/b"}, "/id"),  # it would be no address
    ({"slots": 101}, "/slots"),
    ({"to": "agent:nobody"}, "/to"),
    ({"colour": "red"}, "/colour"),
    ({"parent": "wo-none"}, "/parent"),
    ({"nudges": {"every": "often"}}, "/nudges/every"),
]


@pytest.mark.parametrize(("wrong", "pointer"), WRONG)
async def test_a_wrong_order_is_pointed_at_and_none_is_opened(
    orders: Orders, wrong: dict[str, Any], pointer: str
) -> None:
    status, problem, _ = await orders("post", "/v1/loops", {**TO_REVIEWER, **wrong})
    assert (status, slug(problem)) == (422, "invalid")
    assert [fault["pointer"] for fault in problem["errors"]] == [pointer]
    assert await orders.names() == []


async def test_an_idempotency_key_orders_says_and_alerts_once(orders: Orders) -> None:
    _, made, _ = await orders("post", "/v1/loops", TO_REVIEWER, once="k1")
    _, again, headers = await orders("post", "/v1/loops", TO_REVIEWER, once="k1")
    assert (again, headers["Idempotent-Replayed"], await orders.names()) == (made, "true", [made["id"]])
    status, problem, _ = await orders("post", "/v1/loops", {**TO_REVIEWER, "title": "Other"}, once="k1")
    assert (status, slug(problem)) == (422, "idempotency-conflict")
    assert (await orders("post", "/v1/loops", TO_REVIEWER, once="a b"))[0] == 422
    place, words = made["conversation"]["id"], {"text": f"[ACK {made['id']}] seen"}
    path = "/v1/conversations/{id}/messages"
    _, said, _ = await orders("post", path, words, by="reviewer", once="k2", id=place)
    assert [one["state"] for one in said["moved"]] == ["acknowledged"]
    assert (await orders("post", path, words, by="reviewer", once="k2", id=place))[1] == said
    news = {"to": "agent:reviewer", "severity": "critical", "message": "The queue stands."}
    _, raised, _ = await orders("post", "/v1/alerts", news, once="k3")
    assert (await orders("post", "/v1/alerts", news, once="k3"))[1] == raised


async def test_a_declined_order_is_dispatched_again_once_and_for_whom_is_said(orders: Orders) -> None:
    made = await orders.order(id="wo-7")
    path = f"{ONE}/dispatch"
    status, problem, _ = await orders("post", path, name="wo-7")
    assert (status, slug(problem)) == (422, "invalid")  # it is open, and nobody was told that it waits too long
    await orders("post", f"{ONE}/decline", {"reason": "Busy"}, by="reviewer", name="wo-7")
    assert (await orders("post", path, by="stranger", name="wo-7"))[0] == 404
    status, wrong, _ = await orders("post", path, {"to": "agent:nobody"}, name="wo-7")
    assert (status, [fault["pointer"] for fault in wrong["errors"]]) == (422, ["/to"])
    status, again, headers = await orders("post", path, {"to": "agent:boss", "due": "2h"}, once="k", name="wo-7")
    assert (status, again["to"], again["parent"], again["title"]) == (201, "agent:boss", "wo-7", made["title"])
    assert headers["Location"] == f"/v1/loops/{again['id']}"
    assert (await orders("post", path, {"to": "agent:boss", "due": "2h"}, once="k", name="wo-7"))[1] == again
    status, conflict, _ = await orders("post", path, {"to": "agent:boss", "due": "2h"}, once="k", name=again["id"])
    assert (status, slug(conflict)) == (422, "idempotency-conflict")
    assert (await orders("post", path, name="wo-7"))[0] == 409


@pytest.mark.parametrize("due", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "2026-03-01T09:00:00"])
async def test_a_moment_that_is_none_is_refused(orders: Orders, due: str) -> None:
    status, problem, _ = await orders("post", "/v1/loops", {**TO_REVIEWER, "due": due})
    assert (status, problem["errors"][0]["pointer"]) == (422, "/due")

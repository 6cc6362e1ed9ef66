"""Conversations and alerts over HTTP: said, read, raised, listed, and each answer held to the OpenAPI document."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.startup import WORKSPACE
from bot.web.api import build_api
from core.tools import OpPolicy, ToolPolicy
from tests.web.orders import ONE, Orders, orders, slug
from tests.web.serving import served
from tests.web.test_api_events import streaming, take

__all__ = ["orders"]


async def test_what_is_said_in_a_conversation_moves_its_work_and_what_is_not_known_changes_nothing(
    orders: Orders,
) -> None:
    made = await orders.order(id="wo-7")
    path, place = "/v1/conversations/{id}/messages", made["conversation"]["id"]
    text = "[CLAIM wo-7] mine\n[RESULT wo-9] OK done\n[TOOL loop.list {}]"
    status, said, _ = await orders("post", path, {"text": text}, by="reviewer", id=place)
    assert (status, [one["op"] for one in said["ran"]]) == (201, ["loop.list"])
    # To use a tool is progress of what was claimed.
    assert [(one["id"], one["state"]) for one in said["moved"]] == [("wo-7", "claimed"), ("wo-7", "running")]
    assert len(said["refused"]) == 1
    assert "wo-9" in said["refused"][0]
    _, shown, _ = await orders("get", ONE, name="wo-7")
    assert shown["claimed"]["by"]["handle"] == "reviewer"
    assert (await orders("post", path, {"text": "hello"}, by="stranger", id=place))[0] == 404
    assert (await orders("post", path, {"text": ""}, id=place))[0] == 422
    await orders("post", path, {"text": "How far is it?"}, id=place)
    _, listed, _ = await orders("get", "/v1/conversations", by="reviewer")
    assert [one["id"] for one in listed["items"]] == [place]
    assert (await orders("get", "/v1/conversations", query="?after=x"))[0] == 422
    _, page, _ = await orders("get", "/v1/events")
    assert "loop.message" in {one["type"] for one in page["items"]}


async def test_an_alert_has_one_work_order_at_most(orders: Orders) -> None:
    news = {"to": "agent:reviewer", "severity": "critical", "message": "The queue stands."}
    _, both, _ = await orders("post", "/v1/alerts", {**news, "order": True})
    assert (both["severity"], both["incident"], both["loop"]["alert"]) == ("CRITICAL", True, both["id"])
    _, alone, _ = await orders("post", "/v1/alerts", news)
    assert (alone["incident"], alone["order"]) == (False, None)
    path = "/v1/alerts/{id}/order"
    assert (await orders("post", path, by="stranger", id=alone["id"]))[0] == 404
    status, made, headers = await orders("post", path, {"due": "30m"}, by="reviewer", id=alone["id"])
    assert (status, made["alert"], headers["Location"]) == (201, alone["id"], f"/v1/loops/{made['id']}")
    assert (await orders("post", path, by="reviewer", id=alone["id"]))[0] == 422
    assert (await orders("post", "/v1/alerts", {**news, "severity": "!"}))[0] == 422
    _, page, _ = await orders("get", "/v1/events", by="boss")
    assert [one["type"] for one in page["items"]].count("alert.raised") == 2


async def test_alerts_are_listed_for_those_who_are_where_they_were_raised(orders: Orders) -> None:
    news = {"to": "agent:reviewer", "severity": "info", "message": "One"}
    raised = [(await orders("post", "/v1/alerts", {**news, "message": f"Alert {n}"}))[1] for n in (1, 2, 3)]
    _, first, _ = await orders("get", "/v1/alerts", query="?limit=2")
    _, rest, _ = await orders("get", "/v1/alerts", query=f"?limit=2&after={first['next']}")
    assert [*first["items"], *rest["items"]] == raised[::-1]
    assert rest["next"] is None
    for by, number in (("reviewer", 3), ("boss", 3), ("stranger", 0)):
        assert len((await orders("get", "/v1/alerts", by=by))[1]["items"]) == number
    assert (await orders("get", "/v1/alerts", query="?after=alr_x"))[0] == 422


async def test_what_was_said_in_a_conversation_is_read_by_those_who_are_in_it(orders: Orders) -> None:
    made = await orders.order(id="wo-7")
    path, place = "/v1/conversations/{id}/messages", made["conversation"]["id"]
    said = [(await orders("post", path, {"text": f"Step {n}"}, id=place))[1] for n in (1, 2, 3)]
    _, first, _ = await orders("get", path, by="reviewer", query="?limit=2", id=place)
    _, rest, _ = await orders("get", path, by="reviewer", query=f"?after={first['next']}", id=place)
    assert [one["id"] for one in (*first["items"], *rest["items"])] == [one["id"] for one in reversed(said)]
    assert [(one["text"], one["by"]["handle"]) for one in rest["items"]] == [("Step 1", "builder")]
    for by, id in (("stranger", place), ("builder", "cnv_x")):
        status, problem, _ = await orders("get", path, by=by, id=id)
        assert (status, slug(problem)) == (404, "not-found")
    assert (await orders("get", path, query="?after=x", id=place))[0] == 422


async def test_an_alert_is_an_event_for_who_raised_it_and_its_webhook_is_an_address(orders: Orders) -> None:
    news = {"to": "agent:reviewer", "severity": "info", "message": "One"}
    _, raised, _ = await orders("post", "/v1/alerts", {**news, "continuation": {"state": {"run": 7}}})
    for by in ("builder", "reviewer", "boss"):
        _, page, _ = await orders("get", "/v1/events", by=by)
        assert [(one["type"], one["data"]) for one in page["items"]] == [
            ("alert.raised", {"alert": raised, "state": {"run": 7} if by == "builder" else None})
        ]
    assert (await orders("get", "/v1/events", by="stranger"))[1]["items"] == []
    status, problem, _ = await orders("post", "/v1/alerts", {**news, "continuation": {"webhook": "ftp://x"}})
    assert (status, problem["errors"][0]["pointer"]) == (422, "/continuation/webhook")


async def test_a_call_that_people_look_at_first_says_so(orders: Orders) -> None:
    made = await orders.order(id="wo-7")
    store, path = orders.api.store, "/v1/conversations/{id}/messages"
    async with store.work() as work:
        policy = OpPolicy(op="loop.list", policy=ToolPolicy.ASK_FIRST)
        await work.set_tool_policy(WORKSPACE, policy, datetime.now(UTC))
        await work.commit()
    _, said, _ = await orders("post", path, {"text": "[TOOL loop.list {}]"}, id=made["conversation"]["id"])
    assert (said["ran"], [one["op"] for one in said["waiting"]]) == ([], ["loop.list"])
    status, card, _ = await orders("get", "/v1/interactions/{id}", id=said["waiting"][0]["result"]["interaction"])
    assert (status, card["status"], card["title"]) == (200, "pending", "Run loop.list?")


async def test_a_stream_tells_of_work_orders_and_goes_on_after_the_event_that_was_last_heard(orders: Orders) -> None:
    made = await orders.order(id="wo-7", continuation={"state": {"run": 7}})
    await orders("post", f"{ONE}/ack", by="reviewer", name="wo-7")
    async with served(build_api(orders.api.services)) as address:
        async with streaming(address) as messages:
            told = await take(messages, 2)
            assert [one.data["type"] for one in told] == ["loop.opened", "loop.acknowledged"]
            assert all(one.id == one.data["id"] for one in told)
            await orders("post", f"{ONE}/claim", by="reviewer", name="wo-7")
            (claimed,) = await take(messages, 1)
            assert (claimed.data["type"], claimed.data["data"]["state"]) == ("loop.claimed", {"run": 7})
            assert claimed.data["data"]["loop"]["claimed"]["by"]["handle"] == "reviewer"
        place = made["conversation"]["id"]
        words = {"text": "[RESULT wo-7] OK done"}
        await orders("post", "/v1/conversations/{id}/messages", words, by="reviewer", id=place)
        async with streaming(address, by="reviewer", last=claimed.id) as messages:
            assert [one.data["type"] for one in await take(messages, 1)] == ["loop.closed"]
        _, listed, _ = await orders("get", "/v1/events", query=f"?after={claimed.id}")
        assert [one["type"] for one in listed["items"]] == ["loop.closed"]

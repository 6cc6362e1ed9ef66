"""What an operator reads of a real process: a line and a count per arrival, decision and delivery, and no secret."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.stand_in import TelegramStandIn
from tests.flows.processes import Process, process
from tests.flows.rig import (
    ANA,
    KEY,
    SIGNING_KEY,
    TG_ANA,
    eventually,
    free_port,
    question,
    settings_for,
    sqlite_at,
    stand_ins,
)

Served = tuple[SlackStandIn, TelegramStandIn, int, Process]


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with stand_ins() as (slack, telegram, group):
        settings = settings_for(slack, telegram, sqlite_at(tmp_path), free_port(), socket_mode=True)
        async with process(settings, tmp_path / "log") as one:
            yield slack, telegram, group, one
            await one.stop()


async def _asked_in(one: Process, to: str) -> None:
    """Ask, and wait until the card is up."""
    async with httpx2.AsyncClient(base_url=one.url, headers={"Authorization": f"Bearer {KEY}"}, timeout=30) as api:
        id_ = (await api.post("/v1/interactions", json=question(to=to))).json()["id"]

        async def posted() -> bool:
            return bool((await api.get(f"/v1/interactions/{id_}")).json()["publications"][0]["message"])

        await eventually(posted)


def _lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


async def test_every_arrival_decision_and_delivery_leaves_a_line_and_no_secret(served: Served, tmp_path: Path) -> None:
    slack, telegram, group, one = served
    await _asked_in(one, "slack:C0123")
    await _asked_in(one, f"telegram:{group}")
    await slack.person(ANA).press("Yes")
    await telegram.human.press(TG_ANA, group, "No")

    async def all_said() -> bool:
        lines = _lines(tmp_path / "log")
        return len([line for line in lines if line["event"] == "delivered" and line["lane"] == "redraw"]) == 2

    await eventually(all_said, 15)
    lines = _lines(tmp_path / "log")
    pressed = [line for line in lines if line["event"] == "arrival" and line["kind"] == "pressed"]
    assert [(line["provider"], line["reply"]) for line in pressed] == [("slack", "saved"), ("telegram", "saved")]
    assert len([line for line in lines if line["event"] == "delivered" and line["lane"] == "post"]) == 2
    decided = [line["type"] for line in lines if line["event"] == "decision"]
    assert decided == ["interaction.created"] * 2 + ["interaction.answered"] * 2
    async with httpx2.AsyncClient(base_url=one.url) as http:
        counted = (await http.get("/metrics")).text
    for said in (
        'sayso_arrivals_total{kind="pressed",provider="slack",reply="saved"} 1.0',
        'sayso_arrivals_total{kind="pressed",provider="telegram",reply="saved"} 1.0',
        'sayso_events_total{type="interaction.answered"} 2.0',
        'sayso_deliveries_total{lane="post",outcome="done"} 2.0',
        'sayso_arrival_seconds_count{provider="slack"}',
    ):
        assert said in counted, said
    text = (tmp_path / "log").read_text("utf-8")
    secrets = (slack.bot_token, slack.app_token, telegram.bot_token, KEY, SIGNING_KEY, "s" * 64)
    assert [secret for secret in secrets if secret in text] == []
    assert "Ship now?" not in text


WROTE = "zebra-plans"
"""Stands in everything that people and programs say here."""


async def test_what_people_and_programs_say_stands_in_no_log_and_no_metric_whatever_comes_of_it(
    served: Served, tmp_path: Path
) -> None:
    slack, telegram, group, one = served
    bearer, key = {"Authorization": f"Bearer {KEY}"}, {"Idempotency-Key": f"{WROTE}-key"}
    telling = {"webhook": f"http://127.0.0.1:1/{WROTE}?{WROTE}", "state": {WROTE: WROTE}}
    options = [{"id": "yes", "label": f"{WROTE} yes"}, {"id": "no", "label": "No"}]
    asking = question(
        to=["slack:C0123", f"telegram:{group}"],
        title=f"{WROTE} title",
        body=f"**{WROTE}** body <{WROTE}>",
        payload={
            "questions": [{"id": "q1", "type": "choice", "prompt": f"{WROTE}?", "options": options, "custom": True}]
        },
        continuation=telling,
    )
    async with httpx2.AsyncClient(base_url=one.url, headers=bearer, timeout=30) as api:
        refused = [
            await api.post("/v1/interactions", content=f'{{"title": "{WROTE}'),  # no JSON
            await api.post("/v1/interactions", json={WROTE: WROTE, "kind": WROTE}),
            await api.post("/v1/interactions", json={**asking, "to": f"slack:{WROTE}"}),
            await api.get(f"/v1/interactions/{WROTE}?wait={WROTE}"),
            await api.get(f"/review/{WROTE}", params={"next": WROTE}),
            await api.post("/slack/events", content=f"payload={WROTE}"),
            await api.post("/telegram/webhook", json={"message": {"text": WROTE}}),
            await api.post("/mcp", json={"method": WROTE}),
        ]
        assert {response.status_code for response in refused} <= {303, 400, 401, 403, 404, 405, 406, 422}
        asked = (await api.post("/v1/interactions", json=asking, headers=key)).json()

        async def posted() -> bool:
            copies = (await api.get(f"/v1/interactions/{asked['id']}")).json()["publications"]
            return all(copy["message"] for copy in copies)

        await eventually(posted)
        copies = (await api.get(f"/v1/interactions/{asked['id']}")).json()["publications"]
        await slack.person(ANA).write(f"{WROTE} in a thread", channel="C0123", thread_ts=copies[0]["message"])
        await slack.person(ANA).command("/sayso", f"zone {WROTE}", channel="C0123")
        telegram.human.write(TG_ANA, group, f"{WROTE} in a group", reply_to=int(copies[1]["message"]))
        telegram.human.write(TG_ANA, TG_ANA, f"/zone {WROTE}")
        spoken = {"to": "slack:C0123", "title": f"{WROTE} order", "body": WROTE, "continuation": telling}
        order = await api.post("/v1/loops", json=spoken)
        assert order.status_code == 201, order.text
        name = order.json()["id"]
        said = {"text": f"[RESULT {name}] OK {WROTE}"}
        conversation = order.json()["conversation"]["id"]
        spoke = await api.post(f"/v1/conversations/{conversation}/messages", json=said)
        assert spoke.status_code < 300, spoke.text
        await api.post(f"/v1/interactions/{asked['id']}/withdraw", json={"revision": 1, "reason": f"{WROTE} reason"})

        async def all_taken() -> bool:
            lines = _lines(tmp_path / "log")
            kinds = {(line.get("provider"), line.get("kind")) for line in lines if line["event"] == "arrival"}
            failed = [line for line in lines if line["event"] == "webhook not delivered"]
            wanted = {("slack", "wrote"), ("slack", "commanded"), ("telegram", "wrote"), ("telegram", "commanded")}
            return kinds >= wanted and len(failed) >= 2

        await eventually(all_taken, 60)
        counted = (await api.get("/metrics")).text
    log = (tmp_path / "log").read_text("utf-8")
    assert [line for line in log.splitlines() if WROTE in line] == []
    assert WROTE not in counted

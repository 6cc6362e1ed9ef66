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

"""What is asked before a chat is connected waits for it, and is posted there once."""

from __future__ import annotations

from pathlib import Path

import httpx2

from bot.sandbox.slack.faults import FaultKind
from tests.flows.rig import (
    ANA,
    CHANNEL,
    KEY,
    NOBODY,
    Rig,
    eventually,
    free_port,
    question,
    service,
    settings_for,
    sqlite_at,
    stand_ins,
    unpaced,
)

OFTEN = 1_000_000


async def test_what_is_asked_while_slack_is_still_connecting_is_posted_there_once(tmp_path: Path) -> None:
    async with stand_ins() as (slack, telegram, group):
        slack.fail(FaultKind.STATUS, "auth.test", status=500, count=OFTEN)
        given = settings_for(slack, telegram, sqlite_at(tmp_path), free_port())
        url = f"http://127.0.0.1:{given['sayso_port']}"
        headers = {"Authorization": f"Bearer {KEY}"}
        calling = httpx2.AsyncClient(base_url=url, headers=headers, timeout=70, verify=NOBODY)
        async with service(given, unpaced(), waits=False) as app, calling as api:
            r = Rig(slack, telegram, api, url, group, [app])
            asked = await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{group}"])

            async def elsewhere() -> bool:
                in_slack, in_telegram = (await r.get(asked["id"]))["publications"]
                return (in_slack["state"], in_telegram["state"]) == ("queued", "posted")

            async def tried() -> bool:
                return "sayso_deliveries_retrying 1.0" in (await api.get("/metrics")).text

            await eventually(elsewhere)  # one chat that is not there keeps nothing from the other
            await eventually(tried)
            ready = await api.get("/readyz")
            assert (ready.status_code, list(ready.json()["chats"])) == (200, ["slack"])
            key = {"Idempotency-Key": "later"}
            bodies = [(await api.post("/v1/interactions", json=question(title="Later"), headers=key)) for _ in range(2)]
            assert [one.status_code for one in bodies] == [201, 201]
            later = bodies[0].json()["id"]
            assert later == bodies[1].json()["id"]
            assert {(await r.get(id))["status"] for id in (asked["id"], later)} == {"pending"}
            assert slack.platform.journal.of("chat.postMessage") == []

            slack.platform.faults.clear()
            slack.request_url = f"{url}/slack/events"
            copies = [(await r.posted(id))["publications"][0] for id in (asked["id"], later)]
            assert (await api.get("/readyz")).json()["chats"] == {}
            for id, copy in zip((asked["id"], later), copies, strict=True):
                seen = await slack.person(ANA).press("Yes", ts=copy["message"], channel=copy["channel"])
                assert (seen.status, seen.trouble) == (200, None)
                assert (await r.shown_settled(id))["status"] == "answered"
            assert len(slack.platform.journal.of("chat.postMessage")) == 2

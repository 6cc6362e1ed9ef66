"""Reading over HTTP: who sees what, pages, and waiting for an answer."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from bot.startup import WORKSPACE
from bot.webhooks import body_of
from core.acts import Accept, Reject, Respond
from core.errors import NotFound
from core.kinds.answers import Answer
from core.ports import Committed
from core.reminding import Reminder, ReminderState, changed
from tests.web.calling import ANA, Calling, confirmation, for_agent, question

YES = Respond({"ship": Answer(value="yes")}, 1)
LONG = 30


async def test_a_key_sees_what_it_asked_and_what_names_it_and_an_operator_sees_all(either_api: Calling) -> None:
    own = await either_api.ask()
    naming = await either_api.ask(question(**for_agent("reviewer")), by="stranger")
    seen = {
        name: [one["id"] for one in (await either_api.get("/interactions", by=name)).json()["items"]]
        for name in ("builder", "reviewer", "stranger", "boss")
    }
    assert seen == {"builder": [own], "reviewer": [naming], "stranger": [naming], "boss": [naming, own]}


@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("GET", "", None),
        ("GET", "?wait=1", None),
        ("GET", "/receipts", None),
        ("POST", "/respond", {"answers": {}, "revision": 1}),
        ("POST", "/accept", {"revision": 1}),
        ("POST", "/reject", {"revision": 1}),
        ("POST", "/withdraw", None),
        ("POST", "/reply", {"text": "hi"}),
        ("PATCH", "", {"revision": 1, "title": "Mine now"}),
        ("POST", "/cancel", None),
        ("POST", "/skip", None),
        ("POST", "/dismiss", None),
        ("POST", "/reopen", None),
    ],
)
async def test_anothers_interaction_looks_exactly_like_none(
    api: Calling, method: str, rest: str, body: dict[str, Any] | None
) -> None:
    id = await api.ask()
    foreign = await api.call(method, f"/interactions/{id}{rest}", body, by="stranger")
    absent = await api.call(method, f"/interactions/int_{'0' * 26}{rest}", body, by="stranger")
    assert foreign.status_code == absent.status_code == 404
    assert foreign.json() == absent.json()


async def test_pages_hold_everything_once_newest_first(either_api: Calling) -> None:
    asked = [await either_api.ask(question(title=f"No. {number}")) for number in range(7)]
    found: list[str] = []
    path = "/interactions?limit=3"
    while True:
        page = (await either_api.get(path)).json()
        assert len(page["items"]) <= 3
        found += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        path = f"/interactions?limit=3&after={page['next']}"
    assert found == asked[::-1]


async def test_a_page_that_ends_the_list_exactly_has_no_next(api: Calling) -> None:
    for _ in range(2):
        await api.ask()
    assert (await api.get("/interactions?limit=2")).json()["next"] is None


async def test_lists_can_be_narrowed_to_a_status_and_a_kind(api: Calling) -> None:
    first = await api.ask()
    second = await api.ask(confirmation())
    await api.post(f"/interactions/{first}/withdraw")
    by_status = (await api.get("/interactions?status=pending&status=accepted")).json()
    by_kind = (await api.get("/interactions?kind=questions")).json()
    assert [one["id"] for one in by_status["items"]] == [second]
    assert [one["id"] for one in by_kind["items"]] == [first]


PARAMETERS = [
    ("/interactions?limit=0", "/limit"),
    ("/interactions?limit=101", "/limit"),
    ("/interactions?limit=many", "/limit"),
    ("/interactions?after=1", "/after"),
    ("/interactions?after=int_short", "/after"),
    ("/interactions?after=evt_00000000000000000000000000", "/after"),
    ("/interactions?after=", "/after"),
    ("/interactions?status=open", "/status/0"),
    ("/interactions?kind=poll", "/kind/0"),
    ("/interactions/{id}?wait=-1", "/wait"),
    ("/interactions/{id}?wait=nan", "/wait"),
    ("/interactions/{id}?wait=inf", "/wait"),
    ("/interactions/{id}?wait=later", "/wait"),
    ("/interactions/{id}/receipts?after=rcp_none", "/after"),
    ("/interactions/{id}/receipts?limit=0", "/limit"),
    ("/events?after=evt_none", "/after"),
    ("/events?after=%00", "/after"),
    ("/events?limit=1000", "/limit"),
]


@pytest.mark.parametrize(("path", "pointer"), PARAMETERS)
async def test_a_wrong_parameter_is_pointed_at(either_api: Calling, path: str, pointer: str) -> None:
    id = await either_api.ask()
    response = await either_api.get(path.format(id=id))
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer]


async def test_waiting_ends_as_soon_as_somebody_answers(either_api: Calling) -> None:
    id = await either_api.ask()
    started = time.monotonic()
    waiting = asyncio.create_task(either_api.get(f"/interactions/{id}?wait={LONG}"))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await either_api.answer_as(ANA, id, YES)
    shown = (await waiting).json()
    assert time.monotonic() - started < LONG
    assert (shown["status"], shown["outcome"]["answer"]) == ("answered", {"ship": {"value": "yes"}})
    assert shown["outcome"]["by"] == {"type": "person", "id": "per_ana", "handle": "ana", "identity": "slack:T1.U1"}


async def test_an_answer_that_no_hint_told_of_is_found_by_looking(api: Calling) -> None:
    id = await api.ask()
    waiting = asyncio.create_task(api.get(f"/interactions/{id}?wait={LONG}"))
    await asyncio.sleep(0.05)
    # Another process commits: this one's waiter hears nothing of it.
    told: list[Committed] = []
    api.store.work._wake, before = told.append, api.store.work._wake
    await api.answer_as(ANA, id, YES)
    api.store.work._wake = before
    assert told
    assert (await asyncio.wait_for(waiting, LONG)).json()["status"] == "answered"


async def test_waiting_for_what_is_settled_does_not_wait(api: Calling) -> None:
    id = await api.ask()
    await api.answer_as(ANA, id, YES)
    started = time.monotonic()
    assert (await api.get(f"/interactions/{id}?wait={LONG}")).json()["status"] == "answered"
    assert time.monotonic() - started < LONG


async def test_a_wait_that_is_over_shows_it_as_it_stands(api: Calling) -> None:
    id = await api.ask()
    assert (await api.get(f"/interactions/{id}?wait=0.05")).json()["status"] == "pending"
    assert (await api.get(f"/interactions/{id}?wait=0")).json()["status"] == "pending"


async def test_a_longer_wait_than_a_minute_counts_as_a_minute(api: Calling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.web.asking.LONGEST_WAIT", 0.05)
    id = await api.ask()
    shown = await asyncio.wait_for(api.get(f"/interactions/{id}?wait=3600"), 5)
    assert shown.json()["status"] == "pending"


async def test_a_client_that_goes_away_cancels_nothing(api: Calling) -> None:
    id = await api.ask()
    waiting = asyncio.create_task(api.get(f"/interactions/{id}?wait={LONG}"))
    await asyncio.sleep(0.05)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"
    await api.answer_as(ANA, id, YES)
    assert (await api.get(f"/interactions/{id}?wait={LONG}")).json()["status"] == "answered"


async def test_many_wait_for_one_and_one_waits_beside_many(api: Calling) -> None:
    mine, others = await api.ask(), await api.ask()
    waiting = [asyncio.create_task(api.get(f"/interactions/{mine}?wait={LONG}")) for _ in range(20)]
    beside = asyncio.create_task(api.get(f"/interactions/{others}?wait={LONG}"))
    await asyncio.sleep(0.05)
    await api.answer_as(ANA, mine, YES)
    assert {(await one).json()["status"] for one in waiting} == {"answered"}
    assert not beside.done()
    await api.services.waiter.close()
    assert (await beside).json()["status"] == "pending"  # the service stops: it answers with what there is


async def test_half_a_surrogate_pair_from_a_chat_breaks_nothing(api: Calling) -> None:
    id = await api.ask(confirmation())
    await api.answer_as(ANA, id, Reject(1, "ha\ud83d!"))
    assert (await api.get(f"/interactions/{id}")).json()["outcome"]["reason"] == "ha?!"
    events = (await api.get("/events")).json()["items"]
    assert events[-1]["data"]["interaction"]["outcome"]["reason"] == "ha?!"
    stored = await api.store.records.event(WORKSPACE, events[-1]["id"])
    assert stored is not None
    assert json.loads(body_of(stored))["data"]["interaction"]["outcome"]["reason"] == "ha?!"


async def test_an_answer_before_anybody_waits_is_not_lost(api: Calling) -> None:
    id = await api.ask(confirmation())
    await api.answer_as(ANA, id, Accept(1))
    shown = (await api.get(f"/interactions/{id}?wait={LONG}")).json()
    assert shown["outcome"]["answer"] == {"accepted": True}
    with pytest.raises(NotFound):
        await api.answer_as(ANA, "int_unknown", Accept(1))


async def test_a_list_says_what_waits_as_each_card_does(api: Calling) -> None:
    nudged = {"policy": {"nudges": {"every": "30m"}}}
    refused, fine, none = [await api.ask(question(**more)) for more in (nudged, nudged, {})]
    async with api.store.work() as work:
        (copy,) = await work.publications(refused)
        owed = Reminder("rem_1", WORKSPACE, refused, copy.id, copy.conversation, 1, 3, api.clock.now())
        await work.add_reminder(changed(owed, ReminderState.OWED, "the chat takes nothing now"))
        await work.commit()
    listed = {one["id"]: one["reminders"] for one in (await api.get("/interactions")).json()["items"]}
    assert listed[refused]["waiting"] == [{"reason": "provider_pace", "until": None}]
    assert listed[fine]["waiting"] == []
    assert listed[none] is None
    for id, reminders in listed.items():
        assert (await api.get(f"/interactions/{id}")).json()["reminders"] == reminders

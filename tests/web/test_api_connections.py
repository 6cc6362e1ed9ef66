"""Connections over the API: granted by the operator who set out, asked for once at a time."""

from __future__ import annotations

import asyncio

from bot.startup import WORKSPACE
from core.acts import SetOut
from core.kinds import Kind
from core.kinds.connection import digest_of
from core.use_cases.change import operate
from tests.web.calling import ANA, Calling, example, for_agent
from tests.web.test_api_kinds import act, slug


async def set_out(api: Calling, id: str, state: str) -> None:
    await operate(api.services.context, WORKSPACE, id, SetOut(1, digest_of(state)), ANA, ANA.identities[0])


async def test_a_connection_is_granted_by_the_operator_whose_state_came_back(either_api: Calling) -> None:
    id = await either_api.ask(example(Kind.CONNECTION))
    early = await either_api.post(f"/interactions/{id}/connected", {"state": "s-1"})
    assert (early.status_code, early.json()["errors"][0]["pointer"]) == (422, "/state")
    await set_out(either_api, id, "s-1")
    for by, status in (("reviewer", 404), ("boss", 403)):
        other = await either_api.post(f"/interactions/{id}/connected", {"state": "s-1"}, by=by)
        assert other.status_code == status, by
    wrong = await either_api.post(f"/interactions/{id}/connected", {"state": "s-2"})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/state")
    done = await either_api.post(f"/interactions/{id}/connected", {"state": "s-1"})
    outcome = done.json()["outcome"]
    assert (done.status_code, outcome["status"], outcome["answer"]) == (200, "accepted", {"connected": True})
    assert (outcome["by"]["handle"], outcome["via"]) == ("ana", "review")
    assert "s-1" not in (await either_api.get(f"/interactions/{id}/receipts")).text
    again = await either_api.post(f"/interactions/{id}/connected", {"state": "s-1"})
    assert (again.status_code, again.json()) == (200, done.json())


async def test_a_state_is_good_for_an_hour(api: Calling) -> None:
    id = await api.ask(example(Kind.CONNECTION))
    await set_out(api, id, "s-1")
    api.clock.move(minutes=61)
    late = await api.post(f"/interactions/{id}/connected", {"state": "s-1"})
    assert (late.status_code, late.json()["errors"][0]["pointer"]) == (422, "/state")
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


async def test_a_second_ask_for_the_same_service_is_the_card_that_is_open(either_api: Calling) -> None:
    asked = example(Kind.CONNECTION, **for_agent())
    first = await either_api.post("/interactions", asked)
    other = {**asked, "title": "Once more", "payload": {**asked["payload"], "purpose": "Another"}}
    again = await either_api.post("/interactions", other)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.headers["location"] == first.headers["location"]
    assert again.json() == first.json()
    elsewhere = {**asked, "payload": {**asked["payload"], "service": "gitlab"}}
    assert (await either_api.post("/interactions", elsewhere)).status_code == 201
    assert (await either_api.post("/interactions", asked, by="stranger")).status_code == 201
    await act(either_api, first.json()["id"], "reject")
    anew = await either_api.post("/interactions", asked)
    assert anew.status_code == 201
    assert anew.json()["id"] != first.json()["id"]


async def test_many_asks_for_one_service_at_once_are_one_card(either_api: Calling) -> None:
    answers = await asyncio.gather(*(either_api.post("/interactions", example(Kind.CONNECTION)) for _ in range(12)))
    assert sorted(one.status_code for one in answers) == [200] * 11 + [201]
    assert len({one.json()["id"] for one in answers}) == 1


async def test_a_connection_keeps_its_service_and_is_granted_nowhere_but_on_the_page(api: Calling) -> None:
    asked = example(Kind.CONNECTION, **for_agent())
    id = await api.ask(asked)
    patched = await api.call(
        "PATCH", f"/interactions/{id}", {"revision": 1, "payload": {**asked["payload"], "service": "gitlab"}}
    )
    assert [fault["pointer"] for fault in patched.json()["errors"]] == ["/payload/service"]
    granted = await api.post(f"/interactions/{id}/accept", {"revision": 1}, by="reviewer")
    assert (granted.status_code, slug(granted.json())) == (422, "invalid")
    declined = await act(api, id, "reject", reason="Ask again in spring")
    assert (declined["status"], declined["outcome"]["answer"]) == ("rejected", {"connected": False})
    assert declined["outcome"]["reason"] == "Ask again in spring"


# ------------------------------------------------------------------------------------------------------ what is wrong

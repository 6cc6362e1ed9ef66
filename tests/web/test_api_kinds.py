"""Checklists, verdicts, suggested tasks and connections over HTTP: what each act leads to, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.acts import Accept, Judge, SetOut, Tick
from core.kinds import Kind
from core.kinds.connection import digest_of
from core.kinds.item_verdicts import Given
from core.use_cases.change import operate
from tests.web.calling import ANA, BEN, CHANNEL, Calling, example, for_agent

BOTH = {"audience": {"answerers": ["conversation", "agent:reviewer"]}}
APPROVE = {"item": "pydantic", "verdict": "approve"}
REJECT = {"item": "sqlalchemy", "verdict": "reject", "reason": "Not in a release week"}
REVIEWER = {"type": "agent", "id": "agt_reviewer", "handle": "reviewer", "identity": None}


def slug(problem: dict[str, Any]) -> str:
    return str(problem["type"]).rpartition("/")[2]


async def types(api: Calling, id: str) -> list[str]:
    items = (await api.get(f"/interactions/{id}/receipts")).json()["items"]
    return [one["type"] for one in items]


async def act(api: Calling, id: str, name: str, **body: Any) -> Any:
    """Act as the reviewer, and return what was answered."""
    response = await api.post(f"/interactions/{id}/{name}", {"revision": 1, **body}, by="reviewer")
    assert response.status_code == 200, response.text
    return response.json()


# ---------------------------------------------------------------------------------------------------------- checklist


async def test_a_checklist_is_ticked_by_several_and_completed_by_one(either_api: Calling) -> None:
    id = await either_api.ask(example(Kind.CHECKLIST, **BOTH))
    shown = await act(either_api, id, "ticks", tick=["canary"])
    assert (shown["status"], shown["outcome"]) == ("pending", None)
    assert shown["progress"]["selected"] == ["notes", "canary"]
    (mine,) = shown["progress"]["ticks"]
    assert (mine["id"], mine["by"]) == ("canary", REVIEWER)
    await either_api.answer_as(BEN, id, Tick(1, ("oncall",), ("notes",)))
    done = await act(either_api, id, "accept")
    assert done["status"] == "completed"
    assert done["outcome"]["answer"] == done["progress"]
    assert [(one["id"], one["by"]["handle"]) for one in done["outcome"]["answer"]["ticks"]] == [
        ("canary", "reviewer"),
        ("oncall", "ben"),
    ]
    assert await types(either_api, id) == ["created", "ticked", "ticked", "completed"]
    events = (await either_api.get("/events")).json()["items"]
    assert [one["type"].partition(".")[2] for one in events] == ["created", "progressed", "progressed", "completed"]
    assert (events[2]["data"]["tick"], events[2]["data"]["untick"]) == (["oncall"], ["notes"])
    assert events[2]["data"]["by"]["handle"] == "ben"


async def test_ticking_what_is_ticked_is_no_news_and_stays_whose_it_is(api: Calling) -> None:
    id = await api.ask(example(Kind.CHECKLIST, **BOTH))
    await api.answer_as(ANA, id, Tick(1, ("canary",)))
    again = await act(api, id, "ticks", tick=["canary", "notes"], untick=["oncall"])
    assert again["progress"]["ticks"][0]["by"]["handle"] == "ana"
    assert await types(api, id) == ["created", "ticked"]


async def test_a_checklist_can_be_completed_with_exactly_these_ticked(api: Calling) -> None:
    id = await api.ask(example(Kind.CHECKLIST, **BOTH))
    await api.answer_as(ANA, id, Tick(1, ("canary",)))
    done = await act(api, id, "accept", selected=["canary", "oncall"])
    assert done["outcome"]["answer"]["selected"] == ["canary", "oncall"]
    assert [one["by"]["handle"] for one in done["outcome"]["answer"]["ticks"]] == ["ana", "reviewer"]
    assert await types(api, id) == ["created", "ticked", "ticked", "completed"]
    assert (await act(api, id, "accept", selected=["oncall", "canary"])) == done


async def test_twenty_ticks_at_once_are_all_kept(either_api: Calling) -> None:
    items = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(20)]
    id = await either_api.ask(example(Kind.CHECKLIST, payload={"items": items}, **BOTH))
    await asyncio.gather(*(act(either_api, id, "ticks", tick=[one["id"]]) for one in items))
    shown = (await either_api.get(f"/interactions/{id}")).json()
    assert shown["progress"]["selected"] == [one["id"] for one in items]
    assert sorted(one["id"] for one in shown["progress"]["ticks"]) == sorted(one["id"] for one in items)
    assert (await types(either_api, id)).count("ticked") == 20


async def test_whoever_ticked_before_the_end_may_send_it_again(api: Calling) -> None:
    id = await api.ask(example(Kind.CHECKLIST, **BOTH))
    await act(api, id, "ticks", tick=["canary"])
    end = (await api.answer_as(ANA, id, Accept(1))).snapshot
    assert await act(api, id, "ticks", tick=["canary"]) == end
    late = await api.post(f"/interactions/{id}/ticks", {"revision": 1, "tick": ["oncall"]}, by="reviewer")
    assert (late.status_code, slug(late.json()), late.json()["outcome"]) == (409, "already-settled", end["outcome"])


# ------------------------------------------------------------------------------------------------------ item verdicts


async def test_verdicts_are_kept_as_they_come_and_the_last_completes_the_card(either_api: Calling) -> None:
    id = await either_api.ask(example(Kind.ITEM_VERDICTS, **BOTH))
    first = await act(either_api, id, "verdicts", verdicts=[APPROVE])
    assert (first["status"], first["late"], list(first["progress"]["verdicts"])) == ("pending", [], ["pydantic"])
    done = await act(either_api, id, "verdicts", verdicts=[REJECT])
    assert (done["status"], done["late"]) == ("completed", [])
    given = done["outcome"]["answer"]["verdicts"]
    assert {item: (one["verdict"], one["reason"]) for item, one in given.items()} == {
        "pydantic": ("approve", None),
        "sqlalchemy": ("reject", "Not in a release week"),
    }
    assert await types(either_api, id) == ["created", "judged", "judged", "completed"]
    events = (await either_api.get("/events")).json()["items"]
    assert [one["type"].partition(".")[2] for one in events] == ["created", "progressed", "completed"]
    assert events[1]["data"]["verdicts"] == {"pydantic": {"verdict": "approve", "reason": None}}


async def test_the_first_verdict_stands_and_a_later_one_is_told_whose_it_is(api: Calling) -> None:
    id = await api.ask(example(Kind.ITEM_VERDICTS, **BOTH))
    await api.answer_as(ANA, id, Judge(1, (Given("pydantic", "defer"),)))
    late = await api.post(f"/interactions/{id}/verdicts", {"verdicts": [APPROVE], "revision": 1}, by="reviewer")
    assert (late.status_code, slug(late.json()), late.json()["outcome"]) == (409, "already-settled", None)
    assert "Ana has decided this item already: Defer" in late.json()["detail"]
    done = await act(api, id, "verdicts", verdicts=[REJECT, APPROVE])
    (told,) = done["late"]
    assert (told["pointer"], done["status"]) == ("/verdicts/1", "completed")
    assert "Ana" in told["detail"]
    assert done["outcome"]["answer"]["verdicts"]["pydantic"]["by"]["handle"] == "ana"


async def test_whoever_judged_an_item_before_the_end_may_send_it_again(api: Calling) -> None:
    id = await api.ask(example(Kind.ITEM_VERDICTS, **BOTH))
    await act(api, id, "verdicts", verdicts=[APPROVE])
    assert (await act(api, id, "verdicts", verdicts=[APPROVE]))["late"] == []
    end = (await api.answer_as(ANA, id, Judge(1, (Given("sqlalchemy", "approve"),)))).snapshot
    assert await act(api, id, "verdicts", verdicts=[APPROVE]) == {**end, "late": []}
    late = await api.post(f"/interactions/{id}/verdicts", {"verdicts": [REJECT], "revision": 1}, by="reviewer")
    assert (late.status_code, late.json()["outcome"]) == (409, end["outcome"])


async def test_of_many_verdicts_on_one_item_at_once_the_first_stands(either_api: Calling) -> None:
    id = await either_api.ask(example(Kind.ITEM_VERDICTS, **BOTH))
    choices = ["approve", "defer"] * 5
    answers = await asyncio.gather(
        *(
            either_api.post(
                f"/interactions/{id}/verdicts",
                {"verdicts": [{"item": "pydantic", "verdict": one}], "revision": 1},
                by="reviewer",
            )
            for one in choices
        )
    )
    stands = (await either_api.get(f"/interactions/{id}")).json()["progress"]["verdicts"]["pydantic"]["verdict"]
    assert [one.status_code for one in answers] == [200 if choice == stands else 409 for choice in choices]
    assert (await types(either_api, id)).count("judged") == 1


# ---------------------------------------------------------------------------------------------------- suggested tasks


async def test_accepted_tasks_are_rows_with_ids_parents_and_edits(either_api: Calling) -> None:
    id = await either_api.ask(example(Kind.SUGGESTED_TASKS, **BOTH))
    edits = {"runbook": {"title": "Write the queue runbook", "assignee": "", "priority": "low"}}
    done = await act(either_api, id, "accept", selected=["runbook", "alerts"], edits=edits)
    answer = done["outcome"]["answer"]
    assert (done["status"], answer["selected"], answer["skipped"]) == ("accepted", ["alerts", "runbook"], ["drill"])
    ids = {one["key"]: one["id"] for one in answer["created"]}
    assert list(ids) == ["alerts", "runbook"]
    page = (await either_api.get(f"/tasks?interaction={id}")).json()
    assert page["next"] is None
    tasks = {one["key"]: one for one in page["items"]}
    assert {key: one["id"] for key, one in tasks.items()} == ids
    child = tasks["runbook"]
    assert (child["title"], child["assignee"], child["priority"]) == ("Write the queue runbook", None, "low")
    assert (child["parent"], child["interaction"], child["by"]) == (ids["alerts"], id, REVIEWER)
    event = (await either_api.get("/events")).json()["items"][-1]
    assert event["type"] == "interaction.accepted"
    assert sorted(event["data"]["tasks"], key=lambda one: str(one["key"])) == [tasks["alerts"], child]
    receipt = (await either_api.get(f"/interactions/{id}/receipts")).json()["items"][-1]
    assert receipt["data"]["edits"]["runbook"]["title"] == "Write the queue runbook"
    assert await act(either_api, id, "accept", selected=["alerts", "runbook"], edits=edits) == done
    assert len((await either_api.get("/tasks")).json()["items"]) == 2


async def test_tasks_are_created_once_by_whoever_is_first(either_api: Calling) -> None:
    id = await either_api.ask(example(Kind.SUGGESTED_TASKS, **BOTH))
    bodies = [{"revision": 1, "selected": ["alerts"] if n % 2 else ["drill"]} for n in range(12)]
    answers = await asyncio.gather(
        *(either_api.post(f"/interactions/{id}/accept", body, by="reviewer") for body in bodies)
    )
    assert {one.status_code for one in answers} == {200, 409}
    assert len((await either_api.get(f"/tasks?interaction={id}")).json()["items"]) == 1


async def test_tasks_that_were_dismissed_are_recorded_and_none_is_made(api: Calling) -> None:
    id = await api.ask(example(Kind.SUGGESTED_TASKS, **BOTH))
    done = await act(api, id, "reject", reason="All done already")
    assert (done["status"], done["outcome"]["reason"]) == ("rejected", "All done already")
    assert done["outcome"]["answer"] == {"selected": [], "skipped": ["alerts", "runbook", "drill"], "created": []}
    assert (await api.get("/tasks")).json() == {"items": [], "next": None}


async def accepted(api: Calling, by: str, *keys: str) -> str:
    id = await api.ask(example(Kind.SUGGESTED_TASKS, **BOTH), by=by)
    await act(api, id, "accept", selected=keys)
    return id


async def test_tasks_are_listed_newest_first_in_pages_by_who_may_read_them(api: Calling) -> None:
    first = await accepted(api, "builder", "alerts", "runbook")
    second = await accepted(api, "stranger", "drill")
    everything = (await api.get("/tasks", by="boss")).json()["items"]
    assert [one["interaction"] for one in everything] == [second, first, first]
    assert [one["interaction"] for one in (await api.get("/tasks")).json()["items"]] == [first, first]
    assert [one["interaction"] for one in (await api.get("/tasks", by="stranger")).json()["items"]] == [second]
    assert len((await api.get("/tasks", by="reviewer")).json()["items"]) == 3
    assert (await api.get(f"/tasks?interaction={second}")).json() == {"items": [], "next": None}
    walked: list[dict[str, Any]] = []
    query = "?limit=1"
    while True:
        page = (await api.get(f"/tasks{query}", by="boss")).json()
        walked += page["items"]
        if page["next"] is None:
            break
        query = f"?limit=1&after={page['next']}"
    assert walked == everything


PLACES = [
    ("after=int_00000000000000000000000000", "/after"),  # the id of something else
    ("after=x", "/after"),
    ("interaction=x", "/interaction"),
    ("interaction=", "/interaction"),
    ("limit=0", "/limit"),
    ("limit=101", "/limit"),
]


async def test_a_wrong_place_in_the_list_of_tasks_is_pointed_at(api: Calling) -> None:
    for query, pointer in PLACES:
        response = await api.get(f"/tasks?{query}")
        assert (response.status_code, slug(response.json())) == (422, "invalid"), query
        assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer], query


# --------------------------------------------------------------------------------------------------------- connection


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

LONG = "x" * 161
WRONG: list[tuple[Kind, str, dict[str, Any], list[str], str]] = [
    (Kind.CHECKLIST, "ticks", {}, [""], "nothing to tick"),
    (Kind.CHECKLIST, "ticks", {"tick": "canary"}, ["/tick"], "a list is wanted"),
    (Kind.CHECKLIST, "ticks", {"tick": ["canary", 5, None]}, ["/tick/1", "/tick/2"], "ids are text"),
    (Kind.CHECKLIST, "ticks", {"tick": ["nope"], "untick": ["notes", "no"]}, ["/tick/0", "/untick/1"], "unknown ids"),
    (Kind.CHECKLIST, "ticks", {"tick": ["notes"], "untick": ["notes"]}, ["/untick/0"], "both at once"),
    (Kind.CHECKLIST, "ticks", {"tick": ["a"] * 201}, ["/tick"], "more than any card has"),
    (Kind.CHECKLIST, "ticks", {"tick": [LONG]}, ["/tick/0"], "longer than any id"),
    (Kind.CHECKLIST, "ticks", {"tick": ["notes"], "by": "ana"}, ["/by"], "nobody ticks for others"),
    (Kind.CHECKLIST, "accept", {}, ["/selected"], "fewer are ticked than the list asks for"),
    (Kind.CHECKLIST, "accept", {"selected": ["notes", "nope"]}, ["/selected/1"], "an unknown item"),
    (Kind.CHECKLIST, "accept", {"selected": ["notes", "notes"]}, ["/selected"], "an item twice"),
    (Kind.CHECKLIST, "accept", {"edits": {"notes": {}}}, ["/edits"], "items are not edited"),
    (Kind.CHECKLIST, "reject", {}, [""], "a checklist is not rejected"),
    (Kind.CHECKLIST, "respond", {"answers": {}}, ["/answers"], "it has no questions"),
    (Kind.ITEM_VERDICTS, "verdicts", {}, ["/verdicts"], "verdicts are wanted"),
    (Kind.ITEM_VERDICTS, "verdicts", {"verdicts": []}, ["/verdicts"], "none at all"),
    (Kind.ITEM_VERDICTS, "verdicts", {"verdicts": {}}, ["/verdicts"], "an object"),
    (Kind.ITEM_VERDICTS, "verdicts", {"verdicts": [{}]}, ["/verdicts/0/item", "/verdicts/0/verdict"], "empty"),
    (
        Kind.ITEM_VERDICTS,
        "verdicts",
        {"verdicts": [{"item": "nope", "verdict": "maybe"}]},
        ["/verdicts/0/item", "/verdicts/0/verdict"],
        "unknown ids",
    ),
    (Kind.ITEM_VERDICTS, "verdicts", {"verdicts": [APPROVE, APPROVE]}, ["/verdicts/1/item"], "one item twice"),
    (
        Kind.ITEM_VERDICTS,
        "verdicts",
        {"verdicts": [APPROVE, {"item": "sqlalchemy", "verdict": "reject"}]},
        ["/verdicts/1/reason"],
        "its reason is required, and the other verdict is not kept either",
    ),
    (
        Kind.ITEM_VERDICTS,
        "verdicts",
        {"verdicts": [{**APPROVE, "reason": "why not"}]},
        ["/verdicts/0/reason"],
        "no reason is taken",
    ),
    (
        Kind.ITEM_VERDICTS,
        "verdicts",
        {"verdicts": [{**REJECT, "reason": "x" * 3_001}]},
        ["/verdicts/0/reason"],
        "a reason has its limit",
    ),
    (Kind.ITEM_VERDICTS, "verdicts", {"verdicts": [APPROVE] * 201}, ["/verdicts"], "more than any card has"),
    (Kind.ITEM_VERDICTS, "verdicts", {"verdicts": [{**APPROVE, "by": "ana"}]}, ["/verdicts/0/by"], "for others"),
    (Kind.ITEM_VERDICTS, "accept", {}, [""], "items are judged, not accepted"),
    (Kind.ITEM_VERDICTS, "reject", {}, [""], "nor rejected"),
    (Kind.SUGGESTED_TASKS, "accept", {}, ["/selected"], "which?"),
    (Kind.SUGGESTED_TASKS, "accept", {"selected": []}, ["/selected"], "none is a rejection"),
    (Kind.SUGGESTED_TASKS, "accept", {"selected": ["runbook"]}, ["/selected/0"], "a child needs its parent"),
    (Kind.SUGGESTED_TASKS, "accept", {"selected": ["drill", "nope"]}, ["/selected/1"], "an unknown key"),
    (Kind.SUGGESTED_TASKS, "accept", {"selected": ["drill", "drill"]}, ["/selected"], "a task twice"),
    (
        Kind.SUGGESTED_TASKS,
        "accept",
        {"selected": ["drill"], "edits": {"alerts": {"title": "Mine"}}},
        ["/edits/alerts"],
        "only what is chosen is edited",
    ),
    (
        Kind.SUGGESTED_TASKS,
        "accept",
        {"selected": ["drill"], "edits": {"drill": {"title": " "}}},
        ["/edits/drill/title"],
        "a task has a title",
    ),
    (
        Kind.SUGGESTED_TASKS,
        "accept",
        {"selected": ["drill"], "edits": {"drill": {"key": "x", "assignee": 5}}},
        ["/edits/drill/assignee", "/edits/drill/key"],
        "a key is not edited, and an assignee is text",
    ),
    (
        Kind.SUGGESTED_TASKS,
        "accept",
        {"selected": ["drill"], "edits": {f"k/{n}": {} for n in range(51)}},
        ["/edits"],
        "more than any card has",
    ),
    (Kind.SUGGESTED_TASKS, "accept", {"selected": ["drill"], "edits": {"a/b": {}}}, ["/edits/a~1b"], "escaped"),
    (Kind.SUGGESTED_TASKS, "reject", {"reason": "x" * 3_001}, ["/reason"], "a reason has its limit"),
    (Kind.SUGGESTED_TASKS, "ticks", {"tick": ["drill"]}, [""], "tasks are chosen, not ticked"),
    (Kind.CONFIRMATION, "accept", {"selected": []}, ["/selected"], "there is nothing to select"),
    (Kind.CONNECTION, "accept", {}, [""], "granted on the page alone"),
    (Kind.CONNECTION, "verdicts", {"verdicts": [APPROVE]}, ["/verdicts"], "it has no items"),
]


@pytest.mark.parametrize("kind", list(dict.fromkeys(kind for kind, *_ in WRONG)))
async def test_what_is_wrong_is_pointed_at_and_nothing_is_kept(api: Calling, kind: Kind) -> None:
    id = await api.ask(example(kind, **BOTH))
    before = (await api.get(f"/interactions/{id}")).json()
    for _, name, body, pointers, reason in (row for row in WRONG if row[0] is kind):
        response = await api.post(f"/interactions/{id}/{name}", {"revision": 1, **body}, by="reviewer")
        assert (response.status_code, slug(response.json())) == (422, "invalid"), reason
        assert sorted(fault["pointer"] for fault in response.json()["errors"]) == pointers, reason
    assert (await api.get(f"/interactions/{id}")).json() == before
    assert await types(api, id) == ["created"]


STATES: list[tuple[Any, str, str]] = [
    ({}, "/state", "it is required"),
    ({"state": ""}, "/state", "an empty one proves nothing"),
    ({"state": 5}, "/state", "text"),
    ({"state": "x" * 1_001}, "/state", "longer than any that was given"),
    ({"state": "s", "revision": 1}, "/revision", "the state says it all"),
    ([], "", "an object is wanted"),
]


async def test_a_wrong_confirmation_of_a_connection_is_pointed_at(api: Calling) -> None:
    id = await api.ask(example(Kind.CONNECTION))
    for body, pointer, reason in STATES:
        response = await api.post(f"/interactions/{id}/connected", body)
        assert response.status_code == 422, reason
        assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer], reason


ACTS: list[tuple[Kind, str, dict[str, Any]]] = [
    (Kind.CHECKLIST, "ticks", {"tick": ["canary"]}),
    (Kind.CHECKLIST, "accept", {"selected": ["notes", "canary"]}),
    (Kind.ITEM_VERDICTS, "verdicts", {"verdicts": [APPROVE]}),
    (Kind.SUGGESTED_TASKS, "accept", {"selected": ["drill"]}),
    (Kind.SUGGESTED_TASKS, "reject", {}),
    (Kind.CONNECTION, "reject", {}),
]


@pytest.mark.parametrize(("kind", "name", "body"), ACTS)
async def test_every_act_wants_the_revision_that_stands_and_an_answerer(
    api: Calling, kind: Kind, name: str, body: dict[str, Any]
) -> None:
    id = await api.ask(example(kind, **BOTH))
    path = f"/interactions/{id}/{name}"
    assert (await api.post(path, {**body, "revision": 2}, by="reviewer")).json()["type"].endswith("/stale-revision")
    missing = await api.post(path, body, by="reviewer")
    assert [fault["pointer"] for fault in missing.json()["errors"]] == ["/revision"]
    for by, refused in (("builder", "not-an-answerer"), ("boss", "not-an-answerer"), ("stranger", "not-found")):
        assert slug((await api.post(path, {**body, "revision": 1}, by=by)).json()) == refused
    assert await types(api, id) == ["created"]


async def test_a_patch_takes_back_what_was_ticked_or_judged_with_a_receipt_for_each(either_api: Calling) -> None:
    ticked = await either_api.ask(example(Kind.CHECKLIST, **BOTH))
    await act(either_api, ticked, "ticks", tick=["canary"], untick=["notes"])
    judged = await either_api.ask(example(Kind.ITEM_VERDICTS, **BOTH))
    await act(either_api, judged, "verdicts", verdicts=[APPROVE])
    for id, progress, last in (
        (ticked, {"selected": ["notes"], "ticks": []}, ["patched", "tick_voided", "tick_voided"]),
        (judged, {"verdicts": {}}, ["patched", "verdict_voided"]),
    ):
        patched = await either_api.call("PATCH", f"/interactions/{id}", {"revision": 1, "body": "Look again."})
        assert (patched.json()["revision"], patched.json()["progress"]) == (2, progress)
        assert (await types(either_api, id))[-len(last) :] == last


PAYLOADS: list[tuple[Kind, dict[str, Any], str, str]] = [
    (Kind.CHECKLIST, {"items": []}, "/payload/items", "nothing to tick"),
    (Kind.CHECKLIST, {"items": [{"id": "a", "label": "A"}] * 2}, "/payload/items/1/id", "an id twice"),
    (Kind.CHECKLIST, {"items": [{"id": "a", "label": "A"}], "max": 2}, "/payload/max", "more than there is"),
    (Kind.CHECKLIST, {"items": [{"id": "a", "label": "x" * 1_001}]}, "/payload/items/0/label", "too long"),
    (Kind.ITEM_VERDICTS, {"items": [{"id": "a"}]}, "/payload/items/0/label", "it is required"),
    (
        Kind.ITEM_VERDICTS,
        {"items": [{"id": "a", "label": "A", "href": "http://x.example"}]},
        "/payload/items/0/href",
        "only https",
    ),
    (
        Kind.ITEM_VERDICTS,
        {"items": [{"id": "a", "label": "A"}], "verdicts": [{"id": "ok", "label": "OK"}]},
        "/payload/verdicts",
        "one verdict is no choice",
    ),
    (Kind.SUGGESTED_TASKS, {"tasks": [{"key": "a", "title": "A", "parent": "b"}]}, "/payload/tasks/0/parent", "whose?"),
    (Kind.SUGGESTED_TASKS, {"tasks": [{"key": "a", "title": "A", "parent": "a"}]}, "/payload/tasks/0/parent", "a ring"),
    (Kind.CONNECTION, {"service": "x", "purpose": "y"}, "/payload/connect_url", "where?"),
    (
        Kind.CONNECTION,
        {"service": "x", "purpose": "y", "connect_url": "javascript:alert(1)"},
        "/payload/connect_url",
        "only https",
    ),
]


async def test_a_wrong_payload_is_pointed_at_and_nobody_is_asked(api: Calling) -> None:
    for kind, payload, pointer, reason in PAYLOADS:
        response = await api.post("/interactions", {"kind": kind, "to": CHANNEL, "title": "T", "payload": payload})
        assert response.status_code == 422, reason
        assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer], reason
    assert (await api.get("/interactions")).json()["items"] == []

"""Checklists, verdicts, suggested tasks and connections over HTTP: what each act leads to, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

from core.acts import Accept, Judge, Tick
from core.kinds import Kind
from core.kinds.item_verdicts import Given
from tests.web.calling import ANA, BEN, Calling, example

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
    stands = "Ana has decided this item already: Defer. The first verdict stands"
    assert late.json()["errors"] == [{"pointer": "/verdicts/0", "detail": stands}]
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

"""An agent reads a decision from what a person wrote under its card: when it may, and whose the decision is."""

from __future__ import annotations

from typing import Any

import pytest

from core.acts import Accept, Comment
from core.kinds import Kind
from core.people import Person
from tests.web.calling import ANA, BEN, Calling, example

FIRST = "slack:T1.C0123/1712000000.000100"
SECOND = "slack:T1.C0123/1712000000.000200"
POLICY = {"policy": {"resolve_from_comment": True}}
ACCEPT = {"revision": 1, "message": FIRST, "decision": "accept"}


def slug(problem: dict[str, Any]) -> str:
    return str(problem["type"]).rpartition("/")[2]


async def commented(api: Calling, person: Person = ANA, kind: Kind = Kind.CONFIRMATION, **changes: Any) -> str:
    """A card under which somebody wrote."""
    id = await api.ask(example(kind, **{**POLICY, **changes}))
    await api.answer_as(person, id, Comment("go on then", FIRST))
    return id


async def resolve(api: Calling, id: str, by: str = "builder", **changes: Any) -> Any:
    return await api.post(f"/interactions/{id}/resolve-from-comment", {**ACCEPT, **changes}, by=by)


async def test_the_decision_is_the_persons_and_the_receipt_says_who_read_it(either_api: Calling) -> None:
    id = await commented(either_api)
    heard = (await either_api.get("/events")).json()["items"][-1]
    assert (heard["type"], heard["data"]["message"]) == ("interaction.commented", FIRST)
    done = await resolve(either_api, id)
    outcome = done.json()["outcome"]
    assert (done.status_code, outcome["status"], outcome["via"]) == (200, "accepted", "api")
    assert (outcome["by"]["type"], outcome["by"]["handle"], outcome["by"]["identity"]) == (
        "person",
        "ana",
        "slack:T1.U1",
    )
    last = (await either_api.get(f"/interactions/{id}/receipts")).json()["items"][-1]
    assert last["data"]["quoted"] == {"message": FIRST, "agent": "builder"}
    assert (await resolve(either_api, id)).json() == done.json()


async def test_words_reject_with_a_reason_and_complete_a_checklist(api: Calling) -> None:
    rejected = await resolve(api, await commented(api), decision="reject", reason="Wait for Monday")
    assert (rejected.json()["status"], rejected.json()["outcome"]["reason"]) == ("rejected", "Wait for Monday")
    listed = await commented(api, BEN, Kind.CHECKLIST)
    done = (await resolve(api, listed, message="1712000000.000100", selected=["notes", "canary"])).json()
    assert (done["status"], done["outcome"]["answer"]["selected"]) == ("completed", ["notes", "canary"])
    assert done["outcome"]["by"]["handle"] == "ben"


async def test_only_the_newest_message_counts(api: Calling) -> None:
    id = await commented(api)
    await api.answer_as(BEN, id, Comment("no, wait", SECOND))
    old = await resolve(api, id)
    assert (old.status_code, old.json()["errors"][0]["pointer"]) == (422, "/message")
    assert (await resolve(api, id, message=SECOND)).json()["outcome"]["by"]["handle"] == "ben"


async def test_what_was_written_before_a_change_is_stale(api: Calling) -> None:
    id = await commented(api)
    await api.call("PATCH", f"/interactions/{id}", {"revision": 1, "title": "Delete production?"})
    for revision in (1, 2):
        stale = await resolve(api, id, revision=revision)
        assert (stale.status_code, slug(stale.json())) == (409, "stale-revision")


async def test_who_left_the_channel_since_decides_nothing_any_more(api: Calling) -> None:
    id = await commented(api)
    api.slack.members.discard("U1")
    gone = await resolve(api, id)
    assert (gone.status_code, slug(gone.json())) == (403, "not-an-answerer")
    api.slack.away = True
    unknown = await resolve(api, id)
    assert (unknown.status_code, slug(unknown.json())) == (503, "identity-undetermined")
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


async def test_nobody_but_the_agent_that_asked_and_only_where_the_policy_says_so(api: Calling) -> None:
    named = {"answerers": ["conversation", "agent:reviewer"]}
    id = await commented(api, audience=named)
    for by, status in (("reviewer", 403), ("boss", 403), ("stranger", 404)):
        assert (await resolve(api, id, by=by)).status_code == status, by
    without = await commented(api, policy={})
    refused = await resolve(api, without)
    assert (refused.status_code, slug(refused.json())) == (403, "forbidden")


async def test_words_that_come_after_the_end_are_told_what_stands(api: Calling) -> None:
    id = await commented(api)
    end = (await api.answer_as(BEN, id, Accept(1))).snapshot
    late = await resolve(api, id, decision="reject")
    assert (late.status_code, late.json()["outcome"]) == (409, end["outcome"])


WRONG: list[tuple[dict[str, Any], list[str], str]] = [
    ({"message": "slack:T1.C0123/1"}, ["/message"], "nobody wrote it"),
    ({"message": ""}, ["/message"], "an empty one names none"),
    ({"message": "x" * 301}, ["/message"], "longer than any address"),
    ({"decision": "maybe"}, ["/decision"], "there are two"),
    ({"decision": None}, ["/decision"], "and it is required"),
    ({"reason": "because"}, ["/reason"], "a reason goes with rejecting"),
    ({"decision": "reject", "selected": ["a"]}, ["/selected"], "a selection goes with accepting"),
    ({"selected": ["a"]}, ["/selected"], "a confirmation has nothing to select"),
    ({"revision": None}, ["/revision"], "it is required"),
    ({"person": "ana"}, ["/person"], "whose it is, the message says"),
]


async def test_what_is_wrong_is_pointed_at(api: Calling) -> None:
    id = await commented(api)
    for changes, pointers, reason in WRONG:
        response = await resolve(api, id, **changes)
        assert (response.status_code, slug(response.json())) == (422, "invalid"), reason
        assert [fault["pointer"] for fault in response.json()["errors"]] == pointers, reason
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


@pytest.mark.parametrize("kind", [Kind.QUESTIONS, Kind.ITEM_VERDICTS, Kind.SUGGESTED_TASKS, Kind.CONNECTION])
async def test_what_takes_more_than_a_yes_or_no_is_not_read_from_words(api: Calling, kind: Kind) -> None:
    response = await api.post("/interactions", example(kind, **POLICY))
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["/policy/resolve_from_comment"]

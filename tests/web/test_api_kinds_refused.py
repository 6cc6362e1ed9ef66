"""What is wrong with acts and payloads of the kinds is pointed at."""

from __future__ import annotations

from typing import Any

import pytest

from core.kinds import Kind
from tests.web.calling import CHANNEL, Calling, example
from tests.web.test_api_kinds import APPROVE, BOTH, REJECT, act, slug, types

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
    (Kind.CHECKLIST, {"items": [{"id": "a", "label": "x" * 2_000}]}, "/payload/items/0/label", "twice as long"),
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

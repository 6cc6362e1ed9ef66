"""Bodies that nobody sends by mistake: each is refused with a pointer, and nothing breaks or is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.kinds import EXAMPLES, Kind
from tests.web.calling import CHANNEL, Calling, example, for_agent

ACTS = {
    "respond": ("answers", "revision"),
    "accept": ("selected", "edits", "revision"),
    "reject": ("reason", "revision"),
    "ticks": ("tick", "untick"),
    "verdicts": ("verdicts", "revision"),
    "connected": ("state",),
    "resolve-from-comment": ("message", "decision", "selected", "reason"),
}
DEEP: Any = "x"
for _ in range(63):
    DEEP = [DEEP]
VALUES: list[tuple[Any, str]] = [
    (None, "nothing"),
    (True, "a truth"),
    (-1, "a number"),
    (1e308, "a large number"),
    ("", "an empty text"),
    ("\u202e", "a text that turns round"),
    ("x" * 100_000, "a long text"),
    ([], "an empty list"),
    ([[]], "a list in a list"),
    ([None] * 300, "a long list"),
    ({}, "an empty object"),
    ({"": {"": None}}, "empty keys"),
    ({f"k{n}": {} for n in range(300)}, "a large object"),
    ({"__proto__": 1, "/a~b": 1}, "keys that mean something elsewhere"),
    (DEEP, "a deep one"),
]


# The act decides what is read, not the kind of card: one kind is sent everything always, the others in the long run.
OTHERS = [
    pytest.param(kind, marks=pytest.mark.slow) for kind in (Kind.ITEM_VERDICTS, Kind.SUGGESTED_TASKS, Kind.CONNECTION)
]


@pytest.mark.parametrize("kind", [Kind.CHECKLIST, *OTHERS])
async def test_whatever_is_sent_to_act_is_refused_with_a_pointer(api: Calling, kind: Kind) -> None:
    id = await api.ask(example(kind, **for_agent("builder")))
    before = (await api.get(f"/interactions/{id}")).json()
    for act, field in [(act, field) for act, fields in ACTS.items() for field in fields]:
        for value, what in VALUES:
            # Of a revision that is not there, nothing can be kept even where the rest is right.
            rest = {} if act == "connected" else {"revision": 9}
            response = await api.post(f"/interactions/{id}/{act}", {**rest, field: value})
            assert response.status_code in (403, 409, 422), (act, field, what, response.text[:200])
            problem = response.json()
            assert response.status_code != 422 or problem["errors"], (act, field, what)
            assert len(response.content) < 100_000, (act, field, what)
    assert (await api.get(f"/interactions/{id}")).json() == before


@pytest.mark.parametrize("kind", list(Kind))
async def test_whatever_stands_in_a_payload_is_refused_with_a_pointer_inside_it(api: Calling, kind: Kind) -> None:
    payload = EXAMPLES[kind]["payload"]
    for name in payload:
        for value, what in VALUES:
            body = {"kind": kind, "to": CHANNEL, "title": "T", "payload": {**payload, name: value}}
            response = await api.post("/interactions", body)
            if response.status_code in (200, 201):
                assert value is None or isinstance(value, str | list | bool) or what == "a number", (name, what)
                continue
            assert response.status_code == 422, (name, what, response.text[:200])
            assert all(fault["pointer"].startswith("/payload") for fault in response.json()["errors"]), (name, what)


async def test_bytes_that_are_no_json_are_unreadable_to_every_act(api: Calling) -> None:
    id = await api.ask(example(Kind.CHECKLIST))
    for act in ACTS:
        for raw in (
            b"",
            b"\xff",
            b"{",
            b"[" * 100_000,
            b'{"revision": NaN}',
            b'{"a": 1, "a": 2}',
            json.dumps(5).encode(),
        ):
            response = await api.call("POST", f"/interactions/{id}/{act}", raw=raw)
            assert response.status_code == (422 if raw == b"5" else 400), (act, raw[:20])
            assert [fault["pointer"] for fault in response.json()["errors"]] == [""]

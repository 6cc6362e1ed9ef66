"""The whole OpenAPI document, explored by schemathesis: what it allows is taken, what it forbids is refused, nothing
breaks, and every answer is one that it promises."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from bot.web.api import build_api
from tests.web.calling import Calling, key_of, question
from tests.web.serving import served

BEYOND_A_SCHEMA = {
    "not a place in this list": "a cursor is the id of something that exists",
    "is not connected here": "what is connected is known when it runs",
    "an address starts with": "somebody's own words for a place, read when it runs",
    "at most 3650d": "a schema cannot compare a number and its unit",
    "due is": "a duration or a moment ahead; a schema knows no now",
    "this is required": "a patch is checked against the kind of the card",
    "change at least one of": "a patch of nothing",
    "nothing to connect": "a state belongs to a connection",
    "with no chat to answer from": "what one member needs depends on another",
    "a selection goes with accepting": "what one member needs depends on another",
    "used with another body": "a key that was used before is known when it runs",
    "need at least one character": "blank text is no text, and a schema counts characters",
    "write at least one character": "blank text is no text, and a schema counts characters",
    "NUL or half a surrogate pair": "no text may hold it, and patterns of half a character differ by engine",
    "must be a whole number": "1.0 is an integer to JSON Schema; whoever sends it has calculated with a revision",
    "has no slots": "what there is is known when it runs",
    "there is no agent called": "what there is is known when it runs",
    "there is no such alert": "what there is is known when it runs",
    "neither declined nor escalated": "in what state it is is known when it runs",
    "must be unique": "a schema compares whole items, not one member of them",
    "beyond 64 bits": "numbers that programs cannot agree on, wherever they stand in JSON",
    "is not the key of a task": "what one member needs depends on another",
    "a reason goes with rejecting": "what one member needs depends on another",
    "https address with a plain host": "the grammar of hosts is longer than a pattern should be",
    "hours are written": "somebody's own words for hours, read when it runs",
}
"""Why a request that fits the document may still be refused, by a part of what the refusal says."""


def excused(failure: Any, body: str) -> bool:
    """Whether this is a refusal of something that no schema can say."""
    return type(failure).__name__ == "RejectedPositiveData" and any(part in body for part in BEYOND_A_SCHEMA)


def explore(url: str, key: str, examples: int, ids: dict[str, str], *, thorough: bool) -> tuple[int, list[str]]:
    """Ask everything the document allows and much that it forbids; how much was checked, and what was wrong."""
    config = SchemathesisConfig.from_dict(
        {
            "seed": 1,
            "headers": {"Authorization": f"Bearer {key}"},
            "generation": {"max-examples": examples, "deterministic": True, "database": "none"},
            "parameters": {f"path.{name}": known for name, known in ids.items()},
            "phases": {"coverage": {"enabled": thorough}, "stateful": {"enabled": thorough}},
            "request-timeout": 10,
        }
    )
    checked, wrong = 0, []
    for event in from_schema(schemathesis.openapi.from_url(f"{url}/openapi.json", config=config)).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            wrong.append(str(event))
        if not isinstance(event, events.ScenarioFinished):
            continue
        for case, checks in event.recorder.checks.items():
            checked += len(checks)
            for one in checks:
                response = event.recorder.interactions[case].response
                body = response.content.decode("utf-8", "replace") if response is not None else ""
                if one.failure_info is not None and not excused(one.failure_info.failure, body):
                    wrong.append(f"{event.recorder.label}: {one.failure_info.failure.title}: {body[:400]}")
    return checked, wrong


async def explored(api: Calling, examples: int, *, thorough: bool) -> tuple[int, list[str]]:
    ids = {"id": await api.ask(question())}
    order = await api.post("/loops", {"to": "agent:reviewer", "title": "Audit the endpoints"})
    assert order.status_code == 201, order.text
    ids["name"] = order.json()["id"]
    async with served(build_api(api.services)) as url:
        return await asyncio.to_thread(explore, url, key_of("boss"), examples, ids, thorough=thorough)


async def test_nothing_that_the_document_allows_or_forbids_breaks_the_api(api: Calling) -> None:
    checked, wrong = await explored(api, 4, thorough=False)
    assert not wrong, "\n".join(wrong)
    assert checked > 1_000


@pytest.mark.slow
async def test_nothing_breaks_it_in_many_tries_either(api: Calling) -> None:
    checked, wrong = await explored(api, 60, thorough=True)
    assert not wrong, "\n".join(wrong)
    assert checked > 10_000

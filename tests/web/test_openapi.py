"""The OpenAPI document: valid, complete, and held to by every answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator

from bot.startup import WORKSPACE
from bot.web.operations import OPERATIONS
from core.acts import Accept, Comment, Judge, Respond, SetOut
from core.kinds import Kind
from core.kinds.answers import Answer
from core.kinds.connection import digest_of
from core.kinds.item_verdicts import Given
from core.use_cases.change import operate
from tests.web.calling import ANA, Calling, confirmation, example, for_agent, key_of, question

METHODS = {"get", "put", "post", "delete", "patch"}


async def document_of(api: Calling) -> dict[str, Any]:
    response = await api.http.get("/openapi.json")
    assert response.status_code == 200
    document: dict[str, Any] = response.json()
    return document


def walk(value: Any, path: str = "#") -> Iterator[tuple[str, Any]]:
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from walk(one, f"{path}/{key}")


def validator(document: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    # With the components inside, the references lead to them.
    whole = {**schema, "components": document["components"]}
    return Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)


async def test_the_document_is_openapi_3_1_with_every_reference_and_schema_good(api: Calling) -> None:
    document = await document_of(api)
    assert document["openapi"] == "3.1.0"
    assert document["security"] == [{"key": []}]
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    for path, value in walk(document):
        if path.endswith("/$ref"):
            target: Any = document
            for part in value.removeprefix("#/").split("/"):
                target = target[part]
            assert isinstance(target, dict), path
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    ids = [described["operationId"] for methods in document["paths"].values() for described in methods.values()]
    assert sorted(ids) == sorted(OPERATIONS)
    assert "HTTPValidationError" not in json.dumps(document)


async def test_every_call_lists_its_parameters_its_answers_and_only_problems_as_errors(api: Calling) -> None:
    document = await document_of(api)
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            assert method in METHODS
            named = {one["name"] for one in described.get("parameters", ()) if one["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))
            assert {"401", "429"} <= set(described["responses"]), path
            for status, answer in described["responses"].items():
                media = set(answer["content"])
                assert (media == {"application/problem+json"}) is (status[0] != "2"), (path, status)
            if "requestBody" in described:
                assert "413" in described["responses"]


async def test_every_example_is_what_the_document_asks_for(api: Calling) -> None:
    document = await document_of(api)
    found = 0
    for methods in document["paths"].values():
        for described in methods.values():
            for content in described.get("requestBody", {}).get("content", {}).values():
                for given in content["examples"].values():
                    validator(document, content["schema"]).validate(given["value"])
                    found += 1
    assert found >= 18


@pytest.mark.parametrize("wrong", [{"kind": "poll"}, {"to": 5}, {"title": ""}, {"colour": "red"}, {"payload": {}}])
async def test_the_document_refuses_what_the_api_refuses(api: Calling, wrong: dict[str, Any]) -> None:
    document = await document_of(api)
    schema = document["paths"]["/v1/interactions"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body = question(**wrong)
    assert not validator(document, schema).is_valid(body)
    assert (await api.post("/interactions", body)).status_code == 422


async def test_every_kind_has_its_own_shape_and_the_kind_says_which(api: Calling) -> None:
    document = await document_of(api)
    schema = document["paths"]["/v1/interactions"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    mapping = schema["discriminator"]["mapping"]
    assert list(mapping) == [kind.value for kind in Kind]
    assert list(mapping.values()) == [one["$ref"] for one in schema["oneOf"]]
    for kind, reference in mapping.items():
        shape = document["components"]["schemas"][reference.rpartition("/")[2]]
        assert shape["properties"]["kind"]["const"] == kind


def check(document: dict[str, Any], response: httpx2.Response, method: str, path: str) -> None:
    """Hold an answer to what the document says of its call and status."""
    answers = document["paths"][path][method]["responses"]
    assert str(response.status_code) in answers, (method, path, response.status_code, response.text)
    content = answers[str(response.status_code)]["content"]
    media = response.headers["content-type"].partition(";")[0]
    validator(document, content[media]["schema"]).validate(response.json())


async def test_every_answer_is_what_the_document_says(api: Calling) -> None:
    document = await document_of(api)
    one = "/v1/interactions/{id}"

    async def call(method: str, path: str, body: Any = None, by: str = "builder", query: str = "", **ids: str) -> Any:
        response = await api.call(method.upper(), path.removeprefix("/v1").format(**ids) + query, body, by=by)
        check(document, response, method, path)
        return response.json()

    asked = question(
        to=["slack:T1.C0123", "telegram:-100123/7"],
        policy={"expires_in": "1h", "nudges": {"every": "30m", "quiet": "22:00-07:00 Europe/Madrid"}},
        continuation={"webhook": "https://agent.example/hook", "state": [1, {"a": None}]},
        audience={"answerers": ["conversation", "agent:reviewer"]},
    )
    id = (await call("post", "/v1/interactions", asked))["id"]
    await call("post", "/v1/interactions", {"kind": "questions"})
    await call("post", "/v1/interactions", None)
    await call("get", one, id=id)
    await call("get", one, id="int_none")
    await call("get", one, query="?wait=-1", id=id)
    await call("patch", one, {"revision": 1, "title": "Another"}, id=id)
    await call("patch", one, {"revision": 1, "title": "Another"}, id=id)
    await call("post", one + "/respond", {"answers": {}, "revision": 2}, by="reviewer", id=id)
    await api.answer_as(ANA, id, Comment("which?"))
    await api.answer_as(ANA, id, Respond({"ship": Answer(value="yes")}, 2))
    ship = {"answers": {"ship": {"value": "no"}}, "revision": 2}
    await call("post", one + "/respond", ship, by="reviewer", id=id)
    await call("post", one + "/reply", {"text": "Shipped."}, id=id)
    await call("post", one + "/cancel", {}, id=id)

    voted = (await call("post", "/v1/interactions", confirmation(audience={"quorum": 2})))["id"]
    await api.answer_as(ANA, voted, Accept(1))
    await call("get", one, id=voted)
    await call("post", one + "/withdraw", id=voted)
    await call("post", one + "/withdraw", by="boss", id=voted)
    named = (await call("post", "/v1/interactions", confirmation(**for_agent())))["id"]
    await call("post", one + "/reject", {"revision": 1, "reason": "no"}, by="reviewer", id=named)
    await call("post", one + "/accept", {"revision": 1}, by="builder", id=named)

    both: Any = {
        "audience": {"answerers": ["conversation", "agent:reviewer"]},
        "policy": {"resolve_from_comment": True},
    }
    listed = (await call("post", "/v1/interactions", example(Kind.CHECKLIST, **both)))["id"]
    await call("post", one + "/ticks", {"revision": 1, "tick": ["canary"]}, by="reviewer", id=listed)
    await call("post", one + "/ticks", {"revision": 1, "tick": ["nope"]}, by="reviewer", id=listed)
    await api.answer_as(ANA, listed, Comment("all done", "slack:T1.C0123/1.2"))
    read = {"revision": 1, "message": "slack:T1.C0123/1.2", "decision": "accept"}
    await call("post", one + "/resolve-from-comment", {**read, "message": "1.3"}, id=listed)
    await call("post", one + "/resolve-from-comment", read, by="reviewer", id=listed)
    api.slack.away = True
    await call("post", one + "/resolve-from-comment", read, id=listed)
    api.slack.away = False
    await call("post", one + "/resolve-from-comment", read, id=listed)

    judged = (await call("post", "/v1/interactions", example(Kind.ITEM_VERDICTS, audience=both["audience"])))["id"]
    verdict = {"revision": 1, "verdicts": [{"item": "pydantic", "verdict": "approve"}]}
    await call("post", one + "/verdicts", verdict, by="reviewer", id=judged)
    await api.answer_as(ANA, judged, Judge(1, (Given("sqlalchemy", "reject", "Not now"),)))
    await call("post", one + "/verdicts", verdict, by="reviewer", id=judged)
    await call("get", one, id=judged)

    suggested = (await call("post", "/v1/interactions", example(Kind.SUGGESTED_TASKS, audience=both["audience"])))["id"]
    chosen = {"revision": 1, "selected": ["alerts", "runbook"], "edits": {"alerts": {"priority": ""}}}
    await call("post", one + "/accept", chosen, by="reviewer", id=suggested)
    await call("get", "/v1/tasks", query="?limit=1")
    await call("get", "/v1/tasks", query="?after=x")

    wanted = (await call("post", "/v1/interactions", example(Kind.CONNECTION)))["id"]
    await call("post", "/v1/interactions", example(Kind.CONNECTION))
    await call("post", one + "/connected", {"state": "s"}, id=wanted)
    await operate(api.services.context, WORKSPACE, wanted, SetOut(1, digest_of("s")), ANA, ANA.identities[0])
    await call("post", one + "/connected", {"state": "s"}, by="boss", id=wanted)
    await call("post", one + "/connected", {"state": "s"}, id=wanted)

    await call("get", "/v1/interactions", query="?limit=1")
    await call("get", "/v1/interactions", query="?limit=0")
    await call("get", one + "/receipts", id=id)
    seen = {event["type"] for event in (await call("get", "/v1/events"))["items"]}
    assert {"interaction.progressed", "interaction.commented", "interaction.completed"} <= seen
    await call("get", "/v1/events", query="?after=evt_none")
    for method, path in (("get", "/v1/events"), ("post", "/v1/interactions"), ("get", one)):
        check(document, await api.http.request(method, path.format(id=id)), method, path)


class Page(HTMLParser):
    """What a page points at, and whatever would need another place or a script."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.add(str(value))
            elif name in ("href", "src"):
                self.links.append(str(value))
            assert not name.startswith("on")
            assert name != "style"


async def test_the_reference_is_one_page_that_needs_no_other_place(api: Calling) -> None:
    response = await api.http.get("/docs")
    assert response.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in response.headers["content-security-policy"]
    page = Page()
    page.feed(response.text)
    assert page.tags.isdisjoint({"script", "img", "iframe", "style"})
    local = {link for link in page.links if not link.startswith("#")}
    assert local == {"docs/reference.css", "openapi.json"}
    for link in local:
        assert (await api.http.get(f"/{link}")).status_code == 200
    assert {link.removeprefix("#") for link in page.links if link.startswith("#")} <= page.ids
    assert set(OPERATIONS) <= page.ids
    assert "<code>POST /v1/interactions</code>" in response.text


async def test_the_document_and_the_reference_need_no_key(api: Calling) -> None:
    for path in ("/openapi.json", "/docs", "/docs/reference.css"):
        assert (await api.http.get(path)).status_code == 200
    assert key_of("builder") not in (await api.http.get("/docs")).text

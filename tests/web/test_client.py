"""The Python client: what it sends, when it sends again, and the answer it gives; then against the real API."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
import requests
import responses
from responses import matchers
from responses.registries import OrderedRegistry

from bot import client as client_module
from bot.client import Answer, ApiError, By, CannotReach, Client, ask
from bot.web.api import build_api
from core.acts import Accept, Reject, Respond
from core.kinds import EXAMPLES, Kind
from core.kinds.answers import Answer as Given
from tests.web.calling import ANA, CHANNEL, Calling, for_agent, key_of
from tests.web.serving import served

URL = "https://sayso.example.com"
INTERACTIONS = f"{URL}/v1/interactions"
SHIP = EXAMPLES[Kind.QUESTIONS]["payload"]["questions"]
PENDING: dict[str, Any] = {"id": "int_1", "status": "pending", "outcome": None, "payload": {"questions": SHIP}}
OUTCOME: dict[str, Any] = {
    "status": "answered",
    "by": {"type": "person", "id": "per_ana", "handle": "ana", "identity": "slack:T1.U1"},
    "via": "slack",
    "at": "2026-12-02T10:00:00.000000Z",
    "answer": {"ship": {"value": "yes"}},
    "reason": None,
    "receipt": "rcp_1",
    "default": None,
    "votes": [],
    "successor": None,
}
SETTLED = PENDING | {"status": "answered", "outcome": OUTCOME}


def client() -> Client:
    return Client(URL, "sk_test")


def key_is_kept() -> Callable[[requests.PreparedRequest], tuple[bool, str]]:
    """A matcher that wants the same Idempotency-Key in every request."""
    seen: set[str] = set()

    def match(request: requests.PreparedRequest) -> tuple[bool, str]:
        seen.add(request.headers["Idempotency-Key"])
        return len(seen) == 1, f"keys {seen}"

    return match


@responses.activate
def test_a_question_is_sent_as_the_api_wants_it_and_waited_for() -> None:
    body = {
        "title": "Release 4.2",
        "to": ["slack:C0123", "review"],
        "kind": "questions",
        "payload": {"questions": SHIP},
        "policy": {"expires_in": "1h"},
    }
    authorized = matchers.header_matcher({"Authorization": "Bearer sk_test"})
    responses.post(INTERACTIONS, json=PENDING, status=201, match=[matchers.json_params_matcher(body), authorized])
    responses.get(f"{INTERACTIONS}/int_1", json=PENDING, match=[authorized])
    responses.get(f"{INTERACTIONS}/int_1", json=SETTLED, match=[authorized])
    answer = client().ask("Release 4.2", to=("slack:C0123", "review"), questions=SHIP, policy={"expires_in": "1h"})
    assert (answer.status, answer.value(), answer.value("ship")) == ("answered", "yes", "yes")
    assert answer.by == By("person", "per_ana", "ana", "slack:T1.U1")
    assert (answer.receipt, answer.via, answer.settled, answer.accepted) == ("rcp_1", "slack", True, False)
    assert all(str(call.request.url).endswith("?wait=60.000") for call in list(responses.calls)[1:])


@responses.activate(registry=OrderedRegistry)
@pytest.mark.parametrize("lost", [502, 503, 504, 429, "connection"])
def test_a_request_whose_answer_was_lost_is_sent_again_under_the_same_key(lost: Any) -> None:
    same = key_is_kept()
    if lost == "connection":
        responses.post(INTERACTIONS, body=requests.ConnectionError("reset"), match=[same])
        with pytest.raises(CannotReach):
            client().start("Go?", to="slack:C1", idempotency_key="k1")
    else:
        responses.post(INTERACTIONS, status=lost, match=[same])
        responses.post(INTERACTIONS, json=PENDING, status=201, match=[same])
        assert client().start("Go?", to="slack:C1").id == "int_1"
    keys = [call.request.headers["Idempotency-Key"] for call in responses.calls]
    assert len(keys) == (1 if lost == "connection" else 2)
    assert len(set(keys)) == 1
    assert len({call.request.body for call in responses.calls}) == 1


@responses.activate(registry=OrderedRegistry)
def test_each_trouble_is_told_once() -> None:
    told: list[str] = []
    asking = Client(URL, "sk_test", troubled=told.append)
    for statuses in ((503, 502, 201), (503, 201)):
        for status in statuses:
            responses.post(INTERACTIONS, json=PENDING, status=status)
        asking.start("Go?", to="slack:C1")
    assert told == [f"{URL} answers 503; trying again"] * 2


@responses.activate
def test_two_questions_have_two_keys() -> None:
    responses.post(INTERACTIONS, json=PENDING, status=201)
    for _ in range(2):
        client().start("Go?", to="slack:C1")
    first, second = (call.request.headers["Idempotency-Key"] for call in responses.calls)
    assert first != second


@responses.activate(registry=OrderedRegistry)
def test_a_reply_whose_answer_was_lost_is_not_sent_again() -> None:
    responses.post(f"{INTERACTIONS}/int_1/reply", status=502, json={"type": "about:blank", "title": "Bad Gateway"})
    with pytest.raises(ApiError):
        client().reply("int_1", "done")
    assert len(responses.calls) == 1


@responses.activate
def test_a_refusal_carries_its_name_its_faults_and_what_stands() -> None:
    problem = {
        "type": "urn:sayso:problems/already-settled",
        "title": "Already settled",
        "status": 409,
        "detail": "This has been settled already.",
        "outcome": OUTCOME,
        "errors": [{"pointer": "/to", "detail": "wrong"}],
    }
    responses.post(f"{INTERACTIONS}/int_1/withdraw", json=problem, status=409)
    with pytest.raises(ApiError) as refused:
        client().withdraw("int_1")
    error = refused.value
    assert (error.status, error.slug, str(error)) == (409, "already-settled", problem["detail"])
    assert (error.outcome, error.errors) == (OUTCOME, ({"pointer": "/to", "detail": "wrong"},))
    assert len(responses.calls) == 1


@responses.activate
@pytest.mark.parametrize(
    "answer",
    [
        {"body": "<html>welcome</html>"},
        {"json": {"hello": "world"}},
        {"json": []},
        {"status": 404, "body": "not found"},
        {"status": 302, "headers": {"Location": f"{URL}/login"}, "json": {}},
    ],
)
def test_something_else_behind_the_address_is_said_so(answer: dict[str, Any]) -> None:
    responses.get(f"{INTERACTIONS}/int_1", **answer)
    with pytest.raises(CannotReach, match="something else"):
        client().get("int_1")
    assert len(responses.calls) == 1


@responses.activate
def test_waiting_goes_on_while_the_service_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Event, "wait", lambda *_: False)
    responses.get(f"{INTERACTIONS}/int_1", body=requests.ConnectionError())
    responses.get(f"{INTERACTIONS}/int_1", body=requests.ConnectionError())
    responses.get(f"{INTERACTIONS}/int_1", json=SETTLED)
    assert client().wait("int_1").status == "answered"


@responses.activate
def test_waiting_ends_when_the_service_is_away_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Event, "wait", lambda *_: False)
    monkeypatch.setattr(client_module, "PATIENCE", 0.0)
    responses.get(f"{INTERACTIONS}/int_1", body=requests.ConnectionError())
    with pytest.raises(CannotReach):
        client().wait("int_1")


def test_without_a_key_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="SAYSO_API_KEY"):
        Client(URL)
    monkeypatch.setenv("SAYSO_API_KEY", "sk_env")
    monkeypatch.setenv("SAYSO_URL", URL + "/")
    with responses.RequestsMock() as mock:
        mock.get(
            f"{INTERACTIONS}/int_1",
            json=SETTLED,
            match=[matchers.header_matcher({"Authorization": "Bearer sk_env"})],
        )
        assert Client().get("int_1").settled


def answer_to(questions: list[dict[str, Any]], given: dict[str, Any] | None) -> Answer:
    outcome = OUTCOME | {"answer": given} if given is not None else None
    return Answer.of(PENDING | {"payload": {"questions": questions}, "outcome": outcome})


def test_values_read_as_what_was_asked() -> None:
    choice, several = {"id": "a", "type": "choice"}, {"id": "b", "type": "choices"}
    both = answer_to([choice, several], {"a": {"custom": "later"}, "b": {"values": ["x", "y"], "custom": "z"}})
    assert both.value("a") == "later"
    assert both.value("b") == ("x", "y", "z")
    assert answer_to([several], {"b": {"custom": "z"}}).value() == ("z",)
    for falsy in (False, 0, ""):
        assert answer_to([{"id": "c", "type": "text"}], {"c": {"value": falsy}}).value() == falsy
    with pytest.raises(LookupError, match="name one of a, b"):
        both.value()
    with pytest.raises(LookupError, match="no answer to 'c'"):
        both.value("c")
    with pytest.raises(LookupError, match="pending"):
        Answer.of(PENDING).value("ship")


async def in_thread(work: Callable[[], Any]) -> Any:
    return await asyncio.to_thread(work)


async def test_a_program_asks_a_person_answers_and_the_program_goes_on(api: Calling) -> None:
    async with served(build_api(api.services)) as address:
        sayso = Client(address, key_of("builder"))
        asked = await in_thread(lambda: sayso.start("Release 4.2", to=CHANNEL, questions=SHIP))
        assert not asked.settled
        waiting = asyncio.create_task(in_thread(lambda: sayso.wait(asked.id)))
        await api.answer_as(ANA, asked.id, Respond({"ship": Given(value="yes")}, 1))
        answer = await waiting
        assert (answer.value(), answer.by.handle) == ("yes", "ana")
        replied = await in_thread(lambda: sayso.reply(asked.id, "Shipped."))
        assert replied.receipt == answer.receipt


async def test_await_ask_leaves_the_loop_free_for_others(api: Calling) -> None:
    async with served(build_api(api.services)) as address:
        key = key_of("builder")
        asking = [asyncio.create_task(ask(f"Go {number}?", url=address, key=key, to=CHANNEL)) for number in range(8)]
        ids: list[str] = []
        while len(ids) < 8:
            ids = [one["id"] for one in (await api.get("/interactions")).json()["items"]]
        for id in ids[1:]:
            await api.answer_as(ANA, id, Accept(1))
        await api.answer_as(ANA, ids[0], Reject(1, "not now"))
        answers = await asyncio.gather(*asking)
    assert sum(answer.accepted for answer in answers) == 7
    assert [answer.reason for answer in answers if not answer.accepted] == ["not now"]


async def test_to_cancel_waiting_leaves_the_question_open(api: Calling) -> None:
    async with served(build_api(api.services)) as address:
        asking = asyncio.create_task(ask("Go?", url=address, key=key_of("builder"), to=CHANNEL, wait=1))
        found: list[dict[str, Any]] = []
        while not found:
            found = (await api.get("/interactions")).json()["items"]
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert (await api.get(f"/interactions/{found[0]['id']}")).json()["status"] == "pending"


async def test_a_wait_that_is_over_gives_what_stands(api: Calling) -> None:
    async with served(build_api(api.services)) as address:
        answer = await ask("Go?", url=address, key=key_of("builder"), to=CHANNEL, wait=0.1)
    assert (answer.status, answer.accepted, answer.by, answer.receipt) == ("pending", False, None, None)
    assert json.dumps(answer.raw)


async def test_an_agent_answers_with_the_client_too(api: Calling) -> None:
    async with served(build_api(api.services)) as address:
        asker, reviewer = (Client(address, key_of(name)) for name in ("builder", "reviewer"))
        first = await in_thread(lambda: asker.start("Go?", to=CHANNEL, **for_agent()))
        rejected = await in_thread(lambda: reviewer.reject(first.id, revision=1, reason="no tests"))
        assert (rejected.status, rejected.reason, rejected.accepted) == ("rejected", "no tests", False)
        second = await in_thread(lambda: asker.start("Go?", to=CHANNEL, **for_agent()))
        assert (await in_thread(lambda: reviewer.accept(second.id, revision=1))).accepted
        third = await in_thread(lambda: asker.start("Ship?", to=CHANNEL, questions=SHIP, **for_agent()))
        given = {"ship": {"value": "no"}}
        assert (await in_thread(lambda: reviewer.respond(third.id, given, revision=1))).value() == "no"
        with pytest.raises(ApiError) as refused:
            await in_thread(lambda: asker.start("", to="nowhere"))
        assert [fault["pointer"] for fault in refused.value.errors] == ["/to", "/title"]

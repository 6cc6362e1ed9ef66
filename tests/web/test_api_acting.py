"""Acting over HTTP: who may do what, what is told to who comes late, and what stays as it is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from core.acts import Accept, Comment, Reject, Respond
from core.kinds.answers import Answer
from tests.chains import first_break, receipts_of
from tests.web.calling import ANA, BEN, Calling, confirmation, for_agent, question

YES: dict[str, Any] = {"answers": {"ship": {"value": "yes"}}, "revision": 1}


def slug(problem: dict[str, Any]) -> str:
    return str(problem["type"]).rpartition("/")[2]


async def test_a_named_agent_answers_and_the_asker_hears_who_it_was(either_api: Calling) -> None:
    id = await either_api.ask(question(**for_agent()))
    response = await either_api.post(f"/interactions/{id}/respond", YES, by="reviewer")
    assert response.status_code == 200
    outcome = response.json()["outcome"]
    assert (outcome["status"], outcome["answer"], outcome["via"]) == ("answered", {"ship": {"value": "yes"}}, "api")
    assert outcome["by"] == {"type": "agent", "id": "agt_reviewer", "handle": "reviewer", "identity": None}
    assert outcome["receipt"].startswith("rcp_")
    assert (await either_api.get(f"/interactions/{id}")).json() == response.json()


async def test_where_a_card_is_heard_of_is_told_to_its_asker_alone(api: Calling) -> None:
    heard = {"webhook": "https://agent.example/s3cret", "state": {"run": 7}}
    id = await api.ask(question(**for_agent(), continuation=heard))
    for by, told in (("builder", heard), ("reviewer", {"webhook": None, "state": None})):
        one = (await api.get(f"/interactions/{id}", by=by)).json()
        waited = (await api.get(f"/interactions/{id}?wait=0.01", by=by)).json()
        (listed,) = (await api.get("/interactions", by=by)).json()["items"]
        (event,) = (await api.get("/events", by=by)).json()["items"]
        for shown in (one, waited, listed, event["data"]["interaction"]):
            assert shown["continuation"] == told, by
        assert event["data"]["state"] == told["state"]
    done = await api.post(f"/interactions/{id}/respond", YES, by="reviewer")
    assert "s3cret" not in done.text


async def test_the_same_act_again_is_the_same_outcome(api: Calling) -> None:
    id = await api.ask(question(**for_agent()))
    first = await api.post(f"/interactions/{id}/respond", YES, by="reviewer")
    again = await api.post(f"/interactions/{id}/respond", YES, by="reviewer")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()


async def test_who_comes_late_is_told_the_winner_when_and_the_receipt(api: Calling) -> None:
    id = await api.ask(confirmation(audience={"answerers": ["conversation", "agent:reviewer"]}))
    done = await api.answer_as(ANA, id, Reject(1, "too risky"))
    late = await api.post(f"/interactions/{id}/accept", {"revision": 1}, by="reviewer")
    problem = late.json()
    assert (late.status_code, slug(problem)) == (409, "already-settled")
    assert problem["outcome"] == done.snapshot["outcome"]
    assert "ana" in problem["detail"]
    assert problem["outcome"]["receipt"] in problem["detail"]
    assert problem["outcome"]["at"] in problem["detail"]


async def test_of_two_hundred_answers_at_once_one_counts(either_api: Calling) -> None:
    audience = {"answerers": ["agent:reviewer", "agent:builder"]}
    id = await either_api.ask(question(audience=audience), by="boss")
    bodies = [{"answers": {"ship": {"value": "yes" if n % 2 else "no"}}, "revision": 1} for n in range(200)]
    acts = [
        either_api.post(f"/interactions/{id}/respond", body, by="reviewer" if n % 3 else "builder")
        for n, body in enumerate(bodies)
    ]
    answers = await asyncio.gather(*acts)
    outcomes = {str(one.json().get("outcome")) for one in answers}
    assert len(outcomes) == 1
    assert {one.status_code for one in answers} == {200, 409}
    kinds = [one["type"] for one in (await either_api.get(f"/interactions/{id}/receipts", by="boss")).json()["items"]]
    assert kinds.count("answered") == 1
    assert kinds[0] == "created"


@pytest.mark.parametrize(
    ("by", "status", "problem"),
    [
        ("builder", 403, "not-an-answerer"),  # it asked, but is not named
        ("boss", 403, "not-an-answerer"),  # an operator's key is no person
        ("stranger", 404, "not-found"),  # it may not even know
    ],
)
async def test_a_key_that_the_audience_does_not_name_cannot_answer(
    api: Calling, by: str, status: int, problem: str
) -> None:
    id = await api.ask(question(audience={"answerers": ["conversation", "role:operator", "agent:reviewer"]}))
    response = await api.post(f"/interactions/{id}/respond", YES, by=by)
    assert (response.status_code, slug(response.json())) == (status, problem)
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


async def test_an_excluded_creator_cannot_answer_its_own(api: Calling) -> None:
    own = {"answerers": ["agent:builder", "person:ana"], "exclude": ["creator"]}
    id = await api.ask(question(audience=own))
    assert (await api.post(f"/interactions/{id}/respond", YES)).status_code == 403


ANY_SCALAR = "must be true or false or a whole number or a number or text"
SHIP = {"ship": {"value": "yes"}}
WRONG_ANSWERS: list[tuple[Any, str, str]] = [
    ({"answers": SHIP}, "/revision", "this is required"),
    ({"answers": SHIP, "revision": "1"}, "/revision", "must be a whole number"),
    ({"answers": SHIP, "revision": True}, "/revision", "must be a whole number"),
    ({"answers": SHIP, "revision": 0}, "/revision", "must be greater than or equal to 1"),
    ({"answers": SHIP, "revision": 1, "by": "ana"}, "/by", "there is no such field here"),
    ({"answers": [], "revision": 1}, "/answers", "must be an object"),
    ({"answers": {}, "revision": 1}, "/answers/ship", "an answer is required"),
    ({"answers": {"ship": {}}, "revision": 1}, "/answers/ship", "an answer is required"),
    ({"answers": {"ship": {"value": "maybe"}}, "revision": 1}, "/answers/ship/value", "not the id of an option"),
    ({"answers": {"ship": {"value": [1]}}, "revision": 1}, "/answers/ship/value", ANY_SCALAR),
    (
        {"answers": {"ship": {"values": ["yes"]}}, "revision": 1},
        "/answers/ship/values",
        "this question takes one option, in `value`",
    ),
    (
        {"answers": SHIP | {"when": {"value": "now"}}, "revision": 1},
        "/answers/when",
        "there is no question with the id 'when'",
    ),
]


@pytest.mark.parametrize(("body", "pointer", "detail"), WRONG_ANSWERS)
async def test_a_wrong_answer_is_pointed_at_and_the_card_stays_open(
    api: Calling, body: Any, pointer: str, detail: str
) -> None:
    id = await api.ask(question(**for_agent()))
    response = await api.post(f"/interactions/{id}/respond", body, by="reviewer")
    assert (response.status_code, slug(response.json())) == (422, "invalid")
    assert response.json()["errors"] == [{"pointer": pointer, "detail": detail}]
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


@pytest.mark.parametrize(
    ("act", "body", "status"),
    [
        ("accept", {"revision": 1}, 422),  # questions are answered, not accepted
        ("reject", {"revision": 1, "reason": "no"}, 422),  # nor rejected
        ("reject", {"revision": 1, "reason": 5}, 422),  # a reason is words
        ("respond", None, 400),  # no body at all
        ("verdicts", {"verdicts": [{"item": "a", "verdict": "b"}], "revision": 1}, 422),  # not of this kind of card
        ("ticks", {"tick": ["a"], "revision": 1}, 422),
        ("connected", {"state": "s"}, 403),  # only its asker can say so
    ],
)
async def test_an_act_that_does_not_fit_changes_nothing(api: Calling, act: str, body: Any, status: int) -> None:
    id = await api.ask(question(**for_agent()))
    response = await api.post(f"/interactions/{id}/{act}", body, by="reviewer")
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


async def test_a_patch_makes_a_revision_and_voids_what_was_said_before(either_api: Calling) -> None:
    body = confirmation(audience={"answerers": ["conversation", "agent:reviewer"], "quorum": 2})
    id = await either_api.ask(body)
    await either_api.answer_as(ANA, id, Accept(1))
    patched = await either_api.call(
        "PATCH",
        f"/interactions/{id}",
        {"revision": 1, "body": None, "payload": {"accept_label": "Drop it", "reason": "none"}},
    )
    shown = patched.json()
    assert patched.status_code == 200
    assert (shown["revision"], shown["votes"], shown["title"]) == (2, [], body["title"])
    assert (shown["body"], shown["payload"]["accept_label"]) == ("", "Drop it")
    stale = await either_api.post(f"/interactions/{id}/accept", {"revision": 1}, by="reviewer")
    assert (stale.status_code, slug(stale.json()), stale.json()["outcome"]) == (409, "stale-revision", None)
    kinds = [one["type"] for one in (await either_api.get(f"/interactions/{id}/receipts")).json()["items"]]
    assert kinds == ["created", "voted", "patched", "vote_voided"]


TEXT = {"id": "a", "type": "text", "prompt": 5}
PATCHES: list[tuple[dict[str, Any], int, list[str]]] = [
    ({"revision": 1}, 422, [""]),  # nothing to change
    ({"title": "New"}, 422, ["/revision"]),
    ({"revision": 1, "title": None}, 422, ["/title"]),  # a card has a title
    ({"revision": 1, "kind": "confirmation"}, 422, ["/kind"]),  # and stays of its kind
    ({"revision": 1, "payload": {}}, 422, ["/payload/questions"]),
    ({"revision": 1, "payload": {"questions": [TEXT]}}, 422, ["/payload/questions/0/prompt"]),
    ({"revision": 1, "payload": {"accept_label": "Yes"}}, 422, ["/payload/questions", "/payload/accept_label"]),
    ({"revision": 7, "title": "New"}, 409, []),  # another revision
]


@pytest.mark.parametrize(("body", "status", "pointers"), PATCHES)
async def test_a_wrong_patch_changes_nothing(
    api: Calling, body: dict[str, Any], status: int, pointers: list[str]
) -> None:
    id = await api.ask()
    before = (await api.get(f"/interactions/{id}")).json()
    response = await api.call("PATCH", f"/interactions/{id}", body)
    assert response.status_code == status
    assert [fault["pointer"] for fault in response.json().get("errors", [])] == pointers
    assert (await api.get(f"/interactions/{id}")).json() == before


async def test_who_only_answers_may_not_change_or_withdraw(api: Calling) -> None:
    id = await api.ask(question(**for_agent()))
    for method, rest, body in (
        ("POST", "/withdraw", None),
        ("PATCH", "", {"revision": 1, "title": "Mine"}),
        ("POST", "/reply", {"text": "done"}),
    ):
        response = await api.call(method, f"/interactions/{id}{rest}", body, by="reviewer")
        assert (response.status_code, slug(response.json())) == (403, "forbidden")


@pytest.mark.parametrize("by", ["builder", "boss"])
async def test_the_asker_or_an_operator_withdraws(api: Calling, by: str) -> None:
    id = await api.ask()
    response = await api.post(f"/interactions/{id}/withdraw", {"reason": "not needed"}, by=by)
    outcome = response.json()["outcome"]
    assert (outcome["status"], outcome["reason"], outcome["by"]["handle"]) == ("withdrawn", "not needed", by)
    again = await api.post(f"/interactions/{id}/withdraw", by=by)
    assert again.status_code == 200
    late = await api.post(f"/interactions/{id}/withdraw", by="boss" if by == "builder" else "builder")
    assert (late.status_code, slug(late.json())) == (409, "withdrawn")


async def test_a_withdrawal_of_what_changed_meanwhile_is_stale(api: Calling) -> None:
    id = await api.ask()
    await api.call("PATCH", f"/interactions/{id}", {"revision": 1, "title": "Other"})
    stale = await api.post(f"/interactions/{id}/withdraw", {"revision": 1})
    assert slug(stale.json()) == "stale-revision"
    assert (await api.post(f"/interactions/{id}/withdraw", {"revision": 2})).status_code == 200


@pytest.mark.parametrize("act", ["cancel", "skip", "dismiss", "reopen"])
@pytest.mark.parametrize("by", ["builder", "boss"])
async def test_what_operators_do_in_person_no_key_can_do(api: Calling, act: str, by: str) -> None:
    id = await api.ask()
    response = await api.post(f"/interactions/{id}/{act}", {"revision": 1}, by=by)
    assert (response.status_code, slug(response.json())) == (403, "forbidden")
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


async def test_acts_on_what_expired_are_told_so(api: Calling) -> None:
    policy = {"expires_in": "10m", "starts": "asked", "default": {"ship": {"value": "no"}}}
    id = await api.ask(question(policy=policy, **for_agent()))
    api.clock.move(minutes=11)
    late = await api.post(f"/interactions/{id}/respond", YES, by="reviewer")
    assert (late.status_code, slug(late.json())) == (409, "expired")
    outcome = late.json()["outcome"]
    assert (outcome["status"], outcome["via"], outcome["by"]["type"]) == ("expired", "timer", "timer")
    assert (outcome["answer"], outcome["default"]) == (None, {"ship": {"value": "no"}})


async def test_a_reply_goes_to_the_asker_of_answers_and_is_kept(api: Calling) -> None:
    id = await api.ask()
    await api.answer_as(ANA, id, Respond({"ship": Answer(value="yes")}, 1))
    assert (await api.post(f"/interactions/{id}/reply", {"text": "Shipped."})).status_code == 200
    last = (await api.get(f"/interactions/{id}/receipts")).json()["items"][-1]
    assert (last["type"], last["data"]) == ("replied", {"text": "Shipped."})
    assert (await api.post(f"/interactions/{id}/reply", {"text": " "})).json()["errors"][0]["pointer"] == "/text"


async def test_receipts_are_a_chain_that_anybody_can_check(api: Calling) -> None:
    id = await api.ask(confirmation(audience={"quorum": 2}))
    await api.answer_as(BEN, id, Comment("why now?"))
    await api.answer_as(BEN, id, Accept(1))
    await api.answer_as(ANA, id, Accept(1))
    first = (await api.get(f"/interactions/{id}/receipts?limit=3")).json()
    rest = (await api.get(f"/interactions/{id}/receipts?after={first['next']}")).json()
    lines = first["items"] + rest["items"]
    assert [line["type"] for line in lines] == ["created", "commented", "voted", "accepted"]
    assert [line["seq"] for line in lines] == [1, 2, 3, 4]
    assert rest["next"] is None
    assert first_break(receipts_of(lines)) is None
    shown = (await api.get(f"/interactions/{id}")).json()
    assert {line["digest"] for line in lines} == {shown["digest"]}
    assert shown["outcome"]["receipt"] == lines[-1]["id"]
    assert (lines[3]["by"]["identity"], lines[3]["provider_event"]) == ("slack:T1.U1", "slack:evt")


async def test_settling_one_card_touches_no_other_in_the_same_conversation(api: Calling) -> None:
    first, second, third = [await api.ask(confirmation()) for _ in range(3)]
    await api.answer_as(ANA, second, Reject(1, "not this one"))
    await api.answer_as(BEN, third, Accept(1))
    shown = [(await api.get(f"/interactions/{id}")).json() for id in (first, second, third)]
    assert [one["status"] for one in shown] == ["pending", "rejected", "accepted"]
    assert [one["revision"] for one in shown] == [1, 1, 1]
    untouched = (await api.get(f"/interactions/{first}/receipts")).json()["items"]
    assert [line["type"] for line in untouched] == ["created"]

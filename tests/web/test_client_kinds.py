"""The client asks every kind and reads what was decided."""

from __future__ import annotations

from typing import Any

import pytest
import responses
from responses import matchers

from bot.client import Answer, ApiError, Client
from bot.startup import WORKSPACE
from bot.web.api import build_api
from core.acts import Comment, Judge, SetOut
from core.kinds import EXAMPLES, Kind
from core.kinds.connection import digest_of
from core.kinds.item_verdicts import Given as Item
from core.use_cases.change import operate
from tests.web.calling import ANA, CHANNEL, Calling, for_agent, key_of
from tests.web.serving import served
from tests.web.test_client import INTERACTIONS, PENDING, URL, answer_to, client, in_thread

KINDS = [kind for kind in Kind if kind is not Kind.QUESTIONS]


@responses.activate
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_sent_as_it_is_given(kind: Kind) -> None:
    example = EXAMPLES[kind]
    body = {"title": "T", "to": "review", "kind": kind.value, "payload": example["payload"]}
    responses.post(INTERACTIONS, json=PENDING, status=201, match=[matchers.json_params_matcher(body)])
    asked = client().start("T", to="review", kind=kind.value, payload=example["payload"])
    assert asked.id == PENDING["id"]


def test_an_answer_of_one_kind_has_nothing_of_another() -> None:
    answered = answer_to([{"id": "selected", "type": "text"}], {"selected": {"value": "x"}})
    assert (answered.selected, answered.created, answered.verdicts, answered.progress) == ((), {}, {}, None)
    assert answered.value() == "x"
    pending = Answer.of(PENDING | {"payload": {"items": []}, "progress": {"selected": ["a"], "ticks": []}})
    assert (pending.selected, pending.progress) == ((), {"selected": ["a"], "ticks": []})


@responses.activate
def test_tasks_are_read_page_after_page_and_only_as_far_as_wanted() -> None:
    by = {"type": "person", "id": "per_ana", "handle": "ana", "identity": "slack:T1.U1"}
    task: dict[str, Any] = {
        "id": "tsk_2",
        "interaction": "int_1",
        "key": "a",
        "title": "A",
        "description": None,
        "parent": None,
    }
    task |= {"assignee": None, "priority": "high", "by": by, "at": "2026-12-02T10:00:00.000000Z"}
    first = matchers.query_param_matcher({"limit": "100", "interaction": "int_1"})
    second = matchers.query_param_matcher({"limit": "100", "interaction": "int_1", "after": "tsk_2"})
    responses.get(f"{URL}/v1/tasks", json={"items": [task], "next": "tsk_2"}, match=[first])
    responses.get(f"{URL}/v1/tasks", json={"items": [task | {"id": "tsk_1"}], "next": None}, match=[second])
    found = client().tasks("int_1")
    assert (next(found).id, len(responses.calls)) == ("tsk_2", 1)
    last = list(found)
    assert [(one.id, one.priority, one.by.handle, one.at.year) for one in last] == [("tsk_1", "high", "ana", 2026)]


async def test_a_program_uses_every_kind(api: Calling) -> None:
    """Asks each, acts on it as the agent that it names, and reads what came of it."""
    async with served(build_api(api.services)) as address:
        asker, reviewer = (Client(address, key_of(name)) for name in ("builder", "reviewer"))

        async def ask_for(kind: Kind, **more: Any) -> Answer:
            fields = {**for_agent(), **more, "kind": kind.value, "payload": EXAMPLES[kind]["payload"]}
            found: Answer = await in_thread(lambda: asker.start("T", to=CHANNEL, **fields))
            return found

        listed = await ask_for(Kind.CHECKLIST)
        ticked = await in_thread(lambda: reviewer.tick(listed.id, "canary", untick=["notes"], revision=listed.revision))
        assert (ticked.settled, ticked.selected, ticked.progress["selected"]) == (False, (), ["canary"])
        await in_thread(lambda: reviewer.tick(listed.id, "oncall", revision=1))
        done = await in_thread(lambda: reviewer.accept(listed.id, revision=1))
        assert (done.status, done.selected, done.accepted) == ("completed", ("canary", "oncall"), False)

        judged = await ask_for(Kind.ITEM_VERDICTS, audience={"answerers": ["agent:reviewer", "conversation"]})
        await api.answer_as(ANA, judged.id, Judge(1, (Item("pydantic", "defer"),)))
        both = [{"item": "pydantic", "verdict": "approve"}, {"item": "sqlalchemy", "verdict": "reject", "reason": "No"}]
        end = await in_thread(lambda: reviewer.judge(judged.id, both, revision=1))
        assert list(end.late) == [0]
        assert "Ana" in end.late[0]
        assert {item: (one.verdict, one.reason, one.by.handle) for item, one in end.verdicts.items()} == {
            "pydantic": ("defer", None, "ana"),
            "sqlalchemy": ("reject", "No", "reviewer"),
        }

        suggested = await ask_for(Kind.SUGGESTED_TASKS)
        edits = {"alerts": {"title": "Alert at 1,000"}}
        made = await in_thread(lambda: reviewer.accept(suggested.id, revision=1, selected=["alerts"], edits=edits))
        assert (made.accepted, made.selected, made.skipped) == (True, ("alerts",), ("runbook", "drill"))
        tasks = await in_thread(lambda: list(asker.tasks(suggested.id)))
        assert [(one.id, one.title, one.by) for one in tasks] == [(made.created["alerts"], "Alert at 1,000", made.by)]

        wanted = await ask_for(Kind.CONNECTION)
        assert (await ask_for(Kind.CONNECTION)).id == wanted.id
        with pytest.raises(ApiError, match="set out"):
            await in_thread(lambda: asker.connected(wanted.id, "s"))
        await operate(api.services.context, WORKSPACE, wanted.id, SetOut(1, digest_of("s")), ANA, ANA.identities[0])
        assert (await in_thread(lambda: asker.connected(wanted.id, "s"))).accepted

        channel = {"answerers": ["conversation"]}
        worded = await ask_for(Kind.CHECKLIST, audience=channel, policy={"resolve_from_comment": True})
        await api.answer_as(ANA, worded.id, Comment("all but the notes", "slack:T1.C0123/1.2"))
        read = await in_thread(
            lambda: asker.resolve_from_comment(
                worded.id, "slack:T1.C0123/1.2", accept=True, revision=1, selected=["canary", "oncall"]
            )
        )
        assert (read.selected, read.by.handle) == (("canary", "oncall"), "ana")

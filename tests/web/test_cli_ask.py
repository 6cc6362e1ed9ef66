"""`sayso ask`: a shell asks, a person answers, the exit status says how it ended."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bot import resending
from bot.answers import Answer
from bot.commands.asking import exit_status
from bot.commands.bare_options import spread_wait
from bot.web.api import build_api
from core.acts import Accept, Judge, Reject, Respond
from core.kinds import EXAMPLES, Kind
from core.kinds.answers import Answer as Given
from core.kinds.item_verdicts import Given as Item
from core.records import Status
from tests.web.calling import ANA, CHANNEL, Calling, key_of
from tests.web.serving import served
from tests.web.shells import Shell

WAITS = [
    (["ask", "Go?", "--wait"], ["ask", "Go?", "--wait=forever"]),
    (["ask", "--wait", "Go?"], ["ask", "--wait=forever", "Go?"]),
    (["ask", "Go?", "--wait", "30"], ["ask", "Go?", "--wait", "30"]),
    (["ask", "Go?", "--wait", "1.5", "--json"], ["ask", "Go?", "--wait", "1.5", "--json"]),
    (["ask", "Go?", "--wait", "--json"], ["ask", "Go?", "--wait=forever", "--json"]),
    (["ask", "--", "--wait"], ["ask", "--", "--wait"]),
    (["ask", "Go?"], ["ask", "Go?"]),
]


@pytest.mark.parametrize(("given", "read"), WAITS)
def test_wait_may_stand_alone(given: list[str], read: list[str]) -> None:
    assert spread_wait(given) == read


EXITS = [
    ("answered", 0), ("accepted", 0), ("completed", 0), ("rejected", 3), ("undeliverable", 5), ("pending", 6),
    ("expired", 4), ("withdrawn", 4), ("superseded", 4), ("cancelled", 4), ("skipped", 4),
]  # fmt: skip


@pytest.mark.parametrize(("status", "code"), EXITS)
def test_the_exit_status_says_how_it_ended(status: str, code: int) -> None:
    assert exit_status(Answer("int_1", status)) == code


def test_every_status_has_its_exit() -> None:
    assert {status for status, _ in EXITS} == {status.value for status in Status}


USAGE = [
    ["ask"],
    ["ask", "Go?"],
    ["ask", "Go?", "--to", CHANNEL, "--choice", "yes", "--text"],
    ["ask", "Go?", "--to", CHANNEL, "--choices", "yes", "--confirm"],
    ["ask", "Go?", "--to", CHANNEL, "--wait=soon", "--key", "sk_x"],
    ["ask", "Go?", "--to", CHANNEL, "--kind", "poll"],
    ["ask", "Go?", "--to", CHANNEL, "--escalate", "person:ben"],  # after how long?
    ["ask", "Go?", "--to", CHANNEL, "--kind", "checklist"],  # of what?
    ["ask", "Go?", "--to", CHANNEL, "--kind", "checklist", "--choice", "a"],
    ["ask", "Go?", "--to", CHANNEL, "--kind", "connection", "--item", "a"],
    ["ask", "Go?", "--to", CHANNEL, "--item", "a"],  # to tick, to judge, to create?
    ["ask", "Go?", "--to", CHANNEL, "--kind", "checklist", "--item", "a", "--payload", "x.json"],
    ["ask", "Go?", "--to", CHANNEL, "--payload", "x.json"],  # the payload of what?
    ["ask", "Go?", "--to", CHANNEL, "--kind", "checklist", "--payload", "nowhere.json"],
    ["ask", "Go?", "--to", CHANNEL],  # no key anywhere
    ["ask", "Go?", "--to", CHANNEL, "--colour", "red"],
    ["nonsense"],
]


@pytest.mark.parametrize("arguments", USAGE)
def test_wrong_use_is_2_and_says_what_is_wrong(shell: Shell, arguments: list[str]) -> None:
    assert shell(*arguments) == 2
    assert shell.err


@pytest.mark.parametrize("text", ["", "{", "[]", '"x"', '{"min": NaN}', "[" * 100_000])
def test_a_payload_is_a_json_object(shell: Shell, tmp_path: Path, text: str) -> None:
    (tmp_path / "p.json").write_text(text)
    assert shell("ask", "Go?", "--to", CHANNEL, "--kind", "checklist", "--payload", "p.json", "--key", "sk_x") == 2
    assert "p.json is not" in shell.err


def test_a_service_that_is_not_there_is_1(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.resending.TRIES", 0)
    assert shell("ask", "Go?", "--to", CHANNEL, "--url", "http://127.0.0.1:1", "--key", "sk_x") == 1
    assert "cannot be reached" in shell.err
    assert "trying again" not in shell.err


def test_a_shell_is_told_at_once_and_once_that_the_service_is_not_there(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.resending.TRIES", 2)
    monkeypatch.setitem(resending.RULES, "backoff_factor", 0.01)
    monkeypatch.setitem(resending.RULES, "backoff_jitter", 0)
    assert shell("ask", "Go?", "--to", CHANNEL, "--url", "http://127.0.0.1:1", "--key", "sk_x") == 1
    first, last = shell.err.splitlines()
    assert first == "sayso: http://127.0.0.1:1 does not answer; trying again"
    assert "cannot be reached" in last
    assert "add --idempotency-key" in last


async def asked_by_shell(api: Calling, shell: Shell, *arguments: str, act: Any = None, by: Any = ANA) -> int:
    """Run `ask --wait …` against the API; once the card is there, `act` is done by a person."""
    async with served(build_api(api.services)) as address:
        where = ("--to", CHANNEL, "--url", address, "--key", key_of("builder"))
        before = {one["id"] for one in (await api.get("/interactions")).json()["items"]}
        running = asyncio.create_task(shell.aside("ask", *arguments, *where))
        while act is not None and not running.done():
            items = (await api.get("/interactions")).json()["items"]
            new = [one["id"] for one in items if one["id"] not in before]
            if new:
                await api.answer_as(by, new[0], act)
                break
        return await running


async def test_a_shell_hears_the_option_that_was_chosen(api: Calling, shell: Shell) -> None:
    choice = ("Deploy 4.2?", "--choice", "yes", "--choice", "no", "--wait")
    assert await asked_by_shell(api, shell, *choice, act=Respond({"answer": Given(value="no")}, 1)) == 0
    assert shell.out == "no\n"


async def test_a_long_option_is_printed_as_it_was_written(api: Calling, shell: Shell) -> None:
    long = "wait " * 40
    choice = ("Deploy 4.2?", "--choice", "yes", "--choice", long.strip(), "--wait")
    assert await asked_by_shell(api, shell, *choice, act=Respond({"answer": Given(value="option-2")}, 1)) == 0
    assert shell.out == long.strip() + "\n"


async def test_a_shell_hears_every_option_that_was_chosen(api: Calling, shell: Shell) -> None:
    several = ("Which?", "--choices", "a", "--choices", "b", "--choices", "c", "--wait")
    assert await asked_by_shell(api, shell, *several, act=Respond({"answer": Given(values=("a", "c"))}, 1)) == 0
    assert shell.out == "a\nc\n"


async def test_a_shell_hears_text_and_json(api: Calling, shell: Shell) -> None:
    text = ("Why?", "--text", "--wait", "--json", "--body", "**Because**", "--expires", "1h")
    assert await asked_by_shell(api, shell, *text, act=Respond({"answer": Given(value="so it is")}, 1)) == 0
    shown = json.loads(shell.out)
    assert shown["outcome"]["answer"] == {"answer": {"value": "so it is"}}
    assert (shown["body"], shown["policy"]["expires_in"]) == ("**Because**", "1h")


async def test_a_shell_has_people_reminded_and_others_brought_in(api: Calling, shell: Shell) -> None:
    assert await asked_by_shell(api, shell, "Go?", "--nudge", "30m", "--escalate", "person:ben", "--json") == 0
    policy = json.loads(shell.out)["policy"]
    assert (policy["expires_in"], policy["nudges"]["every"]) == (None, "30m")
    assert policy["nudges"]["escalate_to"] == ["person:ben"]
    assert await asked_by_shell(api, shell, "Go?", "--nudge", "soon") == 2
    assert "--nudge, such as --nudge 30m" in shell.err
    assert await asked_by_shell(api, shell, "Go?", "--nudge", "30m", "--escalate", "conversation") == 2
    assert "--escalate, such as --escalate person:opal" in shell.err


async def test_a_confirmation_ends_the_script_as_it_ended(api: Calling, shell: Shell) -> None:
    assert await asked_by_shell(api, shell, "Drop it?", "--confirm", "--wait", act=Accept(1)) == 0
    assert shell.out == "accepted\n"
    assert await asked_by_shell(api, shell, "Drop it?", "--wait", act=Reject(1, "still used")) == 3
    assert shell.out == "rejected\nstill used\n"


async def test_a_wait_that_is_over_names_the_question_to_wait_for_again(api: Calling, shell: Shell) -> None:
    assert await asked_by_shell(api, shell, "Go?", "--wait", "0.1") == 6
    id = shell.out.strip()
    assert f"can still be answered: {id}" in shell.err
    assert (await api.get(f"/interactions/{id}")).json()["status"] == "pending"


async def test_asking_without_waiting_prints_the_id_and_asks_once_per_key(api: Calling, shell: Shell) -> None:
    assert await asked_by_shell(api, shell, "Go?", "--idempotency-key", "job-7") == 0
    first = shell.out
    assert await asked_by_shell(api, shell, "Go?", "--idempotency-key", "job-7") == 0
    assert shell.out == first
    assert await asked_by_shell(api, shell, "Went?", "--idempotency-key", "job-7") == 2


async def test_what_the_service_refuses_is_said_in_its_words(api: Calling, shell: Shell) -> None:
    async with served(build_api(api.services)) as address:
        key = ("--url", address, "--key")
        assert await shell.aside("ask", "Go?", "--to", "nowhere", *key, key_of("builder")) == 2
        assert "/to: an address starts with" in shell.err
        assert await shell.aside("ask", "Go?", "--to", "person:ghost", *key, key_of("builder")) == 2
        assert "there is nobody with the handle ghost (here: `sayso person list`" in shell.err
        assert await shell.aside("ask", "Go?", "--to", CHANNEL, *key, "sk_wrong") == 1
        assert "`sayso agent add`" in shell.err
        secure = address.replace("http://", "https://")
        assert await shell.aside("ask", "Go?", "--to", CHANNEL, "--url", secure, "--key", key_of("builder")) == 1
        assert "speaks no https" in shell.err
        assert await shell.aside("ask", "Go?", "--to", "review", *key, key_of("builder")) == 2
        assert "--answerer person:ana" in shell.err
        assert await shell.aside("ask", "Go?", "--to", CHANNEL, *key, "sk_wrong") == 1
        assert "not known" in shell.err


async def test_a_shell_has_items_ticked(api: Calling, shell: Shell) -> None:
    items = ("Before 4.2", "--kind", "checklist", "--item", "Notes read", "--item", "Canary clean", "--wait")
    assert await asked_by_shell(api, shell, *items, act=Accept(1, ("Canary clean",))) == 0
    assert shell.out == "Canary clean\n"


async def test_a_shell_has_items_judged(api: Calling, shell: Shell) -> None:
    items = ("Updates", "--kind", "item_verdicts", "--item", "pydantic 2.12", "--item", "ruff 0.14", "--wait")
    verdicts = (Item("ruff 0.14", "reject", "new rules"), Item("pydantic 2.12", "approve"))
    assert await asked_by_shell(api, shell, *items, act=Judge(1, verdicts)) == 0
    assert shell.out == "pydantic 2.12: Approve\nruff 0.14: Reject (new rules)\n"


async def test_a_shell_hears_which_tasks_were_created(api: Calling, shell: Shell) -> None:
    items = ("Follow-ups", "--kind", "suggested_tasks", "--item", "Alert", "--item", "Drill", "--wait")
    assert await asked_by_shell(api, shell, *items, act=Accept(1, ("Drill",))) == 0
    (task,) = (await api.get("/tasks")).json()["items"]
    assert shell.out == f"{task['id']} Drill\n"
    assert await asked_by_shell(api, shell, *items, act=Reject(1, "none of it")) == 3
    assert shell.out == "rejected\nnone of it\n"


async def test_a_shell_sends_any_payload_from_a_file_or_its_input(
    api: Calling, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.json").write_text(json.dumps(EXAMPLES[Kind.CONNECTION]["payload"]))
    connection = ("Connect", "--kind", "connection", "--payload", "p.json", "--wait")
    assert await asked_by_shell(api, shell, *connection, act=Reject(1)) == 3
    assert shell.out == "rejected\n"
    questions = [
        {"id": "sure", "prompt": "Sure?", "type": "boolean"},
        {"id": "which", "prompt": "Which?", "type": "choices", "custom": True, "options": [{"id": "a", "label": "A!"}]},
        {"id": "note", "prompt": "Note?", "type": "text", "required": False},
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"questions": questions})))
    form = ("Form", "--kind", "questions", "--payload", "-", "--wait")
    answers = {"sure": Given(value=False), "which": Given(values=("a",), custom="a")}
    assert await asked_by_shell(api, shell, *form, act=Respond(answers, 1)) == 0
    assert shell.out == "sure: false\nwhich: A!\nwhich: a\n"

"""`sayso agent`: keys are shown once, given once, and end with all that hangs on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.config import load
from bot.moment import SystemClock
from bot.startup import OPERATOR, WORKSPACE, prepare
from bot.web.keys import hash_key
from core.access import ROTATION
from core.asking import ASK
from core.people import AgentRole
from core.ports import Context
from core.records import Status
from core.store import Store
from core.use_cases.ask import ask
from tests.web.calling import question
from tests.web.shells import Shell, in_store


async def test_a_key_is_shown_once_and_stored_as_a_hash(shell: Shell, tmp_path: Path) -> None:
    assert await shell.aside("agent", "add", "ci", "--json") == 0
    made = json.loads(shell.out)
    assert (made["name"], made["role"]) == ("ci", "agent")
    agent = await in_store(lambda store, _: store.records.agent_by_key(hash_key(made["api_key"]), SystemClock().now()))
    assert agent is not None
    assert agent.name == "ci"
    stored = b"".join(path.read_bytes() for path in (tmp_path / ".data").iterdir())
    assert made["api_key"].encode() not in stored
    assert await shell.aside("agent", "list") == 0
    assert "ci" in shell.out
    assert made["api_key"] not in shell.out


def test_an_agents_name_is_given_once_for_good(shell: Shell) -> None:
    assert shell("agent", "add", "ci") == 0
    assert shell("agent", "add", "ci") == 2
    assert shell("agent", "revoke", "ci") == 0
    assert shell("agent", "add", "ci") == 2
    assert "stays with that agent" in shell.err
    assert shell("agent", "revoke", "ci") == 1
    assert shell("agent", "rotate", "ci") == 1
    assert shell("agent", "list", "--json") == 0
    assert [(one["name"], one["revoked"]) for one in json.loads(shell.out)] == [("ci", True)]


@pytest.mark.parametrize("name", ["", "a b", "-x", "é", "x" * 65, "a/b"])
def test_a_name_that_no_audience_could_spell_is_refused(shell: Shell, name: str) -> None:
    assert shell("agent", "add", "--", name) == 2
    assert shell.err.startswith("sayso: ")


async def test_after_a_rotation_both_keys_are_good_for_a_day(shell: Shell) -> None:
    await shell.aside("agent", "add", "ci", "--json")
    first = json.loads(shell.out)
    assert await shell.aside("agent", "rotate", "ci", "--json") == 0
    second = json.loads(shell.out)
    now = SystemClock().now()

    async def known(store: Store, _: Context) -> list[Any]:
        keys = [hash_key(one["api_key"]) for one in (first, second)]
        found = [await store.records.agent_by_key(key, when) for when in (now, now + ROTATION * 2) for key in keys]
        secrets = await store.records.webhook_secrets(first["id"], now)
        return [*(one is not None for one in found), secrets]

    secrets = (second["webhook_secret"], first["webhook_secret"])
    assert await in_store(known) == [True, True, False, True, secrets]
    await shell.aside("agent", "rotate", "ci", "--now", "--json")
    third = json.loads(shell.out)
    later = await in_store(lambda store, _: store.records.webhook_secrets(first["id"], SystemClock().now()))
    assert later == (third["webhook_secret"],)


async def test_a_revoked_agents_cards_end_with_it(shell: Shell) -> None:
    for name in ("asker", "other", "judge"):
        await shell.aside("agent", "add", name)

    async def ask_all(store: Store, context: Context) -> dict[str, str]:
        agents = {one.name: one for one in await store.records.agents(WORKSPACE)}
        audiences = {
            "its own": ("judge", ["conversation"]),
            "only it answers": ("asker", ["agent:judge"]),
            "others answer too": ("asker", ["agent:judge", "agent:other"]),
            "not about it": ("asker", ["conversation"]),
        }
        asked = {}
        for title, (name, answerers) in audiences.items():
            body = question(title=title, audience={"answerers": answerers})
            request = ASK.validate_json(json.dumps(body))
            asked[title] = (await ask(context, request, agents[name])).snapshot["id"]
        return asked

    asked = await in_store(ask_all)
    assert await shell.aside("agent", "revoke", "judge") == 0
    assert "2 open cards ended" in shell.out

    async def statuses(store: Store, _: Context) -> dict[str, tuple[Status, str]]:
        found = {}
        for title, id in asked.items():
            whole = await store.records.interaction(WORKSPACE, id, None)
            assert whole is not None
            receipts = await store.records.receipts(WORKSPACE, id)
            found[title] = (whole.interaction.status, receipts[-1].type.value)
        return found

    assert await in_store(statuses) == {
        "its own": (Status.WITHDRAWN, "withdrawn"),
        "only it answers": (Status.UNDELIVERABLE, "undeliverable"),
        "others answer too": (Status.PENDING, "created"),
        "not about it": (Status.PENDING, "created"),
    }


async def test_the_key_of_the_settings_is_an_operator_from_the_first_start(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAYSO_API_KEY", "from-the-environment-0123456789")
    secret = "whsec_" + "A" * 32
    monkeypatch.setenv("SAYSO_WEBHOOK_SECRET", secret)

    async def start(store: Store, context: Context) -> None:
        await prepare(store, context, load())

    for _ in range(2):
        await in_store(start)

    async def look(store: Store, _: Context) -> tuple[Any, ...]:
        agents = await store.records.agents(WORKSPACE)
        return agents, await store.records.webhook_secrets(agents[0].id, SystemClock().now())

    agents, secrets = await in_store(look)
    assert [(one.name, one.role) for one in agents] == [(OPERATOR, AgentRole.OPERATOR)]
    assert secrets == (secret,)
    monkeypatch.setenv("SAYSO_WEBHOOK_SECRET", "whsec_" + "B" * 32)
    await in_store(start)
    assert (await in_store(look))[1] == ("whsec_" + "B" * 32, secret)
    for command in ("add", "revoke", "rotate"):
        assert await shell.aside("agent", command, OPERATOR) == 2
        assert "SAYSO_API_KEY" in shell.err


async def test_a_command_in_a_shell_with_a_programs_key_makes_and_changes_nobody(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await shell.aside("agent", "add", "release-bot", "--json") == 0
    made = json.loads(shell.out)
    for key in (made["api_key"], "sk_" + "k" * 43):  # its own, and one of a service elsewhere
        monkeypatch.setenv("SAYSO_API_KEY", key)
        monkeypatch.setenv("SAYSO_WEBHOOK_SECRET", made["webhook_secret"])
        assert await shell.aside("agent", "list", "--json") == 0
        assert [one["name"] for one in json.loads(shell.out)] == ["release-bot"]

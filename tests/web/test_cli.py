"""The commands that look after it: what they print, what they leave, and the exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.slack.manifest import manifest_yaml
from bot.startup import WORKSPACE
from core.asking import ASK
from core.diagram import state_diagram
from core.interactions import TRANSITIONS
from core.ports import Context
from core.store import Store
from core.use_cases.ask import ask
from tests.web.calling import question
from tests.web.shells import Shell, in_store


async def test_an_event_is_delivered_again_under_its_id(shell: Shell) -> None:
    await shell.aside("agent", "add", "ci")

    async def ask_one(store: Store, context: Context) -> list[str]:
        (agent,) = await store.records.agents(WORKSPACE)
        for webhook in ("https://agent.example/hook", None):
            body = question(continuation={"webhook": webhook})
            await ask(context, ASK.validate_json(json.dumps(body)), agent)
        return [event.id for event in await store.records.events(WORKSPACE, None)]

    created, silent = await in_store(ask_one)
    assert await shell.aside("replay", created) == 2
    assert "webhooks carry no interaction.created" in shell.err
    assert await shell.aside("replay", silent) == 2
    assert "named no webhook" in shell.err
    assert await shell.aside("replay", "evt_none") == 1
    await shell.aside("agent", "revoke", "ci")
    events = await in_store(lambda store, _: store.records.events(WORKSPACE, None))
    ended = next(
        one
        for one in events
        if one.type == "interaction.withdrawn" and one.data["interaction"]["continuation"]["webhook"]
    )
    assert await shell.aside("replay", ended.id) == 0
    assert str(ended.interaction) in shell.out


def test_the_diagram_is_the_table(shell: Shell) -> None:
    assert shell("states") == 0
    assert shell.out == state_diagram()
    drawn = {
        (before, after): set(acts.split(", "))
        for before, _, rest in (line.strip().partition(" --> ") for line in shell.out.splitlines() if ": " in line)
        for after, _, acts in (rest.partition(": "),)
    }
    wanted: dict[tuple[str, str], set[str]] = {("[*]", "pending"): {"ask"}}
    for before, acts in TRANSITIONS.items():
        for act, afters in acts.items():
            for after in afters:
                wanted.setdefault((before.value, after.value), set()).add(act.value)
    assert drawn == wanted


def test_the_manifest_is_for_this_address_or_for_socket_mode(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shell("manifest") == 1
    assert "SAYSO_PUBLIC_URL" in shell.err
    assert shell("manifest", "--socket") == 0
    assert shell.out == manifest_yaml(None)
    monkeypatch.setenv("SAYSO_PUBLIC_URL", "https://sayso.example.com")
    assert shell("manifest") == 0
    assert shell.out == manifest_yaml("https://sayso.example.com")


def test_a_wrong_setting_stops_with_one_sentence(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_DATABASE_URL", "mysql://host/db")
    for command in (["migrate"], ["agent", "list"], ["serve"], ["person", "list"]):
        assert shell(*command) == 1
        assert shell.err.startswith("sayso: SAYSO_DATABASE_URL")
        assert shell.err.count("\n") == 1


@pytest.mark.parametrize("command", ["--help", "ask --help", "agent --help", "person --help", "doctor --help"])
def test_every_command_says_what_it_does(shell: Shell, command: str) -> None:
    assert shell(*command.split()) == 0
    assert "Usage: sayso" in shell.out


def test_it_is_a_program_of_its_own() -> None:
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-m", "bot", "states"], cwd=root, capture_output=True, text=True, check=False, timeout=50
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, state_diagram(), "")

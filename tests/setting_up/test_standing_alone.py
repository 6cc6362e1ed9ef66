"""The stand-ins in processes of their own, as the README starts them: what they print is all that a service needs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config import load
from tests.readme import ROOT, blocks
from tests.setting_up.doctoring import Doctor

COMMANDS = re.findall(r"^python -m (bot\.sandbox\.\w+) (.*) > (\S+) &$", "\n".join(blocks("sh")), re.MULTILINE)


async def test_what_the_stand_ins_print_connects_the_service(doctor: Doctor, tmp_path: Path) -> None:
    assert [module for module, _, _ in COMMANDS] == ["bot.sandbox.slack", "bot.sandbox.telegram"]
    running = [_started(module, options) for module, options, _ in COMMANDS]
    try:
        told = "".join(_first_lines(one) for one in running)
        (tmp_path / ".env").write_text(told)
        settings = load()
        assert settings.slack_socket_mode
        assert settings.telegram_on
        found = await doctor({}, ["slack:" + str(_told(told, "channel")), "telegram:" + str(_told(told, "group"))])
        assert not [one for one in found.values() if not one.holds]
        assert "releases" in found["slack:" + str(_told(told, "channel"))].found
        assert _told(told, "client_url").startswith("http://127.0.0.1:")
    finally:
        for one in running:
            one.send_signal(signal.SIGTERM)
            one.communicate(timeout=20)
    assert [one.returncode for one in running] == [0, 0]


def _started(module: str, options: str) -> subprocess.Popen[str]:
    given = re.sub(r"--port \d+", "", options).split()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", module, *given]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def _first_lines(process: subprocess.Popen[str]) -> str:
    """Everything up to the address that comes last."""
    assert process.stdout is not None
    lines: list[str] = []
    while not (lines and lines[-1].partition("=")[0].endswith("_API_URL")):
        lines.append(process.stdout.readline())
        assert lines[-1], "it ended"
    return "".join(lines)


def _told(text: str, name: str) -> str:
    found = re.search(rf"^# {name}: (.+)$", text, re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("module", ["bot.sandbox.slack", "bot.sandbox.telegram"])
def test_they_say_how_they_are_started(module: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=50
    )
    assert run.returncode == 0
    assert "--person" in run.stdout

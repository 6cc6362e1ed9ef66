"""The stand-ins in processes of their own, as the README starts them: what they write is all that a service needs."""

from __future__ import annotations

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config import load
from bot.sandbox.__main__ import main
from tests.readme import README, ROOT, blocks
from tests.setting_up.doctoring import Doctor

COMMANDS = re.findall(r"^python -m bot\.sandbox (.*)$", "\n".join(blocks("sh")), re.MULTILINE)
REAL = "SLACK_BOT_TOKEN=xoxb-1-real\nSAYSO_LOG=json\n"


async def test_the_stand_ins_of_the_readme_connect_the_service_and_again_when_started_again(
    doctor: Doctor, tmp_path: Path
) -> None:
    (command,) = COMMANDS
    (tmp_path / ".env").write_text("# of this deployment\nSAYSO_LOG=json\n")
    first = await _looked_at(command, doctor, tmp_path)
    again = await _looked_at(command, doctor, tmp_path)
    assert [line.partition("=")[0] for line in first] == [line.partition("=")[0] for line in again]
    assert first[:2] == again[:2] == ["# of this deployment", "SAYSO_LOG=json"]
    assert not set(first[2:]) & set(again[2:])


async def _looked_at(command: str, doctor: Doctor, folder: Path) -> list[str]:
    """Start them as the README does, look whether all is well beside them, and end them; the lines of `.env`."""
    running = _started(*command.split(), folder=folder)
    try:
        assert running.stdout is not None
        told = ""
        while "sayso init" not in told:
            line = running.stdout.readline()
            assert line, "it ended"
            told += line
        settings = load()
        assert settings.slack_socket_mode
        assert settings.telegram_on
        places = re.findall(r"(?:slack:C|telegram:-)\w+", told)
        found = await doctor({}, places)
        assert len(places) == 2
        assert not [one for one in found.values() if not one.holds]
        assert "releases" in found["slack:C0RELEASES"].found
        assert "slack:C0RELEASES" in README.read_text("utf-8")
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=20)
    assert running.returncode == 0
    return (folder / ".env").read_text().splitlines()


def _started(*options: str, folder: Path) -> subprocess.Popen[str]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "bot.sandbox", *options, "--slack-port", "0", "--telegram-port", "0"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment, cwd=folder)


def test_tokens_of_real_chats_are_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".env").write_text(REAL)
    assert main(["--into", str(tmp_path / ".env"), "--slack-port", "0", "--telegram-port", "0"]) == 2
    assert "SLACK_BOT_TOKEN of a real chat" in capsys.readouterr().err
    assert (tmp_path / ".env").read_text() == REAL


def test_a_port_that_is_taken_is_told_with_the_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--slack-port", str(port)]) == 2
    told = capsys.readouterr().err
    assert f"Port {port} cannot be listened on" in told
    assert "--slack-port" in told


@pytest.mark.parametrize("module", ["bot.sandbox.slack", "bot.sandbox.telegram"])
def test_each_says_how_it_is_started_alone(
    module: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(module, run_name="__main__")
    assert ended.value.code == 0
    assert "--person" in capsys.readouterr().out

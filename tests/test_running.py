"""What the page on running it says is so: settings, paths, the unit, the container."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from starlette.applications import Starlette

from adapters.slack import sockets
from adapters.telegram.polling import HOLD_GAP, LEASE
from bot.config import Settings
from bot.serve import server_config
from tests.readme import ROOT

PAGE = (ROOT / "docs/running.md").read_text("utf-8")
CONTAINER = (ROOT / "docs/Containerfile").read_text("utf-8")
UNIT = re.search(r"^```ini\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_every_setting_it_names_exists() -> None:
    named = set(re.findall(r"\b(?:SAYSO|SLACK|TELEGRAM|OIDC)_[A-Z_]+\b", PAGE + CONTAINER))
    assert named
    assert named <= {name.upper() for name in Settings.model_fields}


def test_the_figures_it_tells_are_those_of_the_code() -> None:
    assert f"within {LEASE + HOLD_GAP:g} seconds, after a stop within {HOLD_GAP:g}" in PAGE
    assert f"without a request is kept open for {server_config(Starlette()).timeout_keep_alive} seconds" in PAGE
    assert sockets.CONNECTIONS == 2
    assert "two connections in each process" in PAGE
    assert f"`SLACK_SOCKETS` ({Settings.model_fields['slack_sockets'].default})" in PAGE
    assert f"connects within {sockets.LEASE + sockets.SLOT_GAP:g} seconds, after a stop within" in PAGE
    assert f"after a stop within {sockets.SLOT_GAP:g} |" in PAGE


def test_what_the_container_copies_is_there_and_it_runs_as_nobody_who_may_do_more() -> None:
    lines = [line.split() for line in CONTAINER.splitlines() if line.startswith("COPY ") and "--from" not in line]
    assert all((ROOT / source).exists() for line in lines for source in line[1:-1])
    assert "--require-hashes" in CONTAINER
    assert CONTAINER.index("USER 10001") < CONTAINER.index("ENTRYPOINT")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this machine")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    assert UNIT is not None
    unit = tmp_path / "sayso.service"
    unit.write_text(UNIT[1].replace("/opt/sayso/.venv/bin/sayso", "/bin/true"), "utf-8")
    told = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "sayso.service" not in told.stderr, told.stderr

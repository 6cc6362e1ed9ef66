"""Processes of the service that start in a moment and are killed at any: forks of one that has everything loaded.

What runs is `sayso serve`, in a process of its own with an environment of its own; only the loading is shared.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx2

from tests.flows.rig import NOBODY, eventually

ROOT: Final = Path(__file__).parents[2]
PR_SET_PDEATHSIG: Final = 1


class Nursery:
    """The process that has loaded everything. `fork` gives the pid of a new one that serves."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", str(Path(__file__))],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def fork(self, environment: Mapping[str, str], folder: Path, log: Path) -> int:
        """Start one with this environment, in this folder, writing to this log."""
        asked = {"environment": dict(environment), "folder": str(folder), "log": str(log)}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End it, and whatever it started."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        assert self._process.stdout is not None
        self._process.stdout.close()


class Killable:
    """One `sayso serve` on a port that stays the same over its lives."""

    def __init__(self, nursery: Nursery, settings: Mapping[str, Any], log: Path) -> None:
        self.settings = dict(settings)
        self.port: int = self.settings["sayso_port"]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        self._nursery = nursery
        self._life: int | None = None

    async def start(self, *, is_calm: bool = True, **changes: Any) -> None:
        """Start it, with these settings changed for this life, and wait until it is ready; and its chats too, unless
        the chats are in trouble (`is_calm` is False)."""
        await self.begin(**changes)
        await eventually(lambda: self._is_ready(is_calm=is_calm), 30)

    async def begin(self, **changes: Any) -> None:
        """Start it, and wait for nothing."""
        given = {name.upper(): str(value) for name, value in {**self.settings, **changes}.items()}
        environment = {"PATH": os.environ["PATH"], "SAYSO_LOG": "json", **given}
        pid = await asyncio.to_thread(self._nursery.fork, environment, self.log.parent, self.log)
        self._life = os.pidfd_open(pid)

    async def _is_ready(self, *, is_calm: bool) -> bool:
        assert not self._is_over(0), self.log.read_text()[-4000:]
        with contextlib.suppress(httpx2.HTTPError):
            async with httpx2.AsyncClient(verify=NOBODY) as client:
                answer = await client.get(f"{self.url}/readyz")
                return answer.status_code == 200 and (not is_calm or answer.json()["chats"] == {})
        return False

    def _is_over(self, seconds: float) -> bool:
        assert self._life is not None
        return bool(select.select([self._life], [], [], seconds)[0])

    async def kill(self) -> None:
        """`kill -9`, and wait until it is gone."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Ask it to end, as a service manager would, and wait until it did."""
        await self._end(signal.SIGTERM)

    def tell(self, signal_: signal.Signals) -> None:
        """Send it a signal, and wait for nothing."""
        assert self._life is not None
        signal.pidfd_send_signal(self._life, signal_)

    async def ended(self) -> None:
        """Wait until it is gone by itself."""
        life, self._life = self._life, None
        assert life is not None
        try:
            await asyncio.to_thread(_wait_for_end, life)
        finally:
            os.close(life)

    async def _end(self, how: signal.Signals) -> None:
        life, self._life = self._life, None
        if life is None:
            return
        try:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(life, how)
            await asyncio.to_thread(_wait_for_end, life)
        finally:
            os.close(life)


def _wait_for_end(life: int) -> None:
    assert select.select([life], [], [], 30)[0], "it does not end"


def _serve_forks() -> None:
    """Load everything, then fork as often as asked, until the asking side is gone."""
    import bot.serve  # noqa: F401  # loaded here so that no fork has to
    from bot.cli import main

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the ended are nobody's to wait for
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                _become(json.loads(line))
                main(["serve"])
            finally:
                os._exit(1)  # only what the service itself writes is of interest
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def _become(asked: Mapping[str, Any]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    log = os.open(asked["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)


if __name__ == "__main__":
    _serve_forks()

"""A program on a terminal of its own, driven as a person would: read what it says, type, press Ctrl+C."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
COLUMNS = 80
PROMPT = re.compile(r"\S (\x1b\[[0-9;]*m)*\Z")
OWNED = "import fcntl, termios, sys; fcntl.ioctl(0, termios.TIOCSCTTY, 0); from bot.cli import main; main(sys.argv[1:])"
"""The program with the terminal as its own, so that Ctrl+C there is for it."""

PATIENCE = 120.0
"""Seconds that a machine on which much goes on may take for what takes one."""


class Terminal:
    """One program. `said` is everything that was on the screen."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self.said = ""
        self._master = master
        self._read = 0
        self._typed = -1
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._take)

    def _take(self) -> None:
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # nobody holds the other end any more
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
        self.said += data.decode("utf-8", "replace").replace("\r\n", "\n")
        self._news.set()

    async def shows(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        """Wait until it says this, however its lines are broken, after what was waited for before."""
        try:
            async with asyncio.timeout(seconds):
                while (found := re.compile(pattern.replace(" ", r"\s+")).search(self.said, self._read)) is None:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"it did not say {pattern!r}, but: {self.said[self._read :]}") from None
        self._read = found.end()
        return found

    async def type(self, text: str) -> None:
        """Type a line, once the program waits for one: a line that ends in a blank is on the screen."""
        async with asyncio.timeout(PATIENCE):
            while len(self.said) == self._typed or not PROMPT.search(self.said):
                self._news.clear()
                await self._news.wait()
        self._write(text)

    def _write(self, text: str) -> None:
        self._typed = len(self.said)
        os.write(self._master, f"{text}\n".encode())

    async def type_unseen(self, text: str) -> None:
        """Type a line once nothing that is typed is shown."""
        async with asyncio.timeout(PATIENCE):
            while self.echoes:  # noqa: ASYNC110  # a terminal tells nobody when that changes
                await asyncio.sleep(0.005)
        self._write(text)

    @property
    def echoes(self) -> bool:
        """Whether what is typed is shown."""
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def interrupt(self) -> None:
        """Press Ctrl+C."""
        os.write(self._master, b"\x03")

    async def ended(self, seconds: float = PATIENCE) -> int:
        """Wait until it ends, and return its exit status."""
        status = await asyncio.wait_for(asyncio.to_thread(self.process.wait, seconds), seconds + 1)
        await asyncio.sleep(0.02)  # what it said last is on its way
        return status


@contextlib.asynccontextmanager
async def terminal(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> AsyncIterator[Terminal]:
    """Run `sayso …` on a terminal of 80 columns, in a folder; it is ended when the block is left."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    process = subprocess.Popen(  # noqa: ASYNC220  # it starts in a moment
        [sys.executable, "-c", OWNED, *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    one = Terminal(process, master)
    try:
        yield one
    finally:
        os.close(slave)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)

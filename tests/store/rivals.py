"""Starting rival processes together: real ones, forked from a server that has loaded everything already."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from typing import Any

from tests.store.rival import Deed, run

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["tests.store.rival"])

KILLED = -9


class Rival:
    """One process that does one of the deeds of `tests.store.rival`."""

    def __init__(self, deed: Deed, url: str, *told: Any) -> None:
        self._pipe, theirs = _processes.Pipe()
        self._process = _processes.Process(target=run, args=(theirs, deed, url, *told), daemon=True)
        self._process.start()
        theirs.close()
        self.result: Any = None
        assert self._pipe.recv() == "ready"

    def go(self) -> None:
        """Let it begin."""
        self._pipe.send("go")

    def end(self) -> int | None:
        """Wait for it, keep what came of the deed, and return its exit code."""
        try:
            self.result = self._pipe.recv()
        except EOFError:
            self.result = None  # it died or failed
        self._pipe.close()
        self._process.join(50)
        return self._process.exitcode


def run_together(*rivals: Rival) -> Sequence[int | None]:
    """Let all of them begin at the same moment; return their exit codes."""
    for rival in rivals:
        rival.go()
    return [rival.end() for rival in rivals]

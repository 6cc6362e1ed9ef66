"""How often the stand-ins said "too many" by themselves, not because they were told to."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from tests.flows.crashing import Crashing

TICK: Final = 0.1
STILL: Final = 0.5
"""Seconds that the stand-ins do nothing after which they count as having stood still."""
LOOK: Final = 2.0
"""Seconds between looks: the stand-ins keep only their latest calls."""
SHOWN: Final = 10


@dataclass
class Limits:
    """`exceeded` and all `calls` are by method, with some `examples` of the former; `planned` are the 429s of the
    trouble, which are no breach. Neither are the `unjudged`: everything that came while the stand-ins stood still, as
    all of this machine may for a moment, is to them as if it came at once."""

    r: Crashing
    exceeded: Counter[str] = field(default_factory=Counter)
    planned: int = 0
    unjudged: int = 0
    longest: float = 0.0
    """Seconds for which they stood still."""
    examples: list[str] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)
    _stills: list[tuple[float, float]] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=lambda: {"slack": 0, "telegram": 0})

    async def watch(self) -> None:
        """Go on looking, until cancelled."""
        while True:
            until = time.monotonic() + LOOK
            while (before := time.monotonic()) < until:
                await asyncio.sleep(TICK)
                self._note(time.monotonic() - before - TICK)
            self.look()

    def _note(self, still: float) -> None:
        if still > STILL:
            self.longest = max(self.longest, still)
            self._stills.append((time.monotonic(), still))

    def look(self) -> None:
        """Count what came since the last look."""
        self._count("slack", self.r.slack.platform.journal.calls)
        self._count("telegram", self.r.telegram.journal.calls)

    def _count(self, provider: str, calls: Any) -> None:
        new = [one for one in calls if one.number > self._seen[provider]]
        self._seen[provider] = max((one.number for one in new), default=self._seen[provider])
        self.calls.update(f"{provider} {one.method}" for one in new)
        for one in (one for one in new if one.status == 429):
            if one.fault is not None:
                self.planned += 1
                continue
            if any(end - STILL <= one.elapsed <= end + still for end, still in self._stills):
                self.unjudged += 1
                continue
            self.exceeded[f"{provider} {one.method}"] += 1
            if len(self.examples) < SHOWN:
                self.examples.append(f"{one.elapsed:.1f} s {provider} {one.method} {str(dict(one.args))[:300]}")

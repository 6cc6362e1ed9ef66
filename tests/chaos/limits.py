"""How often the stand-ins said "too many" by themselves, not because they were told to."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from tests.flows.crashing import Crashing

LOOK: Final = 2.0
"""Seconds between looks: the stand-ins keep only their latest calls."""
SHOWN: Final = 10


@dataclass
class Limits:
    """`exceeded` and all `calls` are by method, with some `examples` of the former; `planned` are the 429s of the
    trouble, which are no breach."""

    r: Crashing
    exceeded: Counter[str] = field(default_factory=Counter)
    planned: int = 0
    examples: list[str] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)
    _seen: dict[str, int] = field(default_factory=lambda: {"slack": 0, "telegram": 0})

    async def watch(self) -> None:
        """Go on looking, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK)

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
            self.exceeded[f"{provider} {one.method}"] += 1
            if len(self.examples) < SHOWN:
                self.examples.append(f"{one.elapsed:.1f} s {provider} {one.method} {str(dict(one.args))[:300]}")

"""How late things happen that were due at a time, for Prometheus: the time between the due moment and its claim."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Histogram

BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 3600.0)
"""Seconds. Two are promised."""


class Lateness:
    """Counts since this process started."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._seconds = Histogram(
            "sayso_due_lateness_seconds",
            "Seconds between the moment something was due and its claim, by kind.",
            ["kind"],
            registry=self.registry,
            buckets=BUCKETS,
        )

    def note(self, kind: str, seconds: float) -> None:
        """Something of this kind was claimed so many seconds after it was due."""
        self._seconds.labels(kind).observe(max(0.0, seconds))

"""Sending many requests, so many at a time, and what that took."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.benchmarks.wire import Answer, Wire


@dataclass(frozen=True)
class Sample:
    """What requests took: each one, in seconds, and all of them together."""

    seconds: float
    took: tuple[float, ...]

    def __add__(self, other: Sample) -> Sample:
        return Sample(self.seconds + other.seconds, self.took + other.took)

    @property
    def per_second(self) -> float:
        """How many were done in a second."""
        return len(self.took) / self.seconds

    def quantile(self, share: float) -> float:
        """The time within which this share of them was done."""
        ordered = sorted(self.took)
        return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


async def drive(port: int, requests: Sequence[bytes], at_once: int, expected: int) -> tuple[Sample, list[Answer]]:
    """Send requests over `at_once` connections, each as soon as the one before it is answered; answers keep the order.

    Raises `AssertionError` for an answer of another status: what is refused is not worth a time.
    """
    answers: list[Answer] = [Answer(0, b"")] * len(requests)
    took: list[float] = [0.0] * len(requests)
    waiting = iter(enumerate(requests))
    wires = [await Wire.open(port) for _ in range(min(at_once, len(requests)))]

    async def work(wire: Wire) -> None:
        for number, request in waiting:
            begun = time.perf_counter()
            answers[number] = await wire.send(request)
            took[number] = time.perf_counter() - begun

    begun = time.perf_counter()
    await asyncio.gather(*(work(wire) for wire in wires))
    seconds = time.perf_counter() - begun
    for wire in wires:
        await wire.close()
    for answer in answers:
        assert answer.status == expected, f"{answer.status}: {answer.body[:500]!r}"
    return Sample(seconds, tuple(took)), answers

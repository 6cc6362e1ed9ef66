"""What was measured, as a table for a terminal and as the one that the README holds."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.benchmarks.load import Sample

INSERT, ASK, ASK_IN_SLACK, ACT, PRESS = "bare insert", "ask", "ask in Slack", "answer by API", "press in Slack"
JOBS: Mapping[str, str] = {
    ASK: "ask, no chat involved",
    ASK_IN_SLACK: "ask in Slack, while the cards are posted",
    ACT: "answer by API",
    PRESS: "press in Slack, until its 200",
}
"""In the order of the tables, with the README's words."""


@dataclass
class Measured:
    """All samples of one database: by job and by how many requests were sent at once, and how soon askers heard."""

    database: str
    samples: dict[tuple[str, int], Sample] = field(default_factory=dict)
    heard: Sample | None = None
    ready: float = 0.0
    """Seconds from the start of the process."""
    drained: float = 0.0
    """First posts a second."""
    memory: int = 0
    """Bytes, with 100,000 cards open."""

    def add(self, job: str, at_once: int, sample: Sample) -> None:
        """Put a sample to those of the same job."""
        known = self.samples.get((job, at_once))
        self.samples[job, at_once] = sample if known is None else known + sample

    def times(self, job: str, at_once: int) -> float:
        """How many bare inserts are done in the time of one of these."""
        return self.samples[INSERT, at_once].per_second / self.samples[job, at_once].per_second


def as_text(measured: Measured) -> str:
    """The table for a terminal."""
    lines = [
        f"{measured.database:<16}{'at once':>8}{'per second':>12}{'p50 ms':>9}{'p99 ms':>9}{'bare inserts':>14}",
    ]
    for (job, at_once), sample in sorted(
        measured.samples.items(), key=lambda one: (one[0][1], list(_ORDER).index(one[0][0]))
    ):
        lines.append(
            f"{job:<16}{at_once:>8}{sample.per_second:>12.0f}{_ms(sample, 0.5):>9}{_ms(sample, 0.99):>9}"
            f"{measured.times(job, at_once):>14.1f}"
        )
    if measured.heard is not None:
        p50, p95 = _ms(measured.heard, 0.5), _ms(measured.heard, 0.95)
        lines.append(f"heard by a long poll, after the commit: p50 {p50} ms, p95 {p95} ms")
    lines.append(f"the outbox posts {measured.drained:.0f} cards a second to a Slack that sets no pace")
    return "\n".join([*lines, *targets(measured)])


def targets(measured: Measured) -> list[str]:
    """What is promised, and whether it holds here."""
    crowd = max(count for _, count in measured.samples)
    press, heard = measured.samples[PRESS, crowd], measured.heard
    promised = [
        *((f"{job} at {crowd} at once", measured.times(job, crowd), 2.0, "bare inserts") for job in (ASK, PRESS)),
        (f"p99 of {PRESS} there", press.quantile(0.99) * 1e3, 500.0, "ms"),
        ("p95 until a long poll hears", heard.quantile(0.95) * 1e3 if heard else 0.0, 250.0, "ms"),
        ("from start to ready", measured.ready, 3.0, "s"),
        ("resident memory with 100,000 open cards", measured.memory / 2**20, 250.0, "MB"),
    ]
    return [
        f"{'PASS  ' if found <= most else 'MISSED'} {name}: {found:.1f} of at most {most:g} {unit}"
        for name, found, most, unit in promised
    ]


_ORDER = (INSERT, *JOBS)


def _ms(sample: Sample, share: float) -> str:
    return f"{sample.quantile(share) * 1_000:.1f}"


def as_markdown(found: list[Measured], at_once: tuple[int, ...]) -> str:
    """The README's table: ratios, because they say something about other machines too."""
    columns = [f"{one.database}, {count} at once" for one in found for count in at_once]
    lines = [
        f"| one … takes as long as … bare inserts | {' | '.join(columns)} |",
        f"|---|{'--:|' * len(columns)}",
    ]
    for job, words in JOBS.items():
        cells = [f"{one.times(job, count):.1f}" for one in found for count in at_once]
        lines.append(f"| {words} | {' | '.join(cells)} |")
    waits = [f"{one.database} {_ms(one.heard, 0.5)} ms (p95 {_ms(one.heard, 0.95)} ms)" for one in found if one.heard]
    inserts = [f"{one.database} {_ms(one.samples[INSERT, at_once[0]], 0.5)} ms" for one in found]
    started = [f"{one.database} {one.ready:.1f} s" for one in found]
    posted = [f"{one.database} {one.drained:.0f}" for one in found]
    held = [f"{one.database} {one.memory / 2**20:.0f} MB" for one in found]
    crowd = max(at_once)
    slowest = [f"{one.database} {_ms(one.samples[PRESS, crowd], 0.99)} ms" for one in found]
    words = (
        f"A press among {crowd} at once takes at most, at p99: {', '.join(slowest)}. "
        f"From its start the service is ready within: {', '.join(started)}. With 100,000 cards and as many work orders "
        f"open it holds: {', '.join(held)}. Cards it posts a second to a Slack that sets no pace: {', '.join(posted)}. "
        f"From the commit of an answer to the end of the asker's long poll: {', '.join(waits)}. "
        f"One bare insert took: {', '.join(inserts)}. "
        f"Median times; {os.cpu_count()} cores shared by everything that ran, Python {platform.python_version()}."
    )
    lines += ["", *textwrap.wrap(words, 120)]
    return "\n".join(lines)

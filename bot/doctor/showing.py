"""How findings are printed: one line each; on a terminal what to do stands below, and long lines wrap."""

from __future__ import annotations

import textwrap
from typing import Final

from bot.doctor.examining import Finding, Level

NARROWEST: Final = 40
_COLOURS: Final = {Level.OK: "32", Level.OFF: "2", Level.WARNING: "33", Level.FAILED: "31"}
_INDENT: Final = " " * 9


def line(finding: Finding) -> str:
    """A finding on one line, for files and pipes."""
    todo = f". {finding.todo}" if finding.todo else ""
    return f"{finding.level.value:<8} {finding.name}: {finding.found}{todo}"


def paragraph(finding: Finding, width: int, *, coloured: bool) -> str:
    """A finding for a terminal of `width` columns."""
    width = max(width, NARROWEST)
    mark = f"{finding.level.value:<8}"
    if coloured:
        mark = f"\x1b[{_COLOURS[finding.level]}m{mark}\x1b[0m"
    told = _wrapped(f"{finding.name}: {finding.found}", width, _INDENT)
    todo = _wrapped(finding.todo, width, f"{_INDENT}  ", first=f"{_INDENT}→ ") if finding.todo else ""
    return f"{mark} {told.strip()}" + (f"\n{todo}" if todo else "")


def summary(findings: list[Finding]) -> str:
    """How many of each there are that somebody has to look at."""
    failed = sum(one.level is Level.FAILED for one in findings)
    warned = sum(one.level is Level.WARNING for one in findings)
    if not failed and not warned:
        return "All is well."
    parts = [f"{failed} failed"] if failed else ["Nothing failed"]
    parts += [f"{warned} to look at"] if warned else []
    return f"{', '.join(parts)}."


def _wrapped(text: str, width: int, indent: str, first: str | None = None) -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )

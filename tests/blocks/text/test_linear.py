"""Rendering takes time in proportion to the text, whatever is in it: nobody can hang the service with a body.

Four times the text may take at most eight times as long; quadratic work would take sixteen times. Measured in this
process's own time and again when in doubt, so that a busy machine does not matter.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from blocks.markdown import parse
from blocks.slack import text as slack
from blocks.telegram import text as telegram
from blocks.web import text as web

SMALL, LARGE, FACTOR, MOST = 2_000, 10_000, 4, 8
RUNS = 5
NOISE = 0.002  # seconds below which two timings do not differ


def times(unit: str) -> Callable[[int], str]:
    return lambda length: unit * (length // len(unit))


PATTERNS: dict[str, Callable[[int], str]] = {
    "words": times("word "),
    "brackets": times("["),
    "closed brackets": lambda length: "[" * (length // 2) + "]" * (length // 2),
    "links within brackets": lambda length: "[" * (length // 4) + "](https://a.b)" * (length // 18),
    "images within images": lambda length: "![" * (length // 16) + "](https://a.b)" * (length // 16),
    "targets that never close": times("[a](b \"'("),
    "code in brackets": times("[`]`"),
    "open emphasis": times("*a _b "),
    "crossing emphasis": times("_a*b~~"),
    "backticks of every length": lambda length: "".join("`" * n + "x" for n in range(1, int((2 * length) ** 0.5))),
    "backslashes before an image": lambda length: "\\" * length + "![a](b)",
    "open angles": times("<https://a"),
    "quotes on a line": times(">"),
    "staircases of quotes": lambda length: "".join(">" * (n % 16) + "a\n" for n in range(length // 10)),
    "lazy quotes": lambda length: "> " * 20 + "a\n" + "b\n" * (length // 2),
    "items": times("- a\n"),
    "items of items": times("- - - a\n"),
    "tables": times("a|b\n-|-\n"),
    "wide rows": lambda length: "a|b\n-|-\n" + "|" * length,
    "wide heads": lambda length: "a|" * (length // 8) + "\n" + "-|" * (length // 8) + "\n" + "x\n" * (length // 4),
    "at signs": times("@anabel "),
    "addresses": times("https://a.a.a.a"),
    "isolates": lambda length: "\u2067\u202b" * (length // 4) + "\u2069\u202c" * (length // 4),
    "marks on one letter": lambda length: "a" + "\u0301" * length,
    "joined emoji": times("👩\u200d"),
    "a word without end": times("漢"),
    "one long label": lambda length: "[" + "a" * length + "](https://a.b)",
}


def render(text: str) -> None:
    document = parse(text)
    slack.rich_text(document)
    telegram.utf16_length(telegram.html(document))
    web.html(document)
    telegram.escape(text)


def timed(text: str) -> float:
    gc.disable()
    begin = time.process_time()
    render(text)
    taken = time.process_time() - begin
    gc.enable()
    return taken


@pytest.mark.parametrize("size", [SMALL, pytest.param(LARGE, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_time_grows_with_length_alone(pattern: Callable[[int], str], size: int) -> None:
    small = large = float("inf")
    for _ in range(RUNS):  # the fastest of few runs; most patterns need one
        small = min(small, timed(pattern(size)))
        large = min(large, timed(pattern(size * FACTOR)))
        if large <= MOST * small + NOISE:
            return
    raise AssertionError(f"{small:.4f} s became {large:.4f} s")

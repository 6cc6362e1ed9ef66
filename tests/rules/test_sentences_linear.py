"""Hearing takes time in proportion to the text, whatever is in it: nobody can hang the service with brackets.

Four times the text may take at most eight times as long; quadratic work would take sixteen times. Measured in this
process's own time and again when in doubt, so that a busy machine does not matter. A megabyte shows what is quadratic
with so small a factor that less text would hide it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from core.sentences import Decline, Reference, around, parse, speakable, speakable_title, spell

SMALL, MEGABYTE, FACTOR, MOST = 3_000, 1_000_000, 4, 8
RUNS = 5
NOISE = 0.002  # seconds below which two timings do not differ


def times(unit: str) -> Callable[[int], str]:
    return lambda length: unit * (length // len(unit))


def nested(opening: str, closing: str) -> Callable[[int], str]:
    def make(length: int) -> str:
        depth = length // (len(opening) + len(closing))
        return opening * depth + closing * depth

    return make


PATTERNS: dict[str, Callable[[int], str]] = {
    "words": times("word "),
    "blanks": times(" "),
    "empty lines": times("\n"),
    "open brackets": times("["),
    "closed brackets": nested("[", "]"),
    "escapes": times("\\["),
    "acknowledgements": times("[ACK a]"),
    "acknowledgements by line": times("- [ACK a/1] [from b]\n"),
    "tags that stay open": times("[ACK "),
    "tags and blanks": times("[ACK" + " " * 50),
    "ids without end": lambda length: "[ACK " + "a" * length,
    "long ids": times("[ACK " + "a" * 64),
    "orders": times("[WO:1] [from a] [priority b] T — b\n"),
    "orders whose sender stays open": times("[WO:1] [from a"),
    "one order with many dashes": lambda length: "[WO:1] " + "- – —x" * (length // 6),
    "marks upon marks": lambda length: "[WO:1]" + "[from a]" * (length // 8),
    "dues that are none": times("[WO:1] [due 2026-02-30T00:00:00Z] "),
    "results": times("[RESULT a] OK x\n"),
    "a result that quotes": lambda length: "[RESULT a] OK" + " [ACK b]" * (length // 8),
    "declines at once": times("[DECLINE a]"),
    "nudges without a colon": times("[NUDGE a] [nudge 1/2] Deadline 10:00 UTC "),
    "alerts": times("[fleet-alert] a: b\n"),
    "directives": times("[Directive: a]"),
    "directives that stay open": times("[Directive: "),
    "directives within directives": nested("[Directive: ", "]"),
    "directives too many closed": lambda length: "[Directive: " * (length // 24) + "]" * (length // 2),
    "addresses": times("[Runtime Context: https://a]"),
    "addresses that stay open": times("[Runtime Context: https://a"),
    "an address without end": lambda length: "[Runtime Context: https://" + "a" * length + "]",
    "calls": times('[TOOL a {"b":[1,{"c":"]"}]}]'),
    "calls that stay open": times("[TOOL a {"),
    "calls with a string that stays open": times('[TOOL a {"'),
    "calls in strings": times('[TOOL a {":0,"'),
    "calls in the keys of a call": lambda length: '[TOOL a {"' + '[TOOL a {":0,"' * (length // 14),
    "calls in a string of a call": lambda length: '[TOOL a {"b":"' + "[TOOL a {" * (length // 9) + '"}]',
    "calls in directives": times('[Directive: [TOOL a {"b":"]"} '),
    "a call of blanks": lambda length: "[TOOL a {" + " " * length,
    "a call of numbers": lambda length: '[TOOL a {"b":' + "1" * length + "}]",
    "a call of lists": lambda length: '[TOOL a {"b":' + "[" * length,
    "a call of backslashes": lambda length: '[TOOL a {"b":"' + "\\" * length,
    "subagents whose titles stay open": times("[SUBAGENT-UPDATE] Subagent '"),
    "a subagent of quotes": lambda length: "[SUBAGENT-UPDATE] Subagent '" + "' (" * (length // 3),
    "footers": times("\nReply: [ACK a] | [CLAIM a]"),
    "footers without a bar": times("Reply: [ACK a] "),
    "footers that go on": times("Reply: [ACK a] |\n"),
    "a footer without end": lambda length: "Reply: [ACK a" + " " * length,
    "backticks": times("` "),
    "backticks over lines": times("`a\n\n"),
    "backticks of two lengths": times("`` ` "),
    "backticks of every length": lambda length: "".join("`" * n + "x" for n in range(1, int((2 * length) ** 0.5))),
    "fences": times("```\n"),
    "fences that do not close": lambda length: "".join("`" * n + "\n" for n in range(int((2 * length) ** 0.5), 2, -1)),
    "fences of both kinds": times("~~~\n```\n"),
    "fences that are none": times("``` `\n"),
    "quotes": times(">\n"),
    "items": times("-\n"),
    "items of items": times("- - "),
    "items of blanks": times("-" + " " * 50),
    "items within items": times("- 1. [\n"),
    "carriage returns": times("\r"),
    "halves of characters": times("\ud800"),
    "nothings": times("\x00"),
}


def hear(text: str) -> None:
    around(text, parse(text))


def repeat(text: str) -> None:
    speakable_title(text)
    spell(Decline(Reference("a"), speakable(text)))


def check_grows_with_length_alone(work: Callable[[str], None], pattern: Callable[[int], str], small: int) -> None:
    def timed(text: str) -> float:
        gc.disable()
        begin = time.process_time()
        work(text)
        taken = time.process_time() - begin
        gc.enable()
        return taken

    short, long = pattern(small), pattern(small * FACTOR)
    fast = slow = float("inf")
    for _ in range(RUNS):  # the fastest of few runs; most patterns need one
        fast = min(fast, timed(short))
        slow = min(slow, timed(long))
        if slow <= MOST * fast + NOISE:
            return
    raise AssertionError(f"{fast:.4f} s became {slow:.4f} s")


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_time_grows_with_length_alone(pattern: Callable[[int], str]) -> None:
    check_grows_with_length_alone(hear, pattern, SMALL)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_time_to_repeat_what_was_typed_grows_with_length_alone(pattern: Callable[[int], str]) -> None:
    check_grows_with_length_alone(repeat, pattern, SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("work", [hear, repeat])
@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_time_grows_with_length_alone_up_to_a_megabyte(
    pattern: Callable[[int], str], work: Callable[[str], None]
) -> None:
    check_grows_with_length_alone(work, pattern, MEGABYTE // FACTOR)

"""What follows the fixed part of a sentence: summaries, reasons, prompts, and the title and body of an order.

A rest is read from the text after the fixed part, without blanks around it. Its `layouts` are the ways to write it
behind the fixed part, the preferred one first: on the same line, or on lines of its own, where a fence or a quote
needs to begin a line to be one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from core.sentences.values import Status


@dataclass(frozen=True)
class Rest:
    """How the text after a sentence's fixed part is read into fields and written again.

    When `yields`, a sentence that follows at once is another one: nobody means `[CLAIM a]` as the reason in
    `[DECLINE b] [CLAIM a]`. Where a text is expected, what follows is the text.
    """

    read: Callable[[str], dict[str, Any]]
    layouts: Callable[[dict[str, Any]], Iterator[str]]
    yields: bool


_STATUS = re.compile(rf"({'|'.join(Status)})(?::(?=\s|$)|(?=\s|$))")
_DASHES = (
    # Among several dashes the clearest one divides: nobody writes a spaced em dash by accident.
    re.compile(r"(?:^|(?<=\s))—(?=\s|$)"),
    re.compile(r"(?:^|(?<=\s))–(?=\s|$)"),
    re.compile(r"(?:^|(?<=\s))-(?=\s|$)"),
    re.compile(r"—"),  # without spaces only this one is never part of a word or of a range
)


def split_status(words: str) -> tuple[Status | None, str]:
    """The status that the words of a result begin with, if any, and the summary."""
    words = words.strip()
    found = _STATUS.match(words)
    if not found:
        return None, words
    return Status(found[1]), words[found.end() :].strip()


def split_title(words: str) -> tuple[str, str]:
    """The title and the body of an order: divided by a dash on the first line, else by the end of that line."""
    first, _, others = words.strip().partition("\n")
    for dash in _DASHES:
        if found := dash.search(first):
            title, body = first[: found.start()], first[found.end() :] + "\n" + others
            if title.strip():
                return title.strip(), body.strip()
    return first.strip(), others.strip()


def plain(name: str, *, yields: bool) -> Rest:
    """All of the text is the field `name`."""

    def layouts(fields: dict[str, Any]) -> Iterator[str]:
        text = fields[name]
        yield from (f" {text}", f"\n{text}") if text else ("",)

    return Rest(lambda text: {name: text}, layouts, yields)


def _read_result(text: str) -> dict[str, Any]:
    status, summary = split_status(text)
    return {"status": status, "summary": summary}


def _result_layouts(fields: dict[str, Any]) -> Iterator[str]:
    status = f" {fields['status'].value}" if fields["status"] else ""
    summary = fields["summary"]
    yield from (f"{status} {summary}", f"{status}\n{summary}") if summary else (status,)


def _read_order(text: str) -> dict[str, Any]:
    title, body = split_title(text)
    return {"title": title, "body": body}


def _order_layouts(fields: dict[str, Any]) -> Iterator[str]:
    title, body = fields["title"], fields["body"]
    for before in (" ", "\n"):
        if body:
            yield from (f"{before}{title}{between}{body}" for between in (" — ", " —\n", "\n"))
        else:
            yield from (f"{before}{title}" if title else "", f"{before}{title} —")


RESULT = Rest(_read_result, _result_layouts, yields=True)
ORDER = Rest(_read_order, _order_layouts, yields=False)

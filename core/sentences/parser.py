"""Hears the sentences in a text, in one pass from left to right and in time proportional to its length.

What follows the fixed part of a sentence belongs to it up to the next sentence that begins a line, a footer, or the end
of the text; a sentence in the middle of that is quoted there and not said. Quotes, code and what is escaped with a
backslash are never said. A text from a provider must be plain or Markdown first: unescape `&gt;`, and give code that
comes beside the text its backticks, or it will count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import assert_never

from core.sentences.footers import OPENING, Footer, footer
from core.sentences.forms import FORMS
from core.sentences.hidden import Hidden
from core.sentences.reading import Head, Reader, form_of
from core.sentences.rests import Rest
from core.sentences.shapes import BLANK, LEAD, MARKER, after_blanks
from core.sentences.values import ContractFooter, Sentence, Span

TAGS = "|".join(rf"{BLANK}++".join(map(re.escape, form.tag.split())) for form in FORMS)

_BEGINNING = re.compile(
    rf"(?m)(?P<lead>^{LEAD})?+(?:(?<!\\)(?P<open>\[){BLANK}*+(?P<tag>(?ai:{TAGS}))(?=[\s:\]])|(?P<reply>{OPENING}))"
)
_MARKER_LEFT = re.compile(rf"(?:^|(?<=\n))(?:{MARKER})++\Z")


class _Unfinished:
    """A sentence whose fixed part was read and whose rest goes on."""

    def __init__(self, text: str, start: int, head: Head, rest: Rest) -> None:
        self._text = text
        self._start = start
        self._head = head
        self._rest = rest
        self._next = after_blanks(text, head.end)

    def ends_before(self, start: int, *, first_on_line: bool) -> bool:
        """Whether a sentence that begins at `start` is one of its own."""
        return first_on_line or (self._rest.yields and start == self._next)

    def finished(self, end: int) -> Sentence:
        """The sentence with the rest that ends at `end`."""
        words = self._text[self._head.end : end].rstrip()
        span = Span(self._start, self._head.end + len(words))
        return self._head.form.make(**self._head.fields, **self._rest.read(words.strip()), span=span)


def parse(text: str) -> tuple[Sentence, ...]:
    """Every sentence that is said in `text`, in order, each with its span. Never raises, whatever the text is."""
    return tuple(_heard(text))


def _heard(text: str) -> Iterator[Sentence]:
    hidden = Hidden(text)
    reader = Reader(text, hidden)
    unfinished: _Unfinished | None = None
    passed = 0
    for beginning in _BEGINNING.finditer(text):
        first_on_line = beginning["lead"] is not None
        tag = beginning["tag"]
        start = beginning.start("open" if tag else "reply")
        if start < passed or start in hidden:
            continue
        if tag and unfinished and not unfinished.ends_before(start, first_on_line=first_on_line):
            continue
        found = reader.head(form_of(tag), start) if tag else footer(text, start, first_on_line=first_on_line)
        if found is None:
            continue
        passed = found.end
        if unfinished:
            yield unfinished.finished(beginning.start() if first_on_line else start)
            unfinished = None
        match found:
            case Head(form=form, fields=fields):
                if form.rest:
                    unfinished = _Unfinished(text, start, found, form.rest)
                else:
                    yield form.make(**fields, span=Span(start, passed))
            case Footer(reference=reference):
                if reference:
                    yield ContractFooter(reference, span=Span(start, passed))
            case _:
                assert_never(found)
    if unfinished:
        yield unfinished.finished(len(text))


def around(text: str, sentences: Sequence[Sentence]) -> str:
    """The message around the sentences that were heard in `text`: what was said to people, a line for each gap.

    Raises ValueError for a sentence without a span.
    """
    kept: list[str] = []
    position = 0
    for sentence in sentences:
        if sentence.span is None:
            raise ValueError("only what was read from the text has a place in it")
        gap = text[position : sentence.span.start]
        kept.append(_MARKER_LEFT.sub("", gap))
        position = sentence.span.end
    kept.append(text[position:])
    return "\n".join(piece.strip() for piece in kept if piece.strip())

"""What a Markdown text is made of, as frozen values.

Inline text is a flat row of spans, each with its marks and perhaps a link, so that no depth of emphasis makes a
deep tree. Every string in the tree is neutralised: it may be escaped and shown anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import TypeAlias


class Mark(StrEnum):
    """How a span is set."""

    STRONG = "strong"
    EMPHASIS = "emphasis"
    STRIKE = "strike"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text set one way: never empty, a line feed for each line break. `href` is an https address."""

    text: str
    marks: frozenset[Mark] = frozenset()
    href: str | None = None


Spans: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of `level` 1 to 6."""

    level: int
    spans: Spans


@dataclass(frozen=True, slots=True)
class Code:
    """Text shown as typed, lines and spaces kept, without a line end at the end. `language` may be empty."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Table:
    """A head row and more rows; rows may differ in length, no cell is ever dropped."""

    head: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Quoted blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Items of blocks, numbered from `start`, or bulleted when it is None. `tight`: no blank lines between."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None
    tight: bool


Block: TypeAlias = Paragraph | Heading | Code | Table | Rule | Quote | Listing


@dataclass(frozen=True, slots=True)
class Document:
    """A whole text."""

    blocks: tuple[Block, ...]


def joined(spans: Iterator[Span]) -> Spans:
    """Merge neighbours that are set alike and drop empty ones."""
    rows = groupby(spans, key=lambda span: (span.marks, span.href))
    merged = (Span("".join(span.text for span in row), marks, href) for (marks, href), row in rows)
    return tuple(span for span in merged if span.text)


def links(spans: Spans) -> Iterator[tuple[str | None, Spans]]:
    """Yield runs of spans that share a link, with its address, or None for the text between links."""
    for href, run in groupby(spans, key=lambda span: span.href):
        yield href, tuple(run)


def spelled(spans: Spans) -> Spans:
    """Return the spans with each link written out, as `label (address)`, for places that cannot hold a link."""

    def walk() -> Iterator[Span]:
        for href, run in links(spans):
            yield from (replace(span, href=None) for span in run)
            if href is not None and href not in plain(run):
                yield Span(f" ({href})")

    return joined(walk())


def plain(spans: Spans) -> str:
    """Return the text of the spans without their marks and links."""
    return "".join(span.text for span in spans)

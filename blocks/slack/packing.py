"""Packs passages into rich_text blocks that Slack takes: none too long, nothing left out, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from blocks.graphemes import pieces
from blocks.slack.limits import TEXT, length
from blocks.slack.parts import Block, rich, section, words
from blocks.slack.passages import Kind, Passage

# Slack publishes no bound for rich_text; the bound of every text object is one it will not refuse.
LONGEST: Final = TEXT.number

_SPACING: Final = 2  # the line ends that may be put between two passages


def packed(passages: Iterable[Passage]) -> list[Block]:
    """Return the rich_text blocks that hold the passages, each with at most `LONGEST` characters of text."""
    blocks: list[_Block] = []
    for passage in passages:
        for part in _fitting(passage):
            weight = _weight(part.elements) + _SPACING
            if not blocks or blocks[-1].weight + weight > LONGEST:
                blocks.append(_Block())
            blocks[-1].add(part, weight)
    return [block.done() for block in blocks]


def _fitting(passage: Passage) -> Iterator[Passage]:
    """Yield a passage in parts that each fit a block. The rest of a list item goes on as a paragraph."""
    room = LONGEST - _SPACING
    if _weight(passage.elements) <= room:
        yield passage
        return
    rest = replace(passage, joins=False, gap=False)
    if passage.kind is Kind.ITEM:
        rest = Passage(Kind.SECTION, (), joins=False)
    held: list[Block] = []
    weight = 0
    current = passage
    for element in _short(passage.elements, room):
        if held and weight + _weight((element,)) > room:
            yield replace(current, elements=tuple(held))
            held, weight, current = [], 0, rest
        held.append(element)
        weight += _weight((element,))
    yield replace(current, elements=tuple(held))


def _short(elements: Iterable[Block], room: int) -> Iterator[Block]:
    """Yield elements with their texts cut to what fits; each piece keeps its style and its link. A moment is short."""
    for element in elements:
        if "text" not in element:
            yield element
            continue
        room_for_text = room - length(element.get("url", ""))
        yield from ({**element, "text": text} for text in pieces(element["text"], room_for_text))


def _weight(elements: Iterable[Block]) -> int:
    return sum(length(_said(element)) + length(element.get("url", "")) for element in elements)


def _said(element: Block) -> str:
    """Its text; of a moment, about what Slack spells for it."""
    said: str = element["text"] if "text" in element else element["fallback"]
    return said


class _Block:
    """One rich_text block that is being filled."""

    def __init__(self) -> None:
        self.weight = 0
        self._parts: list[tuple[Passage, list[list[Block]]]] = []  # the first passage of a part, and its rows

    def add(self, passage: Passage, weight: int) -> None:
        self.weight += weight
        if not self._parts and passage.kind is Kind.ITEM and passage.joins:
            passage = Passage(Kind.SECTION, passage.elements)  # its item ended with the block before
        first, rows = self._parts[-1] if self._parts else (passage, [])
        if not rows or (first.kind, first.frame) != (passage.kind, passage.frame):
            self._parts.append((passage, [list(passage.elements)]))
        elif passage.joins:
            rows[-1] += [words("\n\n" if passage.gap else "\n"), *passage.elements]
        elif passage.kind is Kind.ITEM and _next_number(first, rows) == passage.number:
            rows.append(list(passage.elements))
        else:
            self._parts.append((passage, [list(passage.elements)]))

    def done(self) -> Block:
        return rich(*(_part(passage, rows) for passage, rows in self._parts))


def _next_number(first: Passage, rows: list[list[Block]]) -> int | None:
    return None if first.number is None else first.number + len(rows)


def _part(passage: Passage, rows: list[list[Block]]) -> Block:
    frame: dict[str, Any] = dict(passage.frame)
    if passage.kind is not Kind.ITEM:
        return {"type": str(passage.kind), "elements": _merged(rows[0]), **frame}
    if passage.number is not None and passage.number > 1:
        frame["offset"] = passage.number - 1
    return {"type": str(passage.kind), **frame, "elements": [section(*_merged(row)) for row in rows]}


def _merged(elements: list[Block]) -> list[Block]:
    """Join neighbouring elements that differ in text alone."""
    merged: list[Block] = []
    for element in elements:
        if merged and "text" in element and {**merged[-1], "text": ""} == {**element, "text": ""}:
            merged[-1] = {**merged[-1], "text": merged[-1]["text"] + element["text"]}
        else:
            merged.append(element)
    return merged

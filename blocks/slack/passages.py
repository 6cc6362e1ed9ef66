"""A document as the passages that rich_text is made of: paragraphs, list items, quotes, preformatted text.

Slack's rich_text does not nest: a list is a row of lists with indents, a quote holds text only. What a quote in a
list, or a list in a quote, cannot keep as structure is kept as signs in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from blocks.markdown.flow import Leaf, flow
from blocks.markdown.grid import grid
from blocks.markdown.tree import Code, Document, Heading, Mark, Paragraph, Rule, Span, Spans, Table
from blocks.slack.parts import Block, words

_RULE: Final = "———"
_BLANK: Final = "\u00a0"  # what an empty list item shows: Slack refuses empty text
_HIGHEST_NUMBER: Final = 9_999  # the bound of `offset` is not published; higher numbers are written out
_STYLES: Final = {Mark.STRONG: "bold", Mark.EMPHASIS: "italic", Mark.STRIKE: "strike", Mark.CODE: "code"}


class Kind(StrEnum):
    """What a passage becomes in rich_text."""

    SECTION = "rich_text_section"
    ITEM = "rich_text_list"
    QUOTE = "rich_text_quote"
    FIXED = "rich_text_preformatted"


@dataclass(frozen=True, slots=True)
class Passage:
    """Elements that belong together, and how they stand after what comes before.

    `frame` holds the fields of their rich_text part: style, indent and border of a list, border of preformatted
    text. `number` counts an ordered item. `joins`: the passage goes on in the part before, if that is alike;
    `gap`: with a blank line between.
    """

    kind: Kind
    elements: tuple[Block, ...]
    frame: tuple[tuple[str, Any], ...] = ()
    number: int | None = None
    joins: bool = True
    gap: bool = False


def passages(document: Document) -> Iterator[Passage]:
    """Yield the passages of a document in reading order."""
    item: Leaf | None = None  # the list item that a further paragraph may belong to
    for leaf in flow(document):
        if leaf.marker is not None:
            item = leaf
            yield _item(leaf)
        elif item is not None and _continues(leaf, item):
            yield replace(_item(item), elements=_elements(leaf), gap=leaf.gap, joins=True)
        else:
            item = None
            yield _still(leaf)


def _continues(leaf: Leaf, item: Leaf) -> bool:
    """Whether a leaf is a further paragraph of a list item."""
    same = leaf.lists == item.lists and leaf.quotes == item.quotes
    return same and not leaf.new_quote and isinstance(leaf.block, Paragraph | Heading)


def _item(leaf: Leaf) -> Passage:
    """A list item; one that Slack cannot number is a paragraph that begins with its number."""
    number = leaf.marker.number if leaf.marker else None
    elements = _elements(leaf) or (words(_BLANK),)
    if number is not None and not 1 <= number <= _HIGHEST_NUMBER:
        sign = words(f"{'   ' * (leaf.lists - 1)}{number}. ")
        kind = Kind.QUOTE if leaf.quotes else Kind.SECTION
        return Passage(kind, (sign, *elements), gap=leaf.gap, joins=not leaf.new_quote)
    frame: dict[str, Any] = {"style": "bullet" if number is None else "ordered", "indent": leaf.lists - 1}
    if leaf.quotes:
        frame["border"] = 1
    return Passage(Kind.ITEM, elements, tuple(frame.items()), number, joins=False)


def _still(leaf: Leaf) -> Passage:
    """Anything but a list item."""
    border = (("border", 1),) if leaf.quotes else ()
    match leaf.block:
        case Code(text, _):
            return Passage(Kind.FIXED, (words(text),), border, joins=False)
        case Table():
            return Passage(Kind.FIXED, (words(grid(leaf.block)),), border, joins=False)
        case Paragraph() | Heading() | Rule():
            kind = Kind.QUOTE if leaf.quotes else Kind.SECTION
            return Passage(kind, _elements(leaf), joins=not leaf.new_quote, gap=leaf.gap)


def _elements(leaf: Leaf) -> tuple[Block, ...]:
    """The inline elements of a leaf, with `> ` on each line for every quote that the part around does not show."""
    spans = _spans(leaf)
    lead = "> " * (leaf.quotes - 1)
    if lead and spans:
        spans = (Span(lead), *(replace(span, text=span.text.replace("\n", f"\n{lead}")) for span in spans))
    return tuple(map(_element, spans))


def _spans(leaf: Leaf) -> Spans:
    match leaf.block:
        case Paragraph(spans):
            return spans
        case Heading(_, spans):
            return tuple(replace(span, marks=span.marks | {Mark.STRONG}) for span in spans)
        case Rule():
            return (Span(_RULE),)
        case Code() | Table():
            raise AssertionError("preformatted text has no inline elements")


def _element(span: Span) -> Block:
    styles = [style for mark, style in _STYLES.items() if mark in span.marks]
    element = words(span.text, *styles)
    return element if span.href is None else {**element, "type": "link", "url": span.href}

"""The tree unrolled into lines, for surfaces whose blocks do not nest: Slack's rich text and Telegram's HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from blocks.markdown.tree import Block, Code, Document, Heading, Listing, Paragraph, Quote, Rule, Table

Still: TypeAlias = Paragraph | Heading | Code | Table | Rule


@dataclass(frozen=True, slots=True)
class Marker:
    """The sign before a list item: its number, or a bullet when it has none."""

    number: int | None

    def __str__(self) -> str:
        return "•" if self.number is None else f"{self.number}."


@dataclass(frozen=True, slots=True)
class Leaf:
    """A block that holds no blocks, and where it stands.

    `quotes` and `lists` count what encloses it. `marker` is set on the first leaf of a list item, which is then a
    paragraph or a heading, perhaps an empty one. `gap`: a blank line comes before it. `new_quote`: it is the first
    of an outermost quote.
    """

    block: Still
    quotes: int = 0
    lists: int = 0
    marker: Marker | None = None
    gap: bool = False
    new_quote: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    quotes: int = 0
    lists: int = 0
    marker: Marker | None = None
    new_quote: bool = False

    def leaf(self, block: Still, gap: bool) -> Leaf:
        return Leaf(block, self.quotes, self.lists, self.marker, gap, self.new_quote)

    def begun(self) -> _Place:
        """The same place, after its first leaf."""
        return replace(self, marker=None, new_quote=False)


def flow(document: Document) -> Iterator[Leaf]:
    """Yield the leaves of a document in reading order."""
    return _all(document.blocks, _Place(), first=False, others=True)


def _all(blocks: tuple[Block, ...], place: _Place, *, first: bool, others: bool) -> Iterator[Leaf]:
    """The leaves of neighbouring blocks; `first` and `others` say whether a gap comes before them."""
    gap = first
    for block in blocks:
        for leaf in _leaves(block, place, gap):
            yield leaf
            place = place.begun()
            gap = others


def _leaves(block: Block, place: _Place, gap: bool) -> Iterator[Leaf]:
    match block:
        case Paragraph() | Heading():
            yield place.leaf(block, gap)
        case Code() | Table() | Rule():
            if place.marker is not None:
                yield place.leaf(Paragraph(()), gap)
                place, gap = place.begun(), False
            yield place.leaf(block, gap)
        case Quote():
            inside = replace(place, quotes=place.quotes + 1, new_quote=place.quotes == 0 or place.new_quote)
            yield from _all(block.blocks, inside, first=gap, others=True)
        case Listing():
            if place.marker is not None:
                yield place.leaf(Paragraph(()), gap)
                place, gap = place.begun(), False
            yield from _items(block, place, gap)


def _items(listing: Listing, place: _Place, gap: bool) -> Iterator[Leaf]:
    for at, item in enumerate(listing.items):
        marker = Marker(None if listing.start is None else listing.start + at)
        inside = replace(place, lists=place.lists + 1, marker=marker)
        blocks = item or (Paragraph(()),)
        empty = True
        for leaf in _all(blocks, inside, first=gap, others=not listing.tight):
            yield leaf
            empty = False
        if empty:  # nothing but empty quotes
            yield inside.leaf(Paragraph(()), gap)
        place, gap = place.begun(), not listing.tight

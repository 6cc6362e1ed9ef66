"""Sentences of cards as passages, packed into rich_text blocks that Slack takes whatever their length."""

from __future__ import annotations

from blocks.slack.packing import packed
from blocks.slack.parts import Block
from blocks.slack.passages import Kind, Passage


def prose(*passages: Passage) -> list[Block]:
    """The rich_text blocks that hold these passages, in order and whole."""
    return packed(passages)


def line(*elements: Block) -> Passage:
    """A line of its own."""
    return Passage(Kind.SECTION, elements)


def item(*elements: Block) -> Passage:
    """One line of a bulleted list."""
    return Passage(Kind.ITEM, elements, frame=(("style", "bullet"), ("indent", 0)), joins=False)


def quotation(*elements: Block) -> Passage:
    """What somebody said, apart from our own words."""
    return Passage(Kind.QUOTE, elements, joins=False)

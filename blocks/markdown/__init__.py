"""Markdown, read once into a small tree that every surface renders in its own way.

`parse` reads, `tree` says what there is, `flow` unrolls the tree into lines for surfaces whose blocks do not nest.
"""

from __future__ import annotations

from blocks.markdown.reader import parse
from blocks.markdown.tree import (
    Block,
    Code,
    Document,
    Heading,
    Listing,
    Mark,
    Paragraph,
    Quote,
    Rule,
    Span,
    Spans,
    Table,
    plain,
    spelled,
)

__all__ = [
    "Block",
    "Code",
    "Document",
    "Heading",
    "Listing",
    "Mark",
    "Paragraph",
    "Quote",
    "Rule",
    "Span",
    "Spans",
    "Table",
    "parse",
    "plain",
    "spelled",
]

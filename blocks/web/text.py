"""Text for the review page: HTML of our own tags, with everything else escaped.

The result is safe to mark as safe in a template. Every block takes its direction from its own text (`dir="auto"`),
so that none can turn the page around it.
"""

from __future__ import annotations

from html import escape as entities
from typing import Final, assert_never

from blocks.characters import neutralise
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
    links,
)

_TOP_HEADING: Final = 3  # the page's own headings are h1 and h2
_MARKS: Final = ((Mark.CODE, "code"), (Mark.STRIKE, "del"), (Mark.EMPHASIS, "em"), (Mark.STRONG, "strong"))


def escape(text: str) -> str:
    """Return outside text for the inside of an element or an attribute: shown as written."""
    return entities(neutralise(text))


def html(document: Document) -> str:
    """Render a document as HTML. Empty for an empty document."""
    return "\n".join(map(_block, document.blocks))


def _block(block: Block) -> str:
    match block:
        case Paragraph(spans):
            return f'<p dir="auto">{_spans(spans)}</p>'
        case Heading(level, spans):
            tag = f"h{min(level + _TOP_HEADING - 1, 6)}"
            return f'<{tag} dir="auto">{_spans(spans)}</{tag}>'
        case Code(text, language):
            named = f' class="language-{language}"' if language else ""
            return f"<pre><code{named}>{entities(text)}</code></pre>"
        case Table(head, rows):
            body = f"<tbody>{''.join(_row(row, 'td') for row in rows)}</tbody>" if rows else ""
            return f"<table><thead>{_row(head, 'th')}</thead>{body}</table>"
        case Rule():
            return "<hr>"
        case Quote(blocks):
            return f'<blockquote dir="auto">{"".join(map(_block, blocks))}</blockquote>'
        case Listing():
            return _listing(block)
        case _:
            assert_never(block)


def _row(cells: tuple[Spans, ...], tag: str) -> str:
    row = "".join(f'<{tag} dir="auto">{_spans(cell)}</{tag}>' for cell in cells)
    return f"<tr>{row}</tr>"


def _listing(listing: Listing) -> str:
    items = "".join(f'<li dir="auto">{_item(item, tight=listing.tight)}</li>' for item in listing.items)
    if listing.start is None:
        return f"<ul>{items}</ul>"
    start = "" if listing.start == 1 else f' start="{listing.start}"'
    return f"<ol{start}>{items}</ol>"


def _item(blocks: tuple[Block, ...], *, tight: bool) -> str:
    """The blocks of an item; in a tight list the paragraph it begins with is bare text."""
    if tight and blocks and isinstance(blocks[0], Paragraph):
        return "\n".join([_spans(blocks[0].spans), *map(_block, blocks[1:])])
    return "\n".join(map(_block, blocks))


def _spans(spans: Spans) -> str:
    return "".join(_run(href, run) for href, run in links(spans))


def _run(href: str | None, run: Spans) -> str:
    """Spans that share a link, or none."""
    body = "".join(map(_span, run))
    if href is None:
        return body
    return f'<a href="{entities(href)}" rel="noopener noreferrer nofollow">{body}</a>'


def _span(span: Span) -> str:
    body = entities(span.text).replace("\n", "<br>")
    for mark, tag in _MARKS:
        if mark in span.marks:
            body = f"<{tag}>{body}</{tag}>"
    return body

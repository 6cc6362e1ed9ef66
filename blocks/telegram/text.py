"""Text for Telegram: its HTML, with everything else escaped.

Only `b i s code pre blockquote a` are written, nested as the Bot API allows: nothing inside `pre` and `code`, no
quote inside a quote, no link around code. A message is one message, so nothing is split here; `utf16_length` says
whether it fits.

Telegram finds entities in plain text by itself. Addresses, hashtags and commands only become clickable, but an
`@username` notifies its owner, so the at sign of every possible user name is followed by U+2060 WORD JOINER,
which is invisible and breaks the name for Telegram's finder (TDLib, `match_mentions`). E-mail addresses and
`https://host/@name` are no mentions and stay untouched, as does text inside links and code.
"""

from __future__ import annotations

import html as entities
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from blocks.characters import WORD_JOINER, isolate, neutralise
from blocks.markdown.flow import Leaf, flow
from blocks.markdown.grid import grid
from blocks.markdown.tree import (
    Code,
    Document,
    Heading,
    Mark,
    Paragraph,
    Rule,
    Span,
    Spans,
    Table,
    links,
    plain,
    spelled,
)
from blocks.telegram import limits
from blocks.words import when

RESERVED_ENTITIES: Final = 10  # of the message's entities, left to whoever puts the text on a card

_RULE: Final = "———"
_TAGS: Final = ((Mark.STRIKE, "s"), (Mark.EMPHASIS, "i"), (Mark.STRONG, "b"))  # from the inside out
_TAG: Final = re.compile(r"</?[a-z-]+(?: [^<>]*)?>")
_ABOVE: Final = "\u030a"
_RING: Final = re.compile(f".{_ABOVE}", re.DOTALL)
_SHORTEST_USERNAME: Final = 4
# A web address is taken whole, so that an at sign in its path is left alone; any other is looked at by itself.
_AT: Final = re.compile(
    r"(?<![A-Za-z0-9_])(?:https?://(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?::[0-9]+)?/[A-Za-z0-9._~/%+=&?#@:-]*"
    rf"|@(?=[A-Za-z0-9_]{{{_SHORTEST_USERNAME}}}))"
)


def escape(text: str) -> str:
    """Return outside text for the inside of a message: shown as written, notifying nobody."""
    shown = neutralise(text)
    return "".join(_escaped(span.text) for span in _quiet((Span(shown),))) if "@" in shown else _escaped(shown)


def inside(text: str) -> str:
    """Return outside text for the inside of a sentence of ours: escaped, on one line, its direction isolated."""
    return escape(isolate(text))


def quoted(text: str) -> str:
    """Return outside text as a quote."""
    return f"<blockquote>{escape(text.strip())}</blockquote>"


def moment(at: datetime, shape: str = "dt") -> str:
    """Return an instant as HTML: Telegram spells it in each reader's own zone. `shape` are its letters for how."""
    return f'<tg-time unix="{int(at.timestamp())}" format="{shape}">{when(at)}</tg-time>'


def linked(href: str, words: str) -> str:
    """Return HTML words that lead to an address, which must be one that Telegram takes."""
    return f'<a href="{entities.escape(href)}">{words}</a>'


def utf16_length(html: str) -> int:
    """Return the length of a message after its HTML is parsed, in UTF-16 units; `limits.MESSAGE_TEXT` bounds it."""
    text = _TAG.sub("", html) if "<" in html else html
    return limits.utf16_length(entities.unescape(text))


def html(document: Document) -> str:
    """Render a document as Telegram HTML. Empty for an empty document.

    Links beyond the entities that Telegram honours in one message are written out as `label (address)`.
    """
    return _Message().render(document)


def _mentions(text: str) -> set[int]:
    """Where the at signs are that Telegram may take for the start of a user name."""
    return {found.start() for found in _AT.finditer(text) if found[0] == "@"}


def _quiet(spans: Spans) -> Spans:
    """Break mentions in a paragraph, also those that run on from one span into the next or begin behind a link."""
    masked = "".join(" " * len(span.text) if _is_unsearched(span) else span.text for span in spans)
    mentions = _mentions(plain(spans)) | _mentions(masked)
    if not mentions:
        return spans
    quiet: list[Span] = []
    start = 0
    for span in spans:
        signs = (f"@{WORD_JOINER}" if start + at in mentions else sign for at, sign in enumerate(span.text))
        quiet.append(span if _is_unsearched(span) else replace(span, text="".join(signs)))
        start += len(span.text)
    return tuple(quiet)


def _is_unsearched(span: Span) -> bool:
    return span.href is not None or Mark.CODE in span.marks


def _escaped(text: str) -> str:
    """Escape for the parser. `å` in two parts is composed, for Telegram drops U+030A (TDLib, `clean_input_string`)."""
    if _ABOVE in text:
        text = _RING.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)
    return entities.escape(text, quote=False)


class _Message:
    """One rendering, which counts the entities it has used: Telegram silently drops those over its limit."""

    def __init__(self) -> None:
        self._entities = limits.MESSAGE_ENTITIES.number - RESERVED_ENTITIES

    def render(self, document: Document) -> str:
        parts: list[str] = []
        quoted = False  # inside <blockquote>
        for leaf in flow(document):
            closes = quoted and (leaf.quotes == 0 or leaf.new_quote)
            if closes:
                parts.append("</blockquote>")
                quoted = False
            if parts:
                parts.append("\n\n" if leaf.gap else "\n")
            if leaf.new_quote and self._has_entity():
                parts.append("<blockquote>")
                quoted = True
            parts.append(self._leaf(leaf, leaf.quotes - quoted))
        if quoted:
            parts.append("</blockquote>")
        return "".join(parts)

    def _has_entity(self) -> bool:
        self._entities -= 1
        return self._entities >= 0

    def _leaf(self, leaf: Leaf, quotes: int) -> str:
        """One leaf, with `> ` for each quote that has no tag."""
        lead = "&gt; " * quotes
        match leaf.block:
            case Paragraph(spans):
                return self._lines(spans, leaf, lead)
            case Heading(_, spans):
                bold = tuple(replace(span, marks=span.marks | {Mark.STRONG}) for span in spans)
                return self._lines(bold, leaf, lead)
            case Code(text, language):
                return lead + self._pre(text.expandtabs(4), language)  # Telegram makes one space of a tab
            case Table():
                return lead + self._pre(grid(leaf.block), "")
            case Rule():
                return lead + _RULE

    def _lines(self, spans: Spans, leaf: Leaf, lead: str) -> str:
        """A paragraph behind its marker, its further lines indented to match."""
        indent = "  " * leaf.lists
        marker = f"{'  ' * (leaf.lists - 1)}{leaf.marker} " if leaf.marker else indent
        shown = _quiet(tuple(self._afforded(spans)))
        text = "".join(_run(href, run) for href, run in links(shown))
        return (lead + marker + text.replace("\n", f"\n{lead}{indent}")).rstrip(" ")

    def _pre(self, text: str, language: str) -> str:
        if not self._has_entity():
            return escape(text)
        body = _escaped(text)
        return f'<pre><code class="language-{language}">{body}</code></pre>' if language else f"<pre>{body}</pre>"

    def _afforded(self, spans: Spans) -> Iterator[Span]:
        """The spans, with links written out and code as text where no entity is left for them."""
        for href, run in links(spans):
            if href is not None:
                yield from run if self._has_entity() else map(_text, spelled(run))
            else:
                yield from (_text(span) if Mark.CODE in span.marks and not self._has_entity() else span for span in run)


def _text(span: Span) -> Span:
    """A span that is not code."""
    return replace(span, marks=span.marks - {Mark.CODE})


def _run(href: str | None, run: Spans) -> str:
    """Spans that share a link, or none. In a link, code is plain text."""
    if href is None:
        return "".join(
            f"<code>{_escaped(span.text)}</code>" if Mark.CODE in span.marks else _marked(span) for span in run
        )
    return f'<a href="{entities.escape(href)}">{"".join(map(_marked, run))}</a>'


def _marked(span: Span) -> str:
    """Put the tags of a span around its text. Each span closes what it opens, so every text is balanced."""
    body = _escaped(span.text)
    for mark, tag in _TAGS:
        if mark in span.marks:
            body = f"<{tag}>{body}</{tag}>"
    return body

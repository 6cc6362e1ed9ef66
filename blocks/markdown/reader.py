"""Reads Markdown into the tree: markdown-it's flat tokens folded into blocks and spans."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from markdown_it.token import Token

from blocks.characters import neutralise, one_line
from blocks.markdown.addresses import misleads
from blocks.markdown.grammar import markdown
from blocks.markdown.links import LINK_CLOSE, LINK_OPEN, Link
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
    joined,
    plain,
)

_GRAMMAR: Final = markdown()

# A language is a name that surfaces may leave out; anything else behind a fence is text and is shown.
_LANGUAGE: Final = re.compile(r"[a-z][a-z0-9+#_.-]{0,19}")

_OPENING: Final = {"strong_open": Mark.STRONG, "em_open": Mark.EMPHASIS, "s_open": Mark.STRIKE}
_CLOSING: Final = {"strong_close": Mark.STRONG, "em_close": Mark.EMPHASIS, "s_close": Mark.STRIKE}


def parse(markdown: str) -> Document:
    """Read a Markdown text. Every text has a reading; what is no markup is shown as typed."""
    tokens = _Tokens(_GRAMMAR.parse(neutralise(markdown)))
    return Document(tuple(_blocks(tokens)))


class _Tokens:
    """The tokens that are still to be read."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def next(self) -> Token | None:
        """Take the next token, or None at the end."""
        if self._at == len(self._tokens):
            return None
        self._at += 1
        return self._tokens[self._at - 1]

    def until(self, closing: str) -> Iterator[Token]:
        """Take tokens up to and including the closing one, which is not given."""
        while (token := self.next()) is not None and token.type != closing:
            yield token

    def is_tight(self, level: int) -> bool:
        """Whether the list that just opened on `level` is tight: paragraphs straight in its items are hidden."""
        for at in range(self._at, len(self._tokens)):
            token = self._tokens[at]
            if token.level == level:  # its own end
                break
            if token.type == "paragraph_open" and token.level == level + 2:
                return token.hidden
        return True


def _blocks(tokens: _Tokens, closing: str = "") -> Iterator[Block]:
    """The blocks up to a container's closing token. Containers nest no deeper than the grammar lets them."""
    for token in tokens.until(closing):
        match token.type:
            case "paragraph_open":
                if spans := _content(tokens, "paragraph_close"):
                    yield Paragraph(spans)
            case "heading_open":
                if spans := _content(tokens, "heading_close"):
                    yield Heading(int(token.tag[1]), spans)
            case "blockquote_open":
                yield Quote(tuple(_blocks(tokens, "blockquote_close")))
            case "bullet_list_open":
                yield _listing(tokens, token, None)
            case "ordered_list_open":
                yield _listing(tokens, token, int(token.attrs.get("start", 1)))
            case "fence" | "code_block":
                yield from _code(token)
            case "table_open":
                head, *rows = _rows(tokens)
                yield Table(head, tuple(rows))
            case "hr":
                yield Rule()
            case _:
                raise AssertionError(f"the grammar made a {token.type}, which the reader does not know")


def _content(tokens: _Tokens, closing: str) -> Spans:
    spans = [_spans(token) for token in tokens.until(closing)]
    return spans[0] if spans else ()


def _listing(tokens: _Tokens, opening: Token, start: int | None) -> Listing:
    tight = tokens.is_tight(opening.level)
    closing = opening.type.replace("_open", "_close")
    items = tuple(tuple(_blocks(tokens, "list_item_close")) for _ in tokens.until(closing))
    return Listing(items, start, tight)


def _code(token: Token) -> Iterator[Block]:
    info = one_line(token.info)
    language = info if _LANGUAGE.fullmatch(info) else ""
    if info and not language:
        yield Paragraph((Span(info),))
    text = neutralise(token.content).removesuffix("\n")
    if text:
        yield Code(text, language)


def _rows(tokens: _Tokens) -> Iterator[tuple[Spans, ...]]:
    for _ in tokens.until("table_close"):
        yield tuple(_spans(cell) for cell in tokens.until("tr_close"))


def _spans(inline: Token) -> Spans:
    """The spans of one run of inline tokens."""
    return joined(_walk(_Tokens(inline.children or []), Counter()))


def _walk(tokens: _Tokens, marks: Counter[Mark], href: str | None = None, closing: str = "") -> Iterator[Span]:
    for token in tokens.until(closing):
        if token.type in _OPENING:
            marks[_OPENING[token.type]] += 1
        elif token.type in _CLOSING:
            marks[_CLOSING[token.type]] -= 1
        elif token.type == LINK_OPEN:
            yield from _link(tokens, marks, href, token.meta["link"])
        elif token.type in {"softbreak", "hardbreak"}:
            yield Span("\n", _on(marks), href)
        else:
            code = frozenset({Mark.CODE}) if token.type == "code_inline" else frozenset()
            yield Span(neutralise(token.content), _on(marks) | code, href)


def _on(marks: Counter[Mark]) -> frozenset[Mark]:
    return frozenset(mark for mark, depth in marks.items() if depth)


def _link(tokens: _Tokens, marks: Counter[Mark], around: str | None, link: Link) -> Iterator[Span]:
    """A label with its link; what the label alone would hide is written behind it.

    That is the title, the address of an image or of a link that is not https, and the true address under a label
    that reads as another one.
    """
    href = link.href or around
    label = joined(_walk(tokens, marks, href, LINK_CLOSE))
    address = one_line(link.address)
    if link.href is not None:
        address = link.href if misleads(plain(label), link.href) or not plain(label).strip() else ""
    yield from label
    if title := one_line(link.title):
        yield Span(f" “{title}”" if label else f"“{title}”", _on(marks), around)
    if address:
        yield Span(f" ({address})" if label else address, _on(marks), href)

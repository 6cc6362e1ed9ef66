"""Telegram's HTML as its server reads it: what comes out, and what it says when it will not read on."""

from __future__ import annotations

import html
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.telegram.entities import Entity, covered
from blocks.telegram.limits import utf16_length
from blocks.telegram.parse_html import TAGS, HtmlError, parse_html

READ = [
    ("<b>hi</b> &lt;x&gt; &amp; &quot;", 'hi <x> & "', [Entity("bold", 0, 2)]),
    # Numeric references are read, unknown names stay as they are.
    ("&#x27;&#39; &nbsp; & &#0;", "'' &nbsp; & &#0;", []),
    # The semicolon may be missing.
    ("&lt b", "< b", []),
    ("<STRONG>a</strong>", "a", [Entity("bold", 0, 1)]),
    # An end tag may leave its name out.
    ("<i>a</>", "a", [Entity("italic", 0, 1)]),
    # Offsets are UTF-16: an emoji is two.
    ("😀<i>x</i>", "😀x", [Entity("italic", 2, 1)]),
    ("<b>a<i>b</i></b>", "ab", [Entity("bold", 0, 2), Entity("italic", 1, 1)]),
    ('<pre><code class="language-py">a</code></pre>', "a", [Entity("pre", 0, 1, "py")]),
    ('<code class="language-py">a</code>', "a", [Entity("code", 0, 1)]),
    # Nothing else formats what is code.
    ("<code><b>a</b></code>", "a", [Entity("code", 0, 1)]),
    ("<b><code>a</code></b>", "a", [Entity("code", 0, 1)]),
    ("<blockquote expandable>a</blockquote>", "a", [Entity("expandable_blockquote", 0, 1)]),
    ("<blockquote>a<blockquote>b</blockquote></blockquote>", "ab", [Entity("blockquote", 0, 2)]),
    ('<span class="tg-spoiler">a</span>', "a", [Entity("spoiler", 0, 1)]),
    (
        '<a href="https://example.org/?a=1&amp;b=2">a</a>',
        "a",
        [Entity("text_link", 0, 1, "https://example.org/?a=1&b=2")],
    ),
    (
        "<a>https://example.org</a>",
        "https://example.org",
        [Entity("text_link", 0, 19, "https://example.org")],
    ),
    ('<a href="tg://user?id=42">Ana</a>', "Ana", [Entity("text_mention", 0, 3, "42")]),
    # A link the server does not take leaves its text behind.
    ('<a href="http://localhost/x">a</a>', "a", []),
    (
        '<tg-time unix="1800000000" format="wDT">soon</tg-time>',
        "soon",
        [Entity("date_time", 0, 4, "1800000000")],
    ),
    # Space at both ends goes; formatting of nothing but space goes with it.
    ("  \n<b> </b> a \n", "a", []),
    ("<b></b>a", "a", []),
]


@pytest.mark.parametrize(("source", "text", "entities"), READ)
def test_it_is_read_as_the_server_reads_it(source: str, text: str, entities: list[Entity]) -> None:
    parsed = parse_html(source)
    assert parsed.text == text
    assert list(parsed.entities) == entities


REFUSED = [
    ("a<br>b", 'Unsupported start tag "br" at byte offset 1'),
    # Offsets in errors are bytes, not characters.
    ("é<br>", 'Unsupported start tag "br" at byte offset 2'),
    ("a < b", 'Unsupported start tag "" at byte offset 2'),
    ("<b", "Unclosed start tag at byte offset 0"),
    ("<b>a", 'Can\'t find end tag corresponding to start tag "b"'),
    ("<b>a<i>b", 'Can\'t find end tag corresponding to start tag "i"'),
    ("a</b>", "Unexpected end tag at byte offset 1"),
    ("<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
    ("<b>a</b", "Unclosed end tag at byte offset 4"),
    ("<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    ("<a =x>a</a>", 'Empty attribute name in the tag "a" at byte offset 0'),
    ("<a href", 'Unclosed start tag "a" at byte offset 0'),
    ("<a href=", 'Unclosed start tag "a" at byte offset 0'),
    ("<a href='x", "Unclosed start tag at byte offset 0"),
    ("<a href=x/y>a</a>", "Unexpected end of name token at byte offset 8"),
    ('<tg-emoji emoji-id="no">a</tg-emoji>', "Invalid custom emoji identifier specified"),
]


@pytest.mark.parametrize(("source", "complaint"), REFUSED)
def test_what_it_will_not_read_it_names_with_the_byte_where_it_stands(source: str, complaint: str) -> None:
    with pytest.raises(HtmlError) as refused:
        parse_html(source)
    assert str(refused.value) == complaint


def test_formatting_beyond_the_hundredth_code_or_link_is_dropped_without_a_word() -> None:
    parsed = parse_html("<code>a</code> <b>b</b> " * 150)
    assert sum(entity.type == "code" for entity in parsed.entities) == 100
    assert sum(entity.type == "bold" for entity in parsed.entities) == 150


@given(st.text())
def test_escaped_text_always_arrives_as_written(text: str) -> None:
    # NUL and lone surrogates never reach a server: JSON and UTF-8 do not carry them.
    written = text.replace("\x00", "").encode("utf-8", "ignore").decode()
    parsed = parse_html(html.escape(written, quote=False))
    assert parsed.text == written.rstrip().lstrip(" \n")
    assert parsed.entities == ()


@given(st.lists(st.sampled_from(["<b>", "</b>", "<i x='", "<pre>", "</>", "&lt;", "&", "é", "😀", " ", ">"])))
def test_any_source_is_either_read_or_refused(pieces: list[str]) -> None:
    with suppress(HtmlError):
        parsed = parse_html("".join(pieces))
        whole = utf16_length(parsed.text)
        assert all(0 <= entity.offset < entity.end <= whole for entity in parsed.entities)
        assert all(entity.type in TAGS.values() for entity in parsed.entities)


@given(st.text(alphabet="aé語😀 ", min_size=1), st.text(alphabet="aé語😀 ", min_size=1))
def test_an_entity_covers_exactly_what_stood_between_its_tags(before: str, inside: str) -> None:
    parsed = parse_html(f"x{before}<b>{inside}</b>x")
    found = [covered(parsed.text, entity) for entity in parsed.entities]
    assert found == ([inside] if inside.strip() else [])

"""Markdown in Telegram's HTML: tags it knows, nested as it allows, and nobody called by accident."""

from __future__ import annotations

import pytest

from blocks.markdown import parse
from blocks.telegram.parse_html import parse_html
from blocks.telegram.text import escape, html, inside, utf16_length
from tests.blocks.text.readers import read_telegram, telegram_mentions

JOINER = "\u2060"
A = '<a href="{}">{}</a>'.format

BODIES = (
    ("# a\n\nb\nc", "<b>a</b>\n\nb\nc", "a heading is bold, a blank line after it"),
    ("a *b* **c** ~~d~~ `e`", "a <i>b</i> <b>c</b> <s>d</s> <code>e</code>", "the five styles"),
    ("***~~a~~***", "<b><i><s>a</s></i></b>", "styles within each other"),
    ("**a `b` c**", "<b>a </b><code>b</code><b> c</b>", "code stands in no other style"),
    ("[a `b`](https://x.example/?y=1&z)", A("https://x.example/?y=1&amp;z", "a b"), "no code in a link"),
    ("[**a**](https://x.example)", A("https://x.example", "<b>a</b>"), "but styles"),
    ("[a](http://x.example)", "a (http://x.example)", "other schemes are text"),
    ("<b>x</b> & 'y' \"z\"", "&lt;b&gt;x&lt;/b&gt; &amp; 'y' \"z\"", "three signs are escaped and no more"),
    ("- a\n  b\n- c", "• a\n  b\n• c", "a list, its further lines indented"),
    ("9. a\n10. b\n    - c", "9. a\n10. b\n  • c", "numbers and a list within"),
    ("- a\n\n- b", "• a\n\n• b", "a loose list"),
    ("-\n- a", "•\n• a", "an empty item"),
    ("> a\n>\n> b", "<blockquote>a\n\nb</blockquote>", "a quote"),
    ("> a\n\n> b\n\nc", "<blockquote>a</blockquote>\n\n<blockquote>b</blockquote>\n\nc", "two quotes stay two"),
    ("> a\n> > b\n> > c\n>\n> d", "<blockquote>a\n\n&gt; b\n&gt; c\n\nd</blockquote>", "no quote in a quote"),
    ("> - a\n>   b", "<blockquote>• a\n  b</blockquote>", "a list in a quote"),
    ("```py\na < b\n```", '<pre><code class="language-py">a &lt; b</code></pre>', "code and its language"),
    ("```\n\ta\n```", "<pre>    a</pre>", "Telegram would make one space of a tab"),
    ("- ```\n  a\n  ```", "•\n<pre>a</pre>", "code in an item"),
    ("a|b\n-|-\n1|<2>", "<pre>a | b\n--+----\n1 | &lt;2&gt;</pre>", "a table stands in columns"),
    ("日本|x\n-|-\na|b", "<pre>日本 | x\n-----+--\na    | b</pre>", "wide characters take two columns"),
    ("א|b\n-|-", "<pre>\u2068א\u2069 | b\n--+--</pre>", "a cell cannot turn its row"),
    ("a\n\n---\n\nb", "a\n\n———\n\nb", "a rule is drawn"),
    ("", "", "nothing is nothing"),
)


@pytest.mark.parametrize(("markdown", "expected", "reason"), BODIES, ids=[reason for _, _, reason in BODIES])
def test_bodies(markdown: str, expected: str, reason: str) -> None:
    assert html(parse(markdown)) == expected


MENTIONS = (
    ("@anabel", f"@{JOINER}anabel", "a user name"),
    ("(@anabel_b),@anabel", f"(@{JOINER}anabel_b),@{JOINER}anabel", "after any sign"),
    ("é@anabel", f"é@{JOINER}anabel", "after a letter that Telegram may not count as one"),
    ("ana@example.com", "ana@example.com", "an e-mail address is no mention and stays as it can be copied"),
    ("https://medium.com/@anabel?x=@anabel", "https://medium.com/@anabel?x=@anabel", "nor is a web address"),
    ("https://nodot/@anabel", f"https://nodot/@{JOINER}anabel", "but what is no web address to Telegram is"),
    ("xhttps://medium.com/@anabel", f"xhttps://medium.com/@{JOINER}anabel", "and so is another scheme"),
    ("<@U1> @ana", "&lt;@U1&gt; @ana", "no user name is shorter than four"),
    ("@@anabel", f"@@{JOINER}anabel", "two at signs"),
)


@pytest.mark.parametrize(("words", "expected", "reason"), MENTIONS, ids=[reason for _, _, reason in MENTIONS])
def test_outside_words_call_nobody(words: str, expected: str, reason: str) -> None:
    assert escape(words) == expected
    assert html(parse(words.replace("<", "\\<").replace("_", "\\_"))) == expected


def test_the_check_for_mentions_finds_one_where_there_is_one() -> None:
    assert telegram_mentions(read_telegram("hello <b>@ana</b>bel")) == ["@anabel"]


@pytest.mark.parametrize(
    "body", ["@**anabel**", "@an*abel*", "**@**anabel", "@[anabel](https://x.example)", "`a`@anabel"]
)
def test_a_mention_over_several_styles_is_none(body: str) -> None:
    page = read_telegram(html(parse(body)))
    assert telegram_mentions(page) == []
    assert page.text.count("@") == 1


def test_code_and_links_keep_their_at_signs_as_they_can_be_copied() -> None:
    body = html(parse("`npm i @scope/name` [@anabel](https://x.example)\n\n```\n@anabel\n```"))
    assert JOINER not in body


def test_links_beyond_what_telegram_honours_are_written_out() -> None:
    body = html(parse(" ".join(f"[l{number}](https://x.example/{number})" for number in range(150))))
    page = read_telegram(body)
    assert len(page.links()) == 90
    assert "l89 l90 (https://x.example/90)" in page.text
    assert "l149 (https://x.example/149)" in page.text


def test_labels_of_links_that_are_written_out_call_nobody() -> None:
    page = read_telegram(html(parse("[@anabel](https://x.example) [`@anabel`](https://x.example) " * 60)))
    assert len(page.links()) == 90
    assert telegram_mentions(page) == []
    assert page.text.count(f"@{JOINER}anabel (https://x.example)") == 30


def test_code_and_quotes_beyond_what_telegram_honours_are_text() -> None:
    many = "`a` " * 200 + "\n\n> b\n> > c\n\n```\nd @anabel\n```"
    page = read_telegram(html(parse(many)))
    assert [element.tag for element in page.elements] == ["code"] * 90
    assert page.text.endswith(f"> b\n\n> > c\n\nd @{JOINER}anabel")


def test_every_honoured_entity_is_kept_by_the_server() -> None:
    body = html(parse(" ".join(f"[l{number}](https://x.example/{number})" for number in range(150))))
    assert sum(entity.type == "text_link" for entity in parse_html(body).entities) == 90


@pytest.mark.parametrize(
    ("source", "length", "reason"),
    [
        ("abc", 3, "letters"),
        ("<b>abc</b>", 3, "tags do not count"),
        ("&lt;&amp;&gt;&#39;", 4, "an entity is one"),
        ('<a href="https://x.example">a</a>', 1, "nor do addresses"),
        ('<tg-time unix="1" format="wDT">a</tg-time>', 1, "nor tags with a dash"),
        ("&amp;lt;", 4, "an escaped entity is text"),
        ("😀", 2, "emoji are two"),
        ("漢", 1, "CJK is one"),
    ],
)
def test_length_is_counted_after_parsing(source: str, length: int, reason: str) -> None:
    assert utf16_length(source) == length


def test_a_ring_in_two_parts_survives() -> None:
    assert escape("A\u030angstro\u0308m") == "Ångstro\u0308m"  # the rest is left as it was written


def test_an_override_cannot_turn_our_sentence() -> None:
    assert inside("\u202eevil") == "evil"
    assert f"Answered by {inside('אבג')}: 5" == "Answered by \u2068אבג\u2069: 5"
    assert inside("a\nb") == "a b"
    assert inside("<b>") == "&lt;b&gt;"

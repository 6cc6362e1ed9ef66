"""What Markdown means, told by the page's HTML, which shows the tree most plainly."""

from __future__ import annotations

import pytest

from blocks.markdown import parse
from blocks.web.text import escape, html

P = '<p dir="auto">{}</p>'.format
A = '<a href="{}" rel="noopener noreferrer nofollow">{}</a>'.format

LONG = "y" * 2_000

INLINE = (
    ("a *b* **c** ~~d~~ `e`", "a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code>", "the five styles"),
    ("***a***", "<strong><em>a</em></strong>", "styles within each other"),
    ("**a *b* c**", "<strong>a </strong><strong><em>b</em></strong><strong> c</strong>", "each run by itself"),
    ("a\nb", "a<br>b", "a line end is kept, as chats do"),
    ("a  \nb\\\nc", "a<br>b<br>c", "so are hard breaks"),
    ("\\*a\\* &lt;b&gt; &copy;", "*a* &lt;b&gt; ©", "escapes and entities are Markdown's own"),
    ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;", "raw HTML is text"),
    ("`` a`b ``", "<code>a`b</code>", "backticks in code"),
    ("[a *b*](https://x.example/y)", A("https://x.example/y", "a <em>b</em>"), "a link with style"),
    ("[a](<https://x.example/y z>)", A("https://x.example/y%20z", "a"), "an address with a space, encoded"),
    ("[a](https://x.example/?b&copy=c)", A("https://x.example/?b&amp;copy=c", "a"), "an address is escaped as text is"),
    ("<https://x.example/a_b_c>", A("https://x.example/a_b_c", "https://x.example/a_b_c"), "no style in an address"),
    ("[](https://x.example)", A("https://x.example", "https://x.example"), "a link without a label shows its address"),
    ("[a](HTTPS://x.example)", A("https://x.example", "a"), "a scheme has no case"),
    ("[a](https://bücher.example)", A("https://xn--bcher-kva.example", "a"), "hosts beyond ASCII are spelled so"),
    ('[a](https://x.example "Title")', A("https://x.example", "a") + " “Title”", "a title would hide on a phone"),
    ("[a](http://x.example)", "a (http://x.example)", "other schemes are text"),
    ("[a](imaps://x.example)", "a (imaps://x.example)", "however they are spelled"),
    ("[a](javascript:alert(1))", "a (javascript:alert(1))", "above all those that run"),
    ("[a](//x.example)", "[a](//x.example)", "an address without a scheme is no address"),
    ("[a](docs/b.md) f[0](x)", "[a](docs/b.md) f[0](x)", "so brackets and parentheses stay as typed"),
    ("[a]()", "[a]()", "and so does a link to nothing"),
    ("[a](https://u:p@x.example)", "a (https://u:p@x.example)", "a user name may look like a host"),
    ("[a](https://)", "a (https://)", "https to nowhere"),
    ("[a](https://%65vil.example)", "a (https://%65vil.example)", "a host that is no name"),
    ("[a](https://[::1)", "a (https://[::1)", "a broken host"),
    ("[a](https://x.example:99999)", "a (https://x.example:99999)", "a port beyond all ports"),
    (f"[a](https://x.example/{LONG})", f"a (https://x.example/{LONG})", "too long to be a link"),
    (
        "[https://bank.example](https://evil.example)",
        A("https://evil.example", "https://bank.example (https://evil.example)"),
        "a label that names another place shows where it goes",
    ),
    ("[www.bank.example](https://bank.example/a)", A("https://bank.example/a", "www.bank.example"), "the same place"),
    ("[bank.com](https://evil.example)", A("https://evil.example", "bank.com (https://evil.example)"), "a bare host"),
    ("[main.py](https://git.example/main.py)", A("https://git.example/main.py", "main.py"), "a file name is no host"),
    ("![a *b*](https://x.example/p.png)", "a <em>b</em> (https://x.example/p.png)", "an image is words"),
    ("![](p.png)", "p.png", "an image without words"),
    ("[![a](https://i.example)](https://x.example)", A("https://x.example", "a (https://i.example)"), "image in link"),
    ("[a [b](https://x.example)](https://y.z)", f"[a {A('https://x.example', 'b')}](https://y.z)", "no link in a link"),
    ("[a]\n\n[b][a]", "[a]</p>\n<p dir=\"auto\">[b][a]", "references are shown as typed"),
    ("[a `](https://x.example)`", "[a <code>](https://x.example)</code>", "code binds tighter than links"),
    ("\\[a](https://x.example)", "[a](https://x.example)", "an escaped bracket opens nothing"),
    ("\\![a](https://x.example)", "!" + A("https://x.example", "a"), "an escaped exclamation mark is no image"),
)  # fmt: skip

Q = '<blockquote dir="auto">'
HEAD = '<table><thead><tr><th dir="auto">{}</th><th dir="auto">{}</th></tr></thead>'.format
ROW = '<tr><td dir="auto">{}</td><td dir="auto">{}</td><td dir="auto">{}</td></tr>'.format

BLOCKS = (
    ("a\x0b\u2028b\x00", f"{P('a')}\n{P('b␀')}", "line ends of every tradition part paragraphs"),
    (
        "[a](https://x.example)\n\n[b] [c](https://y.example)",
        f"{P(A('https://x.example', 'a'))}\n{P('[b] ' + A('https://y.example', 'c'))}",
        "each paragraph has links of its own",
    ),
    ("# a\n\n###### b", '<h3 dir="auto">a</h3>\n<h6 dir="auto">b</h6>', "headings below the page's own"),
    ("a\n===", '<h3 dir="auto">a</h3>', "underlined headings"),
    ("---", "<hr>", "a rule"),
    ("> a\n> > b", f"{Q}{P('a')}{Q}{P('b')}</blockquote></blockquote>", "quotes in quotes"),
    ("- a\n- b", '<ul><li dir="auto">a</li><li dir="auto">b</li></ul>', "a tight list"),
    ("- a\n\n- b", f'<ul><li dir="auto">{P("a")}</li><li dir="auto">{P("b")}</li></ul>', "a loose one"),
    ("3. a\n4. b", '<ol start="3"><li dir="auto">a</li><li dir="auto">b</li></ol>', "numbers that start late"),
    (
        "- a\n  - b\n\n    c",
        f'<ul><li dir="auto">a\n<ul><li dir="auto">{P("b")}\n{P("c")}</li></ul></li></ul>',
        "a loose list in a tight one",
    ),
    ("```py\na < b\n\n```", '<pre><code class="language-py">a &lt; b\n</code></pre>', "code with its language"),
    ("````\n```\n````", "<pre><code>```</code></pre>", "a fence in a fence"),
    ("    a", "<pre><code>a</code></pre>", "code by indent"),
    ("```Do not merge\na\n```", P("Do not merge") + "\n<pre><code>a</code></pre>", "words behind a fence are words"),
    ("```\n```", "", "empty code is nothing"),
    (
        "a|*b*\n-|-\n1|2|3",
        f"{HEAD('a', '<em>b</em>')}<tbody>{ROW(1, 2, 3)}</tbody></table>",
        "a table keeps every cell",
    ),
    ("a|b\n-|-", f"{HEAD('a', 'b')}</table>", "a head alone"),
    ("a\\|b|c\n-|-", f"{HEAD('a|b', 'c')}</table>", "a bar in a cell"),
    ("[a]: https://x.example", P("[a]: https://x.example"), "a definition is not swallowed"),
    ("<div>\na\n</div>", P("&lt;div&gt;<br>a<br>&lt;/div&gt;"), "an HTML block is text"),
    ("<!-- a -->", P("&lt;!-- a --&gt;"), "and so is a comment"),
    ("#", "", "a heading of nothing is nothing"),
    ("&#x202e;", "", "a paragraph that only steers is nothing"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "reason"), INLINE, ids=[reason for _, _, reason in INLINE])
def test_inline_markup(text: str, expected: str, reason: str) -> None:
    assert html(parse(text)) == P(expected)


@pytest.mark.parametrize(("text", "expected", "reason"), BLOCKS, ids=[reason for _, _, reason in BLOCKS])
def test_block_markup(text: str, expected: str, reason: str) -> None:
    assert html(parse(text)) == expected


def test_what_is_nested_too_deep_is_shown_as_typed_from_there_on() -> None:
    quotes = html(parse("> " * 20 + "a"))
    assert quotes.count("<blockquote") == 16
    assert P("&gt; &gt; &gt; &gt; a") in quotes

    lists = html(parse("- " * 12 + "a\n\nafter"))
    assert lists.count("<ul>") == 8
    assert "- - - - a" in lists
    assert lists.endswith(P("after"))


def test_images_nested_too_deep_are_shown_as_typed_from_there_on() -> None:
    assert html(parse("![" * 10 + "a" + "](b)" * 10)) == P("![![a](b)](b)" + " (b)" * 8)


def test_attributes_are_escaped_too() -> None:
    assert escape("\"a\" 'b' <c> & \x00") == "&quot;a&quot; &#x27;b&#x27; &lt;c&gt; &amp; ␀"

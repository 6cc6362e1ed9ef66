"""Texts that someone may write, each with the reason it is here, and strategies that make more of them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st


@dataclass(frozen=True)
class Case:
    text: str
    reason: str


HOSTILE = (
    Case("<!channel> <!here> <!everyone>", "a Slack broadcast would wake everybody"),
    Case("<@U1> <@U0123ABCD|ana> <#C1> <#C1|general> <!subteam^S1>", "Slack mentions in every spelling"),
    Case("<https://evil.example|Approve> <mailto:a@b.example|mail>", "a Slack link that reads as a button"),
    Case("&lt;!channel&gt; &#60;!channel&#62;", "entities become a broadcast if text is decoded and not escaped again"),
    Case("<!date^1^{date}|soon>", "a Slack date is markup too"),
    Case("@channel @here @everyone @anabel_b", "names that Slack or Telegram may search for by themselves"),
    Case("mail ana.b@example.com, see https://medium.com/@anabel", "at signs that are no mentions"),
    Case("@**anabel** and **@**anabel", "a mention put together from two styles"),
    Case("*not bold _nor this ~nor this `nor code", "mrkdwn that opens and never closes"),
    Case("a * b * c, snake_case_name, ~/bin, 2 ** 3 ** 4", "signs of arithmetic and names, not of style"),
    Case(":tada: :x: :+1::skin-tone-3:", "emoji codes that Slack would draw"),
    Case("\\*stars\\* \\_lines\\_ \\[brackets\\]", "escapes are Markdown's own way to write signs"),
    Case("<b>bold</b> <script>alert(1)</script> <img src=x onerror=alert(1)>", "HTML is text here"),
    Case("<a href='javascript:alert(1)'>x</a>", "an HTML link is text here"),
    Case("</blockquote></code></pre></p></div>", "closing tags must close nothing of ours"),
    Case("<!-- hidden --> <![CDATA[x]]> <?php x ?>", "what HTML hides must be seen"),
    Case("[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1))", "an address that runs"),
    Case("[x](data:text/html;base64,PHN2Zz4=) [y](vbscript:x)", "more addresses that run"),
    Case("[x](http://plain.example) [y](tg://user?id=1) [z](file:///etc/passwd)", "only https becomes a link"),
    Case('[x](https://a.example/?q="><script>alert(1)</script>)', "an address that breaks out of its attribute"),
    Case("[https://bank.example](https://evil.example/login)", "a label that names another address"),
    Case("[x](https://bank.example@evil.example)", "a user name that reads as a host"),
    Case("![alt text](https://i.example/p.png) ![x](javascript:1)", "images are words with an address"),
    Case("[![badge](https://i.example/b.svg)](https://ci.example/run)", "an image as the label of a link"),
    Case("[a]: https://a.example\n[warning]: irreversible", "definitions that plain Markdown swallows"),
    Case("call handlers[0](event) and vec![1](2)", "code that looks like links"),
    Case("> a\n> > b\n> > > c", "quotes in quotes"),
    Case("> quoted\nlazily so", "a quote that goes on without its sign"),
    Case("- > - > deep\n  > - x", "quotes and lists in each other"),
    Case("- a\n- b\n  1. c\n  2. d\n\n     more", "lists in lists"),
    Case("7. seven\n8. eight", "a list that starts late"),
    Case("0. zero\n999999999. huge", "numbers that Slack cannot count from"),
    Case("-\n-\n1.\n", "items of nothing"),
    Case("````\n```\ninside\n```\n````", "a fence inside a fence"),
    Case("```\nnever closed <!channel>", "a fence that never closes"),
    Case("```rm -rf / please\nx\n```", "words behind a fence that a renderer may leave out"),
    Case("~~~\n</pre></code><b>\n~~~", "code that closes its own tags"),
    Case("`<@U1>` ``a ` b`` `*x*`", "code keeps every sign"),
    Case("a|b\n-|-\n1|2|three|four\n5", "a row longer than its head, and a shorter one"),
    Case("|a|\n|-|\n|[x](https://a.example)|\n|`c\\|d`|", "links and bars in cells"),
    Case("日本|x\n-|-\n東京タワー|y", "columns of wide characters"),
    Case("漢字" * 50, "text without spaces"),
    Case("👩‍👩‍👧‍👦 🏳️‍🌈 🇪🇸🇫🇷 👍🏽 🏴\U000e0067\U000e0062\U000e007f", "emoji of many code points"),
    Case("e\u0301 n\u0303 a\u030a \u1100\u1161\u11a8 क्षि", "characters of several code points"),
    Case("\u202egnp.exe\u202c then", "an override that turns a file name round"),
    Case("\u202e\u202e\u2067 never closed", "directions that reach beyond their line"),
    Case("\u2069\u202c closed but never opened", "directions that end ours"),
    Case("&#x202e;abc &#x2067;def", "directions written as entities"),
    Case("שלום abc مرحبا 123", "text of both directions"),
    Case("tab\there, bell\x07, escape\x1b[31m, null\x00, del\x7f, c1\x9b", "control codes"),
    Case("a\r\nb\rc\u2028d\u2029e\x0bf\x0cg\x85h", "line ends of every tradition"),
    Case("\ud83d \ude00 alone", "halves of characters"),
    Case("\ufeffmark, \u200bzero, \u00a0hard space, \u3000wide space", "spaces that are not spaces"),
    Case("# \n## \n**\n* *\n", "markup around nothing"),
    Case("", "nothing"),
    Case("   \n\n\t\n", "only blanks"),
)  # fmt: skip

DEEP = (
    Case(">" * 5_000, "five thousand quotes on a line"),
    Case("> " * 5_000 + "x", "the same with text in the innermost"),
    Case("\n".join(">" * depth + " x" for depth in range(1, 200)), "a staircase of quotes"),
    Case("[" * 5_000, "five thousand brackets that never close"),
    Case("[" * 2_500 + "](https://a.example)" * 2_500, "and some that do"),
    Case("![" * 500 + "](https://a.example)" * 500, "images within images"),
    Case("- " * 5_000 + "x", "lists within lists on a line"),
    Case("\n".join("  " * depth + "- x" for depth in range(200)), "a staircase of lists"),
    Case("*a " * 5_000, "emphasis that opens and never closes"),
    Case("**" * 2_500 + "x" + "**" * 2_500, "emphasis within emphasis"),
    Case("`" * 5_000, "backticks"),
    Case("(" * 5_000 + "[a](" * 1_000, "parentheses"),
    Case("\u2067" * 5_000 + "\u2069" * 5_000, "isolates within isolates"),
    Case("a" + "\u0301" * 5_000, "one character of five thousand marks"),
    Case("word " * 4_000, "twenty thousand characters"),
    Case("漢" * 20_000, "twenty thousand characters without a space"),
    Case("a|" * 2_000 + "\n" + "-|" * 2_000 + "\n" + "x\n" * 4_000, "a table that would pad to eight million cells"),
)

# Words in many scripts, with nothing that Markdown reads as markup.
_WORD = st.text(
    st.sampled_from("abzXYZ éßøŁ ЖЩя λΩ אבגד عربي हिन्दी ไทย 日本語漢字カナ 한국어 👩👧🏽‍🇪🇸😀".replace(" ", "")),
    min_size=1,
    max_size=12,
)
PLAIN = st.lists(st.lists(_WORD, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=6).map("\n\n".join)

_ATOMS = (
    *"*_~`[]()<>!#>-+=|\\:\"'& \n\t1./@",
    *("\n\n", "```", "~~~", "**", "~~", "](", "![", "1. ", "- ", "> ", "    ", "|\n-|-\n", "---\n", "===\n"),
    *("https://a.example/c", "<https://b.example>", '(https://c.example "t")', "javascript:", "http://u:p@h"),
    *("https://[::1]/", "https://[", "https://a:b/", "https://xn--/", "https://é.example", "%zz", "[n]: x\n"),
    *("&amp;", "&#x202e;", "&#10;", "&lt;", "&nbsp;", "<!channel>", "<@U1>", "@anabel", "<b>", "</pre>", "<!--"),
    *("\u202e", "\u2067", "\u2069", "\u202c", "\x00", "\x1b", "\ud83d", "\u0301", "👩‍👩‍👧", "🇪🇸", "漢", "א", "\r\n"),
    *("word", "Ana", "x"),
)
SOUP = st.lists(st.sampled_from(_ATOMS), max_size=40).map("".join)

# The same without what may stand for another character (entities) or be left out (a language behind a fence).
CLEAR_SOUP = st.lists(
    st.sampled_from([atom for atom in _ATOMS if not set("&`~") & set(atom)] + ["~~", "`"]), max_size=40
).map("".join).filter(lambda text: "```" not in text and "~~~" not in text)  # fmt: skip

ANY = st.text(st.characters(codec=None), max_size=200)

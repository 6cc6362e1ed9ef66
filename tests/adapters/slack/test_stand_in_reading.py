"""What people read and who is notified: mrkdwn, plain text, rich text and Markdown as Slack's client shows them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sandbox.slack.drawing import drawn, notifies, reads
from bot.sandbox.slack.mrkdwn import mrkdwn_nodes, plain_nodes, reading
from bot.sandbox.slack.world import Message

NAMES = {"UANA": "Ana Ruiz", "CGEN": "general"}.get

READ: list[tuple[str, str, str]] = [
    ("plain words", "hello", "hello"),
    ("bold, italic, struck", "*a* _b_ ~c~", "a b c"),
    ("nested", "*a _b_*", "a b"),
    ("marks inside words are letters", "2*3*4 snake_case_name a~b~c", "2*3*4 snake_case_name a~b~c"),
    ("marks beside spaces are letters", "* a * _ b _", "* a * _ b _"),
    ("entities are read once", "&lt;b&gt; &amp;amp; &amp;lt; &nbsp;", "<b> &amp; &lt; &nbsp;"),
    ("a mention shows a name", "ask <@UANA>", "ask @Ana Ruiz"),
    ("an unknown mention shows its label or id", "<@UX|xavi> <@UY>", "@xavi @UY"),
    ("a channel", "<#CGEN> <#CX|ops>", "#general #ops"),
    ("a broadcast", "<!here> <!channel> <!everyone>", "@here @channel @everyone"),
    ("a link with a label", "<https://a.example|the page>", "the page"),
    ("a link without one", "<https://a.example>", "https://a.example"),
    ("an address with a full stop behind it", "see https://a.example/x.", "see https://a.example/x."),
    ("an escaped mention stays words", "&lt;@UANA&gt; &lt;!channel&gt;", "<@UANA> <!channel>"),
    ("code keeps its marks", "`*a* _b_`", "*a* _b_"),
    ("a code block keeps them over lines", "```\n*a*\n_b_\n```", "*a*\n_b_"),
    ("a date falls back here", "<!date^1712000000^{date_short}|soon>", "soon"),
    ("a quote", "&gt; said\n&gt; twice\nand on", "said\ntwice\nand on"),
    ("an emoji code", "done :white_check_mark: :no_such_thing:", "done ✅ :no_such_thing:"),
    ("an unfinished angle", "a < b", "a < b"),
]


@pytest.mark.parametrize(("why", "text", "shown"), READ, ids=[row[0] for row in READ])
def test_mrkdwn_reads(why: str, text: str, shown: str) -> None:
    assert reading(mrkdwn_nodes(text, NAMES)) == shown, why


def test_plain_text_has_no_markup_and_no_mentions_but_reads_entities() -> None:
    assert reading(plain_nodes("*a* <@UANA> &lt;b&gt; :tada:\n:tada:")) == "*a* <@UANA> <b> 🎉\n🎉"
    assert reading(plain_nodes(":tada:", emoji=False)) == ":tada:"


def test_bold_italic_and_links_are_drawn_as_such() -> None:
    assert mrkdwn_nodes("*a* <https://a.example/?x=1&amp;y=2|b>", NAMES) == [
        {"t": "b", "c": [{"t": "text", "s": "a"}]},
        {"t": "text", "s": " "},
        {"t": "link", "url": "https://a.example/?x=1&y=2", "c": [{"t": "text", "s": "b"}]},
    ]
    bare = mrkdwn_nodes("https://a.example", NAMES)
    assert [node["t"] for node in bare] == ["link"]
    assert [node["t"] for node in mrkdwn_nodes("https://a.example", NAMES, verbatim=True)] == ["text"]


def rich(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(parts)}]}


def test_rich_text_shows_every_character_as_written() -> None:
    hostile = "<!channel> *a* &lt; :tada: <@UANA>"
    assert reads([rich({"type": "text", "text": hostile})], NAMES) == hostile
    styled = rich({"type": "text", "text": "a", "style": {"bold": True, "code": True}})
    assert drawn([styled], NAMES)[0]["nodes"] == [{"t": "p", "c": [{"t": "b", "c": [{"t": "code", "s": "a"}]}]}]


def test_rich_text_lists_quotes_and_code_are_read_line_by_line() -> None:
    def section(text: str) -> dict[str, Any]:
        return {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}

    block = {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_list", "style": "ordered", "elements": [section("one"), section("two")]},
            {"type": "rich_text_quote", "elements": [{"type": "text", "text": "said"}]},
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x = 1\ny = 2"}]},
        ],
    }
    assert reads([block], NAMES).split() == ["one", "two", "said", "x", "=", "1", "y", "=", "2"]
    assert [node["t"] for node in drawn([block], NAMES)[0]["nodes"]] == ["ol", "quote", "pre"]


def test_a_markdown_block_is_markdown_with_slacks_mentions() -> None:
    block = {"type": "markdown", "text": "# Head\n\n**a** [b](https://a.example) <@UANA> `<!here>`\n\n- one\n- two"}
    nodes = drawn([block], NAMES)[0]["nodes"]
    assert [node["t"] for node in nodes] == ["h", "p", "ul"]
    assert "a b @Ana Ruiz <!here>" in reads([block], NAMES)


def message(text: str = "", *blocks: dict[str, Any]) -> Message:
    return Message(channel="C", ts="1.1", user="U", team_id="T", text=text, blocks=blocks)


NOTIFIED: list[tuple[str, Message, list[str]]] = [
    ("nobody", message("hello &lt;!channel&gt; @here"), []),
    ("a mention", message("<@UANA|ana>"), ["UANA"]),
    ("a broadcast in the fallback text", message("<!here>", {"type": "divider"}), ["here"]),
    (
        "a group in a section",
        message("x", {"type": "section", "text": {"type": "mrkdwn", "text": "<!subteam^S1>"}}),
        ["S1"],
    ),
    ("nobody by plain text", message("x", {"type": "header", "text": {"type": "plain_text", "text": "<!here>"}}), []),
    ("code protects nobody", message("`<!channel>`"), ["channel"]),
    ("a markdown block", message("x", {"type": "markdown", "text": "<!everyone>"}), ["everyone"]),
    ("rich text words", message("x", rich({"type": "text", "text": "<!here>"})), []),
    ("a rich text mention", message("x", rich({"type": "user", "user_id": "UANA"})), ["UANA"]),
    ("a rich text broadcast", message("x", rich({"type": "broadcast", "range": "here"})), ["here"]),
    ("a date is no call", message("<!date^1^{date}|x>"), []),
]


@pytest.mark.parametrize(("why", "posted", "called"), NOTIFIED, ids=[row[0] for row in NOTIFIED])
def test_a_message_notifies(why: str, posted: Message, called: list[str]) -> None:
    assert notifies(posted) == called, why


@given(st.text(alphabet="*_~`<>@!#|&;:\n ab", max_size=60))
def test_escaped_text_is_read_as_it_was_written(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert notifies(message(escaped)) == []
    shown = reading(mrkdwn_nodes(escaped, NAMES))
    marks = str.maketrans("", "", "*_~`>\n ")
    assert shown.translate(marks) == text.translate(marks), "only marks and quotes may be used up"

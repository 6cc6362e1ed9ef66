"""Markdown in Slack's rich_text: each part in its place, nothing cut off, no character cut through."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.markdown import parse
from blocks.slack.text import date, escape, plain, rich_text
from tests.blocks.text.readers import elements, read_mrkdwn, slack_shown

BOLD, ITALIC, CODE = {"bold": True}, {"italic": True}, {"code": True}
FAMILY = "👩‍👩‍👧‍👦"


def text(words: str, style: dict[str, bool] | None = None) -> dict[str, Any]:
    return {"type": "text", "text": words, **({"style": style} if style else {})}


def link(words: str, url: str) -> dict[str, Any]:
    return {"type": "link", "text": words, "url": url}


def section(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": list(parts)}


def quote(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text_quote", "elements": list(parts)}


def fixed(words: str, **frame: int) -> dict[str, Any]:
    return {"type": "rich_text_preformatted", "elements": [text(words)], **frame}


def items(*rows: dict[str, Any], style: str = "bullet", indent: int = 0, **frame: int) -> dict[str, Any]:
    return {"type": "rich_text_list", "style": style, "indent": indent, **frame, "elements": list(rows)}


PARTS = (
    ("a\n\nb\nc", [section(text("a\n\nb\nc"))], "paragraphs share a section, a blank line between"),
    ("# a\nb", [section(text("a", BOLD), text("\n\nb"))], "a heading is bold"),
    (
        "a *b* `c` [d](https://x.example)",
        [section(text("a "), text("b", ITALIC), text(" "), text("c", CODE), text(" "), link("d", "https://x.example"))],
        "styles and links are elements",
    ),
    ("***~~a~~***", [section(text("a", {"bold": True, "italic": True, "strike": True}))], "styles together"),
    ("a\n\n---\n\nb", [section(text("a\n\n———\n\nb"))], "a rule is drawn, for a divider would part the block"),
    ("- a\n- b", [items(section(text("a")), section(text("b")))], "a list"),
    ("2. a\n3. b", [items(section(text("a")), section(text("b")), style="ordered", offset=1)], "numbers go on"),
    (
        "1. a\n   - b\n2. c",
        [
            items(section(text("a")), style="ordered"),
            items(section(text("b")), indent=1),
            items(section(text("c")), style="ordered", offset=1),
        ],
        "a list within a list parts the outer one, whose numbers go on",
    ),
    ("- a\n\n  b", [items(section(text("a\n\nb")))], "a second paragraph stays in its item"),
    (
        "1. a\n\n   ```\n   b\n   ```\n2. c",
        [
            items(section(text("a")), style="ordered"),
            fixed("b"),
            items(section(text("c")), style="ordered", offset=1),
        ],
        "code in an item stands after it",
    ),
    (
        "1. a\n1) b",
        [items(section(text("a")), style="ordered"), items(section(text("b")), style="ordered")],
        "a list that begins again is another",
    ),
    ("-\n- a", [items(section(text("\u00a0")), section(text("a")))], "an empty item is not empty text"),
    ("0. a\n1. b", [section(text("0. a")), items(section(text("b")), style="ordered")], "Slack counts from one"),
    ("10000. a\n10001. b", [section(text("10000. a\n10001. b"))], "numbers too high to rely on are written out"),
    ("> a\n>\n> b", [quote(text("a\n\nb"))], "a quote"),
    ("> a\n> > b\n> > c", [quote(text("a\n\n> b\n> c"))], "a quote within keeps its sign, on each line"),
    ("> a\n\n> b", [quote(text("a")), quote(text("b"))], "two quotes stay two"),
    ("> - a\n> - b", [items(section(text("a")), section(text("b")), border=1)], "a list in a quote has its border"),
    ("> ```\n> a\n> ```", [fixed("a", border=1)], "and so has code"),
    ("- > a", [items(section(text("a")), border=1)], "a quote in a list"),
    ("a|b\n-|-\nc|[d](https://x.y)", [fixed("a | b\n--+----------------\nc | d (https://x.y)")], "a table"),
    ("```py\n*a*\n```", [fixed("*a*")], "code as typed"),
)  # fmt: skip


@pytest.mark.parametrize(("markdown", "expected", "reason"), PARTS, ids=[reason for _, _, reason in PARTS])
def test_parts_of_a_body(markdown: str, expected: list[dict[str, Any]], reason: str) -> None:
    blocks = rich_text(parse(markdown))
    assert [part for block in blocks for part in block["elements"]] == expected


def test_nothing_is_no_block() -> None:
    assert rich_text(parse(" \n")) == []


def weight(block: dict[str, Any]) -> int:
    return sum(len(element["text"].encode("utf-16-le")) // 2 for element in elements(block))


LONG = (
    ("word " * 2_000, "words"),
    ("\n\n".join(f"paragraph {number} " + "x" * 200 for number in range(60)), "paragraphs"),
    ("\n".join(f"{number}. item {number}" for number in range(1, 900)), "a long list"),
    ("- " + "word " * 2_000, "one long item"),
    ("> " + "word " * 2_000, "one long quote"),
    ("```\n" + "code line\n" * 1_000 + "```", "long code"),
    ("[" + "label " * 1_500 + "](https://x.example)", "a long label"),
    ("**" + "a *b* " * 1_500 + "c**", "many styles"),
    (FAMILY * 1_500, "emoji of eleven units"),
    ("漢" * 9_000, "text without spaces"),
    ("- a\n\n" + "  b\n\n" * 2_000, "an item of many paragraphs"),
)


@pytest.mark.parametrize(("markdown", "reason"), LONG, ids=[reason for _, reason in LONG])
def test_a_long_text_is_whole_over_several_blocks(markdown: str, reason: str) -> None:
    blocks = rich_text(parse(markdown))
    assert len(blocks) > 1
    assert all(weight(block) <= 3_000 for block in blocks)
    together = "".join(slack_shown([block]) + "\n" for block in blocks)
    for sign in ("**", "*", "> ", "- ", "```", "](https://x.example)", "["):
        markdown = markdown.replace(sign, "")
    numbers = reason == "a long list"
    expected = [word for word in markdown.split() if not (numbers and word.endswith("."))]
    assert "".join(together.split()) == "".join(expected)


def test_blocks_are_filled_before_another_begins() -> None:
    blocks = rich_text(parse("word " * 4_000))
    assert len(blocks) <= 8  # 20,000 characters, each block at least half full


def test_a_cut_falls_between_words() -> None:
    for block in rich_text(parse("wordword " * 1_000)):
        assert set(slack_shown([block]).split()) == {"wordword"}


def test_a_cut_leaves_every_emoji_whole() -> None:
    for block in rich_text(parse(FAMILY * 1_500)):
        shown = slack_shown([block])
        assert shown == FAMILY * (len(shown) // len(FAMILY))


def test_each_piece_of_a_long_link_leads_to_the_same_place() -> None:
    parts = list(elements(rich_text(parse("[" + "label " * 1_500 + "](https://x.example)"))))
    assert len(parts) > 1
    assert {part["url"] for part in parts} == {"https://x.example"}


def test_a_list_that_goes_on_in_the_next_block_counts_on() -> None:
    blocks = rich_text(parse("\n".join(f"{number}. item {number}" for number in range(1, 900))))
    for block in blocks:
        for part in block["elements"]:
            first = part["elements"][0]["elements"][0]["text"]
            assert first == f"item {part.get('offset', 0) + 1}"


def test_the_rest_of_an_item_is_no_item_of_its_own() -> None:
    blocks = rich_text(parse("1. " + "word " * 1_000 + "\n2. b"))
    kinds = [(part["type"], part.get("offset")) for block in blocks for part in block["elements"]]
    assert kinds == [("rich_text_list", None), ("rich_text_section", None), ("rich_text_list", 1)]


def test_a_paragraph_of_an_item_that_moves_to_the_next_block_is_no_new_item() -> None:
    blocks = rich_text(parse("- " + "a" * 2_990 + "\n\n  " + "b" * 20))
    assert [block["elements"][0]["type"] for block in blocks] == ["rich_text_list", "rich_text_section"]


@given(st.text(st.sampled_from("ab \n*_~`-#>1.漢" + FAMILY), max_size=60), st.integers(60, 200))
def test_no_block_is_over_its_limit_and_nothing_is_missing(unit: str, times: int) -> None:
    blocks = rich_text(parse(unit * times))
    assert all(weight(block) <= 3_000 for block in blocks)
    count = unit.count("漢") * times
    assert slack_shown(blocks).count("漢") == count


def test_a_plain_text_object_draws_no_emoji() -> None:
    assert plain(":tada: <!channel> *a*\x00") == {
        "type": "plain_text",
        "text": ":tada: <!channel> *a*␀",
        "emoji": False,
    }


def test_mrkdwn_words_are_escaped_once() -> None:
    assert escape("a & b <!channel> &lt;") == "a &amp; b &lt;!channel&gt; &amp;lt;"


def test_a_date_of_ours_is_the_only_control_sequence_we_write() -> None:
    at = datetime(2026, 12, 2, 14, 5, tzinfo=UTC)
    assert read_mrkdwn(f"until {date(at)}").controls == [
        "!date^1796220300^{date_short_pretty} {time}|2 Dec 2026, 14:05 UTC"
    ]
    elsewhere = at.astimezone(timezone(timedelta(hours=9)))
    assert date(elsewhere) == date(at)

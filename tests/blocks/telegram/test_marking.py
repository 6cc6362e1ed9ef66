"""A person's message read for sentences: what Telegram shows as code or as a quote is marked as such."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from blocks.telegram.entities import Entity, Formatted
from blocks.telegram.limits import utf16_length
from blocks.telegram.marking import marked
from core.sentences import Claim, Reference, parse

HIDDEN = "[CLAIM hidden]"
ROWS: list[tuple[str, str, list[tuple[str, str]], str]] = [
    # why | the text | what of it is formatted, and as what | the text with marks
    ("nothing is", "a [CLAIM x]", [], "a [CLAIM x]"),
    ("bold is no code", "a b", [("b", "bold")], "a b"),
    ("code within a line", "say [CLAIM x] then", [("[CLAIM x]", "code")], "say `[CLAIM x]` then"),
    ("code of several lines", "so:\na\nb\nand", [("a\nb", "pre")], "so:\n```\na\nb\n```\nand"),
    ("code that begins within a line", "so: a\nb and", [("a\nb", "pre")], "so: \n```\na\nb\n```\n and"),
    ("a quote", "she said\n[CLAIM x]\nno", [("she said\n[CLAIM x]", "blockquote")], "> she said\n> [CLAIM x]\nno"),
    ("a quote that is folded", "old\nnew", [("old", "expandable_blockquote")], "> old\nnew"),
    ("code in a quote", "a b\nc", [("a b", "blockquote"), ("b", "code")], "> a b\nc"),
    ("behind letters of two units", "🙂🙂 a", [("a", "code")], "🙂🙂 `a`"),
    ("backticks in it", "x `y` z", [("`y`", "code")], "x `` `y` `` z"),
    ("a backtick before it", "`y", [("y", "code")], "` ``y``"),
    ("a fence that was typed", "```\na\nb", [("a\nb", "pre")], "```\n> a\n> b"),
]


@pytest.mark.parametrize(("text", "formatted", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_code_and_quotes_get_their_marks(text: str, formatted: list[tuple[str, str]], expected: str) -> None:
    assert marked(_message(text, formatted)) == expected


TYPED = st.lists(st.sampled_from(["`", "```", "~~~", "\n", "> ", "- ", " ", "a", "🙂", "\\", "[ACK a]"]), max_size=8)


@given(before=TYPED, inside=TYPED, after=TYPED, kind=st.sampled_from(["code", "pre", "blockquote"]))
@example(before=["`"], inside=[], after=["`"], kind="code")
@example(before=["`"], inside=["`"], after=[], kind="code")
@example(before=["- ", "```"], inside=["\n"], after=[], kind="code")
@example(before=["```", "\n"], inside=["\n"], after=["\n", "```"], kind="pre")
def test_no_sentence_in_code_or_a_quote_is_heard(
    before: list[str], inside: list[str], after: list[str], kind: str
) -> None:
    middle = "".join(inside) + HIDDEN
    start = utf16_length("".join(before))
    text = "".join(before) + middle + "".join(after)
    heard = parse(marked(Formatted(text, (Entity(kind, start, utf16_length(middle)),))))
    assert Claim(Reference("hidden")) not in heard


@pytest.mark.parametrize("kind", ["code", "pre", "blockquote"])
def test_what_stands_beside_it_is_heard(kind: str) -> None:
    text = f"[ACK a]\n{HIDDEN}\n[CLAIM b]"
    heard = parse(marked(_message(text, [(HIDDEN, kind)])))
    assert [type(one).__name__ for one in heard] == ["Ack", "Claim"]
    assert heard[1] == Claim(Reference("b"))


def _message(text: str, formatted: list[tuple[str, str]]) -> Formatted:
    found = [Entity(kind, utf16_length(text[: text.rindex(part)]), utf16_length(part)) for part, kind in formatted]
    return Formatted(text, tuple(found))

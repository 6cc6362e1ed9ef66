"""What a reader sees as one character is never cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.graphemes import _is_boundary, pieces, units

FAMILY = "👩‍👩‍👧‍👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

# Boundaries as UAX #29 draws them, written by hand.
ROWS: tuple[tuple[str, list[str], str], ...] = (
    ("abc", ["a", "b", "c"], "letters"),
    ("e\u0301e", ["e\u0301", "e"], "a letter and its accent"),
    ("\r\n\n", ["\r\n", "\n"], "a line end of two codes is one"),
    ("a\n\u0301", ["a", "\n", "\u0301"], "an accent does not join a line end"),
    (FAMILY + "a", [FAMILY, "a"], "a family"),
    ("👍🏽👍", ["👍🏽", "👍"], "a skin tone"),
    ("❤\ufe0f❤", ["❤\ufe0f", "❤"], "a variation selector"),
    ("🇪🇸🇫🇷🇩", ["🇪🇸", "🇫🇷", "🇩"], "flags are pairs, counted from the start of the row"),
    ("a🇪🇸🇫🇷", ["a", "🇪🇸", "🇫🇷"], "wherever the row starts"),
    (SCOTLAND + "x", [SCOTLAND, "x"], "a flag of tags"),
    ("1\u20e31", ["1\u20e3", "1"], "a keycap"),
    ("\u1100\u1161\u11a8\u1100", ["\u1100\u1161\u11a8", "\u1100"], "Hangul of three jamo"),
    ("\uac00\u11a8\uac01\u11a8", ["\uac00\u11a8", "\uac01\u11a8"], "a Hangul syllable and a final"),
    ("\u1161\u1100", ["\u1161", "\u1100"], "a vowel does not join what follows"),
    ("क्षि", ["क्षि"], "a Devanagari conjunct with its vowel"),
    ("நி", ["நி"], "a Tamil vowel sign"),
    ("ก\u0e33", ["ก\u0e33"], "Thai SARA AM"),
    ("\u0600\u0661", ["\u0600\u0661"], "an Arabic number sign joins its number"),
    ("", [], "nothing"),
)  # fmt: skip

TEXTS = st.text(
    st.sampled_from(
        ["a", " ", "\n", "\r", "\u0301", "\u200d", "👩", "🏽", "🇪", "\ufe0f", "漢", "\u1100", "\u1161", "क", "्"]
    )
    | st.characters(codec="utf-8"),
    max_size=60,
)


def clusters(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of `text` in order."""
    start = 0
    for at in range(1, len(text)):
        if _is_boundary(text, start, at):
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


@pytest.mark.parametrize(("text", "expected", "reason"), ROWS, ids=[reason for _, _, reason in ROWS])
def test_clusters(text: str, expected: list[str], reason: str) -> None:
    assert list(clusters(text)) == expected


@given(TEXTS)
def test_clusters_are_the_whole_text(text: str) -> None:
    assert "".join(clusters(text)) == text


@given(TEXTS, st.integers(2, 30))
def test_pieces_are_the_whole_text_and_fit(text: str, limit: int) -> None:
    cut = pieces(text, limit)
    assert "".join(cut) == text
    assert all(units(piece) <= limit for piece in cut)
    assert all(cut) or cut == [""]


@given(TEXTS, st.integers(20, 30))
def test_no_cut_falls_inside_a_cluster_that_fits(text: str, limit: int) -> None:
    boundaries, at = {0}, 0
    for cluster in clusters(text):
        at += len(cluster)
        if units(cluster) > limit:
            return
        boundaries.add(at)
    at = 0
    for piece in pieces(text, limit):
        at += len(piece)
        assert at in boundaries


@pytest.mark.parametrize(
    ("text", "limit", "expected", "reason"),
    [
        ("aaa bbb ccc", 8, ["aaa bbb ", "ccc"], "after a space"),
        ("aaa bbb ccc", 7, ["aaa ", "bbb ccc"], "the space stays where it was"),
        ("aaaa\nb bccc", 8, ["aaaa\n", "b bccc"], "rather after a line end"),
        ("a bbbbbbbbbbbb", 8, ["a bbbbbb", "bbbbbb"], "not after one so early that the piece is nearly empty"),
        ("a" + "\u0301" * 5, 4, ["a\u0301\u0301\u0301", "\u0301\u0301"], "a cluster too long for any piece is cut"),
        ("😀😀", 3, ["😀", "😀"], "never through a surrogate pair"),
        ("ab\nc👍🏽", 4, ["ab\n", "c", "👍🏽"], "what comes after a line end is measured as well"),
    ],
)
def test_where_cuts_fall(text: str, limit: int, expected: list[str], reason: str) -> None:
    assert pieces(text, limit) == expected


def test_a_piece_holds_at_least_one_code_point() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        pieces("abc", 1)

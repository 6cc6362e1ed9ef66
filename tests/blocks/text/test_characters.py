"""Outside text is made harmless without losing what can be seen."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from blocks.characters import isolate, neutralise, one_line
from tests.blocks.text.readers import is_balanced

LRE, RLE, PDF, LRO, RLO = "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"
LRI, RLI, FSI, PDI = "\u2066", "\u2067", "\u2068", "\u2069"

STEERING = st.text(st.sampled_from([LRE, RLE, PDF, LRO, RLO, LRI, RLI, FSI, PDI, "a", "א", "\n"]), max_size=30)
ANY = st.text(st.characters(codec=None), max_size=100)

ROWS = (
    ("plain ünïcode 漢字 👩‍👩‍👧", "plain ünïcode 漢字 👩‍👩‍👧", "ordinary text is left alone"),
    ("a\tb\nc", "a\tb\nc", "so are tabs and line feeds"),
    ("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh", "line ends of every tradition"),
    ("\x00\x07\x1b[31m\x7f", "␀␇␛[31m␡", "control codes are seen"),
    ("\x80\x9b", "\ufffd\ufffd", "and those without a picture as well"),
    ("\ud83d a \ude00", "\ufffd a \ufffd", "halves of characters cannot be sent"),
    ("\ud83d\ude00", "😀", "two halves that fit are one character"),
    (f"a{RLO}gnp.exe{PDF}b", "agnp.exeb", "an override is gone even where it is closed"),
    (f"{LRO}a", "a", "and where it is not"),
    (f"a{RLE}b{PDF}c", f"a{RLE}b{PDF}c", "an embedding that closes stays"),
    (f"a{RLI}b{PDI}c", f"a{RLI}b{PDI}c", "and so does an isolate"),
    (f"a{RLE}b", "ab", "one that stays open goes"),
    (f"a{RLI}b\nc{PDI}", "ab\nc", "for it ends with its line anyway"),
    (f"a{PDF}{PDI}b", "ab", "ends without a beginning would end ours"),
    (f"{RLI}{RLE}a{PDI}b{PDF}", f"{RLI}a{PDI}b", "an isolate's end closes nothing else"),
    (f"{RLE}{PDI}a{PDF}", f"{RLE}a{PDF}", "nor does a stray one"),
    (f"{RLE}{RLI}a{PDF}{PDI}{PDF}", f"{RLE}{RLI}a{PDI}{PDF}", "an embedding does not close through an isolate"),
    (f"{RLO}{RLE}a{PDF}{PDF}", f"{RLE}a{PDF}", "an override around an embedding goes alone"),
    ("a\u200eb\u200fc\u061cd", "a\u200eb\u200fc\u061cd", "marks reach no further than themselves"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "reason"), ROWS, ids=[reason for _, _, reason in ROWS])
def test_neutralised(text: str, expected: str, reason: str) -> None:
    assert neutralise(text) == expected


@given(STEERING | ANY)
def test_nothing_reaches_beyond_its_line(text: str) -> None:
    assert is_balanced(neutralise(text))


@given(STEERING | ANY)
@example("\r\r\n")
@example("\ud83d\ude00\ud83d")
def test_twice_is_as_once(text: str) -> None:
    assert neutralise(neutralise(text)) == neutralise(text)


@given(STEERING | ANY)
def test_what_can_be_seen_stays_in_order(text: str) -> None:
    aside = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u2400-\u2421\ud800-\udfff\ufffd]")
    halves = re.compile("[\ud800-\udbff][\udc00-\udfff]")  # two that fit become one that is seen
    assert aside.sub("", neutralise(halves.sub("", text))) == aside.sub("", halves.sub("", text))


@given(STEERING | ANY)
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text)
    assert "\n" not in line
    assert "\t" not in line
    assert "  " not in line
    assert line == line.strip(" ")
    assert is_balanced(line)


def test_spaces_that_mean_something_stay_on_one_line() -> None:
    assert one_line("  a \n\t b\u00a0c\u3000d ") == "a b\u00a0c\u3000d"


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("Ana", "Ana", "nothing is added to what cannot turn anything"),
        ("(5) -", "(5) -", "nor to signs"),
        ("אבג", f"{FSI}אבג{PDI}", "Hebrew"),
        ("مرحبا 5", f"{FSI}مرحبا 5{PDI}", "Arabic"),
        ("a\u200f", f"{FSI}a\u200f{PDI}", "a mark alone"),
        (f"a{RLE}b{PDF}", f"{FSI}a{RLE}b{PDF}{PDI}", "an embedding"),
        (f"{RLO}abc", "abc", "an override is gone before"),
        ("", "", "nothing"),
    ],
)
def test_isolated(text: str, expected: str, reason: str) -> None:
    assert isolate(text) == expected

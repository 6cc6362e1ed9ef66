"""Characters that lie about a text: control codes, direction overrides, halves of characters.

Everything written outside passes `neutralise` before a surface shows it. What can be seen is kept whole and in
order; what can only steer a display is made visible, or taken out when it would reach beyond its own line.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_ISOLATE: Final = "\u2069"
WORD_JOINER: Final = "\u2060"

_EMBEDDINGS: Final = frozenset("\u202a\u202b\u202d\u202e")
_OVERRIDES: Final = frozenset("\u202d\u202e")
_POP_EMBEDDING: Final = "\u202c"
_ISOLATES: Final = frozenset("\u2066\u2067\u2068")
_STEERING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_BLANKS: Final = re.compile("[ \t\n]+")
_TURNING: Final = frozenset({"R", "AL", "AN", "LRE", "RLE", "LRI", "RLI", "FSI"})

# Line ends of every tradition become "\n"; other C0 codes and DEL get their Unicode picture (U+2400 and on);
# C1 codes have no picture and become U+FFFD.
_SHOWN: Final[dict[int, str]] = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
    0x7F: "\u2421",
    **dict.fromkeys((0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029), "\n"),
    0x09: "\t",
}
_ODD: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""All that `neutralise` changes; hardly any text has one of them."""


def neutralise(text: str) -> str:
    """Return `text` with nothing in it that steers a display beyond its own line; doing it twice changes nothing.

    Line ends of every tradition become line feeds, tabs stay, other control codes become visible signs, lone
    surrogates U+FFFD. Direction overrides go, so that characters stand in the order they are read; embeddings and
    isolates stay where they are closed on their own line and go where they are not.
    """
    if not _ODD.search(text):
        return text
    if _SURROGATES.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = text.replace("\r\n", "\n").translate(_SHOWN)
    if not _STEERING.search(text):
        return text
    return "\n".join(_balanced(line) for line in text.split("\n"))


def one_line(text: str) -> str:
    """Return `text` neutralised on one line: every run of spaces, tabs and line ends is one space, none at the ends."""
    return _BLANKS.sub(" ", neutralise(text)).strip(" ")


def isolate(text: str) -> str:
    """Return `text` on one line, fit to stand inside a sentence of ours: its direction cannot turn our words.

    Text written left to right comes back without added marks.
    """
    line = one_line(text)
    if any(unicodedata.bidirectional(character) in _TURNING for character in line):
        return f"{FIRST_STRONG_ISOLATE}{line}{POP_ISOLATE}"
    return line


def _balanced(line: str) -> str:
    """Drop overrides and whatever opens without closing, or closes without opening (UAX #9, X1 to X8)."""
    kept = list(line)
    opened: list[int] = []
    isolates = 0
    for at, character in enumerate(line):
        if character in _EMBEDDINGS or character in _ISOLATES:
            opened.append(at)
            isolates += character in _ISOLATES
        elif character == POP_ISOLATE:
            if not isolates:
                kept[at] = ""
                continue
            while line[opened[-1]] not in _ISOLATES:  # an isolate's end closes nothing else that began inside it
                kept[opened.pop()] = ""
            opened.pop()
            isolates -= 1
        elif character == _POP_EMBEDDING:
            if not opened or line[opened[-1]] in _ISOLATES:
                kept[at] = ""
            elif line[opened[-1]] in _OVERRIDES:
                kept[at] = kept[opened.pop()] = ""
            else:
                opened.pop()
    for at in opened:
        kept[at] = ""
    return "".join(kept)

"""Links, images and `<https://…>`, found in one pass over a text.

This stands in for markdown-it's own three rules, to three ends: brackets are matched once, so that thousands of
them cost no more than their length; only https addresses become links; and what is no link stays as typed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from markdown_it.helpers import parseLinkDestination, parseLinkTitle
from markdown_it.rules_inline import StateInline

from blocks.markdown.addresses import has_scheme, link_address

LINK_OPEN: Final = "sayso_link_open"
LINK_CLOSE: Final = "sayso_link_close"

_DEEPEST: Final = 8  # images within images within …; each is a recursion of the tokenizer
_AUTOLINK: Final = re.compile(r"<(https://[^\s<>]+)>", re.IGNORECASE)
_BLANKS: Final = " \t\n"
_KEPT: Final = "sayso_links"


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link or image stands in its text, and where it leads.

    `href` is the encoded address of a link, None for an image or an address that must not be one; `address` is
    what was written. `label` and `end` are offsets: the label's text, and the first character after it all.
    `literal`: the label holds no markup of its own.
    """

    label: tuple[int, int]
    end: int
    address: str
    href: str | None
    title: str
    literal: bool = False


def link(state: StateInline, silent: bool) -> bool:
    """The markdown-it inline rule: turn a link at `state.pos` into an opening token, its label, a closing token."""
    if state.src[state.pos] not in "[!<" or state.level >= _DEEPEST:
        return False
    found = _links(state.src, state.env).get(state.pos)
    if found is None or found.end > state.posMax:
        return False
    if not silent:
        state.push(LINK_OPEN, "", 1).meta["link"] = found
        whole = state.posMax
        state.pos, state.posMax = found.label
        if found.literal:
            state.push("text", "", 0).content = found.address
        else:
            state.md.inline.tokenize(state)
        state.posMax = whole
        state.push(LINK_CLOSE, "", -1)
    state.pos = found.end
    return True


def _links(source: str, env: MutableMapping[str, Any]) -> dict[int, Link]:
    """The links of a text by where they start, found once per text."""
    kept = env.get(_KEPT)
    if kept is None or kept[0] is not source:
        kept = env[_KEPT] = (source, dict(_find(source)))
    found: dict[int, Link] = kept[1]
    return found


def _find(source: str) -> Iterator[tuple[int, Link]]:
    """Match brackets as CommonMark does: the innermost wins, and a link switches off the `[` open around it."""
    fences = _Fences(source)
    opened: list[int] = []
    switched_off = 0  # the `[` below this height hold a link already; `![` stay on
    at = 0
    while at < len(source):
        character = source[at]
        if character == "\\":
            at += 2
        elif character == "`":
            at = fences.after(at)
        elif character == "<" and (automatic := _AUTOLINK.match(source, at)):
            href = link_address(automatic[1])
            if href is not None:
                yield at, Link(automatic.span(1), automatic.end(), automatic[1], href, "", literal=True)
            at = automatic.end()
        elif character == "[":
            opened.append(at)
            at += 1
        elif character == "]" and opened:
            start = opened.pop()
            image = start > 0 and source[start - 1] == "!" and not _escaped(source, start - 1)
            found = None if len(opened) < switched_off and not image else _target(source, start, at, image=image)
            switched_off = min(switched_off, len(opened))
            at += 1
            if found is not None:
                yield start - image, found
                at = found.end
                switched_off = switched_off if image else len(opened)
        else:
            at += 1


def _target(source: str, start: int, close: int, *, image: bool) -> Link | None:
    """Read `(address "title")` after a label that closes at `close`."""
    if not source.startswith("(", close + 1):
        return None
    at = _skip(source, close + 2)
    address = parseLinkDestination(source, at, len(source))
    if not address.ok or not address.str.strip():
        return None
    at = _skip(source, address.pos)
    title = ""
    if at > address.pos:
        quoted = parseLinkTitle(source, at, len(source))
        if quoted.ok:
            title, at = quoted.str, _skip(source, quoted.pos)
    if not source.startswith(")", at) or not (image or has_scheme(address.str)):
        return None
    href = None if image else link_address(address.str)
    return Link((start + 1, close), at + 1, address.str, href, title)


def _skip(source: str, at: int) -> int:
    while at < len(source) and source[at] in _BLANKS:
        at += 1
    return at


def _escaped(source: str, at: int) -> bool:
    """Whether the character at `at` has an odd run of backslashes before it."""
    start = at
    while start > 0 and source[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


class _Fences:
    """The runs of backticks in a text, so that code spans can be stepped over."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._starts: dict[int, list[int]] = {}
        for run in re.finditer("`+", source):
            self._starts.setdefault(len(run[0]), []).append(run.start())

    def after(self, at: int) -> int:
        """Return the offset after the code span that opens at `at`, or after its backticks if none closes it."""
        end = at
        while self._source.startswith("`", end):
            end += 1
        starts = self._starts.get(end - at, [])
        closing = bisect_left(starts, end)
        return starts[closing] + end - at if closing < len(starts) else end

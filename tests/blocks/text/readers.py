"""Reads what the renderers wrote as each client would, by rules of its own: nothing here uses the product's code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

Block = dict[str, Any]

INVISIBLE = re.compile("[\u2060\u2066-\u2069\u202a-\u202e]")


def visible(text: str) -> str:
    """What ink a text leaves: no blanks, no direction marks, no word joiners."""
    return "".join(INVISIBLE.sub("", text).split())


# -- Slack


@dataclass
class Mrkdwn:
    """A mrkdwn text as Slack reads it: what is shown, and every control sequence in it."""

    shown: str = ""
    controls: list[str] = field(default_factory=list)


def read_mrkdwn(text: str) -> Mrkdwn:
    """Slack's rule: `<` to `>` is a control sequence (mention, link, date); three entities are decoded in the rest."""
    read = Mrkdwn()
    for part in re.split("(<[^<>]*>)", text):
        if part.startswith("<") and part.endswith(">") and len(part) > 2:
            read.controls.append(part[1:-1])
        else:
            read.shown += part.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return read


def elements(part: Block | list[Block]) -> Iterator[Block]:
    """Every inline element of rich_text blocks, in reading order."""
    if isinstance(part, list):
        for each in part:
            yield from elements(each)
    elif "elements" in part:
        yield from elements(part["elements"])
    else:
        yield part


def slack_shown(blocks: list[Block]) -> str:
    """The characters of rich_text blocks as shown: parts and items stand on lines of their own."""
    lines: list[str] = []
    for block in blocks:
        assert block["type"] == "rich_text"
        for part in block["elements"]:
            rows = part["elements"] if part["type"] == "rich_text_list" else [part]
            lines += ["".join(element["text"] for element in row["elements"]) for row in rows]
    return "\n".join(lines)


# -- HTML, by the standard library's parser


@dataclass
class Element:
    """One element: its tag, attributes, where its text begins and ends, and the tags around it."""

    tag: str
    attributes: dict[str, str | None]
    start: int
    around: tuple[str, ...]
    end: int = -1


class Page(HTMLParser):
    """An HTML text, read strictly: every element is closed, in order, and there is nothing but elements and text."""

    def __init__(self, source: str, void: Iterable[str] = ()) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self._void = frozenset(void)
        self.feed(source)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), len(self.text), tuple(each.tag for each in self._open))
        self.elements.append(element)
        if tag in self._void:
            element.end = element.start
            self.text += "\n"
        else:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        element = self._open.pop()
        assert element.tag == tag, f"</{tag}> closes <{element.tag}>"
        element.end = len(self.text)
        if tag in {"p", "li", "td", "th"}:
            self.text += "\n"

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment hides {data!r}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration hides {decl!r}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction hides {data!r}")

    def links(self) -> list[str]:
        return [element.attributes["href"] or "" for element in self.elements if element.tag == "a"]


# -- Telegram

TELEGRAM_TAGS = {"b", "i", "s", "code", "pre", "blockquote", "a"}
_UNSEARCHED = {"a", "code", "pre"}


def read_telegram(source: str) -> Page:
    """Telegram HTML with the rules of nesting that the Bot API documents."""
    page = Page(source)
    for element in page.elements:
        assert element.tag in TELEGRAM_TAGS, f"Telegram has no <{element.tag}>"
        if element.tag == "blockquote":
            assert not element.around, "a quote stands in nothing"
        if element.tag == "code":
            assert set(element.around) <= {"pre", "blockquote"}, "code stands in no other style"
        else:
            assert not {"code", "pre"} & set(element.around), "nothing stands in code"
        if element.tag in _UNSEARCHED:
            assert "a" not in element.around, "nothing but styles stands in a link"
    return page


def telegram_mentions(page: Page) -> list[str]:
    """The user names that Telegram's own search would find: outside links, code and web addresses, 4 to 32 long."""
    text = page.text
    for element in page.elements:
        if element.tag in _UNSEARCHED:
            text = text[: element.start] + " " * (element.end - element.start) + text[element.end :]
    text = re.sub(r"(?<!\w)https?://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/\S*", " ", text)
    return re.findall(r"(?<!\w)@[A-Za-z0-9_]{4,32}(?!\w)", text)


# -- the web page

WEB_TAGS = {
    *("p", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "pre", "code", "table", "thead", "tbody"),
    *("tr", "th", "td", "hr", "br", "strong", "em", "del", "a"),
}
_ATTRIBUTES = {"a": {"href", "rel"}, "ol": {"start"}, "code": {"class"}}


def read_web(source: str) -> Page:
    """The page's HTML: our tags with our attributes, links to https only, that tell the other side nothing."""
    page = Page(source, void={"br", "hr"})
    for element in page.elements:
        assert element.tag in WEB_TAGS, f"<{element.tag}> is none of ours"
        extra = set(element.attributes) - _ATTRIBUTES.get(element.tag, set())
        assert extra <= {"dir"}, f"<{element.tag}> has {extra}"
        assert element.attributes.get("dir", "auto") == "auto"
        if element.tag == "a":
            assert element.attributes["rel"] == "noopener noreferrer nofollow"
            assert (element.attributes["href"] or "").startswith("https://")
    return page


# -- any text


def is_balanced(text: str) -> bool:
    """Whether every direction that is opened on a line is closed there, last opened first, and none overrides."""
    for line in text.split("\n"):
        opened: list[str] = []
        for sign in line:
            if sign in "\u202d\u202e":
                return False
            if sign in "\u202a\u202b":
                opened.append("\u202c")
            elif sign in "\u2066\u2067\u2068":
                opened.append("\u2069")
            elif sign in "\u202c\u2069" and (not opened or opened.pop() != sign):
                return False
        if opened:
            return False
    return True

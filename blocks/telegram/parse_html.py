"""Telegram's HTML, read as the Bot API server reads it: text and entities, or the server's complaint.

The dialect is not HTML: seventeen tags, four named references, no comments, and whatever does not fit is an
error with the byte offset where its tag begins. Sources: the Bot API reference ("HTML style") and the
behaviour of the server's published parser.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from blocks.telegram.entities import Entity, Formatted, normalise
from blocks.telegram.limits import utf16_length
from blocks.telegram.links import check_link, linked_user

TAGS: Final = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
}
_REFERENCES: Final = {b"lt": "<", b"gt": ">", b"amp": "&", b"quot": '"'}
_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS: Final = b"0123456789"
_HEX_DIGITS: Final = b"0123456789abcdefABCDEF"
# The zero byte ends the text; it counts as space so that every search for an end stops there.
_SPACE: Final = b" \t\n\r\x0b\x00"
_ATTRIBUTE_END: Final = _SPACE + b"=>/\"'"
_NAME_TOKEN: Final = _LETTERS + _DIGITS + b".-"
_LONGEST_REFERENCE: Final = 10


class HtmlError(ValueError):
    """The server would not read this text; `str(error)` says why and where, in its words."""


@dataclass(frozen=True, slots=True)
class _Tag:
    name: str
    argument: str
    offset: int
    first_part: int


def parse_html(source: str) -> Formatted:
    """Read `source` into what a person sees; raise `HtmlError` where the server would refuse it."""
    text, entities = _Reader(source).read()
    # Outside of <pre> a language has no meaning.
    return normalise(text, (replace(e, argument="") if e.type == "code" else e for e in entities))


class _Reader:
    """One pass over the UTF-8 bytes of a message; the offsets in errors are offsets into them."""

    def __init__(self, source: str) -> None:
        self._bytes = source.encode("utf-8", "surrogatepass") + b"\x00"
        self._end = len(self._bytes) - 1
        self._at = 0
        self._parts: list[str] = []
        self._offset = 0
        self._open: list[_Tag] = []
        self._entities: list[Entity] = []

    def read(self) -> tuple[str, list[Entity]]:
        while self._at < self._end:
            if self._bytes[self._at] == ord("<"):
                if self._bytes[self._at + 1] == ord("/"):
                    self._close_tag()
                else:
                    self._open_tag()
            elif self._bytes[self._at] == ord("&") and (reference := self._reference()):
                self._emit(reference)
            else:
                self._emit(self._literal(b"<&"))
        if self._open:
            raise HtmlError(f'Can\'t find end tag corresponding to start tag "{self._open[-1].name}"')
        return "".join(self._parts), self._entities

    def _emit(self, text: str) -> None:
        self._parts.append(text)
        self._offset += utf16_length(text)

    def _literal(self, stop: bytes) -> str:
        """Read at least one byte, up to one of `stop`: an `&` that opens no reference is text."""
        start = self._at
        self._at += 1
        while self._at < self._end and self._bytes[self._at] not in stop:
            self._at += 1
        return self._bytes[start : self._at].decode("utf-8", "surrogatepass")

    def _until(self, stop: bytes) -> str:
        start = self._at
        while self._bytes[self._at] not in stop:
            self._at += 1
        return self._bytes[start : self._at].decode("utf-8", "replace")

    def _skip_space(self) -> None:
        while self._at < self._end and self._bytes[self._at] in _SPACE:
            self._at += 1

    def _must_go_on(self, complaint: str) -> None:
        if self._at >= self._end:
            raise HtmlError(complaint)

    def _reference(self) -> str | None:
        """Read `&lt;`, `&#60;` or `&#x3c;` at the cursor; leave the cursor alone if it is none of them."""
        end = self._at + 1
        if self._bytes[end] == ord("#"):
            base, digits = (16, _HEX_DIGITS) if self._bytes[end + 1 : end + 2] == b"x" else (10, _DIGITS)
            start = end = end + (2 if base == 16 else 1)
            while self._bytes[end] in digits:
                end += 1
            code = int(self._bytes[start:end] or b"0", base)
            if code == 0 or code >= 0x10FFFF or end - self._at >= _LONGEST_REFERENCE:
                return None
            found = chr(code)
        else:
            while self._bytes[end] in _LETTERS:
                end += 1
            named = _REFERENCES.get(self._bytes[self._at + 1 : end])
            if named is None:
                return None
            found = named
        self._at = end + (self._bytes[end] == ord(";"))
        return found

    def _open_tag(self) -> None:
        begin = self._at
        self._at += 1
        name = self._until(_SPACE + b">").lower()
        self._must_go_on(f"Unclosed start tag at byte offset {begin}")
        if name not in TAGS:
            raise HtmlError(f'Unsupported start tag "{name}" at byte offset {begin}')
        argument = ""
        while True:
            self._skip_space()
            if self._bytes[self._at] == ord(">"):
                break
            argument = self._attribute(name, argument, begin)
        self._at += 1
        if name == "span" and argument != "spoiler":
            raise HtmlError(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self._open.append(_Tag(name, argument, self._offset, len(self._parts)))

    def _attribute(self, tag: str, argument: str, begin: int) -> str:
        """Read one attribute and return the tag's argument as it is after it."""
        name = self._until(_ATTRIBUTE_END)
        if not name:
            raise HtmlError(f'Empty attribute name in the tag "{tag}" at byte offset {begin}')
        self._skip_space()
        if self._bytes[self._at] != ord("="):
            self._must_go_on(f'Unclosed start tag "{tag}" at byte offset {begin}')
            return "1" if (tag, name) == ("blockquote", "expandable") else argument
        self._at += 1
        self._skip_space()
        self._must_go_on(f'Unclosed start tag "{tag}" at byte offset {begin}')
        value = self._value()
        self._must_go_on(f"Unclosed start tag at byte offset {begin}")
        match tag, name:
            case ("a", "href") | ("tg-emoji", "emoji-id") | ("tg-time", "unix"):
                return value
            case "code", "class" if value.startswith("language-"):
                return value.removeprefix("language-")
            case "span", "class" if value.startswith("tg-"):
                return value.removeprefix("tg-")
            case "blockquote", "expandable":
                return "1"
            case _:
                return argument

    def _value(self) -> str:
        quote = self._bytes[self._at]
        if quote not in b"\"'":
            begin = self._at
            while self._bytes[self._at] in _NAME_TOKEN:
                self._at += 1
            if self._bytes[self._at] not in _SPACE + b">":
                raise HtmlError(f"Unexpected end of name token at byte offset {begin}")
            return self._bytes[begin : self._at].decode().lower()
        self._at += 1
        parts: list[str] = []
        while self._at < self._end and self._bytes[self._at] != quote:
            reference = self._reference() if self._bytes[self._at] == ord("&") else None
            parts.append(reference or self._literal(bytes((quote, ord("&")))))
        self._at = min(self._at + 1, self._end)
        return "".join(parts)

    def _close_tag(self) -> None:
        begin = self._at
        if not self._open:
            raise HtmlError(f"Unexpected end tag at byte offset {begin}")
        self._at += 2
        found = self._until(_SPACE + b">").lower()
        self._skip_space()
        if self._bytes[self._at] != ord(">"):
            raise HtmlError(f"Unclosed end tag at byte offset {begin}")
        self._at += 1
        tag = self._open.pop()
        if found and found != tag.name:
            raise HtmlError(f'Unmatched end tag at byte offset {begin}, expected "</{tag.name}>", found "</{found}>"')
        if self._offset > tag.offset:
            self._add(tag)

    def _add(self, tag: _Tag) -> None:
        kind, argument = TAGS[tag.name], tag.argument
        if tag.name == "span":
            argument = ""
        elif tag.name == "a":
            url = argument or "".join(self._parts[tag.first_part :])
            user = linked_user(url)
            if user is None and check_link(url) is not None:
                return  # an address the server does not take leaves its text behind, unlinked
            kind, argument = ("text_link", url) if user is None else ("text_mention", str(user))
        elif tag.name == "blockquote" and argument:
            kind, argument = "expandable_blockquote", ""
        elif tag.name == "tg-emoji" and not (argument.isdecimal() and int(argument)):
            raise HtmlError("Invalid custom emoji identifier specified")
        elif tag.name == "tg-time" and not (argument.isdecimal() and int(argument)):
            return
        entity = Entity(kind, tag.offset, self._offset - tag.offset, argument)
        inner = self._entities[-1] if self._entities else None
        if inner and {inner.type, kind} == {"code", "pre"} and inner.covers(entity):
            language = argument if kind == "code" else inner.argument
            if language:  # <pre><code class="language-x"> is one block of code in a language
                self._entities[-1] = replace(entity, type="pre", argument=language)
                return
        self._entities.append(entity)

"""Reading mrkdwn as Slack's client does: markup, `<…>` sequences, three entities, emoji codes.

The result is a list of nodes, plain JSON that the page draws and `reading` turns back into what a person reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

Node = dict[str, Any]
Names = Callable[[str], str | None]

ENTITIES: Final = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))  # the only three Slack decodes
BROADCASTS: Final = frozenset({"channel", "here", "everyone"})
EMOJI: Final[Mapping[str, str]] = MappingProxyType(
    {
        "+1": "👍",
        "-1": "👎",
        "alarm_clock": "⏰",
        "arrow_right": "➡️",
        "ballot_box_with_check": "☑️",
        "bell": "🔔",
        "bulb": "💡",
        "clipboard": "📋",
        "eyes": "👀",
        "fire": "🔥",
        "heart": "❤️",
        "hourglass": "⌛",
        "hourglass_flowing_sand": "⏳",
        "information_source": "ℹ️",
        "link": "🔗",
        "lock": "🔒",
        "memo": "📝",
        "no_entry": "⛔",
        "pencil2": "✏️",
        "question": "❓",
        "robot_face": "🤖",
        "rocket": "🚀",
        "smile": "😄",
        "speech_balloon": "💬",
        "tada": "🎉",
        "thumbsdown": "👎",
        "thumbsup": "👍",
        "wave": "👋",
        "warning": "⚠️",
        "white_check_mark": "✅",
        "x": "❌",
    }
)

_PRE = re.compile(r"```\n?(.+?)\n?```", re.DOTALL)
_INLINE = re.compile(
    r"(?P<angle><[^<>\n]+>)"
    r"|(?P<code>`[^`\n]+`)"
    r"|(?P<bold>(?<![\w*])\*(?![\s*])[^\n*]*[^\s*]\*(?![\w*]))"
    r"|(?P<italic>(?<!\w)_(?![\s_])[^\n_]*[^\s_]_(?!\w))"
    r"|(?P<strike>(?<![\w~])~(?![\s~])[^\n~]*[^\s~]~(?![\w~]))"
    r"|(?P<emoji>:[a-z0-9_+-]+:)"
    r"|(?P<address>https?://[^\s<>|]+)"
)
_WITHIN_A_LINE: Final = frozenset({"b", "i", "s", "u", "link", "span"})
_MARKS: Final = MappingProxyType({"bold": "b", "italic": "i", "strike": "s"})


def decoded(text: str) -> str:
    """Return text with `&lt;`, `&gt;` and `&amp;` read, each once."""
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return text


def mrkdwn_nodes(text: str, names: Names, *, verbatim: bool = False) -> list[Node]:
    """Return what a mrkdwn text shows. `verbatim` leaves bare addresses alone."""
    nodes: list[Node] = []
    end = 0
    for found in _PRE.finditer(text):
        nodes += _lines(text[end : found.start()], names, verbatim)
        nodes.append({"t": "pre", "s": reading(_angles(found[1], names))})
        end = found.end()
    return nodes + _lines(text[end:], names, verbatim)


def plain_nodes(text: str, *, emoji: bool = True) -> list[Node]:
    """Return what a plain_text shows: no markup and no mentions, but entities and emoji codes are read."""
    nodes: list[Node] = []
    for index, line in enumerate(text.split("\n")):
        nodes += [{"t": "br"}] if index else []
        if not emoji:
            nodes += _text(line)
            continue
        end = 0
        for found in re.finditer(r":[a-z0-9_+-]+:", line):
            nodes += _text(line[end : found.start()])
            nodes.append(_emoji(found[0]))
            end = found.end()
        nodes += _text(line[end:])
    return nodes


def reading(nodes: Iterable[Node]) -> str:
    """Return nodes as the characters a person reads."""
    return "".join(_read(node) for node in nodes)


def called(text: str) -> Iterator[str]:
    """Yield whom a text notifies: user ids, user group ids, and `channel`, `here`, `everyone`.

    Slack resolves these before any markup, so code spans do not protect against them.
    """
    for found in re.finditer(r"<(?:@([UW]\w+)|!(\w+)|!subteam\^(\w+))(?:\|[^<>\n]*)?>", text):
        user, cast, group = found.groups()
        if user or group or cast in BROADCASTS:
            yield user or group or cast


def _lines(text: str, names: Names, verbatim: bool) -> list[Node]:
    nodes: list[Node] = []
    quote: list[Node] | None = None
    for index, line in enumerate(text.split("\n")):
        quoted = re.match(r"(?:&gt;|>)\s?(.*)", line)
        if quoted:
            inner = _inline(quoted[1], names, verbatim)
            if quote is None:
                quote = inner
                nodes.append({"t": "quote", "c": quote})
            else:
                quote += [{"t": "br"}, *inner]
            continue
        after_quote, quote = quote is not None, None
        nodes += [{"t": "br"}] if index and not after_quote else []
        nodes += _inline(line, names, verbatim)
    return nodes


def _inline(text: str, names: Names, verbatim: bool) -> list[Node]:
    nodes: list[Node] = []
    end = 0
    for found in _INLINE.finditer(text):
        nodes += _text(text[end : found.start()])
        nodes += _span(found, names, verbatim)
        end = found.end()
    return nodes + _text(text[end:])


def _span(found: re.Match[str], names: Names, verbatim: bool) -> list[Node]:
    kind, whole = str(found.lastgroup), found[0]
    if kind == "angle":
        return [angle_node(whole[1:-1], names)]
    if kind == "code":
        return [{"t": "code", "s": reading(_angles(whole[1:-1], names))}]
    if kind == "emoji":
        return [_emoji(whole)]
    if kind == "address":
        if verbatim:
            return _text(whole)
        address = decoded(whole.rstrip(".,;:!?)]"))
        rest = whole[len(whole.rstrip(".,;:!?)]")) :]
        return [{"t": "link", "url": address, "c": _text(address)}, *_text(rest)]
    return [{"t": _MARKS[kind], "c": _inline(whole[1:-1], names, verbatim)}]


def _angles(text: str, names: Names) -> list[Node]:
    nodes: list[Node] = []
    end = 0
    for found in re.finditer(r"<([^<>\n]+)>", text):
        nodes += _text(text[end : found.start()])
        nodes.append(angle_node(found[1], names))
        end = found.end()
    return nodes + _text(text[end:])


def angle_node(inside: str, names: Names) -> Node:
    """Return what `<inside>` shows: a mention, a broadcast, a date, or a link."""
    body, _, label = inside.partition("|")
    if body.startswith("@"):
        return {"t": "user", "id": body[1:], "s": f"@{names(body[1:]) or label or body[1:]}"}
    if body.startswith("#"):
        return {"t": "channel", "id": body[1:], "s": f"#{names(body[1:]) or label or body[1:]}"}
    if body.startswith("!date^"):
        unix, _, shape = body[len("!date^") :].partition("^")
        shape, _, link = shape.partition("^")
        return {"t": "date", "unix": unix, "format": shape, "url": link or None, "s": decoded(label)}
    if body.startswith("!subteam^"):
        return {"t": "group", "s": label or f"@{body[len('!subteam^') :]}"}
    if body.startswith("!"):
        return {"t": "cast", "s": f"@{body[1:]}"}
    return {"t": "link", "url": decoded(body), "c": _text(label or body.removeprefix("mailto:"))}


def _emoji(code: str) -> Node:
    name = code.strip(":")
    return {"t": "emoji", "name": name, "s": EMOJI.get(name, code)}


def _text(text: str) -> list[Node]:
    return [{"t": "text", "s": decoded(text)}] if text else []


def _read(node: Node) -> str:
    if node["t"] in ("br", "hr"):
        return "\n"
    if "s" in node:
        return str(node["s"])
    inside = reading(node.get("c", ()))
    return inside if node["t"] in _WITHIN_A_LINE else f"{inside}\n"

"""Blocks as the page draws them: every text with the nodes it shows, whom a message notifies, what it reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.sandbox.slack.mrkdwn import Names, Node, angle_node, called, mrkdwn_nodes, plain_nodes, reading
from bot.sandbox.slack.world import Json, Message, World

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_SAME = {
    "paragraph": "p",
    "strong": "b",
    "em": "i",
    "s": "s",
    "blockquote": "quote",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "table": "table",
    "thead": "rows",
    "tbody": "rows",
    "tr": "tr",
    "th": "th",
    "td": "td",
}


def names_in(world: World) -> Names:
    """Return what looks up the name of an account or a channel."""

    def name(found: str) -> str | None:
        user, channel = world.users.get(found), world.channels.get(found)
        return user.real_name if user else channel.name if channel else None

    return name


def drawn(blocks: Sequence[Mapping[str, Any]], names: Names) -> list[Json]:
    """Return blocks with `nodes` beside every text object, rich text and markdown."""
    return [_drawn(block, names) for block in blocks]


def _drawn(value: Any, names: Names) -> Any:
    if isinstance(value, Mapping):
        kept = {name: _drawn(inner, names) for name, inner in value.items()}
        nodes = _nodes(value, names)
        if nodes is not None:
            kept["nodes"] = nodes
        return kept
    if isinstance(value, list | tuple):
        return [_drawn(inner, names) for inner in value]
    return value


def _nodes(value: Mapping[str, Any], names: Names) -> list[Node] | None:
    text = value.get("text")
    match value.get("type"):
        case "mrkdwn" if isinstance(text, str):
            return mrkdwn_nodes(text, names, verbatim=bool(value.get("verbatim")))
        case "plain_text" if isinstance(text, str):
            return plain_nodes(text, emoji=value.get("emoji") is not False)
        case "markdown" if isinstance(text, str):
            return markdown_nodes(text, names)
        case "rich_text":
            return [_rich(element, names) for element in value["elements"]]
        case _:
            return None


def markdown_nodes(text: str, names: Names) -> list[Node]:
    """Return what a markdown block shows. `<@U…>` and `<!here>` work in it as they do in mrkdwn."""
    return [_tree(node, names) for node in SyntaxTreeNode(_MARKDOWN.parse(text)).children]


def _tree(node: SyntaxTreeNode, names: Names) -> Node:
    inside = [_tree(child, names) for child in node.children]
    if node.type == "inline":
        return {"t": "span", "c": inside}
    if node.type == "heading":
        return {"t": "h", "level": int(node.tag[1:]), "c": inside}
    if node.type == "link":
        return {"t": "link", "url": str(node.attrs.get("href", "")), "c": inside}
    if node.type in ("softbreak", "hardbreak"):
        return {"t": "br"}
    if node.type in ("fence", "code_block"):
        return {"t": "pre", "s": node.content.rstrip("\n")}
    if node.type == "code_inline":
        return {"t": "code", "s": node.content}
    if node.type == "hr":
        return {"t": "hr"}
    if node.type == "image":
        return {"t": "text", "s": node.content}
    if node.type in _SAME:
        return {"t": _SAME[node.type], "c": inside}
    return {"t": "span", "c": mrkdwn_free(node.content, names)}


def mrkdwn_free(text: str, names: Names) -> list[Node]:
    """Return text whose only markup is `<…>`."""
    nodes: list[Node] = []
    while "<" in text:
        before, _, rest = text.partition("<")
        inside, closed, after = rest.partition(">")
        if not closed or inside[:1] not in ("@", "#", "!"):
            break
        nodes += [{"t": "text", "s": before}, angle_node(inside, names)]
        text = after
    return [*nodes, {"t": "text", "s": text}]


def _rich(element: Mapping[str, Any], names: Names) -> Node:
    inside = [
        _rich(part, names) if str(part["type"]).startswith("rich_text") else _part(part, names)
        for part in element["elements"]
    ]
    match element["type"]:
        case "rich_text_list":
            kind = "ol" if element["style"] == "ordered" else "ul"
            items = [{"t": "li", "c": item["c"]} for item in inside]
            return {"t": kind, "indent": element.get("indent", 0), "start": element.get("offset", 0) + 1, "c": items}
        case "rich_text_quote":
            return {"t": "quote", "c": inside}
        case "rich_text_preformatted":
            return {"t": "pre", "s": reading(inside)}
        case _:
            return {"t": "p", "c": inside}


def _part(part: Mapping[str, Any], names: Names) -> Node:
    node = _plain_part(part, names)
    for style, mark in (("code", "code"), ("bold", "b"), ("italic", "i"), ("strike", "s"), ("underline", "u")):
        if part.get("style", {}).get(style):
            node = {"t": "code", "s": reading([node])} if mark == "code" else {"t": mark, "c": [node]}
    return node


def _plain_part(part: Mapping[str, Any], names: Names) -> Node:
    match part["type"]:
        case "text":
            lines = str(part["text"]).split("\n")
            inside: list[Node] = [{"t": "text", "s": lines[0]}]
            for line in lines[1:]:
                inside += [{"t": "br"}, {"t": "text", "s": line}]
            return {"t": "span", "c": inside}
        case "link":
            return {"t": "link", "url": part["url"], "c": [{"t": "text", "s": part.get("text") or part["url"]}]}
        case "user":
            return angle_node(f"@{part['user_id']}", names)
        case "channel":
            return angle_node(f"#{part['channel_id']}", names)
        case "broadcast":
            return {"t": "cast", "s": f"@{part['range']}"}
        case "usergroup":
            return {"t": "group", "s": f"@{part['usergroup_id']}"}
        case "date":
            stamp, shape = str(part["timestamp"]), part["format"]
            return {"t": "date", "unix": stamp, "format": shape, "url": part.get("url"), "s": part.get("fallback", "")}
        case "emoji":
            return plain_nodes(f":{part['name']}:")[0]
        case _:
            return {"t": "text", "s": str(part.get("value", ""))}


def texts(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every object of `value` that shows text, in the order it is read."""
    if isinstance(value, Mapping):
        if value.get("type") in ("mrkdwn", "plain_text", "markdown", "rich_text"):
            yield value
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


def reads(blocks: Sequence[Mapping[str, Any]], names: Names) -> str:
    """Return every character a person reads on `blocks`, a line per text."""
    return "\n".join(reading(_nodes(text, names) or ()).rstrip("\n") for text in texts(blocks))


def notifies(message: Message) -> list[str]:
    """Return whom a message notifies: account and group ids, `channel`, `here`, `everyone`."""
    found = list(called(message.text))
    for text in texts(message.blocks):
        if text["type"] in ("mrkdwn", "markdown"):
            found += called(text["text"])
        elif text["type"] == "rich_text":
            found += _called_in_rich_text(text["elements"])
    return list(dict.fromkeys(found))


def _called_in_rich_text(elements: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for element in elements:
        for name in ("user_id", "usergroup_id", "range"):
            if name in element:
                yield element[name]
        yield from _called_in_rich_text(element.get("elements", ()))

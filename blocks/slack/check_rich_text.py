"""Rules for rich_text blocks, whose parts nest: sections, lists, quotes and preformatted text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from blocks.slack.check_fields import (
    Fault,
    Rule,
    anything,
    by_type,
    fields,
    flag,
    items,
    one_of,
    string,
    whole,
)

_MARKS = ("bold", "italic", "strike", "code", "underline", "highlight", "client_highlight", "unlink")
STYLES = fields({}, dict.fromkeys(_MARKS, flag))


def _part(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    return fields({"type": anything, **required}, {"style": STYLES, **(optional or {})})


PARTS: Mapping[str, Rule] = {
    "text": _part({"text": string()}),
    "link": _part({"url": string()}, {"text": string(), "unsafe": flag}),
    "user": _part({"user_id": string()}),
    "usergroup": _part({"usergroup_id": string()}),
    "channel": _part({"channel_id": string()}),
    "team": _part({"team_id": string()}),
    "broadcast": _part({"range": one_of("here", "channel", "everyone")}),
    "emoji": _part({"name": string()}, {"unicode": string(), "skin_tone": whole()}),
    "color": _part({"value": string()}),
    "date": _part({"timestamp": whole(), "format": string()}, {"url": string(), "fallback": string()}),
}
_parts = items(by_type(PARTS))
_SECTION = fields({"type": anything, "elements": _parts})

SECTIONS: Mapping[str, Rule] = {
    "rich_text_section": _SECTION,
    "rich_text_preformatted": fields({"type": anything, "elements": _parts}, {"border": whole(), "language": string()}),
    "rich_text_quote": fields({"type": anything, "elements": _parts}, {"border": whole()}),
    "rich_text_list": fields(
        {
            "type": anything,
            "style": one_of("bullet", "ordered"),
            "elements": items(by_type({"rich_text_section": _SECTION})),
        },
        {"indent": whole(), "offset": whole(), "border": whole()},
    ),
}


def rich_text(value: object, at: str) -> Iterator[Fault]:
    """The `elements` of a rich_text block."""
    yield from items(by_type(SECTIONS))(value, at)

"""The pieces of Block Kit that cards are made of, as plain dicts.

Words from outside stand in plain_text objects and rich_text elements, which Slack shows as written: no mention,
link or style is read out of them. mrkdwn is only for sentences of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from blocks.slack import limits

Block = dict[str, Any]
"""One block, element or object, as it goes to the Web API."""

FULL_FORM = "Open full form"


def plain(text: str) -> Block:
    """A plain_text object. Without `emoji: false` Slack would draw `:x:` as a picture."""
    return {"type": "plain_text", "text": text, **({"emoji": False} if ":" in text else {})}


def mrkdwn(text: str) -> Block:
    """A mrkdwn object, for words of ours; `verbatim` keeps Slack from making links of names in it."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def header(text: str) -> Block:
    """A header block; the text fits `limits.HEADER_TEXT`."""
    return {"type": "header", "text": plain(text)}


def words(text: str, *styles: str) -> Block:
    """A rich_text element: text as written, with styles such as `bold`, `italic`, `code`."""
    return {"type": "text", "text": text, **({"style": dict.fromkeys(styles, True)} if styles else {})}


def section(*elements: Block) -> Block:
    """A paragraph of a rich_text block."""
    return {"type": "rich_text_section", "elements": list(elements)}


def rich(*parts: Block) -> Block:
    """A rich_text block."""
    return {"type": "rich_text", "elements": list(parts)}


def context(*elements: Block) -> Block:
    """A line of small print."""
    return {"type": "context", "elements": list(elements)}


def actions(block_id: str, *elements: Block) -> Block:
    """A row of controls."""
    return {"type": "actions", "block_id": block_id, "elements": list(elements)}


def button(label: str, action_id: str, value: str, style: str | None = None) -> Block:
    """A button that sends `value`."""
    made = {"type": "button", "text": plain(label), "action_id": action_id, "value": value}
    return {**made, **({"style": style} if style else {})}


def link_button(label: str, action_id: str, address: str) -> Block:
    """A button that opens an address; Slack reports the press all the same."""
    return {"type": "button", "text": plain(label), "action_id": action_id, "url": address}


def option(label: str, value: str, remark: str = "") -> Block:
    """One option of a select, of checkboxes or of radio buttons; the remark stands below its label."""
    return {"text": plain(label), "value": value, **({"description": plain(remark)} if remark else {})}


def pack_lines(pieces: Iterable[str], separator: str, longest: int) -> list[str]:
    """Join pieces into as few texts as fit `longest` characters each; no piece is broken."""
    packed: list[str] = []
    for piece in pieces:
        joined = f"{packed[-1]}{separator}{piece}" if packed else piece
        if packed and limits.length(joined) <= longest:
            packed[-1] = joined
        else:
            packed.append(piece)
    return packed

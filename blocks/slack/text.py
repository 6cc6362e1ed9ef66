"""Text for Slack: Markdown as rich_text blocks, and outside words for its two kinds of text objects.

Three ways to show outside words, safest first:

* a `text` element of rich_text (`rich_text` here, `parts.words`): Slack reads nothing out of it;
* a plain_text object (`plain`): no markup, no mentions, and with `emoji: false` no pictures for `:x:` either;
* mrkdwn (`escape`): `<!channel>`, `<@U1>` and `<https://…|label>` become plain words, so nobody is notified and no
  link is made. But `*`, `_`, `~`, backticks, `>` at a line's start and `:emoji:` cannot be escaped in mrkdwn, and
  no invisible character reliably breaks them. So outside words stay out of mrkdwn objects; the `text` of a
  message, which has no other form, is posted with `mrkdwn` off and is seen only in notifications.

Slack makes links of bare web and e-mail addresses in mrkdwn only, and not where `verbatim` is set; in plain_text
and in rich_text `text` elements they stay words.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from blocks.characters import neutralise
from blocks.markdown.tree import Document
from blocks.slack.packing import packed
from blocks.slack.parts import Block
from blocks.slack.parts import plain as plain_text
from blocks.slack.passages import passages
from blocks.words import when

DATE_FORMAT: Final = "{date_short_pretty} {time}"
_CONTROL: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def rich_text(document: Document) -> list[Block]:
    """Render a document as rich_text blocks, in order and whole; none for an empty document.

    Each block holds at most `limits.TEXT` characters; a longer paragraph goes on in the next block, cut between
    words or at least between whole characters.
    """
    return packed(passages(document))


def escape(text: str) -> str:
    """Return outside words for mrkdwn: they mention nobody and link nowhere, but see above for their looks."""
    return neutralise(text).translate(_CONTROL)


def plain(text: str) -> Block:
    """Return a plain_text object that shows outside words as written."""
    return plain_text(neutralise(text))


def moment(at: datetime) -> Block:
    """Spell an instant as a rich_text element: Slack shows it in each reader's own zone."""
    return {"type": "date", "timestamp": int(at.timestamp()), "format": DATE_FORMAT, "fallback": when(at)}


def date(at: datetime) -> str:
    """Spell an instant for mrkdwn of ours: Slack shows it in each reader's own zone."""
    return f"<!date^{int(at.timestamp())}^{DATE_FORMAT}|{when(at)}>"

"""Alerts as Slack messages: what happened, who says so, and the work order that answers it."""

from __future__ import annotations

from typing import Final

from blocks.codec import Codec
from blocks.markdown import parse
from blocks.slack.content import OPENS_WHERE, carries, heading
from blocks.slack.fit import fits
from blocks.slack.limits import MESSAGE_UPDATE_TEXT
from blocks.slack.loop import Message, press_loop
from blocks.slack.parts import Block, actions, context, link_button, words
from blocks.slack.prose import line, prose
from blocks.slack.text import escape, rich_text
from blocks.slack.text import plain as outside
from blocks.words import isolate, neutralise, one_line, who
from core.loops.cards import AlertCard
from core.loops.controls import LoopControl
from core.sentences import FleetAlert, speakable, spell

OPEN_ORDER: Final = "Open work order"


def render_alert(card: AlertCard, codec: Codec) -> Message:
    """An alert as it stands. Its message is at most 3,000 characters; where even so it makes more blocks than Slack
    takes, it is shown as it was written, without its marks."""
    drawn = _drawn(card, codec, list(rich_text(parse(card.alert.message))))
    if not fits(drawn):
        drawn = _drawn(card, codec, prose(line(words(neutralise(card.alert.message)))))
    return Message(drawn, alert_words(card))


def alert_words(card: AlertCard) -> str:
    """The alert as a sentence, which agents read; its head alone where it is too long for an edit."""
    alert = card.alert
    spelled = escape(spell(FleetAlert(severity=alert.severity, message=speakable(alert.message))))
    if len(spelled.encode()) < MESSAGE_UPDATE_TEXT.number:
        return spelled
    return escape(f"{_head(card)} – {who(alert.by)}")


def _head(card: AlertCard) -> str:
    return f"Alert: {one_line(card.alert.severity)}"


def _drawn(card: AlertCard, codec: Codec, told: list[Block]) -> list[Block]:
    alert = card.alert
    small = [outside(f"Raised by {who(alert.by)}")]
    row = [press_loop(codec, LoopControl(alert.id, action)) for action in card.controls]
    if alert.order is not None:
        small.append(outside(f"Answered by work order {isolate(alert.order)}"))
        if card.url is not None and card.link_ok and carries(card.url):
            row.append(link_button(OPEN_ORDER, "full_form", card.url))
        elif card.url is not None:
            small.append(outside(f"Page: {card.url} {OPENS_WHERE}"))
    return [heading(_head(card)), *told, *([actions(f"alert:{alert.id}", *row)] if row else []), context(*small)]

"""A card that ended reads the same on Slack, on Telegram and on its page."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest

from blocks.web import render as render_page
from core.cards import Card
from core.kinds import EXAMPLES, Kind
from core.people import Via
from core.records import Interaction, Outcome, Status
from tests.blocks.slack import cards as in_slack
from tests.blocks.telegram import cards as in_telegram
from tests.blocks.web.visits import visit
from tests.rules.making import NOW, by, card

BASE = "https://sayso.example.com/review/"
SURFACES = ("slack", "telegram", "web")


def ended(kind: Kind, status: Status, **outcome: Any) -> Interaction:
    """A card of this kind that Ana ended in Slack."""
    given = {"by": by(), "via": Via.SLACK, "at": NOW, "receipt": "rcp_1", **outcome}
    return card(kind, status=status, outcome=Outcome(status=status, **given), expires_at=NOW + timedelta(hours=1))


def read(interaction: Interaction, surface: str) -> str:
    """What a person reads of a card on a surface."""
    one = Card(interaction, 1, BASE + interaction.id, link_ok=True)
    match surface:
        case "slack":
            return in_slack.shown(in_slack.render(one, in_slack.CODEC).blocks)
        case "telegram":
            return in_telegram.seen(in_telegram.render(one, in_telegram.CODEC))
        case _:
            return "\n".join(_texts(asdict(render_page(interaction, visit()))))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for one in value.values() for text in _texts(one)]
    return [text for one in value for text in _texts(one)] if isinstance(value, list | tuple) else []


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("kind", Kind)
def test_a_card_that_ended_says_neither_who_may_answer_nor_until_when(kind: Kind, surface: str) -> None:
    waiting = read(card(kind, expires_at=NOW + timedelta(hours=1)), surface)
    assert "answer: anyone" in waiting or "May answer" in waiting
    assert "Expires" in waiting or "Open until" in waiting
    over = read(ended(kind, Status.WITHDRAWN), surface)
    assert not {words for words in ("May answer", "Can answer", "Expires", "Open until") if words in over}

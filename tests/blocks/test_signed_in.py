"""Cards that are answered only on their page: no chat shows a control that decides, and the content is there whole."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.slack import render as in_slack
from blocks.telegram import render as in_telegram
from core.cards import Card
from core.controls import ANSWERS
from core.kinds import Kind
from core.policy import Policy
from core.publications import Surface
from tests.blocks.slack.cards import CODEC, controls, expect_sendable
from tests.rules.making import card

WHERE = "This is answered on its own page, within 15 minutes of signing in there."


def shown(kind: Kind, **more: Any) -> Card:
    asked = card(kind, policy=Policy(sign_in="required"), **more)
    return Card(asked, 1, f"https://sayso.example.com/review/{asked.id}", link_ok=True)


@pytest.mark.parametrize("kind", list(Kind))
def test_slack_shows_the_whole_body_the_link_and_nothing_that_answers(kind: Kind) -> None:
    drawn = in_slack(shown(kind), CODEC)
    assert drawn.surface is Surface.REVIEW
    assert not {one.action for one in controls(drawn.blocks)} & ANSWERS
    expect_sendable(drawn)
    said = str(drawn.blocks)
    assert WHERE in said
    assert "Open full form" in said


@pytest.mark.parametrize("kind", list(Kind))
def test_telegram_shows_the_whole_body_the_link_and_nothing_that_answers(kind: Kind) -> None:
    one = shown(kind)
    drawn = in_telegram(one, CODEC)
    assert drawn.surface is Surface.REVIEW
    buttons = [button for row in drawn.keyboard for button in row]
    found = {CODEC.unpack(one.data).action for one in buttons if one.data}
    assert found
    assert not found & ANSWERS
    assert one.review_url in [button.url for button in buttons]
    assert WHERE in drawn.text
    assert "<b>" in drawn.text


def test_a_body_that_does_not_fit_leaves_the_title_and_the_way_to_the_page() -> None:
    one = shown(Kind.CONFIRMATION)
    content = one.interaction.content.model_copy(update={"body": "word " * 3_900})
    long = Card(one.interaction.model_copy(update={"content": content}), 1, one.review_url, link_ok=True)
    assert "word word" not in in_telegram(long, CODEC).text
    assert WHERE in in_telegram(long, CODEC).text
    assert "word word" not in str(in_slack(long, CODEC).blocks)

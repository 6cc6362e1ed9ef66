"""What an open card in Slack says besides its controls: everything asked, who and when, and nothing that notifies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blocks.slack import render, render_review, render_words
from blocks.slack.home import home
from blocks.slack.limits import size
from core.audience import Audience
from core.people import By, Via
from core.publications import Surface
from core.records import Status, Vote
from tests.blocks.slack.cards import (
    ANA,
    BOB,
    CODEC,
    IN_AN_HOUR,
    NOW,
    card,
    choice,
    choices,
    confirmation,
    deciding,
    elements,
    expect_sendable,
    expect_view,
    labels,
    numbered,
    questions,
    settled,
    shown,
)

TEXT = {"id": "q", "prompt": "Say what?", "type": "text"}


def test_a_card_shows_everything_that_was_asked() -> None:
    content = questions(
        {**TEXT, "prompt": "The prompt", "help": "The help"},
        title="The title",
        body="The **body**",
        recommendation="The advice",
    )
    told = shown(render(card(content), CODEC).blocks)
    for part in ("The title", "The ", "body", "The advice", "The prompt", "The help", "Asked by agent ci"):
        assert part in told


@pytest.mark.parametrize("length", [150, 151, 240])
def test_a_title_of_any_length_is_whole(length: int) -> None:
    rendered = render(card(questions(TEXT, title="t" * length)), CODEC)
    assert "t" * length in shown(rendered.blocks)
    assert (rendered.blocks[0]["type"] == "header") is (length <= 150)
    expect_sendable(rendered)


def test_small_print_says_who_when_and_how_far() -> None:
    audience = Audience(
        answerers=("slack:U9", "person:bob", "role:operator", "agent:ci.bot", "telegram:42"),
        exclude=("creator",),
        quorum=2,
    )
    votes = (Vote(by=ANA, via=Via.SLACK, accepted=True, at=NOW),)
    open_card = card(
        confirmation(), audience=audience, expires_at=IN_AN_HOUR, votes=votes, dismissed_at=NOW, holder="Bob"
    )
    told = shown(render(open_card, CODEC).blocks)
    assert "May answer: <@U9>, bob, any operator, agent ci.bot or Telegram user 42 (not whoever asked)" in told
    assert "1 of 2 have accepted: Ana" in told
    assert f"Open until <!date^{int(IN_AN_HOUR.timestamp())}^" in told
    assert "no reminders" in told
    assert "Bob is answering" in told


def test_a_conversation_may_let_guests_in() -> None:
    told = shown(render(card(confirmation(), audience=Audience(guests=True)), CODEC).blocks)
    assert "May answer: anyone in this conversation (guests too)" in told


def test_a_hundred_answerers_are_all_named() -> None:
    people = tuple(f"slack:W{number:020}" for number in range(100))
    rendered = render(card(confirmation(), audience=Audience(answerers=people)), CODEC)
    told = shown(rendered.blocks)
    assert all(f"<@{person.removeprefix('slack:')}>" in told for person in people)
    expect_sendable(rendered)


def test_a_private_address_is_printed_not_linked() -> None:
    rendered = render(card(confirmation(), link_ok=False), CODEC)
    assert "Open full form" not in labels(rendered.blocks)
    assert "http://127.0.0.1:8080/review/int_" in shown(rendered.blocks)
    assert "opens only where it can be reached" in shown(rendered.blocks)
    assert not any("url" in one for one in elements(rendered.blocks, "button", "link"))


@pytest.mark.parametrize("host", ["localhost", "sayso", "10.0.0.7", "sayso.internal"])
def test_an_address_slack_would_refuse_is_printed_too(host: str) -> None:
    asked = replace(card(confirmation()), review_url=f"https://{host}/review/int_1")
    rendered = render(asked, CODEC)
    assert rendered.surface is Surface.NATIVE
    assert "Open full form" not in labels(rendered.blocks)
    assert f"https://{host}/review/int_1" in shown(rendered.blocks)
    expect_sendable(rendered)
    expect_view(home([asked]))


def test_hostile_words_notify_nobody_and_are_shown_as_written() -> None:
    hostile = "<!channel> <@U1> <https://e.com|x> *b* _i_ &amp; `c`"
    content = questions(
        {**TEXT, "prompt": hostile, "help": hostile}, title=hostile, body=f"    {hostile}", recommendation=hostile
    )
    by = By(type="person", id="per_9", handle="m", name=hostile)
    rendered = render(card(content, creator=by), CODEC)
    told = shown(rendered.blocks)
    assert told.count(hostile) == 6
    marked_up = [one["text"] for one in elements(rendered.blocks, "mrkdwn")]
    assert not any("channel" in text for text in marked_up)
    assert "<" not in rendered.text
    expect_sendable(rendered)


def test_block_ids_change_with_the_revision_alone() -> None:
    def ids(**more: Any) -> set[str]:
        blocks = render(card(questions(choices(*numbered(3))), **more), CODEC).blocks
        return {block["block_id"] for block in blocks if "block_id" in block}

    assert ids(revision=1) == ids(revision=1, version=7)
    assert ids(revision=1).isdisjoint(ids(revision=2))


def test_votes_of_many_people_are_counted_where_their_names_do_not_fit() -> None:
    voters = [BOB.model_copy(update={"id": f"per_{number}", "name": "n" * 199}) for number in range(60)]
    votes = tuple(Vote(by=voter, via=Via.SLACK, accepted=True, at=NOW) for voter in voters)
    rendered = render(card(confirmation(), audience=Audience(quorum=99), votes=votes), CODEC)
    assert "60 of 99 have accepted" in shown(rendered.blocks)
    expect_sendable(rendered)


def test_the_text_for_notifications_says_title_and_state() -> None:
    assert render(card(questions(TEXT, title="A & B")), CODEC).text == "A &amp; B — Waiting for an answer"


@pytest.mark.parametrize("title", ["文" * 240, "&" * 240, "😀" * 240])
def test_the_text_always_fits_an_edit(title: str) -> None:
    asked = card(questions(TEXT, title=title))
    assert size(render(asked, CODEC).text) <= 3_800
    assert size(render_words(asked)) <= 3_800


def test_a_card_can_be_shown_without_blocks_or_controls() -> None:
    asked = card(questions(choice("Yes", "No"), body="Body."))
    assert "https://sayso.example.com/review/int_" in render_words(asked)
    rendered = render_review(asked, CODEC)
    assert rendered.surface is Surface.REVIEW
    assert deciding(rendered.blocks) == []


UNSEEN = "\u2066"
"""Letters that are not shown, and so nothing to show."""


def test_words_that_nobody_can_see_leave_no_empty_place() -> None:
    asked = questions({**TEXT, "prompt": UNSEEN, "help": UNSEEN}, recommendation=UNSEEN)
    expect_sendable(render(card(asked), CODEC))
    for label in ("Accept", UNSEEN):
        expect_sendable(render(settled(confirmation(accept_label=label), Status.ACCEPTED, reason=UNSEEN), CODEC))

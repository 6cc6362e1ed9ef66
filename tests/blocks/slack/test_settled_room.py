"""What a settled Slack card keeps where room is short, and who it names."""

from __future__ import annotations

import pytest

from blocks.slack import render
from blocks.slack.fit import MESSAGE
from core.people import By, Via
from core.publications import Surface
from core.records import Status, Vote
from tests.blocks.slack.cards import (
    ANA,
    BOB,
    CODEC,
    NOW,
    card,
    choice,
    confirmation,
    expect_sendable,
    questions,
    settled,
    shown,
)
from tests.blocks.slack.test_settled import AT, ONE

ROOM = [(0, True, True), (7_900, False, True), (9_000, True, False), (11_500, False, False)]
"""How long the body is, whether the options are there beside it, and whether the whole answer is."""


@pytest.mark.parametrize(("length", "options", "answer"), ROOM)
def test_options_go_before_the_answer_does(length: int, options: bool, answer: bool) -> None:
    asked, told = choice("Yes", "ö" * 75, custom=True), {"answer": {"q": {"custom": "y" * 3_000}}}
    rendered = render(settled(questions(asked, body="b" * length), Status.ANSWERED, **told), CODEC)
    expect_sendable(rendered)
    words = shown(rendered.blocks)
    assert ("ö" in words, words.count("y") >= 3_000) == (options, answer)


def test_every_vote_is_told() -> None:
    votes = [
        Vote(by=ANA, via=Via.SLACK, accepted=True, at=NOW),
        Vote(by=BOB, via=Via.SLACK, accepted=False, at=NOW, reason="too risky"),
    ]
    outcome = {"answer": {"accepted": False}, "votes": votes, "by": BOB}
    told = shown(render(settled(confirmation(), Status.REJECTED, **outcome), CODEC).blocks)
    assert "Ana accepted" in told
    assert "Bob rejected: too risky" in told


@pytest.mark.parametrize("link_ok", [True, False])
def test_an_answer_that_does_not_fit_is_not_cut_but_linked(link_ok: bool) -> None:
    text = {"id": "q", "prompt": "Say what?", "type": "text"}
    content = questions(text, body="b" * (MESSAGE - 1_900))
    assert render(card(content, link_ok=link_ok), CODEC).surface is Surface.NATIVE
    done = settled(content, Status.ANSWERED, answer={"q": {"value": "a" * 3_000}})
    base = "https://sayso.example.com" if link_ok else "http://127.0.0.1:8080"
    url = f"{base}/review/{done.interaction.id}"
    rendered = render(type(done)(done.interaction, 1, url, link_ok), CODEC)
    told = shown(rendered.blocks)
    assert "aaaa" not in told
    assert told.replace("\n", "").count("b") >= MESSAGE - 1_900
    assert "too long to show whole" in told
    assert url in told
    assert rendered.surface is Surface.NATIVE
    expect_sendable(rendered)


def test_an_answer_of_3000_characters_is_shown_whole_where_it_fits() -> None:
    text = {"id": "q", "prompt": "Say what?", "type": "text"}
    rendered = render(settled(questions(text), Status.ANSWERED, answer={"q": {"value": "文" * 3_000}}), CODEC)
    assert shown(rendered.blocks).count("文") == 3_000
    expect_sendable(rendered)


def test_a_settled_review_card_stays_one() -> None:
    content = questions(choice("Yes"), choice("No") | {"id": "q2"}, body="x" * 15_000)
    rendered = render(settled(content, Status.ANSWERED, answer={"q": {"value": "o0"}, "q2": {"value": "o0"}}), CODEC)
    assert rendered.surface is Surface.REVIEW
    assert "Answered by Ana" in shown(rendered.blocks)
    expect_sendable(rendered)


def test_a_name_cannot_turn_the_words_around_it() -> None:
    by = By(type="person", id="per_3", handle="x", name="\u202egnp.exe")
    told = shown(render(settled(ONE, Status.WITHDRAWN, by=by), CODEC).blocks)
    assert "\u202e" not in told
    assert f"gnp.exe in Slack, {AT}" in told


def test_the_text_for_notifications_says_who_settled_it() -> None:
    rendered = render(settled(ONE, Status.ANSWERED, answer={"q": {"value": "o0"}}), CODEC)
    # Slack spells it in each reader's own zone.
    in_each_zone = f"<!date^1796202000^{{date_short_pretty}} {{time}}|{AT}>"
    assert rendered.text == f"Release 4.2 — ✓ Answered by Ana in Slack, {in_each_zone}"

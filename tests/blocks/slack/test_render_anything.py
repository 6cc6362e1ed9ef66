"""Whatever may be asked is either shown whole or not offered at all, and Slack takes what is sent."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from blocks.characters import neutralise
from blocks.slack import render, render_review, render_words
from blocks.slack.check import budget
from blocks.slack.fit import MESSAGE, OUTCOME_BLOCKS, OUTCOME_CHARACTERS
from blocks.slack.limits import MESSAGE_BLOCKS, size
from blocks.slack.modal import Sight, modal
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.controls import OPENS_FORM
from core.kinds import Questions
from core.people import By, Via
from core.publications import Surface
from core.records import Outcome, Status, Vote
from core.replies import OpenForm
from tests.blocks.slack.cards import (
    ANA_ID,
    CODEC,
    IN_AN_HOUR,
    NOW,
    card,
    controls,
    deciding,
    expect_sendable,
    expect_view,
    labels,
    options,
    shown,
)
from tests.blocks.slack.contents import audiences, contents, text

BLANKS = re.compile(r"\s+")


def ink(words: str) -> str:
    return BLANKS.sub("", neutralise(words))


def said(content: Content) -> list[str]:
    """Every text without Markdown that must be readable in full where it is answered."""
    texts = [content.title, content.recommendation]
    if isinstance(content.payload, Questions):
        question = content.payload.questions[0]
        texts += [question.prompt, question.help or ""]
        texts += [option.description or "" for option in getattr(question, "options", ())]
    return texts


@given(contents, audiences, st.booleans(), st.sampled_from([None, IN_AN_HOUR]))
def test_an_open_card_is_whole_or_offers_nothing(
    content: Content, audience: Audience, link_ok: bool, ends: Any
) -> None:
    asked = card(content, audience=audience, link_ok=link_ok, expires_at=ends)
    rendered = render(asked, CODEC)
    expect_sendable(rendered)
    told = ink(shown(rendered.blocks))
    assert ink(content.title) in told
    if rendered.surface is Surface.REVIEW:
        assert deciding(rendered.blocks) == []
    else:
        assert all(ink(part) in told for part in said(content))
        offered = {neutralise(label) for label in (*labels(rendered.blocks), *options(rendered.blocks))}
        payload = content.payload
        wanted = (
            [option.label for option in getattr(payload.questions[0], "options", ())]
            if isinstance(payload, Questions)
            else [payload.accept_label, payload.reject_label]
        )
        assert {neutralise(label) for label in wanted} <= offered
        left = [block for block in rendered.blocks if block["type"] != "actions"]
        assert budget(left) <= MESSAGE - OUTCOME_CHARACTERS
        assert len(left) <= MESSAGE_BLOCKS.number - OUTCOME_BLOCKS
    assert all(one.seen == content.seen() for one in controls(rendered.blocks))
    expect_sendable(render_review(asked, CODEC))
    assert size(render_words(asked)) <= 3_800


@given(contents)
def test_every_form_a_card_opens_is_one_that_slack_takes(content: Content) -> None:
    asked = card(content).interaction
    for control in controls(render(card(content), CODEC).blocks):
        if control.action in OPENS_FORM:
            view = modal(OpenForm(asked, control), CODEC, ANA_ID, Sight("C1", "sayso"))
            expect_view(view)
            assert ink(content.title) in ink(shown(view))


def answered(content: Content, words: str) -> dict[str, Any]:
    if not isinstance(content.payload, Questions):
        return {"accepted": True}
    return {question.id: {"value": words} for question in content.payload.questions}


@given(
    contents,
    st.sampled_from([status for status in Status if status is not Status.PENDING]),
    text(0, 3_000),
    text(1, 120),
    st.booleans(),
)
def test_a_settled_card_keeps_its_content_and_has_no_controls(
    content: Content, status: Status, words: str, name: str, link_ok: bool
) -> None:
    by = By(type="person", id="per_1", handle="ana", name=name)
    vote = Vote(by=by, via=Via.SLACK, accepted=True, at=NOW, reason=words)
    outcome = Outcome(
        status=status,
        by=by,
        via=Via.SLACK,
        at=NOW,
        answer=answered(content, words),
        reason=words,
        receipt="rcp_1",
        votes=(vote,),
    )
    before = render(card(content, link_ok=link_ok), CODEC)
    done: Card = card(content, link_ok=link_ok, status=status, outcome=outcome)
    after = render(done, CODEC)
    expect_sendable(after)
    assert after.surface is before.surface
    assert controls(after.blocks) == []
    told = ink(shown(after.blocks))
    assert ink(content.title) in told
    if after.surface is Surface.NATIVE:
        assert all(ink(part) in told for part in said(content))
    whole = ink(words) in told or "toolongtoshowwhole" in told
    assert whole

"""Whatever may be asked is either shown whole or not offered at all, and Slack takes what is sent."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, assert_never

from hypothesis import given
from hypothesis import strategies as st

from blocks.characters import neutralise
from blocks.slack import render, render_review, render_words
from blocks.slack.check import budget
from blocks.slack.controls import control
from blocks.slack.fit import MESSAGE, OUTCOME_BLOCKS, OUTCOME_CHARACTERS
from blocks.slack.limits import MESSAGE_BLOCKS, size
from blocks.slack.modal import Sight, modal
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.controls import OPENS_FORM, Action
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Questions,
    SuggestedTasks,
)
from core.kinds.checklist import CheckItem, Tick
from core.kinds.item_verdicts import Verdict, VerdictItem
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
    pages,
    read,
    shown,
)
from tests.blocks.slack.contents import audiences, content_of, contents, lists, questions, text

BLANKS = re.compile(r"\s+")


def ink(words: str) -> str:
    return BLANKS.sub("", neutralise(words))


def said(content: Content) -> list[str]:
    """Every text without Markdown that must be readable in full on the card itself, controls apart or in them."""
    return [content.title, content.recommendation, *asked_of(content.payload)]


def asked_of(payload: AnyPayload) -> list[str]:
    match payload:
        case Questions() if len(payload.questions) > 1:
            return [question.prompt for question in payload.questions]
        case Questions():
            question = payload.questions[0]
            described = [option.description or "" for option in getattr(question, "options", ())]
            return [question.prompt, question.help or "", *described]
        case Confirmation():
            return []
        case Checklist() | ItemVerdicts():
            return [text for item in payload.items for text in (item.label, item.description or "")]
        case SuggestedTasks():
            return [
                text for task in payload.tasks for text in (task.title, task.description or "", task.assignee or "")
            ]
        case ConnectionRequest():
            return [payload.service, payload.purpose, payload.account or "", *payload.scopes]
        case _:
            assert_never(payload)


def wanted(payload: AnyPayload) -> list[str]:
    """The labels that must stand on controls of their own."""
    match payload:
        case Questions() if len(payload.questions) > 1:
            return ["Answer…"]
        case Questions():
            return [option.label for option in getattr(payload.questions[0], "options", ())]
        case Confirmation():
            return [payload.accept_label, payload.reject_label]
        case Checklist():
            return [payload.accept_label, *(item.label for item in payload.items)]
        case ItemVerdicts():
            return [verdict.label for verdict in payload.verdicts]
        case SuggestedTasks():
            return ["Create tasks", "None of these", *(task.title for task in payload.tasks)]
        case ConnectionRequest():
            return ["Decline"]
        case _:
            assert_never(payload)


@given(contents, audiences, st.booleans(), st.sampled_from([None, IN_AN_HOUR]))
def test_an_open_card_is_whole_or_offers_nothing(
    content: Content, audience: Audience, link_ok: bool, ends: Any
) -> None:
    asked = card(content, audience=audience, link_ok=link_ok, expires_at=ends)
    rendered = pages(asked)
    for page in rendered:
        expect_sendable(page)
        assert page.surface is rendered[0].surface
        assert all(one.seen == content.seen() for one in controls(page.blocks))
    told = ink("".join(read(page.blocks) for page in rendered))
    assert ink(content.title) in told
    if rendered[0].surface is Surface.REVIEW:
        assert deciding(rendered[0].blocks) == []
    else:
        assert all(ink(part) in told for part in said(content))
        offered = {neutralise(label) for page in rendered for label in (*labels(page.blocks), *options(page.blocks))}
        assert {neutralise(label) for label in wanted(content.payload)} <= offered
    expect_sendable(render_review(asked, CODEC))
    assert size(render_words(asked)) <= 3_800


@given(contents, audiences)
def test_room_for_the_outcome_is_kept(content: Content, audience: Audience) -> None:
    rendered = render(card(content, audience=audience), CODEC)
    if rendered.surface is Surface.NATIVE and not isinstance(content.payload, Checklist | ItemVerdicts):
        left = [block for block in rendered.blocks if block["type"] != "actions"]
        assert budget(left) <= MESSAGE - OUTCOME_CHARACTERS
        assert len(left) <= MESSAGE_BLOCKS.number - OUTCOME_BLOCKS


@given(contents)
def test_every_form_a_card_opens_is_one_that_slack_takes(content: Content) -> None:
    asked = card(content).interaction
    for one in controls(render(card(content), CODEC).blocks):
        if one.action in OPENS_FORM:
            view = modal(OpenForm(asked, one), CODEC, ANA_ID, Sight("C1", "sayso"))
            expect_view(view)
            assert ink(content.title) in ink(shown(view))
            assert view["notify_on_close"]
            assert "<#C1>" in shown(view)


@given(questions.map(content_of))
def test_a_form_of_several_questions_asks_all_of_each(content: Content) -> None:
    asked = card(content)
    if any(one.action is Action.FORM for one in controls(render(asked, CODEC).blocks)):
        view = modal(OpenForm(asked.interaction, control(asked, Action.FORM)), CODEC, ANA_ID, Sight("C1", "sayso"))
        expect_view(view)
        told = ink(f"{written(view)}{read(view['blocks'])}")
        assert isinstance(content.payload, Questions)
        for question in content.payload.questions:
            offered = getattr(question, "options", ())
            texts = [part for one in offered for part in (one.label, one.description or "")]
            assert all(ink(part) in told for part in (question.prompt, question.help or "", *texts))


def written(view: Any) -> str:
    """The labels and hints of the fields."""
    fields = [block for block in view["blocks"] if block["type"] == "input"]
    return "".join(block[name]["text"] for block in fields for name in ("label", "hint") if name in block)


@given(lists, st.data(), st.integers(0, 2**200), text(0, 3_000), text(1, 120), st.booleans())
def test_a_list_stays_the_same_pages_whatever_was_done_in_it(
    content: Content, data: st.DataObject, done: int, words: str, name: str, link_ok: bool
) -> None:
    before = card(content, link_ok=link_ok)
    by = By(type="person", id="per_1", handle="ana", name=name)
    payload = content.payload
    assert isinstance(payload, Checklist | ItemVerdicts)
    items: tuple[CheckItem | VerdictItem, ...] = payload.items
    ids = [item.id for item in items]
    touched = [id for index, id in enumerate(ids) if done >> index & 1]
    ticks: tuple[Tick, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    if isinstance(payload, Checklist):
        ticks = tuple(Tick(item=id, on=data.draw(st.booleans()), by=by, via=Via.SLACK, at=NOW) for id in touched[:9])
    else:
        verdict = payload.verdicts[-1].id
        verdicts = tuple(
            Verdict(item=id, verdict=verdict, reason=words or None, by=by, via=Via.SLACK, at=NOW) for id in touched
        )
    changed = before.interaction.model_copy(
        update={"ticks": ticks, "verdicts": verdicts, "dismissed_at": NOW, "expires_at": IN_AN_HOUR}
    )
    after = replace(before, interaction=changed, answering=(name, "Bob"))
    one, other = pages(before), pages(after)
    assert len(one) == len(other)
    for page in other:
        assert page.surface is one[0].surface
        expect_sendable(page)
    told = ink("".join(read(page.blocks) for page in other))
    assert all(ink(item.label) in told for item in payload.items) or other[0].surface is Surface.REVIEW


def answered(content: Content, words: str) -> dict[str, Any]:
    match content.payload:
        case Questions():
            return {question.id: {"value": words} for question in content.payload.questions}
        case SuggestedTasks():
            return {"selected": [content.payload.tasks[0].key], "skipped": [], "created": []}
        case _:
            return {"accepted": True}


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
    whole = ink(words) in told and all(ink(part) in told for part in said(content))
    assert after.surface is Surface.REVIEW or whole or "toolongtoshowwhole" in told

"""Whatever is asked and whatever is done to it: how the card stands, its receipts and what Slack, Telegram and the
review page show of it say the same."""

from __future__ import annotations

from typing import Any, assert_never

from hypothesis import given
from hypothesis import strategies as st

from blocks.slack import Rendered
from blocks.slack.ticks import box_token, is_group
from blocks.web import Visit
from blocks.web import render as render_page
from blocks.web.parts import Judged, Judging, Pick
from core.acts import Accept, Act, Cancel, Comment, Judge, Patch, Reject, Respond, Tick, Withdraw
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.controls import Action, Control
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.answers import Answer
from core.kinds.checklist import selected
from core.kinds.item_verdicts import Given
from core.kinds.questions import (
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    TextQuestion,
)
from core.outcomes import Status
from core.publications import Surface
from core.receipts import ReceiptType, seal
from core.records import Interaction
from core.telling import outcome_sentence
from tests.blocks.slack import cards as in_slack
from tests.blocks.slack.contents import contents
from tests.blocks.telegram import cards as in_telegram
from tests.chains import first_break
from tests.rules.making import NOW, card
from tests.rules.replaying import PEOPLE, Done, Story, told

Draw = st.DrawFn
JUDGING = (Action.VERDICT, Action.JUDGE)
BASE = "https://sayso.example.com/review/"


def _answer(draw: Draw, question: Question) -> Answer:
    match question:
        case ChoicesQuestion():
            ids = [one.id for one in question.options]
            return Answer(values=tuple(draw(st.lists(st.sampled_from(ids), max_size=4, unique=True))))
        case ChoiceQuestion():
            return Answer(value=draw(st.sampled_from([one.id for one in question.options])))
        case BooleanQuestion():
            return Answer(value=draw(st.booleans()))
        case NumberQuestion():
            return Answer(value=draw(st.integers(-5, 5)))
        case DateQuestion():
            return Answer(value="2027-05-11")
        case TextQuestion():
            return Answer(value=draw(st.sampled_from(["", "so", "<b> & *so*", "文" * 700])))
        case _:
            assert_never(question)


def _own_act(draw: Draw, content: Content, revision: int) -> Act:
    """Something that answers a card of this kind, or tries to."""
    payload = content.payload
    reason = draw(st.sampled_from([None, "", "not <now>"]))
    match payload:
        case Questions():
            return Respond({one.id: _answer(draw, one) for one in payload.questions}, revision)
        case Checklist():
            ids = st.lists(st.sampled_from([one.id for one in payload.items]), max_size=5, unique=True)
            if draw(st.integers(0, 5)) == 0:
                return Accept(revision, draw(st.one_of(st.none(), ids.map(tuple))))
            on = tuple(draw(ids))
            return Tick(revision, on, tuple(one for one in draw(ids) if one not in on))
        case ItemVerdicts():
            some = draw(st.lists(st.sampled_from(payload.items), min_size=1, max_size=12, unique_by=lambda one: one.id))
            return Judge(
                revision, tuple(Given(one.id, draw(st.sampled_from(payload.verdicts)).id, reason) for one in some)
            )
        case SuggestedTasks():
            chosen = draw(st.lists(st.sampled_from([one.key for one in payload.tasks]), max_size=5, unique=True))
            whole = {one for key in chosen for one in (key, *payload.parents_of(key))}
            answers: list[Act] = [Accept(revision, tuple(whole)), Accept(revision, tuple(chosen)), Reject(revision)]
            return draw(st.sampled_from(answers))
        case Confirmation():
            votes: list[Act] = [Accept(revision), Reject(revision, reason)]
            return draw(st.sampled_from(votes))
        case ConnectionRequest():
            return Reject(revision, reason)
        case _:
            assert_never(payload)


def _short(kind: str, count: int) -> Content:
    items = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(count)]
    return Content.model_validate({"kind": kind, "title": "Release 4.2", "body": "", "payload": {"items": items}})


SHORT = st.builds(_short, st.sampled_from(["checklist", "item_verdicts"]), st.integers(1, 25))
"""Lists that every chat takes natively, as hostile ones seldom are."""
MOST_ITEMS = 40
"""Telegram shows one item to judge on a page, and every page is drawn here."""


def _is_small(content: Content) -> bool:
    return not isinstance(content.payload, ItemVerdicts) or len(content.payload.items) <= MOST_ITEMS


@st.composite
def stories(draw: Draw) -> Story:
    """A card, and a few things that were done to it."""
    content = draw(st.one_of(SHORT, contents.filter(_is_small)))
    begun = card().model_copy(
        update={"id": in_slack.ID, "content": content, "audience": Audience(quorum=draw(st.sampled_from([1, 2])))}
    )
    acts: list[Done] = []
    revision = 1
    for _ in range(draw(st.integers(1, 6))):
        who = draw(PEOPLE)
        others = st.sampled_from(["own"] * 12 + ["comment", "patch", "withdraw", "cancel"])
        match draw(others):
            case "comment":
                acts.append((who, Comment("why?")))
            case "patch":
                acts.append((who, Patch(revision, content.model_copy(update={"title": f"Changed {revision}"}))))
                revision += 1
            case "withdraw":
                acts.append((who, Withdraw("asked anew")))
            case "cancel":
                acts.append((who, Cancel()))
            case _:
                acts.append((who, _own_act(draw, content, revision)))
    return told(begun, acts)


@given(stories())
def test_what_stands_is_what_the_receipts_say(story: Story) -> None:
    now = story.card
    ticks: dict[str, bool] = {}
    verdicts: dict[str, str] = {}
    for line in story.receipts:
        match line.type:
            case ReceiptType.TICKED:
                ticks |= dict.fromkeys(_ids(line.data["tick"]), True) | dict.fromkeys(_ids(line.data["untick"]), False)
            case ReceiptType.JUDGED:
                given_ = line.data["verdicts"]
                assert isinstance(given_, dict)
                assert not verdicts.keys() & given_.keys()
                verdicts |= {item: _verdict(one) for item, one in given_.items()}
            case ReceiptType.PATCHED:
                ticks, verdicts = {}, {}
            case _:
                pass
    payload = now.content.payload
    if isinstance(payload, Checklist):
        assert set(selected(payload, now.ticks)) == {i.id for i in payload.items if ticks.get(i.id, i.checked)}
    assert {one.item: one.verdict for one in now.verdicts} == verdicts
    ends = [line for line in story.receipts if line.type.value in set(Status)]
    assert [line.type.value for line in ends] == ([now.status.value] if not now.is_pending else [])
    if now.outcome is not None:
        assert (now.outcome.receipt, now.outcome.answer) == (ends[0].id, ends[0].data["answer"])
    chain: list[Any] = []
    for line in story.receipts:
        chain.append(seal(line, chain[-1] if chain else None))
    assert first_break(chain) is None


def _ids(value: Any) -> list[str]:
    return [str(one) for one in value]


def _verdict(value: Any) -> str:
    return str(value["verdict"])


@given(stories())
def test_slack_shows_what_stands(story: Story) -> None:
    shown = in_slack.pages(_card(story.card))
    controls = [one for page in shown for one in in_slack.controls(page.blocks)]
    if shown[0].surface is Surface.NATIVE:
        _expect_controls(story.card, controls)
        if story.card.is_pending and isinstance(story.card.content.payload, Checklist):
            assert {one for page in shown for one in _drawn_ticked(page)} == _ticked(story.card)
    for page in shown:
        in_slack.expect_sendable(page)
    _expect_told(story.card, "\n".join(in_slack.shown(page.blocks) for page in shown))


def _drawn_ticked(page: Rendered) -> set[int]:
    groups = [one for one in in_slack.everything(page.blocks) if is_group(str(one.get("action_id", "")))]
    tokens = [box_token(one["action_id"], box["value"]) for one in groups for box in one.get("initial_options", ())]
    return {in_slack.CODEC.unpack(token).option for token in tokens}


@given(stories())
def test_telegram_shows_what_stands(story: Story) -> None:
    shown = in_telegram.pages(_card(story.card))
    controls = [one for page in shown for one in in_telegram.controls(page)]
    if shown[0].surface is Surface.NATIVE:
        _expect_controls(story.card, controls)
        if story.card.is_pending and isinstance(story.card.content.payload, Checklist):
            assert {one.option for one in controls if one.action is Action.UNTICK} == _ticked(story.card)
            everything = set(range(len(story.card.content.payload.items)))
            assert {one.option for one in controls if one.action is Action.TICK} == everything - _ticked(story.card)
    for page in shown:
        in_telegram.expect_sendable(page)
    _expect_told(story.card, "\n".join(in_telegram.seen(page) for page in shown))


@given(stories())
def test_the_review_page_shows_what_stands(story: Story) -> None:
    now = story.card
    page = render_page(now, Visit("per_ana", operator=False, refusal=None, now=NOW))
    assert (page.form is not None) == now.is_pending
    if page.form is None or not isinstance(now.content.payload, Checklist | ItemVerdicts):
        return
    if isinstance(now.content.payload, Checklist):
        picks = [field.control for field in page.form.fields if isinstance(field.control, Pick)]
        assert sum(one.chosen for pick in picks for one in pick.choices) == len(_ticked(now))
    else:
        decided = {one.item for one in now.verdicts}
        of_item = zip(now.content.payload.items, page.form.fields, strict=False)
        assert all(isinstance(field.control, Judged if item.id in decided else Judging) for item, field in of_item)


def _card(now: Interaction) -> Card:
    return Card(now, 1, BASE + now.id, link_ok=True)


def _ticked(now: Interaction) -> set[int]:
    payload = now.content.payload
    assert isinstance(payload, Checklist)
    chosen = set(selected(payload, now.ticks))
    return {index for index, item in enumerate(payload.items) if item.id in chosen}


def _expect_controls(now: Interaction, controls: list[Control]) -> None:
    """A card that is over offers nothing; an open one offers verdicts on just the items without one, as it is now."""
    assert all((one.revision, one.seen) == (now.revision, now.content.seen()) for one in controls)
    if not now.is_pending:
        assert {one.action for one in controls} <= {Action.PAGE, Action.HOLD}
        return
    payload = now.content.payload
    if isinstance(payload, ItemVerdicts):
        decided = {one.item for one in now.verdicts}
        open_items = {index for index, item in enumerate(payload.items) if item.id not in decided}
        offered = {(one.option, one.question) for one in controls if one.action in JUDGING}
        assert offered == {(item, verdict) for item in open_items for verdict in range(len(payload.verdicts))}


def _expect_told(now: Interaction, words: str) -> None:
    """Whoever ended it is named, on every surface."""
    outcome = now.outcome
    if outcome is None:
        return
    assert outcome_sentence(now)
    assert (outcome.by.name or "") in words

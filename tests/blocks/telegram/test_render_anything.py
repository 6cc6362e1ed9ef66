"""Whatever may be asked is either shown whole over its pages and steps or not offered at all, and Telegram takes what
is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from blocks.characters import WORD_JOINER, neutralise
from blocks.telegram import Rendered, render
from blocks.telegram.keyboard import caption
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.controls import DECIDES, Action
from core.fields import Fields
from core.forms import custom_name, field_name
from core.kinds import Checklist, Confirmation, ItemVerdicts, Questions
from core.kinds.checklist import Tick
from core.kinds.item_verdicts import Verdict
from core.people import By, Via
from core.publications import Surface
from core.records import Outcome, Status, Vote
from tests.blocks.telegram.cards import ANA, CODEC, IN_AN_HOUR, NOW, buttons, card, controls, expect_sendable, seen
from tests.blocks.telegram.contents import contents, text

DECIDING = DECIDES | {
    Action.WRITE,
    Action.OTHER,
    Action.REASON,
    Action.TOGGLE,
    Action.JUDGE,
    Action.STEP,
}
LONG = {"note": "w" * 3_000}


def _by(name: str) -> By:
    return ANA.model_copy(update={"name": name})


def _busy(content: Content, name: str, *, link_ok: bool) -> Card:
    """A card on which as much has happened as may: votes, ticks and verdicts of everybody, all with long names."""
    by, payload, more = _by(name), content.payload, dict[str, Any]()
    if isinstance(payload, Confirmation):
        more["audience"] = Audience(quorum=30)
        more["votes"] = tuple(Vote(by=by, via=Via.TELEGRAM, accepted=bool(n % 2), at=NOW) for n in range(40))
    if isinstance(payload, Checklist):
        more["ticks"] = tuple(Tick(item=one.id, on=True, by=by, via=Via.SLACK, at=NOW) for one in payload.items[1:])
    if isinstance(payload, ItemVerdicts):
        more["verdicts"] = tuple(
            Verdict(item=one.id, verdict=payload.verdicts[-1].id, reason="r" * 3_000, by=by, via=Via.SLACK, at=NOW)
            for one in payload.items[1:]
        )
    return card(
        content, link_ok=link_ok, holder=name, answering=(name,) * 20, dismissed_at=NOW, expires_at=IN_AN_HOUR, **more
    )


def _drawn(shown: Card) -> Iterator[tuple[Card, Rendered]]:
    """Every page of every step of a card."""
    payload = shown.interaction.content.payload
    count = len(payload.questions) if isinstance(payload, Questions) else 1
    steps = [None] if count == 1 else [None, *range(count + 1)]
    for step in steps:
        first = render(replace(shown, step=step), CODEC)
        for page in range(first.page_count):
            turned = replace(shown, step=step, page=page)
            yield turned, render(turned, CODEC)


def _letters(written: str) -> str:
    """The text without what a reader cannot tell apart: runs of space, and the joiner that breaks mentions."""
    return "".join(neutralise(written).replace(WORD_JOINER, "").split())


def _said(content: Content) -> Iterator[str]:
    """Everything that a person must be able to read."""
    yield from (content.title, content.recommendation)
    payload = content.payload.model_dump()
    for name in ("service", "purpose", "account"):
        yield payload.get(name) or ""
    yield from payload.get("scopes", ())
    for one in payload.get("questions", ()):
        yield from (one["prompt"], one["help"] or "", one.get("placeholder") or "")
        initial = one.get("initial")
        yield initial if isinstance(initial, str) and one["type"] == "text" else ""
        for option in one.get("options", ()):
            yield from (option["label"], option["description"] or "")
    for one in (*payload.get("items", ()), *payload.get("tasks", ())):
        yield from (one.get("label") or one["title"], one["description"] or "", one.get("assignee") or "")
    for verdict in payload.get("verdicts", ()):
        yield caption(verdict["label"])


@given(contents(), st.booleans(), text(1, 90))
def test_any_card_is_whole_over_its_pages_or_decides_nothing(content: Content, link_ok: bool, name: str) -> None:
    fresh, busy = card(content, link_ok=link_ok), _busy(content, name, link_ok=link_ok)
    surface = render(fresh, CODEC).surface
    read, actions = [], set()
    for _, rendered in _drawn(fresh):
        assert rendered.surface is surface
        expect_sendable(rendered, "supergroup")
        read += [seen(rendered), *(button.text for button in buttons(rendered))]
        actions |= {control.action for control in controls(rendered)}
    if surface is Surface.REVIEW:
        assert not actions & DECIDING
    else:
        assert actions & DECIDING
        together = _letters(" ".join(read))
        for part in _said(content):
            assert (_letters(part) in together) or not _is_visible(part), part
    for _, rendered in _drawn(busy):
        assert rendered.surface is surface
        expect_sendable(rendered, "supergroup")


def _is_visible(part: str) -> bool:
    return any(character.isprintable() and not character.isspace() for character in part)


@given(contents("form"), text(1, 400), st.booleans())
def test_a_form_stays_what_it_is_whatever_is_filled_in(content: Content, words: str, link_ok: bool) -> None:
    assert isinstance(content.payload, Questions)
    shown = card(content, link_ok=link_ok, answering=("Ana",), expires_at=IN_AN_HOUR)
    surface = render(shown, CODEC).surface
    for value in (words, "w" * 3_000):
        draft: Fields = {
            name: value
            for index in range(len(content.payload.questions))
            for name in (field_name(index), custom_name(index))
        }
        for at, rendered in _drawn(replace(shown, draft=draft)):
            assert rendered.surface is surface
            expect_sendable(rendered)
            submits = [one for one in controls(rendered) if one.action is Action.SUBMIT]
            is_summary = at.step == len(content.payload.questions) and surface is Surface.NATIVE
            assert [(one.question, one.option) for one in submits] == ([(0, 1)] if is_summary else [])


@given(contents("question"), text(1, 100), st.integers(0, 20))
def test_a_search_never_changes_the_surface_or_offers_what_it_did_not_find(
    content: Content, wanted: str, page: int
) -> None:
    whole = render(card(content), CODEC)
    rendered = render(card(content, search=wanted, page=page, answering=("Ana",) * 5, expires_at=IN_AN_HOUR), CODEC)
    expect_sendable(rendered)
    assert rendered.surface is whole.surface
    offered = [one.option for one in controls(rendered) if one.action in (Action.ANSWER, Action.TOGGLE)]
    assert isinstance(content.payload, Questions)
    options = getattr(content.payload.questions[0], "options", ())
    if options and wanted.strip():
        assert all(wanted.strip().casefold() in options[index].label.casefold() for index in offered)


@given(contents(), st.sampled_from([one for one in Status if one is not Status.PENDING]), text(1, 90), st.booleans())
def test_any_settled_card_keeps_its_surface_and_its_outcome(
    content: Content, status: Status, name: str, link_ok: bool
) -> None:
    busy = _busy(content, name, link_ok=link_ok)
    outcome = Outcome(
        status=status, by=_by("@someone " * 30), via=Via.REVIEW, at=NOW, reason="r" * 3_000, receipt="rcp_1",
        answer={"accepted": True}, votes=busy.interaction.votes,
    )  # fmt: skip
    ended = busy.interaction.model_copy(update={"status": status, "outcome": outcome})
    rendered = render(replace(busy, interaction=ended), CODEC)
    expect_sendable(rendered)
    assert rendered.surface is render(busy, CODEC).surface
    assert rendered.keyboard == ()
    read = _letters(seen(rendered))
    assert _letters(content.title) in read
    assert "2Dec2026,09:00UTC" in read
    assert "r" * 3_000 in read or "toolongtoshowwholehere" in read

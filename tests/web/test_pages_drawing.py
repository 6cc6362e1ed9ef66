"""Every kind in every state as HTML, drawn without a database: whole, and with nothing of it lost."""

from __future__ import annotations

from datetime import timedelta
from html import escape
from typing import Any

import pytest

from blocks.web import Visit, render
from bot.web.auth import Visitor
from bot.web.drawing import Drawing
from bot.web.security import Guard
from core.access import Session
from core.acts import Accept, Act, Cancel, Expire, FailDelivery, Skip, Supersede, Withdraw
from core.errors import Fault
from core.interactions import decide
from core.kinds import EXAMPLES, Kind
from core.people import TIMER
from core.records import Interaction
from core.replies import Wrong
from tests.rules.making import NOW, by, card, person, stamp

DRAWING = Drawing(Guard("https://sayso.example.com", b"k" * 32))
ANA = person()
VISITOR = Visitor(ANA, ANA.identities[0], Session("t", "wsp_1", ANA.id, "c", NOW, NOW + timedelta(hours=1)), "token")
SHOWN = ("label", "title", "prompt", "description", "purpose", "service", "account", "accept_label", "reject_label")


def drawn(interaction: Interaction, **changes: Any) -> str:
    visit = Visit(**{"person": ANA.id, "operator": False, "refusal": None, "now": NOW, **changes})
    page = DRAWING.page("review.html", page=render(interaction, visit), alarm="", visitor=VISITOR)
    return bytes(page.body).decode()


def words(payload: Any) -> list[str]:
    """Everything in a payload that people read."""
    if isinstance(payload, list):
        return [word for part in payload for word in words(part)]
    if not isinstance(payload, dict):
        return []
    own = [value for key, value in payload.items() if key in SHOWN and isinstance(value, str)]
    return own + [word for value in payload.values() for word in words(value)]


def missing(html: str, kind: Kind) -> list[str]:
    return [word for word in words(EXAMPLES[kind]["payload"]) if escape(word) not in html]


@pytest.mark.parametrize("kind", list(Kind))
def test_an_open_card_is_whole_for_whoever_may_answer_and_for_whoever_may_not(kind: Kind) -> None:
    wrong = Wrong((Fault("", "look again"),), ("",))
    for changes in ({}, {"operator": True}, {"refusal": "Not yours."}, {"operator": True, "refusal": "Not yours."}):
        assert missing(drawn(card(kind), **changes), kind) == []
    assert "Look again." in drawn(card(kind), wrong=wrong)


ENDS: tuple[tuple[Act, str], ...] = (
    (Withdraw("not needed"), "Withdrawn"),
    (Cancel("not needed"), "Cancelled"),
    (Skip("not needed"), "Skipped"),
    (Supersede("int_2"), "Replaced by a newer question"),
    (FailDelivery("no such place"), "Could not be delivered"),
    (Expire(), "Expired"),
)


@pytest.mark.parametrize(("act", "state"), ENDS, ids=[row[1] for row in ENDS])
@pytest.mark.parametrize("kind", list(Kind))
def test_however_a_card_ends_everything_that_was_asked_stays_readable(kind: Kind, act: Act, state: str) -> None:
    due: dict[str, Any] = {"expires_at": NOW} if isinstance(act, Expire) else {}
    who = TIMER if isinstance(act, Expire) else by("ben")
    html = drawn(decide(card(kind, **due), act, stamp(who)).after, operator=True)
    assert missing(html, kind) == []
    assert f">{state}</p>" in html
    assert "<form class=" not in html
    assert "<script" not in html


def test_text_from_outside_stays_text_in_every_kind() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    item = {"id": hostile, "label": hostile, "description": hostile}
    connection = {**EXAMPLES[Kind.CONNECTION]["payload"], "service": hostile, "scopes": [hostile], "account": hostile}
    payloads: dict[Kind, dict[str, Any]] = {
        Kind.CHECKLIST: {"items": [item], "accept_label": hostile},
        Kind.ITEM_VERDICTS: {"items": [{**item, "href": f'https://x.example/"{hostile.replace(" ", "")}'}]},
        Kind.SUGGESTED_TASKS: {"tasks": [{"key": hostile, "title": hostile, "assignee": hostile, "priority": hostile}]},
        Kind.CONNECTION: connection,
    }
    for kind, payload in payloads.items():
        html = drawn(card(kind, payload=payload), operator=True)
        assert "<img src=x" not in html
        assert "<imgsrc" not in html
        assert escape(hostile) in html


def test_a_tick_of_somebody_with_a_hostile_name_is_told_as_text() -> None:
    ticked = decide(card(Kind.CHECKLIST), Accept(1, ("notes", "canary")), stamp(by("<b>"), more=1))
    assert "&lt;b&gt;" in drawn(ticked.after)
    assert "<b>" not in drawn(ticked.after)

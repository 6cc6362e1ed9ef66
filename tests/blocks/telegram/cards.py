"""Cards to render, and what a person would see and press of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from blocks.characters import WORD_JOINER
from blocks.codec import Codec
from blocks.telegram import Button, Rendered, render
from blocks.telegram.check import ChatKind, check
from blocks.telegram.parse_html import parse_html
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.controls import Control
from core.ids import make_id
from core.people import By, Via
from core.policy import Policy
from core.records import Continuation, Interaction, Outcome, Status

NOW = datetime(2026, 12, 2, 9, 0, tzinfo=UTC)
IN_AN_HOUR = NOW + timedelta(hours=1)
CODEC = Codec(b"a key for these tests, 32 bytes!")
ID = make_id("int", 1_796_205_600_000, 1)
NEXT_ID = make_id("int", 1_796_205_600_001, 2)
ANA = By(type="person", id="per_1", handle="ana", identity="telegram:42", name="Ana")
BOB = By(type="person", id="per_2", handle="bob", identity="telegram:43", name="Bob")
CI = By(type="agent", id="agt_1", handle="ci", name="ci")
TIMER = By(type="timer")
OWN = ("page", "draft", "holder", "step", "search", "answering", "menu")
"""What a copy of a card has of its own."""


def choice(*labels: str, **more: Any) -> dict[str, Any]:
    """One choice question with these labels."""
    options = [{"id": f"o{index}", "label": label} for index, label in enumerate(labels)]
    return {"id": "q", "prompt": "Which?", "type": "choice", "options": options, **more}


def choices(*labels: str, **more: Any) -> dict[str, Any]:
    """The same, several may be chosen."""
    return {**choice(*labels, **more), "type": "choices"}


def questions(*question: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """The content of a form."""
    return {"kind": "questions", "title": "Release 4.2", "payload": {"questions": list(question)}, **more}


def confirmation(**payload: Any) -> dict[str, Any]:
    """The content of a confirmation."""
    return {"kind": "confirmation", "title": "Delete it?", "payload": payload}


def checklist(*labels: str, **payload: Any) -> dict[str, Any]:
    """The content of a checklist with these labels."""
    items = [{"id": f"i{index}", "label": label} for index, label in enumerate(labels)]
    return {"kind": "checklist", "title": "Before the release", "payload": {"items": items, **payload}}


def judged(*labels: str, **payload: Any) -> dict[str, Any]:
    """The content of items to judge with these labels."""
    items = [{"id": f"i{index}", "label": label} for index, label in enumerate(labels)]
    return {"kind": "item_verdicts", "title": "Updates", "payload": {"items": items, **payload}}


def tasks(*titles: str) -> dict[str, Any]:
    """The content of suggested tasks with these titles."""
    made = [{"key": f"k{index}", "title": title} for index, title in enumerate(titles)]
    return {"kind": "suggested_tasks", "title": "Follow-ups", "payload": {"tasks": made}}


def connection(**payload: Any) -> dict[str, Any]:
    """The content of a connection request."""
    told = {"service": "github", "purpose": "Read it.", "connect_url": "https://agent.example/connect", **payload}
    return {"kind": "connection", "title": "Connect to GitHub", "payload": told}


def card(content: Mapping[str, Any] | Content, *, link_ok: bool = True, **more: Any) -> Card:
    """A copy of a pending card; `more` are fields of the card or of its interaction."""
    own = {name: more.pop(name) for name in OWN if name in more}
    interaction = Interaction.model_validate(
        {
            "id": ID,
            "workspace": "wsp_1",
            "content": content if isinstance(content, Content) else Content.model_validate(content),
            "audience": Audience(),
            "policy": Policy(),
            "continuation": Continuation(),
            "to": ("telegram:42",),
            "creator": CI,
            "created_at": NOW,
            **more,
        }
    )
    base = "https://sayso.example.com/review/" if link_ok else "http://127.0.0.1:8080/review/"
    return Card(interaction, publication=1, review_url=base + interaction.id, link_ok=link_ok, **own)


def settled(content: Mapping[str, Any], status: Status, **outcome: Any) -> Card:
    """A card that ended this way; `outcome` changes what is not told: Ana, in Telegram, now."""
    known = {"status": status, "by": ANA, "via": Via.TELEGRAM, "at": NOW, "receipt": "rcp_1", **outcome}
    return card(content, status=status, outcome=Outcome.model_validate(known))


def pages(shown: Card) -> list[Rendered]:
    """Every page of a card as it stands."""
    first = render(replace(shown, page=0), CODEC)
    return [first, *(render(replace(shown, page=page), CODEC) for page in range(1, first.page_count))]


def seen(rendered: Rendered) -> str:
    """What a person reads of it."""
    return parse_html(rendered.text).text.replace(WORD_JOINER, "")


def labels(rendered: Rendered) -> list[list[str]]:
    """What stands on its buttons, by rows."""
    return [[button.text for button in row] for row in rendered.keyboard]


def buttons(rendered: Rendered) -> list[Button]:
    """All buttons, in order."""
    return [button for row in rendered.keyboard for button in row]


def controls(rendered: Rendered) -> list[Control]:
    """What its buttons stand for, links left out."""
    return [CODEC.unpack(button.data) for button in buttons(rendered) if button.data is not None]


def pressed(rendered: Rendered, label: str) -> Control:
    """What the one button with this label stands for."""
    (data,) = [button.data for button in buttons(rendered) if button.text == label]
    assert data is not None, f"{label} is a link"
    return CODEC.unpack(data)


def expect_sendable(rendered: Rendered, chat: ChatKind = "private") -> None:
    """Telegram would take it, as a new message and as an edit."""
    request = {"text": rendered.text, "parse_mode": "HTML", "reply_markup": rendered.markup()}
    assert check("sendMessage", request, chat) is None
    assert check("editMessageText", request, chat) is None

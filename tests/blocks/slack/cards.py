"""Cards to render, and what a person would read and press of them in Slack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from blocks.codec import Codec
from blocks.slack import Rendered, render
from blocks.slack.check import check_message, check_view
from blocks.slack.controls import token_of
from blocks.slack.ticks import box_token, is_group
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.controls import DECIDES, Action, Control
from core.ids import make_id
from core.kinds.checklist import Tick
from core.kinds.item_verdicts import Verdict
from core.people import By, Identity, Via
from core.policy import Policy
from core.records import Continuation, Interaction, Outcome, Status

NOW = datetime(2026, 12, 2, 9, 0, tzinfo=UTC)
IN_AN_HOUR = NOW + timedelta(hours=1)
CODEC = Codec(b"a key for these tests, 32 bytes!")
ID = make_id("int", 1_796_205_600_000, 1)
NEXT_ID = make_id("int", 1_796_205_600_001, 2)
ANA_ID = Identity(provider="slack", account="T1", user="U1")
ANA = By(type="person", id="per_1", handle="ana", identity=str(ANA_ID), name="Ana")
BOB = By(type="person", id="per_2", handle="bob", identity="slack:T1.U2", name="Bob")
CI = By(type="agent", id="agt_1", handle="ci", name="ci")
DECIDING = DECIDES | {Action.WRITE, Action.OTHER, Action.REASON, Action.PICK, Action.FORM, Action.JUDGE}
"""What a review card must not offer: everything that decides, or opens or fills a form that does."""


def choice(*labels: str, **more: Any) -> dict[str, Any]:
    """One choice question with these labels."""
    options = [{"id": f"o{index}", "label": label} for index, label in enumerate(labels)]
    return {"id": "q", "prompt": "Which?", "type": "choice", "options": options, **more}


def choices(*labels: str, **more: Any) -> dict[str, Any]:
    """The same, several may be chosen."""
    return {**choice(*labels, **more), "type": "choices"}


def numbered(count: int) -> list[str]:
    """So many short labels."""
    return [f"Option {number}" for number in range(1, count + 1)]


def questions(*question: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """The content of a form."""
    return {"kind": "questions", "title": "Release 4.2", "payload": {"questions": list(question)}, **more}


def confirmation(**payload: Any) -> dict[str, Any]:
    """The content of a confirmation."""
    return {"kind": "confirmation", "title": "Delete it?", "payload": payload}


def checklist(*wanted: str, **payload: Any) -> dict[str, Any]:
    """The content of a checklist with these labels."""
    items = [{"id": str(index), "label": label} for index, label in enumerate(wanted)]
    return {"kind": "checklist", "title": "Before the release", "payload": {"items": items, **payload}}


def judged(*wanted: str, **payload: Any) -> dict[str, Any]:
    """The content of items to judge."""
    items = [{"id": str(index), "label": label} for index, label in enumerate(wanted)]
    return {"kind": "item_verdicts", "title": "Updates", "payload": {"items": items, **payload}}


def suggested(*tasks: dict[str, Any]) -> dict[str, Any]:
    """The content of suggested tasks."""
    return {"kind": "suggested_tasks", "title": "Follow-ups", "payload": {"tasks": list(tasks)}}


def connection(**payload: Any) -> dict[str, Any]:
    """The content of a connection."""
    known = {"service": "github", "purpose": "Read it.", "connect_url": "https://agent.example/connect"}
    return {"kind": "connection", "title": "Connect it?", "payload": {**known, **payload}}


def verdict(item: int, which: str, reason: str | None = None, by: By = ANA) -> Verdict:
    """What somebody decided about an item."""
    return Verdict(item=str(item), verdict=which, reason=reason, by=by, via=Via.SLACK, at=NOW)


def tick(item: int, by: By = ANA, *, on: bool = True) -> Tick:
    """A tick of somebody's."""
    return Tick(item=str(item), on=on, by=by, via=Via.SLACK, at=NOW)


def interaction(content: Mapping[str, Any] | Content, **more: Any) -> Interaction:
    """A pending interaction; `more` are fields of it."""
    return Interaction.model_validate(
        {
            "id": ID,
            "workspace": "wsp_1",
            "content": content if isinstance(content, Content) else Content.model_validate(content),
            "audience": Audience(),
            "policy": Policy(),
            "continuation": Continuation(),
            "to": ("slack:C1",),
            "creator": CI,
            "created_at": NOW,
            **more,
        }
    )


def card(content: Mapping[str, Any] | Content, *, link_ok: bool = True, holder: str | None = None, **more: Any) -> Card:
    """A copy of a pending card; `more` are fields of its interaction."""
    asked = interaction(content, **more)
    base = "https://sayso.example.com/review/" if link_ok else "http://127.0.0.1:8080/review/"
    return Card(asked, publication=1, review_url=base + asked.id, link_ok=link_ok, holder=holder)


def settled(content: Mapping[str, Any], status: Status, **outcome: Any) -> Card:
    """A card that ended this way; `outcome` changes what is not told: Ana, in Slack, now."""
    known = {"status": status, "by": ANA, "via": Via.SLACK, "at": NOW, "receipt": "rcp_1", **outcome}
    return card(content, status=status, outcome=Outcome.model_validate(known))


def everything(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in blocks or a view, in reading order."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from everything(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from everything(inner)


def elements(blocks: Any, *types: str) -> list[dict[str, Any]]:
    """The interactive elements of these types."""
    return [one for one in everything(blocks) if one.get("type") in types]


def labels(blocks: Any) -> list[str]:
    """What is written on the buttons."""
    return [one["text"]["text"] for one in elements(blocks, "button")]


def options(blocks: Any) -> list[str]:
    """The labels of what can be chosen."""
    chosen = (one for one in everything(blocks) if one.get("type") != "overflow")
    return [one["text"]["text"] for element in chosen for one in element.get("options", ())]


def menu(blocks: Any) -> dict[str, Control]:
    """What can be done about time, by what it is called; a card has one such menu, or none."""
    found = [one for element in elements(blocks, "overflow") for one in element["options"]]
    return {one["text"]["text"]: CODEC.unpack(one["value"]) for one in found}


def remarks(blocks: Any) -> list[str]:
    """What stands below the labels of what can be chosen."""
    boxes = [one for element in everything(blocks) for one in element.get("options", ())]
    return [one["description"]["text"] for one in boxes if "description" in one]


def pages(asked: Card) -> list[Rendered]:
    """Every page of a card, as a person turns them from the first."""
    found = [render(asked, CODEC)]
    while any(one.action is Action.PAGE and one.option == len(found) for one in controls(found[-1].blocks)):
        found.append(render(replace(asked, page=len(found)), CODEC))
    return found


def controls(blocks: Any, holder: str = "") -> list[Control]:
    """What every control stands for, buttons and options alike; not what can be done about time, which is `menu`."""
    tokens = [one["value"] for one in elements(blocks, "button") if "value" in one]
    for element in everything(blocks):
        action_id = element.get("action_id", "")
        if "." in action_id:
            spell = box_token if is_group(action_id) else token_of
            tokens += [spell(action_id, one["value"]) for one in element.get("options", ())]
    return [CODEC.unpack(token, holder) for token in tokens]


def shown(blocks: Any) -> str:
    """Everything a person reads, controls apart, part after part; moments as where Slack cannot spell them."""
    texts: list[str] = []
    for block in blocks if isinstance(blocks, list) else blocks["blocks"]:
        if block["type"] in ("actions", "input"):
            continue
        for one in everything(block):
            if one.get("type") == "date":
                texts[-1] += one["fallback"]
            elif isinstance(one.get("text"), str):
                texts.append(one["text"])
    return "\n".join(texts)


def read(blocks: Any) -> str:
    """Everything a person reads, in controls too."""
    return "".join((shown(blocks), *options(blocks), *remarks(blocks)))


def expect_sendable(rendered: Rendered) -> None:
    """Slack takes it, as a post and as an edit."""
    message = {"text": rendered.text, "blocks": rendered.blocks}
    assert all(one["text"] for one in everything(rendered.blocks) if isinstance(one.get("text"), str))
    assert check_message(message) == ()
    assert check_message(message, update=True) == ()


def expect_view(view: Any) -> None:
    """Slack takes it as a modal or as Home."""
    assert check_view(view) == ()


def deciding(blocks: Sequence[Any]) -> list[Control]:
    """The controls that decide or lead to a decision."""
    return [one for one in controls(list(blocks)) if one.action in DECIDING]

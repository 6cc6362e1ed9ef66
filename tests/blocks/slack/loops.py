"""Work orders to render, and what a person would press of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from blocks.slack.check import check_message
from blocks.slack.loop import Message
from core.addresses import Provider
from core.ids import make_id
from core.loops.cards import AlertCard, LoopCard
from core.loops.controls import LoopControl
from core.loops.outcomes import LoopOutcome, LoopState, Mark
from core.loops.places import Alert
from core.loops.values import Loop, LoopCopy
from core.loops.wording import order_words
from core.people import Via
from tests.blocks.slack.cards import ANA, BOB, CI, CODEC, NOW, everything

LOOP_ID = make_id("lop", 1_796_205_600_000, 1)
ALERT_ID = make_id("alr", 1_796_205_600_000, 2)
PAGE = "https://sayso.example.com/loops/wo-1"
BY_ANA = Mark(by=ANA, via=Via.SLACK, at=NOW, receipt="rcp_1")
BY_BOB = Mark(by=BOB, via=Via.SLACK, at=NOW, receipt="rcp_2")


def loop(**more: Any) -> Loop:
    """An order from the agent `ci` that is due in three quarters of an hour."""
    known = {
        "id": LOOP_ID,
        "workspace": "wsp_1",
        "name": "wo-1",
        "conversation": "cnv_1",
        "title": "Audit the exec endpoints",
        "body": "Each of the **14**, please.",
        "due_at": NOW + timedelta(minutes=45),
        "sender": CI,
        "recipient": "slack:T1.C1",
        "created_at": NOW,
        "card": LoopCopy(provider=Provider.SLACK, account="T1", place="C1"),
    }
    return Loop.model_validate({**known, **more})


def ended(status: LoopState = LoopState.CLOSED, **more: Any) -> Loop:
    """The same order once Ana ended it."""
    changes = {name: more.pop(name) for name in ("body", "title", "slots") if name in more}
    outcome = LoopOutcome(status=status, by=ANA, via=Via.SLACK, at=NOW, receipt="rcp_9", **more)
    return loop(state=status, outcome=outcome, **changes)


def card_of(shown: Loop, *, url: str = PAGE, link_ok: bool = True) -> LoopCard:
    """A card as the relay makes it."""
    return LoopCard(shown, url, link_ok, order_words(shown) if shown.is_open else "")


def alert_card(message: str = "The *queue* is stuck.", order: str | None = None, **more: Any) -> AlertCard:
    """An alert of the agent `ci`."""
    known = {"id": ALERT_ID, "workspace": "wsp_1", "conversation": "cnv_1", "severity": "CRITICAL", "by": CI}
    alert = Alert.model_validate({**known, "message": message, "created_at": NOW, "order": order})
    return AlertCard(alert, PAGE if order else None, more.get("link_ok", True))


def pressed(drawn: Message) -> dict[str, LoopControl | str]:
    """What each button is, by its label: its control, or where it leads."""
    found: dict[str, LoopControl | str] = {}
    for one in everything(drawn.blocks):
        if one.get("type") == "button":
            label = one["text"]["text"]
            if "url" in one:
                found[label] = one["url"]
                continue
            control = CODEC.unpack_any(one["value"])
            assert isinstance(control, LoopControl)
            found[label] = control
    return found


def expect_message(drawn: Message) -> None:
    """Slack takes it, as a post and as an edit, and no text of it is empty."""
    message = {"text": drawn.text, "blocks": drawn.blocks}
    assert all(one["text"] for one in everything(drawn.blocks) if isinstance(one.get("text"), str))
    assert check_message(message) == ()
    assert check_message(message, update=True) == ()

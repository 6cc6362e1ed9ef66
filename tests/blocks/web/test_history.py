"""What happened to a card, what the asker was told of it, and where its copies are."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from blocks.web.history import history
from blocks.web.told import told
from core.acts import Accept, Act, Cancel, Comment, Judge, Patch, Reject, SetOut, Tick
from core.addresses import Provider
from core.audience import Audience
from core.events import EventType
from core.interactions import created, decide
from core.kinds import Kind
from core.kinds.item_verdicts import Given
from core.people import By
from core.publications import Publication, PublicationState, Surface
from core.reading import Announced
from core.receipts import Receipt, ReceiptType
from core.records import Interaction
from core.upkeep import Attempt
from tests.blocks.web.visits import page
from tests.rules.making import ASKER, NOW, by, card, stamp


def lived(interaction: Interaction, *acts: tuple[Act, By]) -> list[str]:
    """The history of a card after these acts."""
    lines = list(created(interaction, stamp(ASKER)).receipts)
    for act, who in acts:
        decision = decide(interaction, act, stamp(who, more=1))
        interaction = decision.after
        lines += decision.receipts
    chain = [
        Receipt(**line.model_dump(), seq=number, prev=None, hash="sha256:x") for number, line in enumerate(lines, 1)
    ]
    return [one.text for one in page(interaction, receipts=tuple(chain)).history]


ANA, BEN = by("ana"), by("ben")
ITEMS = {"items": [{"id": "reject", "label": "First"}, {"id": "b", "label": "Second"}]}
LIVES: tuple[tuple[Interaction, list[tuple[Act, By]], list[str]], ...] = (
    (
        card(Kind.CHECKLIST, payload=ITEMS),
        [(Tick(1, ("reject", "b")), ANA), (Tick(1, (), ("b",)), BEN), (Accept(1), BEN)],
        [
            "Ana ticked “First” and “Second” in Slack.",
            "Ben unticked “Second” in Slack.",
            "Ben completed it in Slack.",
        ],
    ),
    (
        card(Kind.ITEM_VERDICTS, payload=ITEMS),
        [(Judge(1, (Given("reject", "reject", "too\nrisky"), Given("b", "defer"))), ANA)],
        ["Ana decided in Slack: “First” Reject (too risky); “Second” Defer.", "Ana completed it in Slack."],
    ),
    (
        card(Kind.CONFIRMATION, audience=Audience(quorum=2)),
        [(Accept(1), ANA), (Reject(1, "wait."), BEN)],
        ["Ana voted to accept in Slack.", "Ben rejected in Slack: wait."],
    ),
    (
        card(Kind.CONNECTION),
        [(Comment("secret words"), ANA), (SetOut(1, "sha256:1"), ANA), (Cancel("no need"), ANA)],
        [
            "Ana replied in words in Slack.",
            "Ana set out to connect it in Slack.",
            "Ana cancelled it in Slack: no need.",
        ],
    ),
    (
        card(Kind.CHECKLIST, payload=ITEMS),
        [
            (Tick(1, ("b",)), ANA),
            (Patch(1, card(Kind.CHECKLIST, payload={"items": ITEMS["items"][:1]}).content), ASKER),
        ],
        [
            "Ana ticked “b” in Slack.",
            "Agent builder changed it to revision 2 in Slack.",
            "Agent builder made the tick of “b” void by changing it in Slack: it was by @ana.",
        ],
    ),
)


@pytest.mark.parametrize(("interaction", "acts", "lines"), LIVES, ids=[str(row[0].content.kind) for row in LIVES])
def test_everything_that_happened_is_told_in_order(
    interaction: Interaction, acts: list[tuple[Act, By]], lines: list[str]
) -> None:
    assert lived(interaction, *acts) == ["Agent builder asked this in Slack.", *lines]


@pytest.mark.parametrize("type_", list(ReceiptType))
def test_every_kind_of_receipt_has_words(type_: ReceiptType) -> None:
    line = created(card(), stamp(ASKER)).receipts[0].model_dump()
    one = Receipt(**{**line, "type": type_}, seq=1, prev=None, hash="sha256:x")
    (told_of,) = history(card().content, [one])
    assert told_of.text.startswith("Agent builder ")
    assert "_" not in told_of.text


def test_words_read_from_a_message_say_which_agent_read_them() -> None:
    line = created(card(), stamp(ANA)).receipts[0].model_dump()
    quoted = {"quoted": {"message": "1712.1", "agent": "ci"}}
    one = Receipt(**{**line, "type": ReceiptType.ACCEPTED, "data": quoted}, seq=1, prev=None, hash="sha256:x")
    assert [said.text for said in history(card().content, [one])] == [
        "Ana accepted in Slack; agent ci read it from their message."
    ]


def _attempts(*statuses: int | None) -> tuple[Attempt, ...]:
    return tuple(Attempt("evt_1", number, NOW, status) for number, status in enumerate(statuses, 1))


REACHED: tuple[tuple[EventType, bool, tuple[Attempt, ...], str], ...] = (
    (EventType.CREATED, True, (), "It was asked."),
    (EventType.ANSWERED, False, (), "It was answered."),
    (EventType.ANSWERED, True, (), "It was answered. The webhook is not delivered yet."),
    (EventType.ANSWERED, True, _attempts(None, 204), "It was answered. The webhook was delivered."),
    (EventType.ANSWERED, True, _attempts(410), "It was answered. The webhook was refused for good (410)."),
    (
        EventType.COMMENTED,
        True,
        _attempts(500, None),
        "Somebody replied in words. The webhook was tried 2 times and is not delivered (no answer at last).",
    ),
    (
        EventType.PROGRESSED,
        True,
        _attempts(500),
        "There was progress. The webhook was tried once and is not delivered (status 500 at last).",
    ),
)


@pytest.mark.parametrize(("type_", "webhook", "attempts", "line"), REACHED)
def test_what_the_asker_was_told_says_whether_it_reached_them(
    type_: EventType, webhook: bool, attempts: tuple[Attempt, ...], line: str
) -> None:
    assert [one.text for one in told([Announced("evt_1", type_, NOW, attempts)], Kind.QUESTIONS, webhook=webhook)] == [
        line
    ]


@pytest.mark.parametrize("type_", list(EventType))
def test_every_event_has_words(type_: EventType) -> None:
    assert [one.text for one in told([Announced("evt_1", type_, NOW)], Kind.QUESTIONS, webhook=False)]


def copy(**changes: Any) -> Publication:
    return Publication(
        **{
            "id": "pub_1",
            "workspace": "wsp_1",
            "interaction": "int_1",
            "number": 1,
            "provider": Provider.SLACK,
            "account": "T1",
            "place": "C1",
            **changes,
        }
    )


COPIES: tuple[tuple[Publication, str], ...] = (
    (copy(), "Slack (#ops): waits to be sent"),
    (copy(state=PublicationState.SENDING), "Slack (#ops): waits to be sent"),
    (copy(state=PublicationState.POSTED, thread="1.2"), "Slack (#ops, in a thread): posted"),
    (
        copy(state=PublicationState.POSTED, surface=Surface.REVIEW),
        "Slack (#ops): posted, with a link to this page",
    ),
    (copy(state=PublicationState.UNKNOWN), "Slack (#ops): sent, but not confirmed by the chat"),
    (
        copy(state=PublicationState.FAILED, reason="no such\nchannel"),
        "Slack (#ops): could not be sent: no such channel",
    ),
    (copy(state=PublicationState.SETTLED, place="U1", channel="D1"), "Slack (a direct message): shows the outcome"),
    (
        copy(provider=Provider.TELEGRAM, account="acme_bot", place="-100", state=PublicationState.POSTED),
        "Telegram (-100): posted",
    ),
)


@pytest.mark.parametrize(("publication", "line"), COPIES)
def test_every_copy_says_where_it_is_and_how_it_stands(publication: Publication, line: str) -> None:
    shown = page(card(), copies=(publication,), names={"slack:C1/1.2": "#ops"})
    assert [fact.text for fact in shown.facts if fact.label == "Shown in"] == [line]


def test_whoever_else_is_answering_is_named_while_it_is_open() -> None:
    assert page(card(), answering=("Ben",)).answering == "Ben is answering…"
    assert page(card(), answering=("Ben", "Cleo")).answering == "Ben and Cleo are answering…"
    assert page(card(expires_at=NOW - timedelta(seconds=1)), answering=("Ben",)).answering == ""

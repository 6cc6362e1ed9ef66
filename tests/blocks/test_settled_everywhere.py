"""A card that ended reads the same on Slack, on Telegram and on its page."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest

from blocks.slack import render as render_in_slack
from blocks.telegram import render as render_in_telegram
from blocks.web import render as render_page
from blocks.web.history import history
from blocks.web.told import told
from core.addressed import MAY_ANSWER
from core.audience import Audience
from core.cards import Card
from core.endings import ENDED
from core.events import EventType
from core.kinds import Kind
from core.people import Via
from core.reading import Announced
from core.receipts import ReceiptType, seal
from core.records import Interaction, Outcome, Status, Vote
from core.standing import ASIDE, OPEN_UNTIL, STILL_OPEN
from core.telling import outcome_sentence
from core.traces import draft
from tests.blocks.slack import cards as in_slack
from tests.blocks.telegram import cards as in_telegram
from tests.blocks.web.visits import visit
from tests.rules.making import NOW, by, card, stamp

BASE = "https://sayso.example.com/review/"
SURFACES = ("slack", "telegram", "web")


def ended(kind: Kind, status: Status, **outcome: Any) -> Interaction:
    """A card of this kind that Ana ended in Slack."""
    given = {"by": by(), "via": Via.SLACK, "at": NOW, "receipt": "rcp_1", **outcome}
    return card(kind, status=status, outcome=Outcome(status=status, **given), expires_at=NOW + timedelta(hours=1))


def read(interaction: Interaction, surface: str) -> str:
    """What a person reads of a card on a surface."""
    one = Card(interaction, 1, BASE + interaction.id, link_ok=True)
    match surface:
        case "slack":
            return in_slack.shown(render_in_slack(one, in_slack.CODEC).blocks)
        case "telegram":
            return in_telegram.seen(render_in_telegram(one, in_telegram.CODEC))
        case _:
            return "\n".join(_texts(asdict(render_page(interaction, visit()))))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for one in value.values() for text in _texts(one)]
    return [text for one in value for text in _texts(one)] if isinstance(value, list | tuple) else []


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("kind", Kind)
def test_a_card_that_ended_says_neither_who_may_answer_nor_until_when(kind: Kind, surface: str) -> None:
    waiting = read(card(kind, expires_at=NOW + timedelta(hours=1)), surface)
    assert MAY_ANSWER in waiting
    assert OPEN_UNTIL in waiting
    over = read(ended(kind, Status.WITHDRAWN), surface)
    assert MAY_ANSWER not in over
    assert OPEN_UNTIL not in over


OWN_WORDS: list[tuple[Kind, Status, str, str]] = [
    # kind, how it ended, what every surface calls that, what whoever comes late is told
    (Kind.CONNECTION, Status.ACCEPTED, "Connected", "Ana granted this"),  # an operator grants it
    (Kind.CONNECTION, Status.REJECTED, "Declined", "Ana declined this"),  # the button says Decline
    (Kind.SUGGESTED_TASKS, Status.ACCEPTED, "Tasks created", "Ana accepted this"),
    (Kind.SUGGESTED_TASKS, Status.REJECTED, "Tasks declined", "Ana declined this"),  # the button says None of these
    (Kind.CONFIRMATION, Status.ACCEPTED, "Accepted", "Ana accepted this"),
    (Kind.CONFIRMATION, Status.REJECTED, "Rejected", "Ana rejected this"),
    (Kind.CHECKLIST, Status.COMPLETED, "Completed", "Ana completed this"),
    (Kind.ITEM_VERDICTS, Status.COMPLETED, "Completed", "Ana completed this"),
    (Kind.QUESTIONS, Status.ANSWERED, "Answered", "Ana answered this"),
]


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(("kind", "status", "called", "told"), OWN_WORDS)
def test_every_kind_ends_in_its_own_words(kind: Kind, status: Status, called: str, told: str, surface: str) -> None:
    over = ended(kind, status)
    text = read(over, surface)
    assert called in text
    assert ENDED[status].called not in text or ENDED[status].called == called
    assert outcome_sentence(over).startswith(told)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("status", [one for one in Status if one is not Status.PENDING])
def test_every_end_is_called_the_same_everywhere(status: Status, surface: str) -> None:
    newer = {"successor": "int_2"} if status is Status.SUPERSEDED else {}
    assert ENDED[status].called in read(ended(Kind.CONFIRMATION, status, **newer), surface)


@pytest.mark.parametrize("surface", SURFACES)
def test_words_in_the_place_of_a_question_are_called_words_everywhere(surface: str) -> None:
    over = read(ended(Kind.CONFIRMATION, Status.SUPERSEDED, reason="Ask <me> tomorrow"), surface)
    assert {words for words in ("Replaced by words", "Their words", "Ask <me> tomorrow") if words in over} == {
        "Replaced by words",
        "Their words",
        "Ask <me> tomorrow",
    }


def test_the_history_and_the_asker_are_told_in_the_same_words() -> None:
    declined = seal(draft(card(Kind.CONNECTION), ReceiptType.REJECTED, stamp(), {}), None)
    assert [one.text for one in history(card(Kind.CONNECTION).content, [declined])] == ["Ana declined in Slack."]
    heard = told([Announced("evt_1", EventType.REJECTED, NOW)], Kind.CONNECTION, webhook=False)
    assert [one.text for one in heard] == ["It was declined."]


LONG_LISTS: list[tuple[int, bool, str]] = [
    (10, True, "in sight on every surface while it was open"),
    (11, False, "pages or a menu, which nobody saw at once"),
    (30, False, "a menu still shows them natively"),
]


@pytest.mark.parametrize("type_", ["choice", "choices"])
@pytest.mark.parametrize("surface", ["slack", "telegram"])
@pytest.mark.parametrize(("count", "is_listed", "why"), LONG_LISTS)
def test_a_long_list_is_not_told_again_once_something_was_chosen(
    count: int, is_listed: bool, why: str, surface: str, type_: str
) -> None:
    options = [{"id": f"o{n}", "label": f"Number <{n}>", "description": f"More {n}"} for n in range(count)]
    payload = {"questions": [{"id": "q", "prompt": "Which number?", "type": type_, "options": options}]}
    answer = {"q": {"value": "o3"} if type_ == "choice" else {"values": ["o3"]}}
    over = card(Kind.QUESTIONS, payload=payload, status=Status.ANSWERED, outcome=answered(answer))
    text = read(over, surface)
    assert "Which number?" in text
    assert "Number <3>" in text
    assert ("Number <4>" in text) is is_listed, why
    assert ("More 3" in text) is is_listed, why


def answered(answer: dict[str, Any]) -> Outcome:
    """Ana's answer in Slack."""
    return Outcome(status=Status.ANSWERED, by=by(), via=Via.SLACK, at=NOW, receipt="rcp_1", answer=answer)


@pytest.mark.parametrize("surface", SURFACES)
def test_whom_a_card_is_for_and_how_it_stands_is_said_in_the_same_words(surface: str) -> None:
    audience = Audience(answerers=("person:cy", "role:operator", "agent:ci"), exclude=("creator",), quorum=2)
    vote = Vote(by=by(), via=Via.SLACK, accepted=True, at=NOW)
    against = Vote(by=by("ben"), via=Via.SLACK, accepted=False, at=NOW)
    shown = card(Kind.CONFIRMATION, audience=audience, votes=(vote, against), dismissed_at=NOW)
    flat = read(shown, surface).replace(f"{MAY_ANSWER}\n", f"{MAY_ANSWER}: ").replace(f"{ASIDE}\n", f"{ASIDE}: ")
    for words in (
        f"{MAY_ANSWER}: cy, any operator or agent ci (not whoever asked)",
        "1 of 2 have accepted",
        "1 has rejected",
        f"{ASIDE}: {STILL_OPEN}",
    ):
        assert words in flat

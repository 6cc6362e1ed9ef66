"""Values come back from the database as they went in: every field, every character, every number."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from core.access import Link, Session, SignIn
from core.content import Content
from core.drafts import Draft, Prompt
from core.events import Event
from core.kinds import EXAMPLES, Kind
from core.kinds.checklist import Tick
from core.kinds.connection import Connecting
from core.kinds.item_verdicts import Verdict
from core.outbox import Delivery
from core.people import By, Via
from core.policy import Nudges, Policy
from core.publications import Publication, PublicationState, Surface
from core.records import Continuation, Interaction, Outcome, Status, Vote
from core.reminding import Delegation, Reminding, Snooze
from core.store import Store
from core.store.columns import UtcDateTime, Words
from core.store.rows import answerer_key, interaction_row, publication_row
from core.store.tables import drafts, events, links, metadata, outbox, prompts, sessions, signins
from tests.chains import first_break
from tests.rules.making import NOW
from tests.store.making import HERE, add, ask, copy_of, line, settle_in

HOSTILE = [
    "<!channel> *bold* _it_ [x](y) & <b>",
    "\N{RIGHT-TO-LEFT OVERRIDE}\N{ZERO WIDTH JOINER}\N{VARIATION SELECTOR-16}",
    "\N{FAMILY}\N{EMOJI MODIFIER FITZPATRICK TYPE-6}" * 50,
    "漢字" * 2_000,
    "'; DROP TABLE receipts; -- \\ % \" $1 :name {x}",
    "tab\tnewline\r\nreturn\rfeed\f\v\x7f\x85\u2028",
    "NUL \0 in the middle",
]
HALF = "half a pair \ud83d"
"""A lone surrogate: no request can bring one into a card, but a payload of a provider may."""
DIALECT = SQLiteDialect()
KATHMANDU = timezone(timedelta(hours=5, minutes=45))
BY = By(type="person", id="per_1", handle="ana", identity="slack:T1.U1", name="Ana <!here> \0")


def full(text: str, number: int = 1) -> Interaction:
    """An interaction in which every field is filled."""
    content = Content(kind=Kind.QUESTIONS, title="T", payload=EXAMPLES[Kind.QUESTIONS]["payload"]).model_copy(
        update={"title": text[:200].strip(), "body": text, "recommendation": text[:1000]}
    )
    outcome = Outcome(
        status=Status.ANSWERED,
        by=BY,
        via=Via.TELEGRAM,
        at=NOW + timedelta(microseconds=1),
        answer={"q": {"value": text, "n": 1.0, "i": 1, "big": 2**70, "no": False, "nothing": None, "": ""}},
        reason=text,
        receipt="rcp_1",
        default={"q": {"value": text}},
        successor="int_2",
    )
    return ask(
        number,
        content=content,
        policy=Policy(expires_in="24h", fallback=("review",), nudges=Nudges(every="30m", at=("1h",))),
        continuation=Continuation(webhook="https://agent.example/hook", state={"deep": [{"x": text}, 1e-7, -0.0]}),
        to=("slack:C1", "telegram:-100/7"),
        status=Status.ANSWERED,
        revision=3,
        version=2**40,
        expires_at=NOW + timedelta(days=1),
        undelivered_until=NOW + timedelta(days=2),
        dismissed_at=NOW,
        votes=(Vote(by=BY, via=Via.SLACK, accepted=False, at=NOW, reason=text),),
        ticks=(Tick(item="a", on=False, by=BY, via=Via.TELEGRAM, at=NOW),),
        verdicts=(Verdict(item="a", verdict="reject", reason=text, by=BY, via=Via.REVIEW, at=NOW),),
        connecting=Connecting(by=BY, at=NOW, state="sha256:0"),
        started_at=NOW,
        reminding=Reminding(done_to=NOW, sent=2, escalated_at=NOW, snoozes=(Snooze(by=BY, until=NOW, publication=1),)),
        delegations=(Delegation(by=BY, to="person:ben", name=text, at=NOW),),
        outcome=outcome,
        supersedes="int_0",
        supersede_key="deploy",
        sole_key=f"connection {number}",
        fallbacks_used=2,
    )


def test_every_field_of_the_full_interaction_is_filled() -> None:
    unset = {name for name, field in Interaction.model_fields.items() if getattr(full("x"), name) == field.default}
    assert unset <= {"audience"}


async def test_an_interaction_comes_back_as_it_went_in(store: Store) -> None:
    await settle_in(store)
    cards = [full(text, number) for number, text in enumerate(HOSTILE)]
    await add(store, *cards)
    found = [whole.interaction for whole in reversed(await store.records.interactions(HERE, None))]
    assert found == cards
    assert [one.content.digest() for one in found] == [card.content.digest() for card in cards]
    answers = [[repr(one.outcome.answer) for one in some if one.outcome] for some in (found, cards)]
    assert answers[0] == answers[1], "1 and 1.0 are different answers"


async def test_the_digest_of_every_kind_survives(store: Store) -> None:
    await settle_in(store)
    cards = [ask(number, kind) for number, kind in enumerate(Kind)]
    await add(store, *cards)
    for card in cards:
        found = await store.records.interaction(HERE, card.id, None)
        assert found
        assert found.interaction.content.digest() == card.content.digest()


async def test_receipts_with_any_text_still_make_a_chain(store: Store) -> None:
    await settle_in(store)
    await add(store, ask())
    made = []
    async with store.work() as work:
        for number, text in enumerate([*HOSTILE, HALF]):
            data = {"text": text, "n": 1.0, "i": number}
            draft = line(f"rcp_{number}", by=BY).model_copy(update={"data": data, "provider_event": "slack:1"})
            made.append(await work.record(draft, ask().id))
        await work.commit()
    chain = await store.records.receipts(HERE, ask().id)
    assert list(chain) == made
    assert first_break(chain) is None


async def test_plain_columns_take_any_text_and_can_be_asked_for_it(store: Store) -> None:
    """There what one of the databases cannot keep becomes U+FFFD, the same way when it is looked for."""
    await settle_in(store)
    async with store.work() as work:
        for number, text in enumerate([*HOSTILE, HALF]):
            card = ask(number, supersede_key=text)
            await work.add_interaction(card)
            await work.add_publication(copy_of(card, reason=text, channel="C1", message=text))
            found = await work.publication_at("slack", "T1", "C1", text)
            assert found
            assert found.reason == text.replace("\0", "\ufffd").replace("\ud83d", "\ufffd")
            assert await work.pending_by_key(HERE, "agt_1", text)
            assert await work.interaction(HERE, text) is None
            assert await work.person_by_handle(HERE, text) is None


@pytest.mark.parametrize(
    ("model", "columns"),
    [
        (Publication, publication_row(copy_of(ask()))),
        (Draft, drafts.c),
        (Prompt, prompts.c),
        (Event, events.c),
        (Delivery, outbox.c),
    ],
)
def test_every_field_has_its_column(model: Any, columns: Any) -> None:
    assert set(model.model_fields) <= set(columns.keys())


def test_every_field_of_an_interaction_has_its_column() -> None:
    renamed = {"to": "addresses"}
    wanted = {renamed.get(name, name) for name in Interaction.model_fields}
    assert wanted <= set(interaction_row(ask())) == set(metadata.tables["interactions"].c.keys())


@pytest.mark.parametrize(("value", "table"), [(SignIn, signins), (Session, sessions), (Link, links)])
def test_every_field_of_a_door_has_its_column(value: Any, table: Any) -> None:
    assert {field.name for field in fields(value)} == set(table.c.keys())


def test_a_full_copy_is_written_whole() -> None:
    copy = copy_of(
        ask(),
        thread="1.1",
        channel="D1",
        message="1.2",
        state=PublicationState.FAILED,
        surface=Surface.REVIEW,
        reason="not invited",
        page=2,
        attempt_at=NOW,
        posts=1,
        shown_version=4,
        shown_revision=2,
    )
    row = publication_row(copy)
    assert all(row[name] is not None for name in Publication.model_fields)


@pytest.mark.parametrize(
    ("moment", "stored"),
    [
        (datetime(2026, 3, 29, 2, 30, 0, 7, tzinfo=KATHMANDU), "2026-03-28T20:45:00.000007+00:00"),
        (NOW, "2026-12-02T14:05:00+00:00"),
    ],
)
async def test_a_moment_is_kept_in_utc_to_the_microsecond(store: Store, moment: datetime, stored: str) -> None:
    await settle_in(store)
    await add(store, ask(created_at=moment))
    found = await store.records.interaction(HERE, ask().id, None)
    assert found
    assert found.interaction.created_at.isoformat() == stored


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        UtcDateTime().process_bind_param(datetime(2026, 1, 1), DIALECT)  # noqa: DTZ001  # what is refused


@given(st.text(max_size=50))
def test_text_that_both_databases_keep_is_left_as_it_is(text: str) -> None:
    kept = Words().process_bind_param(text, DIALECT)
    assert kept is not None
    assert len(kept) == len(text)
    assert all(old in (new, "\0") for new, old in zip(kept, text, strict=True))


@pytest.mark.parametrize(
    ("answerer", "key"),
    [
        ("conversation", "conversation"),
        ("telegram:saybot.42", "telegram:42"),
        ("telegram:42", "telegram:42"),
        ("slack:T1.U1", "slack:T1.U1"),
        ("agent:telegram", "agent:telegram"),
        ("role:operator", "role:operator"),
    ],
)
def test_an_answerer_is_spelled_one_way(answerer: str, key: str) -> None:
    assert answerer_key(answerer) == key

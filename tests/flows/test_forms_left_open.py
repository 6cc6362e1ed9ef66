"""A form may stay open long after the press that opened it; whoever sends it is judged when they do."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.authority import FRESH
from bot.sandbox.slack.faults import FaultKind
from core.people import Identity
from core.use_cases.transact import transact
from tests.blocks.slack.cards import shown
from tests.flows.rig import ANA, CHANNEL, Rig, rig, sqlite_at

TEXT = {"questions": [{"id": "q1", "prompt": "What happened?", "type": "text"}]}


async def opened(r: Rig, **changes: Any) -> str:
    """Ask for words, let Ana open the form and type; return the card's id."""
    asked = await r.posted((await r.ask(payload=TEXT, **changes))["id"])
    seen = await r.slack.person(ANA).press("Answer…", watch=5)
    assert seen.modal is not None
    await r.slack.person(ANA).fill("it fell over", on="modal")
    id: str = asked["id"]
    return id


async def long_ago(r: Rig) -> None:
    """Let the press that opened the form be too old to say anything of today."""
    context = r.apps[0].context
    (workspace,) = await r.apps[0].store.records.workspaces()
    identity = Identity(provider="slack", account=r.slack.team_id, user=ANA)
    then = context.clock.now() - FRESH - timedelta(minutes=1)
    async with context.work() as work:
        person = await work.person_by_identity(workspace, identity)
    assert person is not None
    conversation = f"slack:{r.slack.team_id}.{CHANNEL}"
    await transact(context, lambda work: work.note_seen(workspace, person.id, conversation, then))


async def test_who_left_the_conversation_meanwhile_does_not_answer_in_it(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        id = await opened(r)
        r.slack.workspace.leave(CHANNEL, ANA)
        seen = await r.slack.person(ANA).submit()
        assert "Only people in the conversation" in shown(seen.modal)
        assert (await r.get(id))["status"] == "pending"


async def test_who_is_asked_by_name_answers_from_wherever_they_are(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        id = await opened(r, audience={"answerers": [f"slack:{ANA}"]})
        r.slack.workspace.leave(CHANNEL, ANA)
        assert (await r.slack.person(ANA).submit()).modal is None
        assert (await r.get(id))["status"] == "answered"


async def test_when_slack_cannot_say_a_press_of_just_now_still_proves_it(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        id = await opened(r)
        r.slack.fail(FaultKind.ERROR, "conversations.members", count=9)
        assert (await r.slack.person(ANA).submit()).modal is None
        assert (await r.get(id))["status"] == "answered"


async def test_when_slack_cannot_say_and_the_press_is_old_the_form_stays_with_what_was_typed(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        id = await opened(r)
        await long_ago(r)
        r.slack.fail(FaultKind.ERROR, "conversations.members", count=1)
        seen = await r.slack.person(ANA).submit()
        assert ["could not check who you are" in words for words in seen.errors.values()] == [True]
        assert (await r.get(id))["status"] == "pending"
        assert (await r.slack.person(ANA).submit()).modal is None
        assert (await r.get(id))["outcome"]["answer"] == {"q1": {"value": "it fell over"}}

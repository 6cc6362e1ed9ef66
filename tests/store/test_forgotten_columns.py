"""Where people may be named is looked at when they are forgotten, and what is over keeps no words."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args

from sqlalchemy import select

from core.outbox import Lane, TakeBack, Task
from core.store import Store
from core.store.columns import Document
from core.store.tables import metadata, outbox
from core.store.work.redacting import STEPS
from tests.rules.making import NOW
from tests.store.making import owed, say, settle_in

LEFT_ALONE = {
    # Documents that nobody is named in, and why not.
    "interactions.content": "what was asked, in the asker's words",
    "interactions.continuation": "the asker's own state",
    "loops.reminders": "numbers",
    "loops.continuation": "the sender's own state",
    "alerts.continuation": "the raiser's own state",
    "drafts.fields": "goes with the person",
    "profiles.standing": "goes with their account",
    "links.claimed": "goes with the account",
    "idempotency.response": "looked at by its key",
    "loop_requests.response": "looked at by its key",
    "tool_policies.reviewers": "looked at by its operation",
    "installations.facts": "what Slack says of a team",
    "workspaces.calendar": "hours and days",
    "timelines.positions": "numbers",
}


def test_every_document_is_looked_at_or_names_nobody() -> None:
    looked_at = {f"{table.name}.{column}" for table, columns in STEPS for column in columns}
    documents = {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Document)
    }
    assert documents - looked_at == set(LEFT_ALONE)


OTHERWISE = {
    # Tables that are not gone through row by row, and why not.
    "agent_accounts": "bots",
    "agent_keys": "hashes",
    "agent_secrets": "sealed",
    "agents": "programs",
    "answerers": "changed with their interaction",
    "attempts": "what webhooks answered",
    "connections": "teams and bots",
    "conversation_agents": "programs",
    "drafts": "go with the person",
    "dues": "ids",
    "idempotency": "looked at by its key",
    "identities": "go with the person",
    "inbox": "keeps no words, and what was told is looked for",
    "install_states": "hashes",
    "installations": "teams and bots",
    "invitations": "teams",
    "leases": "processes and connections",
    "links": "go with the person and with the account",
    "loop_prompts": "go with the person",
    "loop_requests": "looked at by its key",
    "paces": "go with the account",
    "past_events": "ids",
    "people": "goes itself",
    "profiles": "go with the account",
    "prompts": "go with the person",
    "proofs": "hashes",
    "purged": "hashes",
    "sessions": "go with the person",
    "sightings": "go with the person",
    "signing_keys": "keys",
    "signins": "go with the person",
    "timelines": "positions",
    "tool_policies": "looked at by its operation",
    "workspaces": "tenants",
}


def test_every_table_is_gone_through_or_needs_not_be() -> None:
    assert set(metadata.tables) - {table.name for table, _ in STEPS} == set(OTHERWISE)


async def test_words_are_kept_no_longer_than_until_they_are_said(store: Store) -> None:
    await settle_in(store)
    taken = TakeBack(provider="slack", account="T1", channel="U1", messages=("1.1",))
    async with store.work() as work:
        tasks: list[Task] = [say("Ana has it."), taken]
        for number, task in enumerate(tasks):
            await work.owe(owed(number, key=f"slack:T1.U{number}", task=task))
        await work.commit()
    claims = await store.outbox.claim([Lane.TALK], NOW, NOW + timedelta(minutes=1), "me", 9)
    assert [one.delivery.task for one in claims] == [say("Ana has it."), taken]
    async with store.work() as work:
        for claimed in claims:
            await work.finish(claimed)
        await work.commit()
    async with store.engine.connect() as connection:
        rows = (await connection.execute(select(outbox).order_by(outbox.c.id))).all()
    assert [row.state for row in rows] == ["done", "done"]
    assert (rows[0].task["text"], rows[0].task["channel"]) == ("", "C1")
    assert "U1" not in f"{rows[1].task} {rows[1].key} {rows[1].channel}", "a message taken out names no chat any more"


NOT_WORDS = {
    # Texts of what is owed that are kept once it is done, as they say where it went and what it was about.
    "account", "agent", "alert", "channel", "conversation", "event", "interaction", "interactions", "loop", "loops",
    "messages", "person", "provider",
    "publication", "reminder", "reply_to", "task", "thread", "url", "user", "where",
}  # fmt: skip


def test_every_text_of_what_is_owed_is_words_or_says_where() -> None:
    models = get_args(get_args(Task)[0])
    assert len(models) > 10
    texts = {
        name
        for model in models
        for name, field in model.model_fields.items()
        if field.annotation is str or str in get_args(field.annotation) or name == "task"
    }
    assert texts - NOT_WORDS == {"text", "fault", "name"}

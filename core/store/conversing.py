"""Which conversation a message belongs to, as one statement shared by the work and the read side."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, exists, literal, select, union_all

from core.addresses import Provider
from core.store.tables import connections, conversations, loop_prompts, loops, sayings


def select_conversation_at(
    provider: str, account: str, channel: str, thread: str | None, reply_to: str | None, *, prompts: bool
) -> Select[Any]:
    """The linked conversation of a message: its thread or topic, what it replies to, or its one-to-one chat.

    With `prompts` a reply to a prompt for words counts as well. Every way to find it follows an index, because most
    messages of a chat belong to none.
    """
    table = conversations.c
    of_account = (table.provider == provider, table.account == account)
    here = (table.channel == channel, table.place == channel)
    ways: list[Select[Any]] = []

    def add(rank: int, *which: ColumnElement[bool]) -> None:
        ways.append(select(table.id.label("id"), literal(rank).label("rank")).where(*which))

    # The thread itself first, then what is replied to, then the chat as a whole.
    for column in here:
        if thread is not None:
            add(0, *of_account, column, table.thread == thread, table.whole)
        if reply_to is not None and provider != Provider.SLACK.value:
            # In Slack, what begins with a message is its thread.
            add(1, *of_account, column, table.root == reply_to)
        add(2, *of_account, column, table.thread.is_(None), table.whole)
    if reply_to is not None:
        at = (provider, account, channel, reply_to)
        said = select(sayings.c.conversation).where(*_is_at(sayings, at))
        shown = select(loops.c.conversation).where(*_is_at(loops, at, "card_"))
        found = [said, shown]
        if prompts:
            prompted = select(loops.c.conversation).join(loop_prompts, loop_prompts.c.loop == loops.c.id)
            found.append(prompted.where(*_is_at(loop_prompts, at)))
        for conversation in found:
            add(1, table.id.in_(conversation))
    candidates = union_all(*ways).subquery("candidates")
    # Whoever named a place in another workspace's chat hears nothing of it.
    of_others = exists().where(
        connections.c.provider == provider, connections.c.account == account, connections.c.workspace != table.workspace
    )
    return (
        select(conversations)
        .join(candidates, candidates.c.id == table.id)
        .where(~of_others)
        .order_by(candidates.c.rank, table.id)
        .limit(1)
    )


def _is_at(table: FromClause, at: tuple[str, str, str, str], prefix: str = "") -> tuple[ColumnElement[bool], ...]:
    """The condition for the row of a message."""
    names = ("provider", "account", "channel", "message")
    return tuple(table.c[f"{prefix}{name}"] == value for name, value in zip(names, at, strict=True))

"""Rows and values of loops and of where they are talked about, mapped by hand in both directions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Row, and_, exists, or_

from core.loops.outcomes import LoopOutcome, Mark
from core.loops.places import Alert, Conversation, FollowUp, Handover, LoopPrompt, Saying
from core.loops.values import Loop, LoopCopy, Reminders, Slot, claimers
from core.people import Agent, AgentRole, By
from core.receipts import Receipt
from core.records import Continuation
from core.store.rows import signed_row
from core.store.tables import alerts, conversation_agents, loops


def loop_row(value: Loop) -> dict[str, Any]:
    """The columns of a loop."""
    card = value.card
    holders = claimers(value.slots) if value.slots else ((value.claimed.by,) if value.claimed else ())
    return {
        "id": value.id,
        "workspace": value.workspace,
        "name": value.name,
        "conversation": value.conversation,
        "state": value.state.value,
        "version": value.version,
        "recipient": value.recipient,
        "sender_id": value.sender.id,
        "holders": "".join(f"|{by.id}|" for by in holders),
        "due_at": value.due_at,
        "overdue_at": value.overdue_at,
        "created_at": value.created_at,
        "title": value.title,
        "body": value.body,
        "priority": value.priority,
        "sender": value.sender.model_dump(mode="json"),
        "sender_label": value.sender_label,
        "reminders": value.reminders.model_dump(mode="json"),
        "continuation": value.continuation.model_dump(mode="json"),
        "parent": value.parent,
        "from_alert": value.from_alert,
        "slots": [slot.model_dump(mode="json") for slot in value.slots],
        "acknowledged": value.acknowledged.model_dump(mode="json") if value.acknowledged else None,
        "claimed": value.claimed.model_dump(mode="json") if value.claimed else None,
        "started": value.started.model_dump(mode="json") if value.started else None,
        "nudges": value.nudges,
        "nudged_at": value.nudged_at,
        "escalated_at": value.escalated_at,
        "outcome": value.outcome.model_dump(mode="json") if value.outcome else None,
        "card": card.model_dump(mode="json") if card else None,
        "card_provider": card.provider.value if card else None,
        "card_account": card.account if card else None,
        "card_channel": card.channel if card else None,
        "card_message": card.message if card else None,
    }


def loop_of(row: Row[Any]) -> Loop:
    """The loop a row holds."""
    return Loop(
        id=row.id,
        workspace=row.workspace,
        name=row.name,
        conversation=row.conversation,
        title=row.title,
        body=row.body,
        priority=row.priority,
        due_at=row.due_at,
        sender=By.model_validate(row.sender),
        sender_label=row.sender_label,
        recipient=row.recipient,
        reminders=Reminders.model_validate(row.reminders),
        continuation=Continuation.model_validate(row.continuation),
        parent=row.parent,
        from_alert=row.from_alert,
        created_at=row.created_at,
        state=row.state,
        version=row.version,
        slots=tuple(Slot.model_validate(slot) for slot in row.slots),
        acknowledged=_mark(row.acknowledged),
        claimed=_mark(row.claimed),
        started=_mark(row.started),
        overdue_at=row.overdue_at,
        nudges=row.nudges,
        nudged_at=row.nudged_at,
        escalated_at=row.escalated_at,
        outcome=LoopOutcome.model_validate(row.outcome) if row.outcome is not None else None,
        card=LoopCopy.model_validate(row.card) if row.card is not None else None,
    )


def _mark(stored: Any) -> Mark | None:
    return Mark.model_validate(stored) if stored is not None else None


def loop_receipt_row(value: Receipt, workspace: str, loop: str) -> dict[str, Any]:
    """The columns of a loop's receipt. `line` holds all of it; the others are there to be looked up."""
    return {
        "id": value.id,
        "workspace": workspace,
        "loop": loop,
        "seq": value.seq,
        "type": value.type.value,
        "by_id": value.by.id,
        "by_identity": value.by.identity,
        "at": value.at,
        **signed_row(value),
    }


def conversation_row(value: Conversation) -> dict[str, Any]:
    """The columns of a conversation."""
    return {**value.model_dump(), "key": value.key, "address": value.where}


def conversation_of(row: Row[Any]) -> Conversation:
    """The conversation a row holds."""
    return Conversation.model_validate({name: getattr(row, name) for name in Conversation.model_fields})


def saying_row(value: Saying, conversation: Conversation) -> dict[str, Any]:
    """The columns of what was said, with the place where its message is."""
    in_chat = value.message is not None
    return {
        **value.model_dump(exclude={"by"}),
        "by": value.by.model_dump(mode="json") if value.by else None,
        "provider": conversation.provider if in_chat else None,
        "account": conversation.account if in_chat else None,
        "channel": (conversation.channel or conversation.place) if in_chat else None,
    }


def saying_of(row: Row[Any]) -> Saying:
    """What a row says."""
    return Saying.model_validate({name: getattr(row, name) for name in Saying.model_fields})


def handover_row(value: Handover) -> dict[str, Any]:
    """The columns of something to be handed over."""
    return {**value.model_dump(exclude={"by"}), "kind": value.kind.value, "by": value.by.model_dump(mode="json")}


def handover_of(row: Row[Any]) -> Handover:
    """What a row hands over."""
    return Handover.model_validate({name: getattr(row, name) for name in Handover.model_fields})


def follow_up_row(value: FollowUp) -> dict[str, Any]:
    """The columns of a follow-up."""
    return {**value.model_dump(exclude={"by"}), "state": value.state.value, "by": value.by.model_dump(mode="json")}


def follow_up_of(row: Row[Any]) -> FollowUp:
    """The follow-up a row holds."""
    return FollowUp.model_validate({name: getattr(row, name) for name in FollowUp.model_fields})


def alert_row(value: Alert) -> dict[str, Any]:
    """The columns of an alert."""
    return {
        **value.model_dump(exclude={"by", "card", "continuation"}),
        "continuation": value.continuation.model_dump(mode="json"),
        "by": value.by.model_dump(mode="json"),
        "card": value.card.model_dump(mode="json") if value.card else None,
    }


def alert_of(row: Row[Any]) -> Alert:
    """The alert a row holds."""
    stored = {name: getattr(row, name) for name in Alert.model_fields}
    return Alert.model_validate({**stored, "continuation": row.continuation or {}})


def loop_prompt_of(row: Row[Any]) -> LoopPrompt:
    """The prompt a row holds."""
    return LoopPrompt.model_validate({name: getattr(row, name) for name in LoopPrompt.model_fields})


def is_loop_visible_to(agent: Agent | None) -> list[ColumnElement[bool]]:
    """The conditions on `loops` for what an agent may read; none for operators."""
    if agent is None or agent.role is AgentRole.OPERATOR:
        return []
    table = loops.c
    named = (table.sender_id == agent.id, table.recipient == f"agent:{agent.name}")
    return [or_(*named, *is_heard_by(agent, table.conversation))]


def is_heard_by(agent: Agent | None, conversation: ColumnElement[str]) -> list[ColumnElement[bool]]:
    """The condition for what an agent that takes part in a conversation, a column, may read; none for operators."""
    if agent is None or agent.role is AgentRole.OPERATOR:
        return []
    table = conversation_agents.c
    return [exists().where(table.conversation == conversation, table.agent == agent.id)]


def is_alert_visible_to(agent: Agent | None) -> list[ColumnElement[bool]]:
    """The condition on `alerts` for those that an agent raised, or that were raised where it takes part."""
    heard = is_heard_by(agent, alerts.c.conversation)
    return [or_(alerts.c.by["id"].as_string() == agent.id, *heard)] if agent is not None and heard else []


def names_holder(id: str) -> ColumnElement[bool]:
    """The condition on `loops` for those that somebody has, or a slot of them."""
    return and_(loops.c.holders != "", loops.c.holders.contains(f"|{id}|", autoescape=True))

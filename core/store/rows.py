"""Rows and values of what was asked, mapped by hand in both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Row

from core.addresses import ChatAddress, Provider, parse_address
from core.asked_again import is_refusal, sameness
from core.audience import Audience
from core.content import Content
from core.drafts import Draft, Prompt
from core.events import Event
from core.kinds.checklist import Tick
from core.kinds.connection import Connecting
from core.kinds.item_verdicts import Verdict
from core.outbox import Claimed, Delivery
from core.people import By
from core.policy import Policy
from core.publications import Publication
from core.receipts import Receipt
from core.records import Continuation, Interaction, Outcome, Status, Vote
from core.reminding import Delegation, Reminding
from core.tasks import Task


def changeable(row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row that an update may write. Writing a key as it was would make SQLite look for every row
    that refers to it."""
    return {name: value for name, value in row.items() if name not in ("id", "workspace")}


def _dumped(value: BaseModel | None) -> Any:
    return value.model_dump(mode="json") if value is not None else None


def _each_dumped(values: Sequence[BaseModel]) -> Any:
    return [value.model_dump(mode="json") for value in values]


_DOCUMENTS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "content": ("content", _dumped),
    "audience": ("audience", _dumped),
    "policy": ("policy", _dumped),
    "continuation": ("continuation", _dumped),
    "addresses": ("to", list),
    "creator": ("creator", _dumped),
    "votes": ("votes", _each_dumped),
    "ticks": ("ticks", _each_dumped),
    "verdicts": ("verdicts", _each_dumped),
    "connecting": ("connecting", _dumped),
    "reminding": ("reminding", lambda value: _dumped(value) if value != Reminding() else None),
    "delegations": ("delegations", _each_dumped),
    "outcome": ("outcome", _dumped),
}
"""The columns of an interaction that hold JSON, with the field each is made of, and how."""


def interaction_row(value: Interaction, since: Interaction | None = None) -> dict[str, Any]:
    """The columns of an interaction. Documents that it shares with what was read, `since` which it was changed, are
    left out: they are the largest part of it, and stay as they are."""
    return {
        "id": value.id,
        "workspace": value.workspace,
        "kind": value.content.kind.value,
        "status": value.status.value,
        "revision": value.revision,
        "version": value.version,
        "creator_type": value.creator.type,
        "creator_id": value.creator.id,
        "created_at": value.created_at,
        "expires_at": value.expires_at,
        "undelivered_until": value.undelivered_until,
        "due_at": value.due_at,
        "dismissed_at": value.dismissed_at,
        "started_at": value.started_at,
        "supersedes": value.supersedes,
        "supersede_key": value.supersede_key,
        "sole_key": value.sole_key,
        "rejected_key": sameness(value) if is_refusal(value) else None,
        "fallbacks_used": value.fallbacks_used,
        **{
            column: spell(getattr(value, field))
            for column, (field, spell) in _DOCUMENTS.items()
            if since is None or getattr(value, field) is not getattr(since, field)
        },
    }


def interaction_of(row: Row[Any]) -> Interaction:
    """The interaction a row holds."""
    return Interaction(
        id=row.id,
        workspace=row.workspace,
        content=Content.model_validate(row.content),
        audience=Audience.model_validate(row.audience),
        policy=Policy.model_validate(row.policy),
        continuation=Continuation.model_validate(row.continuation),
        to=tuple(row.addresses),
        creator=By.model_validate(row.creator),
        created_at=row.created_at,
        status=Status(row.status),
        revision=row.revision,
        version=row.version,
        expires_at=row.expires_at,
        undelivered_until=row.undelivered_until,
        dismissed_at=row.dismissed_at,
        started_at=row.started_at,
        votes=tuple(Vote.model_validate(vote) for vote in row.votes),
        ticks=tuple(Tick.model_validate(tick) for tick in row.ticks),
        verdicts=tuple(Verdict.model_validate(verdict) for verdict in row.verdicts),
        connecting=Connecting.model_validate(row.connecting) if row.connecting is not None else None,
        reminding=Reminding.model_validate(row.reminding) if row.reminding is not None else Reminding(),
        delegations=tuple(Delegation.model_validate(one) for one in row.delegations),
        outcome=Outcome.model_validate(row.outcome) if row.outcome is not None else None,
        supersedes=row.supersedes,
        supersede_key=row.supersede_key,
        sole_key=row.sole_key,
        fallbacks_used=row.fallbacks_used,
    )


def answerer_key(answerer: str) -> str:
    """One spelling per answerer. A Telegram user is the same to every bot, so the bot's name is left out."""
    if not answerer.startswith(f"{Provider.TELEGRAM.value}:"):
        return answerer
    address = parse_address(answerer)
    return f"telegram:{address.place}" if isinstance(address, ChatAddress) else answerer


def answerer_rows(value: Interaction) -> list[dict[str, Any]]:
    """The audience of an interaction, one row per answerer."""
    keys = dict.fromkeys(answerer_key(answerer) for answerer in value.audience.answerers)
    return [{"interaction": value.id, "workspace": value.workspace, "answerer": key} for key in keys]


def publication_row(value: Publication) -> dict[str, Any]:
    """The columns of a copy."""
    return {
        "id": value.id,
        "workspace": value.workspace,
        "interaction": value.interaction,
        "number": value.number,
        "provider": value.provider.value,
        "account": value.account,
        "place": value.place,
        "thread": value.thread,
        "channel": value.channel,
        "message": value.message,
        "conversation": value.conversation,
        "state": value.state.value,
        "surface": value.surface.value if value.surface else None,
        "reason": value.reason,
        "page": value.page,
        "menu": value.menu,
        "attempt_at": value.attempt_at,
        "posts": value.posts,
        "shown_version": value.shown_version,
        "shown_revision": value.shown_revision,
    }


def publication_of(row: Row[Any]) -> Publication:
    """The copy a row holds."""
    return Publication.model_validate({name: getattr(row, name) for name in Publication.model_fields})


def receipt_row(value: Receipt, workspace: str, interaction: str) -> dict[str, Any]:
    """The columns of a receipt. `line` holds all of it; the others are there to be looked up."""
    return {
        "id": value.id,
        "workspace": workspace,
        "interaction": interaction,
        "seq": value.seq,
        "type": value.type.value,
        "by_id": value.by.id,
        "by_identity": value.by.identity,
        "at": value.at,
        **signed_row(value),
    }


BESIDE = ("salt", "key", "signature", "redaction")
"""The fields of a receipt that are not in its line."""


def signed_row(value: Receipt) -> dict[str, Any]:
    """The columns of any receipt that hold its line, and what was made of the line. Those have columns of their own, as
    older programs read the line too and know nothing of them."""
    return {
        "line": value.model_dump(mode="json", exclude=set(BESIDE)),
        "salt": value.salt,
        "key": value.key,
        "signature": value.signature,
    }


def receipt_of(row: Row[Any]) -> Receipt:
    """The receipt that a row of `receipts` or `loop_receipts` holds."""
    return Receipt.model_validate({**row.line, **beside_of(row)})


def beside_of(row: Row[Any]) -> dict[str, Any]:
    """What the row of a receipt holds beside its line."""
    redaction = None
    if row.redacted_at is not None:
        marks = {"ordered": row.redaction_digest, "key": row.redaction_key, "signature": row.redaction_signature}
        redaction = {"at": row.redacted_at, **marks}
    return {"salt": row.salt, "key": row.key, "signature": row.signature, "redaction": redaction}


def event_row(value: Event, position: int) -> dict[str, Any]:
    """The columns of an event in its place."""
    return {
        "id": value.id,
        "workspace": value.workspace,
        "position": position,
        "type": value.type.value,
        "at": value.at,
        "interaction": value.interaction,
        "loop": value.loop,
        "alert": value.alert,
        "data": value.data,
    }


def event_of(row: Row[Any]) -> Event:
    """The event a row holds."""
    return Event.model_validate({name: getattr(row, name) for name in Event.model_fields})


def delivery_of(row: Row[Any]) -> Delivery:
    """The delivery a row holds."""
    return Delivery.model_validate({name: getattr(row, name) for name in Delivery.model_fields})


def claimed_of(row: Row[Any]) -> Claimed:
    """A delivery as its claimer has it."""
    return Claimed(
        delivery=delivery_of(row),
        generation=row.generation,
        attempts=row.attempts,
        lease_until=row.lease_until,
        owner=row.owner,
        unheard=row.calling,
    )


def draft_of(row: Row[Any]) -> Draft:
    """The draft a row holds."""
    return Draft.model_validate({name: getattr(row, name) for name in Draft.model_fields})


def prompt_of(row: Row[Any]) -> Prompt:
    """The prompt a row holds."""
    return Prompt.model_validate({name: getattr(row, name) for name in Prompt.model_fields})


def task_row(value: Task) -> dict[str, Any]:
    """The columns of a task."""
    return {**value.model_dump(), "by": value.by.model_dump(mode="json")}


def task_of(row: Row[Any]) -> Task:
    """The task a row holds."""
    return Task.model_validate({name: getattr(row, name) for name in Task.model_fields})

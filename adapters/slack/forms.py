"""Forms that a person had open: what they sent, where an error can stand, and that they closed one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from adapters.inbound import Closed, Submitted
from adapters.slack.entries import field_of, picked, typed
from adapters.slack.payload import Payload, from_user, is_known, part, text
from blocks.slack.later import TO, UNTIL
from blocks.slack.modal import CALLBACK
from blocks.words import neutralise
from core.errors import Fault
from core.installations import is_organisation
from core.people import Identity
from core.replies import Wrong

NEITHER = "choose a time here, or a person below"
BOTH = "choose a time or a person, not both; you can open this form again for the other"
NOT_AS_ASKED = "this is not written as asked for here"
"""The error of a field whose hint says how."""


def submission(body: Payload, account: str) -> Submitted | None:
    """A `view_submission` payload of one of our forms."""
    view = part(body, "view")
    if view.get("callback_id") != CALLBACK or not is_known(body):
        return None
    kept, team = _metadata(view), _installed_in(view, account)
    values = part(part(view, "state"), "values")
    found = typed(values)
    user = found.get(TO, "")
    return Submitted(
        **from_user(body, team),
        token=text(kept, TO if user else "token"),
        fields=found,
        channel=text(kept, "channel") or None,
        picked=picked(values),
        named=Identity(provider="slack", account=team, user=user) if user else None,
    )


def amiss(sent: Submitted) -> Wrong | None:
    """What is wrong with a form that takes a time or a person, before anybody looks at what they are."""
    if UNTIL not in sent.fields or TO not in sent.fields:
        return None
    chosen = [name for name in (UNTIL, TO) if sent.fields[name]]
    if len(chosen) == 1:
        return None
    return Wrong((Fault("", BOTH if chosen else NEITHER),), (chosen[-1] if chosen else UNTIL,))


def closed(body: Payload, account: str) -> Closed | None:
    """A `view_closed` payload of one of our forms. It has no trigger, and nobody closes a view twice."""
    view = part(body, "view")
    if view.get("callback_id") != CALLBACK or not text(part(body, "user"), "id") or not text(view, "id"):
        return None
    arrival = from_user(body, _installed_in(view, account), once=f"closed:{text(view, 'id')}")
    return Closed(**arrival, token=text(_metadata(view), "token"))


def fields(body: Payload) -> dict[str, str]:
    """The block id of each form field in a submitted view, in order: where an error can be shown."""
    blocks = part(body, "view").get("blocks")
    ids = [
        text(block, "block_id")
        for block in (blocks if isinstance(blocks, list) else [])
        if isinstance(block, dict) and block.get("type") == "input"
    ]
    return {field_of(one): one for one in ids}


def hints(body: Payload) -> dict[str, str]:
    """The hint below each form field of a submitted view that has one, by block id."""
    blocks = part(body, "view").get("blocks")
    shown = [block for block in (blocks if isinstance(blocks, list) else []) if isinstance(block, dict)]
    return {text(one, "block_id"): text(part(one, "hint"), "text") for one in shown if text(part(one, "hint"), "text")}


def beside(
    fields: Mapping[str, str], complaints: Sequence[tuple[str, str]], hints: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Complaints keyed by the block id of their field, or of the first field when they have none: Slack shows errors
    nowhere else. It shows them above the hint of the field, which is not said twice."""
    first, known = next(iter(fields.values()), ""), hints or {}
    found: dict[str, list[str]] = {}
    for name, detail in complaints:
        block_id = fields.get(name, first)
        is_hint = f"\n{neutralise(detail).strip()}\n" in f"\n{known.get(block_id, '')}\n"
        found.setdefault(block_id, []).append(NOT_AS_ASKED if is_hint else detail)
    return {block_id: "; ".join(dict.fromkeys(details)) for block_id, details in found.items()}


def _installed_in(view: Payload, account: str) -> str:
    """In a shared channel the payload's own team is the sender's."""
    return account if is_organisation(account) else text(view, "app_installed_team_id") or account


def _metadata(view: Payload) -> Payload:
    try:
        kept = json.loads(text(view, "private_metadata"))
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}

"""Forms that a person had open: what they sent, where an error can stand, and that they closed one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from adapters.inbound import Closed, Submitted
from adapters.slack.entries import field_of, picked, typed
from adapters.slack.payload import Payload, from_user, is_known, part, text
from blocks.slack.modal import CALLBACK


def submission(body: Payload, account: str) -> Submitted | None:
    """A `view_submission` payload of one of our forms."""
    view = part(body, "view")
    if view.get("callback_id") != CALLBACK or not is_known(body):
        return None
    kept = _metadata(view)
    values = part(part(view, "state"), "values")
    return Submitted(
        **from_user(body, _installed_in(view, account)),
        token=text(kept, "token"),
        fields=typed(values),
        channel=text(kept, "channel") or None,
        picked=picked(values),
    )


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


def beside(fields: Mapping[str, str], complaints: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Complaints keyed by the block id of their field, or of the first field when they have none: Slack shows errors
    nowhere else."""
    first = next(iter(fields.values()), "")
    found: dict[str, list[str]] = {}
    for name, detail in complaints:
        found.setdefault(fields.get(name, first), []).append(detail)
    return {block_id: "; ".join(dict.fromkeys(details)) for block_id, details in found.items()}


def _installed_in(view: Payload, account: str) -> str:
    """In a shared channel the payload's own team is the sender's."""
    return text(view, "app_installed_team_id") or account


def _metadata(view: Payload) -> Payload:
    try:
        kept = json.loads(text(view, "private_metadata"))
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}

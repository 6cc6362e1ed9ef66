"""What a commit tells other processes on PostgreSQL, and how it is spelled."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import text

from core.outbox import Lane
from core.people import Identity
from core.ports import Committed
from core.store.prepared import OFTEN

CHANNEL = "sayso"
"""The PostgreSQL channel on which processes tell each other what was committed."""
LONGEST_NOTICE = 7_900
"""PostgreSQL refuses notices of 8000 bytes."""
TELL = text(
    """
    SELECT pg_notify(:channel, :before || coalesce(
        (SELECT json_agg(json_build_array(id, position))::text FROM workspaces WHERE id = ANY(:workspaces)), :none
    ) || :behind)
    """
).execution_options(**OFTEN)


def notice(change: Committed) -> str:
    """Spell a change for other processes; one too long to send says that anything may have changed."""
    spelled = json.dumps({"p": change.positions, **_words(change)}, separators=(",", ":"))
    return spelled if len(spelled) <= LONGEST_NOTICE else "{}"


def notice_around(change: Committed) -> dict[str, Any]:
    """The parameters of `TELL` for a change whose positions are not known yet: what stands before them, the workspaces
    whose they are, what stands there for none, and what stands behind them. As given they are as long as can be."""
    own = {"channel": CHANNEL, "workspaces": [workspace for workspace, _ in change.positions]}
    if notice(change) == "{}":
        return {**own, "before": "{}", "workspaces": [], "none": "", "behind": ""}
    rest = json.dumps(_words(change), separators=(",", ":"))
    return {**own, "before": '{"p":', "none": "[]", "behind": f",{rest[1:]}"}


def _words(change: Committed) -> dict[str, Any]:
    words: dict[str, Any] = {"i": change.interactions, "l": [one.value for one in change.lanes]}
    if change.dropped:
        words["d"] = [(workspace, one.provider, one.account, one.user) for workspace, one in change.dropped]
    return words


def read_notice(spelled: str) -> Committed:
    """Read what `notice` spelled. Anything else means that anything may have changed."""
    try:
        words = json.loads(spelled)
        return Committed(
            interactions=tuple(words["i"]),
            positions=tuple((str(workspace), int(position)) for workspace, position in words["p"]),
            lanes=tuple(Lane(lane) for lane in words["l"]),
            dropped=tuple(
                (str(workspace), Identity(provider=provider, account=account, user=user))
                for workspace, provider, account, user in words.get("d", ())
            ),
        )
    except (ValueError, KeyError, TypeError):
        return Committed(missed=True)

"""Lines of the audit in words, for a page and for a terminal. What comes from outside is isolated; surfaces escape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from blocks.words import isolate, one_line
from core.audit import AuditLine, Changed

WHAT: Final[Mapping[Changed, str]] = {
    Changed.AGENT_ADDED: "added the agent",
    Changed.AGENT_REVOKED: "revoked the agent",
    Changed.AGENT_ROTATED: "gave another key to the agent",
    Changed.AGENT_LINKED: "linked a bot account to the agent",
    Changed.AGENT_UNLINKED: "took a bot account from the agent",
    Changed.PERSON_ADDED: "added the person",
    Changed.PERSON_ROLE: "changed the role of",
    Changed.PERSON_SET: "changed the time or the preferred chat of",
    Changed.PERSON_FORGOTTEN: "forgot a person, now",
    Changed.PERSON_MERGED: "found that somebody who answered here is",
    Changed.ACCOUNT_PROVED: "proved another account, to be confirmed, of",
    Changed.ACCOUNT_ADDED: "added an account of",
    Changed.ACCOUNT_REMOVED: "took an account from",
    Changed.TOOL_POLICY: "changed what becomes of calls of",
    Changed.CALENDAR: "changed the working calendar",
    Changed.INVITED: "made a link that connects a Slack workspace",
    Changed.CHAT_CONNECTED: "connected",
    Changed.CHAT_ENDED: "disconnected",
    Changed.WORKSPACE_ADDED: "added the workspace",
    Changed.KEY_ROTATED: "put another signing key in use",
    Changed.PURGED: "purged what was settled",
    Changed.SETTING: "began to run with another",
}


NAMES: Final[Mapping[str, str]] = {"old_ends": "the old key ends"}
"""What was changed, where its name in the audit is not a word."""


@dataclass(frozen=True)
class Audited:
    """One line: who, what they did, and from what to what, where that is known."""

    who: str
    what: str
    change: str


def audited(line: AuditLine) -> Audited:
    """A line in words."""
    name = isolate(one_line(line.about.name or "")) or (line.about.id if line.about.type in ("chat", "key") else "")
    account = f" ({isolate(one_line(line.actor.identity))})" if line.actor.handle and line.actor.identity else ""
    return Audited(
        who=f"{isolate(one_line(str(line.actor)))}{account}",
        what=f"{WHAT[line.what]} {name}".rstrip(),
        change="; ".join(_changes(line.before or {}, line.after or {})),
    )


def _changes(before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        was, now = _spelled(before.get(name)), _spelled(after.get(name))
        called = NAMES.get(name, name.replace("_", " "))
        if name in before and name in after:
            if was != now:
                yield f"{called}: {was} → {now}"
        else:
            yield f"{called}: {now if name in after else f'{was} → nothing'}"


def _spelled(value: JsonValue) -> str:
    if isinstance(value, str):
        return isolate(one_line(value)) or "nothing"
    if isinstance(value, list):
        return ", ".join(_spelled(one) for one in value) or "nothing"
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)

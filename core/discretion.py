"""What is between an asker and us: where it hears of what it asked, and what it wants to hear again. Whoever else may
read a card, a work order or an event reads everything but that: such an address lets in whoever knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from core.people import Agent
from core.records import Continuation

_ASKERS: Final = {"interaction": "creator", "loop": "sender", "alert": "by"}
"""What an event may be about, and who asked for it there."""
_NONE: Final = Continuation().model_dump(mode="json")


def as_read_by(agent: Agent, shown: Mapping[str, Any]) -> dict[str, Any]:
    """A card or a work order as the API shows it to this agent."""
    asker = shown.get("creator") or shown.get("sender")
    return {**shown} if _is(agent, asker) else {**shown, "continuation": _NONE}


def event_as_read_by(agent: Agent, event: Mapping[str, Any]) -> dict[str, Any]:
    """An event as list and stream show it to this agent."""
    data = event["data"]
    about = next((name for name in _ASKERS if name in data), None)
    if about is None or _is(agent, data[about].get(_ASKERS[about])):
        return {**event}
    hidden = {about: as_read_by(agent, data[about])} if "continuation" in data[about] else {}
    return {**event, "data": {**data, **hidden, "state": None}}


def _is(agent: Agent, asker: Any) -> bool:
    return isinstance(asker, Mapping) and (asker.get("type"), asker.get("id")) == ("agent", agent.id)

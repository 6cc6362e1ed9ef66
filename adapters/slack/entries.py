"""What the controls of a message or a form hold: Slack's `state.values`, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from adapters.slack.payload import Payload, text
from blocks.slack.controls import is_pick, token_of


def picked(values: Payload) -> tuple[str, ...]:
    """The tokens of every option that counts with something else: a box, one of a menu, a radio button of a form."""
    return tuple(
        token_of(action_id, text(one, "value"))
        for _, action_id, state in _elements(values)
        if is_pick(action_id)
        for one in chosen(state)
    )


def chosen(state: Payload) -> list[Payload]:
    """The options an element has chosen, whether it takes one or several."""
    several = state.get("selected_options") or [state.get("selected_option")]
    return [one for one in several if isinstance(one, Mapping)] if isinstance(several, list) else []


def typed(values: Payload) -> dict[str, str]:
    """Every form field that holds no options of ours; one left empty is an empty text."""
    return {
        field_of(block_id): _value(state) for block_id, action_id, state in _elements(values) if not is_pick(action_id)
    }


def field_of(block_id: str) -> str:
    """The form field that an input block is for: its id without the revision."""
    return block_id.rpartition(":")[0]


def _value(state: Payload) -> str:
    option, moment = state.get("selected_option"), state.get("selected_date_time")
    if isinstance(moment, int):
        return _moment(moment)
    names = ("value", "selected_date", "selected_user")
    found = (
        option.get("value")
        if isinstance(option, Mapping)
        else next((state[one] for one in names if one in state), None)
    )
    return str(found) if found is not None else ""


def _moment(seconds: int) -> str:
    """Unix seconds in RFC 3339; as they are where they name no moment, which is then no time."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return str(seconds)


def _elements(values: Payload) -> Iterator[tuple[str, str, Payload]]:
    for block_id, elements in values.items():
        for action_id, state in (elements if isinstance(elements, Mapping) else {}).items():
            if isinstance(state, Mapping):
                yield block_id, action_id, state

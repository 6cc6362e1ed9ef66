"""The words for whom a card is for. Surfaces mark up accounts of their own chat and say nothing else of their own."""

from __future__ import annotations

from typing import Final, assert_never

from core.addresses import ChatAddress, PersonAddress, Provider, ReviewAddress, parse_address
from core.audience import Audience

MAY_ANSWER: Final = "May answer"
OR: Final = "or"
"""Before the last of those who may: one of them is enough."""
CHATS: Final = {Provider.SLACK: "Slack", Provider.TELEGRAM: "Telegram"}
_HERE: Final = "anyone in this conversation"
_THERE: Final = "anyone in the conversation where it was asked"


def answerers(audience: Audience, *, here: bool = True) -> tuple[str | ChatAddress, ...]:
    """Everybody who may answer, each once: in words, or an account in a chat. `here`: read where it was asked."""
    return tuple(_answerer(one, here=here) for one in dict.fromkeys(audience.answerers))


def account(address: ChatAddress) -> str:
    """An account as those read it who cannot look it up: `Slack user U1`."""
    return f"{CHATS[address.provider]} user {address.place}"


def notes(audience: Audience) -> tuple[str, ...]:
    """What else is to be known of those who may."""
    guests = ("guests too",) if audience.guests and "conversation" in audience.answerers else ()
    return (*guests, *(("not whoever asked",) if "creator" in audience.exclude else ()))


def _answerer(text: str, *, here: bool) -> str | ChatAddress:
    if text == "conversation":
        return _HERE if here else _THERE
    if text == "role:operator":
        return "any operator"
    if text.startswith("agent:"):
        return f"agent {text.removeprefix('agent:')}"
    address = parse_address(text)
    match address:
        case ChatAddress():
            return address
        case PersonAddress():
            return address.handle
        case ReviewAddress():
            return "nobody"
        case _:
            assert_never(address)

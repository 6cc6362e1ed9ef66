"""Where a message is found in Telegram."""

from __future__ import annotations

from typing import Final

_SUPERGROUP: Final = "-100"


def message_url(chat: str, message: str, topic: str | None) -> str | None:
    """The address of a message, for whoever is in its supergroup. Messages of other chats have none."""
    if not chat.startswith(_SUPERGROUP):
        return None
    place = chat.removeprefix(_SUPERGROUP)
    return f"https://t.me/c/{place}/{topic}/{message}" if topic is not None else f"https://t.me/c/{place}/{message}"

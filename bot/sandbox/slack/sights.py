"""What a person sees of a message: as it is, or as it was when their client last heard of it."""

from __future__ import annotations

from dataclasses import replace

from bot.sandbox.slack.world import Message


class Sights:
    """Whose client is behind, and since when."""

    def __init__(self) -> None:
        self._since: dict[str, str] = {}

    def freeze(self, user: str, stamp: str) -> None:
        """Let `user` see everything as it is at `stamp`, from now on."""
        self._since[user] = stamp

    def refresh(self, user: str) -> None:
        """Let `user` see everything as it is."""
        self._since.pop(user, None)

    def of(self, user: str, message: Message) -> Message | None:
        """The message as `user` sees it; None when it was posted after their client stopped hearing."""
        since = self._since.get(user)
        if since is None or (message.edited or message.ts) <= since:
            return message
        known = [index for index, version in enumerate(message.history) if version.ts <= since]
        return version_of(message, known[-1]) if known else None


def version_of(message: Message, number: int) -> Message:
    """A message as it was after so many edits; 0 is as posted."""
    if number >= len(message.history):
        return message
    earlier = message.history[number]
    return replace(message, text=earlier.text, blocks=earlier.blocks, history=message.history[:number])

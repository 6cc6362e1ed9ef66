"""Where the messages of cards and work orders are found in the chats, for lists that people read there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.addresses import Provider
from core.channels import Channel
from core.loops.values import LoopCopy
from core.people import Identity, Membership
from core.publications import Publication, PublicationState

Channels = Callable[[str, Provider], Mapping[str, Channel]]
"""The connected chats of a workspace, by account."""
_SHOWN = frozenset({PublicationState.POSTED, PublicationState.SETTLED})


class MessageLinks:
    """`channels` are those that this process is connected to."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels

    def nearest(
        self,
        workspace: str,
        reader: Identity | None,
        memberships: Mapping[str, Membership],
        copies: Sequence[Publication],
    ) -> str | None:
        """The address of a copy that a reader is sure to see in the chat in which they read the list: one in a chat of
        their own first. None: there is none, or they read it elsewhere."""
        if reader is None:
            return None
        own = [copy for copy in copies if copy.is_private and copy.place == reader.user]
        shared = [copy for copy in copies if memberships.get(copy.conversation) is Membership.YES]
        found = (self.of(workspace, reader, copy) for copy in (*own, *shared))
        return next((address for address in found if address is not None), None)

    def of(self, workspace: str, reader: Identity | None, copy: Publication | LoopCopy) -> str | None:
        """The address of one copy in the chat in which somebody reads a list; None: there it has none."""
        if reader is None or copy.provider.value != reader.provider or copy.message is None:
            return None
        if copy.state not in _SHOWN or (copy.provider is Provider.SLACK and copy.account != reader.account):
            return None
        channel = self._channels(workspace, copy.provider).get(copy.account)
        if channel is None:
            return None
        return channel.message_url(copy.channel or copy.place, copy.message, copy.thread)

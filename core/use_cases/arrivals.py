"""What arrives from a chat, as the use cases take it: a press, a submitted form, a message."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.addresses import ChatAddress, Provider
from core.controls import Control
from core.fields import Fields
from core.people import Identity, Membership, Standing, Target, Via
from core.touches import Touch


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """Common to all. `key` is its inbox key; `standing` is what the provider says of its sender now."""

    key: str
    workspace: str
    provider: Provider
    account: str
    identity: Identity
    standing: Standing

    @property
    def via(self) -> Via:
        """The surface."""
        return Via(self.provider.value)


@dataclass(frozen=True, kw_only=True)
class Press(Arrival):
    """A press on a card. `carried`: the provider vouches that the message has this control; `prompts`: this chat has no
    modal, so forms are asked by a prompt. `touch`: it was on a group of boxes, of which `picked` are ticked now."""

    channel: str
    message: str
    control: Control
    picked: tuple[Control, ...]
    carried: bool
    prompts: bool
    touch: Touch | None = None

    @property
    def conversation(self) -> str:
        """Where it was pressed, without the thread."""
        return str(ChatAddress(self.provider, self.account, self.channel))


@dataclass(frozen=True, kw_only=True)
class Submission(Arrival):
    """A form that only its sender had, opened by `control` on a copy of the card. `picked` are the options chosen in
    it; `membership` says whether its sender is in the conversation of that copy now, and `target` whom the form names,
    with what the provider says of them."""

    control: Control
    fields: Fields
    picked: tuple[Control, ...] = ()
    membership: Membership = Membership.UNDETERMINED
    target: Target | None = None


@dataclass(frozen=True, kw_only=True)
class Message(Arrival):
    """A message. `reply_to` is the one that it answers, or in whose thread it is; `to_us`: that one is known to be
    ours; `own`: its sender wrote it; `attached`: it is a photo, a recording or the like, and has no text."""

    channel: str
    message: str
    private: bool
    text: str = ""
    reply_to: str | None = None
    to_us: bool = False
    own: bool = True
    attached: bool = False

    @property
    def conversation(self) -> str:
        """Where it was written, without the thread."""
        return str(self._place)

    @property
    def spelled(self) -> str:
        """Where it is, for those who quote it: `slack:T1.C1/1712.0001`."""
        return str(replace(self._place, thread=self.message))

    @property
    def in_thread(self) -> bool:
        """Whether people may be talking among themselves where this was written."""
        return self.provider is Provider.SLACK and self.reply_to is not None

    @property
    def _place(self) -> ChatAddress:
        return ChatAddress(self.provider, self.account, self.channel)

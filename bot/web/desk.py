"""Cards as a person opens them: may they read it, and may they answer?"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.authority import Authority
from bot.web.auth import Visitor
from core.audience import Candidate
from core.errors import IdentityUndetermined, Invalid, NotFound, Refused
from core.ids import id_bytes
from core.people import Role
from core.reading import Records, Whole
from core.records import Interaction
from core.use_cases.answer import admit

UNKNOWN = "There is no such card."


@dataclass(frozen=True)
class Opened:
    """A card that a visitor may read. `refusal` is why they may not answer it, None when they may."""

    visitor: Visitor
    whole: Whole
    candidate: Candidate
    refusal: str | None

    @property
    def interaction(self) -> Interaction:
        """The card."""
        return self.whole.interaction


class Desk:
    """Opens cards, judging anew each time."""

    def __init__(self, records: Records, authority: Authority) -> None:
        self._records = records
        self._authority = authority

    async def open(self, visitor: Visitor, id: str) -> Opened:
        """A card that this visitor may read: the audience admits them now, or they acted on it, or they operate here.

        Raises `NotFound` for an unknown one and for another's alike, and `IdentityUndetermined` where a chat could not
        say whether it is theirs.
        """
        try:
            id_bytes("int", id)
        except Invalid:
            raise NotFound(UNKNOWN) from None
        person = visitor.person
        whole = await self._records.interaction(person.workspace, id, None)
        if whole is None:
            raise NotFound(UNKNOWN)
        known = await self._authority.candidate(person, visitor.identity, whole.publications)
        candidate = replace(known, signed_in_at=visitor.signed_in_at)
        try:
            admit(whole.interaction, whole.publications, candidate)
        except Refused as refused:
            if person.role is Role.OPERATOR or await self._records.has_acted(person.workspace, id, person):
                return Opened(visitor, whole, candidate, str(refused))
            if isinstance(refused, IdentityUndetermined):
                raise
            raise NotFound(UNKNOWN) from None
        return Opened(visitor, whole, candidate, None)

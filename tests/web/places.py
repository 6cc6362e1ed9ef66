"""A chat that says who somebody is and where they belong, as a test tells it to."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.addresses import Provider
from core.people import Identity, Membership, Standing


@dataclass
class Place:
    """A chat that answers what it is told to about who belongs where. By default Ana and Ben are in every channel."""

    provider: Provider
    account: str
    members: set[str] = field(default_factory=lambda: {"U1", "U2"})
    away: bool = False
    profiles: dict[str, Standing] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    async def place_name(self, place: str) -> str:
        return self.names.get(place, "")

    async def standing(self, identity: Identity) -> Standing:
        if self.away:
            return Standing(known=False)
        return self.profiles.get(identity.user, Standing(name=""))

    async def membership(self, identity: Identity, channel: str) -> Membership:
        if self.away:
            return Membership.UNDETERMINED
        return Membership.YES if identity.user in self.members else Membership.NO

"""What is known of a person at this moment: what their provider says of them, and where they belong.

Profile facts are at most five minutes old and dropped when the provider says they changed; membership is asked
when it matters. The rules judge; this only asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from bot.remembered import Remembered
from core.addresses import Provider
from core.audience import Candidate
from core.channels import Channel
from core.errors import ChannelError
from core.installations import may_be_in
from core.loops.values import LoopCopy
from core.people import Identity, Membership, Person, Standing
from core.ports import Context
from core.publications import Publication
from core.reading import Records
from core.use_cases.transact import transact

FRESH = timedelta(minutes=5)
PATIENCE = 1.5
"""Seconds a provider has to say who somebody is: a press must be acknowledged within three."""

KnownIn = Callable[[str, Provider], Mapping[str, Channel]]
"""The channels of a provider that are a workspace's, by account."""


class Authority:
    """Asks the connected chats who somebody is and where they belong. Without `remembered` nothing is remembered
    outside the database."""

    def __init__(
        self,
        context: Context,
        records: Records,
        known_in: KnownIn,
        remembered: Remembered | None = None,
    ) -> None:
        self._context = context
        self._records = records
        self._known_in = known_in
        self._remembered = remembered or Remembered(records.standing, most=0)

    async def standing(self, workspace: str, identity: Identity, hint: Standing) -> Standing:
        """What is known of an identity now. The payload's `hint` can only rule out or name."""
        if hint.bot or hint.anonymous or identity.provider != Provider.SLACK.value:
            # Telegram says in the update itself all it will say of a sender.
            return hint
        now = self._context.clock.now()
        known = await self._remembered.standing(workspace, identity, now - FRESH, now)
        if known is None:
            known = await self._asked(workspace, identity)
        return known.model_copy(
            update={
                "external": known.external or hint.external,
                "guest": known.guest or hint.guest,
                "name": known.name or hint.name,
            }
        )

    async def _asked(self, workspace: str, identity: Identity) -> Standing:
        own = self._known_in(workspace, Provider(identity.provider))
        # Somebody whose own team is not connected here is asked about where they were met: any account of ours.
        channel = own.get(identity.account) or next(iter(own.values()), None)
        if channel is None:
            return Standing(known=False)
        try:
            async with asyncio.timeout(PATIENCE):
                standing = await channel.standing(identity)
        except (ChannelError, TimeoutError):
            return Standing(known=False)
        if standing.known:
            await transact(
                self._context, lambda work: work.keep_standing(workspace, identity, standing, self._context.clock.now())
            )
        return standing

    async def forget(self, workspace: str, identity: Identity) -> None:
        """Drop what was cached of an identity."""
        await transact(self._context, lambda work: work.forget_standing(workspace, identity))

    async def candidate(
        self, person: Person, identity: Identity | None, publications: Sequence[Publication]
    ) -> Candidate:
        """A person outside the chat (on the review page, in a list), with their current memberships.

        Each conversation is asked about once, all at the same time. Where another account of theirs than `identity`
        proves a membership, it counts as what that account is there: a guest in Slack is one with Telegram's code too.
        """
        standing = (
            await self.standing(person.workspace, identity, Standing(name=person.name))
            if identity
            else Standing(known=False)
        )
        copies = {publication.conversation: publication for publication in publications}
        answers = await asyncio.gather(*(self._membership(person, copy) for copy in copies.values()))
        proofs = tuple({proof for _, proof in answers if proof is not None and proof != identity})
        judged = await asyncio.gather(*(self.standing(person.workspace, one, Standing()) for one in proofs))
        others = dict(zip(proofs, judged, strict=True))
        memberships: dict[str, Membership] = {}
        for conversation, (membership, proof) in zip(copies, answers, strict=True):
            other = others.get(proof) if proof is not None else None
            memberships[conversation] = membership if other is None else _as(other)
            if other is not None and memberships[conversation] is Membership.YES:
                guest, external = standing.guest or other.guest, standing.external or other.external
                standing = standing.model_copy(update={"guest": guest, "external": external})
        return Candidate(person=person, identity=identity, standing=standing, memberships=memberships)

    async def _membership(self, person: Person, publication: Publication) -> tuple[Membership, Identity | None]:
        """Whether a person belongs to the conversation of a copy, and the account of theirs that does."""
        found = Membership.NO
        for identity in person.identities:
            if identity.provider != publication.provider.value:
                continue
            if not may_be_in(identity, publication.provider, publication.account):
                continue
            if identity.user in (publication.place, publication.channel):
                return Membership.YES, identity
            channel = self._known_in(person.workspace, publication.provider).get(publication.account)
            if channel is None:
                return Membership.UNDETERMINED, None
            try:
                async with asyncio.timeout(5):
                    answer = await channel.membership(identity, publication.channel or publication.place)
            except (ChannelError, TimeoutError):
                answer = Membership.UNDETERMINED
            if answer is Membership.YES:
                return answer, identity
            if answer is Membership.UNDETERMINED:
                found = answer
        return found, None

    async def belongs(self, workspace: str, identity: Identity, interaction: str, number: int) -> Membership:
        """Whether somebody is now in the conversation of copy `number`, which they opened a form from.

        The press that opened it proved that they were. Where the chat cannot say whether they still are, that proof
        is good for as long as other facts of theirs.
        """
        whole = await self._records.interaction(workspace, interaction, None)
        copies = whole.publications if whole is not None else ()
        copy = next((one for one in copies if one.number == number), None)
        if whole is None or copy is None or copy.provider.value != identity.provider:
            return Membership.NO
        if "conversation" not in whole.interaction.audience.answerers:
            return Membership.NO
        return await self._is_in(workspace, identity, copy, copy.conversation)

    async def is_in(self, workspace: str, identity: Identity, copy: LoopCopy) -> Membership:
        """The same for the card of a work order."""
        return await self._is_in(workspace, identity, copy, copy.where)

    async def _is_in(
        self, workspace: str, identity: Identity, copy: Publication | LoopCopy, conversation: str
    ) -> Membership:
        if identity.user in (copy.place, copy.channel):
            return Membership.YES
        found = await self._asked_of(workspace, identity, copy)
        if found is not Membership.UNDETERMINED:
            return found
        seen = await self._records.last_seen(workspace, identity, conversation)
        # What was noted while a clock was ahead may be of any time.
        fresh = seen is not None and abs(self._context.clock.now() - seen) <= FRESH
        return Membership.YES if fresh else Membership.UNDETERMINED

    async def _asked_of(self, workspace: str, identity: Identity, copy: Publication | LoopCopy) -> Membership:
        channel = self._known_in(workspace, copy.provider).get(copy.account)
        if channel is None:
            return Membership.UNDETERMINED
        try:
            async with asyncio.timeout(PATIENCE):
                return await channel.membership(identity, copy.channel or copy.place)
        except (ChannelError, TimeoutError):
            return Membership.UNDETERMINED


def _as(standing: Standing) -> Membership:
    """What a membership is worth that an account in this standing has."""
    if not standing.known:
        return Membership.UNDETERMINED
    return Membership.NO if standing.deleted or standing.bot else Membership.YES

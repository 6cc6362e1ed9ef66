"""The chats' credentials, and who is on their way to install."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import and_, delete, insert, or_, select, update

from core.addresses import Provider
from core.installations import Installation, InstallState, Invitation
from core.outbox import Lane
from core.ports import Connection
from core.store.directory import connection_of
from core.store.installation_rows import (
    installation_of,
    installation_row,
    invitation_of,
    is_installation,
    state_of,
)
from core.store.tables import (
    WAITING,
    connections,
    install_states,
    installations,
    invitations,
    outbox,
    publications,
)
from core.store.transaction import Transaction


class InstallingWork(Transaction):
    """Write installations, states and invitations."""

    async def installation(self, provider: Provider, account: str) -> Installation | None:
        # Two that install the same account for the first time have no row to lock.
        await self._lock_name(f"installation {provider.value} {account}")
        which = is_installation(provider, account)
        row = await self._one(select(installations).where(which).with_for_update())
        return installation_of(row) if row else None

    async def put_installation(self, installation: Installation) -> None:
        values = installation_row(installation)
        put = self._upsert(installations).values({**values, "generation": 1})
        changed = {name: value for name, value in values.items() if name not in ("provider", "account")}
        changed["generation"] = installations.c.generation + 1
        await self._run(put.on_conflict_do_update(index_elements=["provider", "account"], set_=changed))

    async def renew_installation(self, before: Installation, after: Installation) -> bool:
        unchanged = installations.c.generation == before.generation
        which = and_(is_installation(before.provider, before.account), unchanged)
        values = {**installation_row(after), "generation": before.generation + 1}
        return await self._changed(update(installations).where(which).values(values)) == 1

    async def keep_facts(self, installation: Installation) -> bool:
        unchanged = installations.c.generation == installation.generation
        which = and_(is_installation(installation.provider, installation.account), unchanged)
        facts = installation_row(installation)["facts"]
        return await self._changed(update(installations).where(which).values(facts=facts)) == 1

    async def drop_installation(self, provider: Provider, account: str) -> bool:
        gone = await self._changed(delete(installations).where(is_installation(provider, account))) == 1
        if gone:
            which = (connections.c.provider == provider.value, connections.c.account == account)
            await self._run(delete(connections).where(*which))
        return gone

    async def connection_at(self, provider: Provider, account: str) -> Connection | None:
        which = (connections.c.provider == provider.value, connections.c.account == account)
        row = await self._one(select(connections).where(*which))
        return connection_of(row) if row else None

    async def hurry(self, provider: Provider, account: str, now: datetime) -> int:
        copies = select(publications.c.id).where(
            publications.c.provider == provider.value, publications.c.account == account
        )
        theirs = or_(outbox.c.key.startswith(f"{provider.value}:{account}.", autoescape=True), outbox.c.key.in_(copies))
        later = and_(outbox.c.state == WAITING, outbox.c.due_at > now, theirs)
        self._lanes |= set(Lane)
        return await self._changed(update(outbox).where(later).values(due_at=now))

    async def add_install_state(self, state: InstallState) -> None:
        await self._run(insert(install_states).values(asdict(state)))

    async def take_install_state(self, hash: str, now: datetime) -> InstallState | None:
        # One statement: of two that bring the same state, one deletes the row and the other finds none.
        row = await self._one(delete(install_states).where(install_states.c.hash == hash).returning(*install_states.c))
        return state_of(row) if row is not None and now < row.expires_at else None

    async def add_invitation(self, invitation: Invitation) -> None:
        await self._run(insert(invitations).values(asdict(invitation)))

    async def invitation(self, code: str) -> Invitation | None:
        row = await self._one(select(invitations).where(invitations.c.code == code).with_for_update())
        return invitation_of(row) if row else None

    async def save_invitation(self, invitation: Invitation) -> None:
        values = asdict(invitation)
        if await self._changed(update(invitations).where(invitations.c.code == invitation.code).values(values)) != 1:
            raise LookupError("there is no such invitation")

"""Keys, sign-ins, sessions and links: who may come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Table, func, insert, or_, select, update

from core.access import Asked, Link, Session, SignIn
from core.errors import Misconfigured
from core.people import Agent
from core.store.doors import link_of, link_row, signin_of
from core.store.tables import agent_keys, agent_secrets, agents, links, people, sessions, signins
from core.store.transaction import Transaction


class AccessWork(Transaction):
    """Write what lets agents and people in."""

    async def add_agent(self, agent: Agent, key_hash: str, webhook_secret: str, now: datetime) -> None:
        row = {"id": agent.id, "workspace": agent.workspace, "name": agent.name, "role": agent.role.value}
        await self._run(insert(agents).values(**row, created_at=now, revoked_at=now if agent.revoked else None))
        await self._give(agent.id, key_hash, webhook_secret, now)

    async def _give(self, agent: str, key_hash: str, webhook_secret: str, now: datetime) -> None:
        await self._run(insert(agent_keys).values(hash=key_hash, agent=agent, created_at=now))
        sealed = self._vault.seal(agent, webhook_secret)
        await self._run(insert(agent_secrets).values(agent=agent, secret=sealed, created_at=now))

    async def reseal_webhook_secrets(self, limit: int, after: int = 0) -> int | None:
        table, known = agent_secrets.c, self._vault.prefix
        old = (table.seq > after, ~table.secret.startswith(known, autoescape=True))
        found = select(table.seq, table.agent, table.secret).where(*old).order_by(table.seq).limit(limit)
        rows = await self._all(found.with_for_update(skip_locked=True))
        for row in rows:
            try:
                sealed = self._vault.seal(row.agent, self._vault.open(row.agent, row.secret))
            except Misconfigured:
                continue  # it waits for the key that opens it, and whoever delivers with it says so
            await self._run(update(agent_secrets).where(table.seq == row.seq).values(secret=sealed))
        return rows[-1].seq if len(rows) == limit else None

    async def rotate_agent(
        self, agent: str, key_hash: str, webhook_secret: str, now: datetime, previous_until: datetime
    ) -> None:
        await self._end_by(agent_keys, agent, previous_until)
        await self._end_by(agent_secrets, agent, previous_until)
        await self._give(agent, key_hash, webhook_secret, now)

    async def revoke_agent(self, workspace: str, agent: str, now: datetime) -> None:
        which = (agents.c.workspace == workspace, agents.c.id == agent, agents.c.revoked_at.is_(None))
        if await self._changed(update(agents).where(*which).values(revoked_at=now)) == 1:
            await self._end_by(agent_keys, agent, now)
            await self._end_by(agent_secrets, agent, now)

    async def _end_by(self, table: Table, agent: str, moment: datetime) -> None:
        later = or_(table.c.ends_at.is_(None), table.c.ends_at > moment)
        await self._run(update(table).where(table.c.agent == agent, later).values(ends_at=moment))

    async def add_signin(self, signin: SignIn) -> None:
        await self._run(insert(signins).values(asdict(signin)))

    async def signin(self, id: str) -> SignIn | None:
        row = await self._one(select(signins).where(signins.c.id == id).with_for_update())
        return signin_of(row) if row else None

    async def save_signin(self, signin: SignIn) -> None:
        await self._save(signins, "id", asdict(signin))

    async def signins_since(self, workspace: str, person: str, since: datetime, asked: Asked = Asked.BY_NAME) -> int:
        which = (people.c.workspace == workspace, people.c.id == person)
        await self._one(select(people.c.id).where(*which).with_for_update(key_share=True))
        sent = select(func.count()).where(
            signins.c.workspace == workspace,
            signins.c.person == person,
            signins.c.created_at >= since,
            # What is written by name has no dot: the hash of a browser alone.
            signins.c.browser.startswith(asked.value, autoescape=True) if asked else signins.c.browser.not_like("%.%"),
        )
        return int((await self._run(sent)).scalar_one())

    async def add_session(self, session: Session) -> None:
        await self._run(insert(sessions).values(asdict(session)))

    async def revoke_session(self, token: str, now: datetime) -> None:
        which = (sessions.c.token == token, sessions.c.revoked_at.is_(None))
        await self._run(update(sessions).where(*which).values(revoked_at=now))

    async def add_link(self, link: Link) -> None:
        await self._run(insert(links).values(link_row(link)))

    async def link(self, code: str) -> Link | None:
        row = await self._one(select(links).where(links.c.code == code).with_for_update())
        return link_of(row) if row else None

    async def save_link(self, link: Link) -> None:
        await self._save(links, "code", link_row(link))

    async def claimed_links(self, workspace: str) -> Sequence[Link]:
        table = links.c
        rows = await self._all(
            select(links)
            .where(table.workspace == workspace, table.used_at.is_not(None), table.confirmed_at.is_(None))
            .order_by(table.used_at, table.code)
        )
        return [link_of(row) for row in rows]

    async def _save(self, table: Table, key: str, row: dict[str, Any]) -> None:
        if await self._changed(update(table).where(table.c[key] == row[key]).values(row)) != 1:
            raise LookupError(f"there is no such row in {table.name}")

"""Accounts that somebody who is signed in says are theirs too: proved by a code or a sign-in, then to be confirmed.

All of it is one session's. What ties it there is made of the session's own secret, which no browser ever sees, so that
nothing of it means anything in another session, or in another person's tab.
"""

from __future__ import annotations

import hmac
import json
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from bot.web.auth import Visitor
from bot.web.browsers import browser_name
from bot.web.codes import DIGITS, GOOD_FOR, PER_HOUR, TRIES, accounts_meant, reaches, read_name
from bot.web.entrance import use_up
from bot.web.security import Guard, hashed
from core.access import Asked, SignIn
from core.addresses import ChatAddress
from core.audit import Changed, about_person
from core.outbox import Lane, Say
from core.people import Identity
from core.ports import Connection, Context, Work
from core.use_cases.accounts import as_actor
from core.use_cases.auditing import note
from core.use_cases.recording import owe
from core.use_cases.transact import transact

FRESH: Final = timedelta(minutes=15)
"""How soon after signing in somebody may change their accounts: what a session was left open for is not that."""


HERE: Final = "/accounts"
CONFIRM: Final = f"{HERE}/confirm"


def confirm_at(token: str) -> str:
    """The page where an account that was proved is confirmed."""
    return f"{CONFIRM}?{urlencode({'claim': token})}"


@dataclass(frozen=True)
class Claim:
    """An account and what it is called over there."""

    identity: Identity
    name: str


class Claims:
    """Keeps claims, each good once and for ten minutes."""

    def __init__(self, context: Context, guard: Guard) -> None:
        self._context = context
        self._guard = guard

    def key(self, visitor: Visitor) -> str:
        """What ties a claim to a session."""
        return self._guard.sign("claim", visitor.session.csrf)

    def is_fresh(self, visitor: Visitor) -> bool:
        """Whether its person signed in so recently that they may change their accounts. A tap in a chat is no sign-in:
        whoever holds an unlocked telephone would give it an account for good."""
        since = visitor.signed_in_at
        return since is not None and self._context.clock.now() - since <= FRESH

    async def prove(self, visitor: Visitor, claim: Claim, mark: str | None = None) -> str:
        """Keep an account that was proved; the token with which it can be confirmed. `mark` as in `Entrance.enter`:
        raises `Used`."""
        return await transact(self._context, lambda work: self._prove(work, visitor, claim, mark))

    async def _prove(self, work: Work, visitor: Visitor, claim: Claim, mark: str | None) -> str:
        now, person = self._context.clock.now(), visitor.person
        if mark is not None:
            await use_up(work, claim.identity.provider, mark, now)
        after = {"account": str(claim.identity)}
        by = as_actor(person, visitor.identity)
        workspace = person.workspace
        await note(work, self._context, workspace, Changed.ACCOUNT_PROVED, about_person(person), after=after, by=by)
        return await self._keep(work, visitor, claim, "", None, now)

    async def look(self, visitor: Visitor, token: str) -> Claim | None:
        """What a token is of, if it can be confirmed now."""
        return await transact(self._context, lambda work: self._read(work, visitor, token, take=False))

    async def take(self, work: Work, visitor: Visitor, token: str) -> Claim | None:
        """The same, for good."""
        return await self._read(work, visitor, token, take=True)

    async def _read(self, work: Work, visitor: Visitor, token: str, *, take: bool) -> Claim | None:
        signin = await self._open(work, visitor, token)
        if signin is None or not hmac.compare_digest(signin.code, self._seal(signin.id, visitor, "")):
            return None
        if take:
            await work.save_signin(replace(signin, used_at=self._context.clock.now()))
        return _claim_in(signin.identity)

    async def send_code(self, visitor: Visitor, name: str, user_agent: str) -> str:
        """Owe a message with a code to the account in a chat that a name means. The token is the same whether or not
        there is such an account."""
        code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"

        async def inner(work: Work) -> str:
            now = self._context.clock.now()
            found = await self._meant(work, visitor, name, now)
            if found is None:
                return await self._keep(work, visitor, None, secrets.token_hex(), None, now)
            identity, way, owner = found
            where = ChatAddress(way.provider, way.account, identity.user)
            say = Say(
                provider=where.provider.value,
                account=way.account,
                channel=where.place,
                text=self._words(code, visitor, user_agent),
                secret=True,
            )
            await owe(work, self._context, visitor.person.workspace, Lane.TALK, str(where), say, now)
            return await self._keep(work, visitor, Claim(identity, ""), code, owner, now)

        return await transact(self._context, inner)

    async def _meant(
        self, work: Work, visitor: Visitor, name: str, now: datetime
    ) -> tuple[Identity, Connection, str] | None:
        """The account, what reaches it, and on whose account the message counts: they get at most three an hour."""
        workspace, address = visitor.person.workspace, read_name(name)
        if not isinstance(address, ChatAddress):
            return None
        connections = await work.connections(workspace)
        meant = await accounts_meant(work, workspace, connections, address)
        if len(meant) != 1 or meant[0] in visitor.person.identities:
            return None
        owner = await work.person_by_identity(workspace, meant[0])
        counted, since = owner.id if owner is not None else visitor.person.id, now - timedelta(hours=1)
        ways = sorted((one for one in connections if reaches(one, meant[0])), key=lambda one: one.problem is not None)
        if not ways or await work.signins_since(workspace, counted, since, Asked.BY_CLAIM) >= PER_HOUR:
            return None
        return meant[0], ways[0], counted

    async def take_code(self, visitor: Visitor, token: str, code: str) -> str | None:
        """Take a code: the token with which the account can be confirmed, or None when it does not do."""

        async def inner(work: Work) -> str | None:
            signin = await self._open(work, visitor, token)
            if signin is None or signin.tries >= TRIES:
                return None
            right = bool(code) and hmac.compare_digest(signin.code, self._seal(signin.id, visitor, code))
            used = self._context.clock.now() if right else None
            await work.save_signin(replace(signin, tries=signin.tries + 1, used_at=used))
            claim = _claim_in(signin.identity)
            return await self._prove(work, visitor, claim, None) if right and claim is not None else None

        return await transact(self._context, inner)

    async def _keep(
        self, work: Work, visitor: Visitor, claim: Claim | None, code: str, counted: str | None, now: datetime
    ) -> str:
        attempt = self._context.ids.new("sgn")
        await work.add_signin(
            SignIn(
                id=attempt,
                workspace=visitor.person.workspace,
                person=counted,
                browser=self._tied(visitor),
                code=self._seal(attempt, visitor, code),
                created_at=now,
                expires_at=now + GOOD_FOR,
                identity=_spelled(claim) if claim is not None else None,
            )
        )
        return attempt

    async def _open(self, work: Work, visitor: Visitor, token: str) -> SignIn | None:
        """The attempt of a token, if it is this session's, unused and not too old."""
        signin = await work.signin(token)
        if signin is None or not hmac.compare_digest(signin.browser, self._tied(visitor)):
            return None
        return signin if signin.used_at is None and signin.expires_at > self._context.clock.now() else None

    def _tied(self, visitor: Visitor) -> str:
        return f"{Asked.BY_CLAIM}{hashed(self.key(visitor))}"

    def _seal(self, attempt: str, visitor: Visitor, code: str) -> str:
        """What is kept of a code; of an account that was proved already there is none."""
        return self._guard.sign("claimed", f"{attempt}\0{self.key(visitor)}\0{code}")

    def _words(self, code: str, visitor: Visitor, user_agent: str) -> str:
        return (
            f"{visitor.name} ({visitor.person.handle}, signed in with {visitor.identity}) says at {self._guard.host} "
            f"that this account is theirs too. If you are {visitor.name}, type this code there: {code[:4]} {code[4:]}\n"
            f"{browser_name(user_agent)} asked for it; it is good for {GOOD_FOR.seconds // 60} minutes. Whoever gets "
            "it can answer as you: do not pass it on to anyone. If you did not ask for it, you need to do nothing."
        )


def _spelled(claim: Claim) -> str:
    return json.dumps({"name": claim.name, **claim.identity.model_dump(mode="json")})


def _claim_in(kept: str | None) -> Claim | None:
    if kept is None:
        return None
    known = json.loads(kept)
    name: str = known.pop("name")
    return Claim(Identity.model_validate(known), name)

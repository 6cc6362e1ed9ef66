"""Sign-in codes: who is meant, sending them a code in their own chat, and taking the code from the browser that asked.

Whether a name is somebody's is never told: a stranger's attempt is stored, answered and refused like any other.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from starlette.requests import Request

from bot.passes import pass_hash
from bot.web.auth import Sessions
from bot.web.browsers import browser_name
from bot.web.security import Guard, hashed
from bot.web.turnstile import Lately, network
from core.access import Asked, SignIn
from core.addresses import HANDLE, ChatAddress, PersonAddress, Provider, parse_address
from core.errors import Invalid
from core.installations import is_organisation, may_be_in
from core.outbox import Lane, Say
from core.people import Identity, Person
from core.ports import Connection, Context, Work
from core.reading import Records
from core.use_cases.passes import pass_in, take_pass
from core.use_cases.recording import owe
from core.use_cases.transact import transact

GOOD_FOR = timedelta(minutes=10)
HOUR = timedelta(hours=1)
TRIES = 5
PER_HOUR = 3
"""Messages that one person is sent at most, whoever asks for them by name."""
PER_NETWORK = 2
"""How many of them from one network address, so that no single stranger uses up all of them."""
DIGITS = 8


@dataclass(frozen=True)
class Found:
    """A person and the account in a chat that can reach them."""

    person: Person
    identity: Identity
    connection: Connection


class Codes:
    """Sends codes and takes them back."""

    def __init__(self, context: Context, records: Records, sessions: Sessions, guard: Guard) -> None:
        self._context = context
        self._records = records
        self._sessions = sessions
        self._guard = guard
        self._asked = Lately(PER_NETWORK, HOUR.total_seconds(), lambda: context.clock.now().timestamp())

    async def send(self, name: str, browser: str, user_agent: str, origin: str) -> str:
        """Note an attempt to sign in by a browser at the network address `origin`, and owe a message with a code to
        whoever the name, or the pass, means. The id of the attempt is returned whether or not that is anybody."""
        attempt, code = self._context.ids.new("sgn"), f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        workspaces = await self._records.workspaces()
        passed: dict[str, bool] = {}  # once, however often the transaction is tried

        async def note(work: Work) -> None:
            now = self._context.clock.now()
            found, asked = await self._by_pass(work, name), Asked.FROM_CHAT
            if found is None:
                found, asked = await _find(work, workspaces, name), Asked.BY_NAME
                if found is not None and not await self._may_send(work, found.person, origin, now, passed):
                    found = None
            signin = SignIn(
                id=attempt,
                workspace=found.person.workspace if found else workspaces[0],
                person=found.person.id if found else None,
                browser=f"{asked}{hashed(browser)}",
                code=self._seal(attempt, browser, code),
                created_at=now,
                expires_at=now + GOOD_FOR,
                identity=str(found.identity) if found else None,
            )
            await work.add_signin(signin)
            if found is not None:
                words = self._words(code, user_agent)
                where = ChatAddress(found.connection.provider, found.connection.account, found.identity.user)
                task = Say(
                    provider=where.provider.value,
                    account=found.connection.account,
                    channel=where.place,
                    text=words,
                    secret=True,
                )
                await owe(work, self._context, found.person.workspace, Lane.TALK, str(where), task, now)

        await transact(self._context, note)
        return attempt

    async def take(self, attempt: str, browser: str, code: str, request: Request) -> str | None:
        """Sign in: the cookie of a new session, or None when this code of this attempt does not do for this browser.
        The session that the browser had before ends."""

        async def check(work: Work) -> str | None:
            signin = await work.signin(attempt)
            now = self._context.clock.now()
            if signin is None or signin.browser.startswith(Asked.BY_CLAIM):
                return None
            if not hmac.compare_digest(signin.browser.removeprefix(Asked.FROM_CHAT), hashed(browser)):
                return None
            if signin.used_at is not None or signin.expires_at <= now or signin.tries >= TRIES:
                return None
            right = hmac.compare_digest(signin.code, self._seal(attempt, browser, code))
            person = await work.person(signin.workspace, signin.person) if signin.person and right else None
            if person is None:
                await work.save_signin(replace(signin, tries=signin.tries + 1))
                return None
            await work.save_signin(replace(signin, tries=signin.tries + 1, used_at=now))
            await self._sessions.close(work, request)
            return await self._sessions.open(work, person, signin.identity, now)

        return await transact(self._context, check)

    async def _by_pass(self, work: Work, name: str) -> Found | None:
        """Whoever typed a pass that their own chat was told; the code goes there."""
        word = pass_in(name)
        taken = await take_pass(work, self._context, pass_hash(word)) if word is not None else None
        if taken is None:
            return None
        person, identity = taken
        ways = _ways(await work.connections(person.workspace), (identity,))
        return Found(person, *ways[0]) if ways else None

    async def _may_send(self, work: Work, person: Person, origin: str, now: datetime, passed: dict[str, bool]) -> bool:
        """Whether one more code that was asked for by name may go to somebody. `passed`: whom this address asked for
        in this very attempt, and whether it may."""
        if await work.signins_since(person.workspace, person.id, now - HOUR) >= PER_HOUR:
            return False
        if person.id not in passed:
            passed[person.id] = self._asked.passes(f"{person.id} {network(origin)}")
        return passed[person.id]

    def _seal(self, attempt: str, browser: str, code: str) -> str:
        """What is stored of a code. It takes the service's key to try codes against it, and the browser's token."""
        return self._guard.sign("code", f"{attempt}\0{browser}\0{code}")

    def _words(self, code: str, user_agent: str) -> str:
        spaced = f"{code[:4]} {code[4:]}"
        return (
            f"Your code to sign in at {self._guard.host} is {spaced}\n"
            f"{browser_name(user_agent)} asked for it. Type it there within {GOOD_FOR.seconds // 60} minutes. "
            "Do not pass it on to anyone: nobody will ever ask you for it. "
            "If you did not ask for it, you need to do nothing."
        )


async def _find(work: Work, workspaces: Sequence[str], name: str) -> Found | None:
    """Whoever a typed name means: a handle (`ana`) or an account in a chat (`slack:U1`, `telegram:42`). A name that
    means people in several workspaces means nobody; the account's team in front tells them apart."""
    address = read_name(name)
    if address is None:
        return None
    found = [one for workspace in workspaces if (one := await _find_in(work, workspace, address)) is not None]
    return found[0] if len(found) == 1 else None


def read_name(name: str) -> ChatAddress | PersonAddress | None:
    """What a typed name may be: a handle, or an account in a chat."""
    text = name.strip().removeprefix("person:").removeprefix("@")
    if HANDLE.fullmatch(text.lower()):
        return PersonAddress(text.lower())
    try:
        address = parse_address(text)
    except Invalid:
        return None
    return address if isinstance(address, ChatAddress) else None


async def _find_in(work: Work, workspace: str, address: ChatAddress | PersonAddress) -> Found | None:
    connections = await work.connections(workspace)
    if isinstance(address, PersonAddress):
        person = await work.person_by_handle(workspace, address.handle)
        accounts = person.identities if person is not None else ()
    else:
        meant = await accounts_meant(work, workspace, connections, address)
        owners = [(one, await work.person_by_identity(workspace, one)) for one in meant]
        owned = [(one, owner) for one, owner in owners if owner is not None]
        if len(owned) != 1:
            return None
        accounts, person = (owned[0][0],), owned[0][1]
    if person is None:
        return None
    ways = _ways(connections, accounts)
    return Found(person, *ways[0]) if ways else None


def _ways(connections: Sequence[Connection], accounts: Sequence[Identity]) -> list[tuple[Identity, Connection]]:
    """How somebody can be reached. An account whose connection has stopped working is the last resort."""
    ways = [(one, way) for one in accounts for way in connections if reaches(way, one)]
    return sorted(ways, key=lambda way: way[1].problem is not None)


async def accounts_meant(
    work: Work, workspace: str, connections: Sequence[Connection], address: ChatAddress
) -> Sequence[Identity]:
    """The accounts that an address may mean, each once. An organisation knows people by their own workspaces."""
    known = [one for one in connections if one.provider is address.provider]
    found = [_identity(one, address.place) for one in known if address.account in (None, one.account)]
    if any(one.provider is Provider.SLACK and is_organisation(one.account) for one in known):
        everybodys = [one for person in await work.people(workspace) for one in person.identities]
        found += [
            one
            for one in everybodys
            if (one.provider, one.user) == ("slack", address.place) and address.account in (None, one.account)
        ]
    return tuple(dict.fromkeys(found))


def _identity(connection: Connection, user: str) -> Identity:
    """The account of a user that a connection knows: of one team in Slack, of all bots alike in Telegram."""
    match connection.provider:
        case Provider.SLACK:
            return Identity(provider="slack", account=connection.account, user=user)
        case Provider.TELEGRAM:
            return Identity(provider="telegram", user=user)


def reaches(connection: Connection, identity: Identity) -> bool:
    """Whether an account can be written to through a connection."""
    return may_be_in(identity, connection.provider, connection.account)

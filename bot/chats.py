"""The connected chats: which accounts there are, how to reach them, and what is wrong with them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from core.addresses import Provider
from core.channels import Channel
from core.errors import InstallationDead, Raced, SaysoError, Transient, Unreachable
from core.ports import Connection, Context
from core.reading import Records
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.chats")

PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds between tries to connect; the last one goes on."""

CONNECTING = "not connected yet"
UNFORESEEN = "connecting failed in a way that was not foreseen; the log has the details"
ENTERING = 1.0
"""Seconds that an arrival waits for its account to be entered, of the three that Slack waits for an answer."""
DEAD_WAIT = timedelta(seconds=60)
"""How long an account whose credentials do not work is left alone."""


@dataclass(frozen=True)
class Identified:
    """What a provider told of the account that a token is for."""

    account: str
    name: str
    bot_user: str
    channel: Channel


class Chats:
    """Channels and connections by provider and account, filled as the adapters start."""

    def __init__(self, context: Context, records: Records, workspace: str) -> None:
        self._context = context
        self._records = records
        self._workspace = workspace
        self.channels: dict[tuple[Provider, str], Channel] = {}
        self.connections: dict[tuple[Provider, str], Connection] = {}
        self.problems: dict[str, str] = {}
        self._left_alone: dict[str, datetime] = {}
        self.expected: set[Provider] = set()
        self._changed = asyncio.Event()

    async def connect(self, provider: Provider, identify: Callable[[], Awaitable[Identified]]) -> None:
        """Find out whose token it is, as often as it takes, and enter the account."""

        async def identify_and_enter() -> None:
            found = await identify()
            await self._enter(provider, found)
            log.info("connected", provider=provider.value, account=found.account)

        await self.keep_trying(provider.value, identify_and_enter)

    async def keep_trying(self, name: str, step: Callable[[], Awaitable[None]]) -> None:
        """Take a step that needs the provider, as often as it takes; `problems` says under `name` why it fails."""
        tries = 0
        self.problems.setdefault(name, CONNECTING)
        while True:
            try:
                await step()
            except SaysoError as error:
                self.problems[name] = str(error)
                log.warning("not connected yet", chat=name, error=str(error))
                # Dead credentials get better only by an operator's hand.
                dead = isinstance(error, InstallationDead)
                pause = PAUSES[-1] if dead else PAUSES[min(tries, len(PAUSES) - 1)]
            except Exception as error:
                # The database may be away, or the provider answer what nobody foresaw: neither may end the trying.
                self.problems[name] = f"{UNFORESEEN} ({type(error).__name__})"
                log.exception("not connected yet", chat=name)
                pause = PAUSES[min(tries, len(PAUSES) - 1)]
            else:
                self.problems.pop(name, None)
                return
            tries += 1
            await asyncio.sleep(pause)

    async def _enter(self, provider: Provider, found: Identified) -> None:
        key = (provider, found.account)
        known = await self._records.connection_at(provider.value, found.account)
        if known is None:
            known = Connection(
                id=self._context.ids.new("con"),
                workspace=self._workspace,
                provider=provider,
                account=found.account,
                name=found.name,
                bot_user=found.bot_user,
            )
            await self._add(known)
            known = await self._records.connection_at(provider.value, found.account) or known
        else:
            known = replace(known, name=found.name, bot_user=found.bot_user, problem=None)
            current = known
            await transact(self._context, lambda work: work.save_connection(current))
        self.connections[key] = known
        self.channels[key] = found.channel
        self._changed.set()

    async def all_connected(self) -> None:
        """Return once every expected provider is connected."""
        while any(self._is_entering(provider) for provider in self.expected):
            self._changed.clear()
            await self._changed.wait()

    async def connection(self, provider: Provider, account: str) -> Connection | None:
        """The connection an arrival came through; None when it is for an account that is not connected here.

        Arrivals come as soon as a provider knows where to send them, which may be before its account is entered: those
        wait a little. Raises `Transient` when that was not enough, so that they come again.
        """
        try:
            async with asyncio.timeout(ENTERING):
                while self._is_entering(provider):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise Transient(f"{provider.value} is not connected yet") from None
        return self.connections.get((provider, account))

    def _is_entering(self, provider: Provider) -> bool:
        return provider in self.expected and not any(known is provider for known, _ in self.channels)

    async def _add(self, connection: Connection) -> None:
        try:
            async with self._context.work() as work:
                await work.add_connection(connection, self._context.clock.now())
                await work.commit()
        except Raced:
            # Another process of this service entered the account in the same moment.
            log.info("the account was entered by another process", account=connection.account)

    def channel(self, provider: Provider, account: str) -> Channel:
        """The channel of an account (`""`: the only one). `Transient` while it is being connected, `Unreachable`
        when there is none, `InstallationDead` while one whose credentials do not work is left alone."""
        account = account or self.only_account(provider)
        own = self.channels.get((provider, account))
        if own is not None:
            name = f"{provider.value}:{account}"
            if name in self.problems and self._context.clock.now() < self._left_alone[name]:
                raise InstallationDead(self.problems[name])
            return own
        if self._is_entering(provider):
            raise Transient(f"{provider.value} is not connected yet")
        which = f" for the account {account}" if account else ""
        raise Unreachable("not_connected", f"{provider.value.capitalize()} is not connected to this service{which}")

    def only_account(self, provider: Provider) -> str:
        """The account of a provider that has exactly one here, else `""`."""
        accounts = [account for known, account in self.channels if known is provider]
        return accounts[0] if len(accounts) == 1 else ""

    def note_dead(self, provider: Provider, account: str, why: str | None) -> None:
        """Remember that the credentials of an account stopped working (or, with None, work again)."""
        name, now = f"{provider.value}:{account}", self._context.clock.now()
        if why is None:
            self.problems.pop(name, None)
            return
        if name not in self.problems:
            log.warning("credentials stopped working", account=name, error=why)
            self.problems[name] = why
        if now >= self._left_alone.get(name, now):
            # Whoever is turned away meanwhile has learned nothing new.
            self._left_alone[name] = now + DEAD_WAIT

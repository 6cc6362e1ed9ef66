"""The connected chats: which accounts there are, how to reach them, and what is wrong with them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import structlog

from core.addresses import Provider
from core.channels import Channel
from core.errors import InstallationDead, InstallationEnded, Raced, SaysoError, Transient, Unreachable
from core.ports import Connection, Context
from core.reading import Records
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.chats")

PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds between tries to connect; the last one goes on."""

CONNECTING = "not connected yet"
UNKNOWN = {
    Provider.SLACK.value: "the account of SLACK_BOT_TOKEN",
    "slack socket": "Socket Mode",
    Provider.TELEGRAM.value: "the account of TELEGRAM_BOT_TOKEN",
}
"""What an operator is told of those that have no account yet, by the name that `problems` gives them."""
UNFORESEEN = "connecting failed in a way that was not foreseen; the log has the details"
ENTERING = 1.0
"""Seconds that an arrival waits for its account to be entered, of the three that Slack waits for an answer."""
DEAD_WAIT = timedelta(seconds=60)
"""How long an account whose credentials do not work is left alone."""
DAWN = datetime.min.replace(tzinfo=UTC)
Find = Callable[[Provider, str], Awaitable[None]]


Doubt = Callable[[Provider, str], None]


def _doubt_nothing(_provider: Provider, _account: str) -> None:
    """Where no accounts are kept."""


def _provider_of(name: str) -> Provider:
    """Whose trouble it is, of a name in `problems`: `slack`, `slack socket` or `slack:T1`."""
    return Provider(name.replace(":", " ").partition(" ")[0])


async def _nobody_knows(_provider: Provider, _account: str) -> None:
    """Where no accounts are kept besides those of the settings."""


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
        self._ended: dict[tuple[Provider, str], str] = {}
        self._entering: set[Provider] = set()
        self._changed = asyncio.Event()
        self.find: Find = _nobody_knows
        """Connects an account that is kept and not known in this process, if there is one."""
        self.doubt: Doubt = _doubt_nothing
        """Told of an account whose credentials do not work, perhaps for good."""

    def accounts(self, workspace: str) -> tuple[Connection, ...]:
        """The accounts of a workspace, in order, each with what is wrong with it now. What is wrong with those of the
        settings before anybody knows which they are comes first, in the workspace that they are for."""
        own = (one for one in self.connections.values() if one.workspace == workspace)
        unknown = sorted((name, why) for name, why in self.problems.items() if ":" not in name)
        return tuple(
            Connection("", workspace, _provider_of(name), "", UNKNOWN.get(name, name), "", why)
            for name, why in (unknown if workspace == self._workspace else ())
        ) + tuple(
            replace(one, problem=self.problems.get(f"{one.provider.value}:{one.account}") or one.problem)
            for one in sorted(own, key=lambda one: (one.provider.value, one.account))
        )

    def troubled(self) -> Counter[Provider]:
        """How many accounts of each provider cannot be used just now, whosever they are."""
        return Counter(_provider_of(name) for name in self.problems)

    def expect(self, provider: Provider) -> None:
        """The account of the settings' token is about to be connected: what is for it waits."""
        self._entering.add(provider)

    async def connect(self, provider: Provider, identify: Callable[[], Awaitable[Identified]]) -> None:
        """Find out whose token the settings hold, as often as it takes, and enter the account."""

        async def identify_and_enter() -> None:
            found = await identify()
            await self._enter(provider, found)
            log.info("connected", provider=provider.value, account=found.account)

        await self.keep_trying(provider.value, identify_and_enter)

    def know(self, connection: Connection) -> None:
        """There is such an account: what is for it waits until it can be used."""
        self.connections[connection.provider, connection.account] = connection

    def adopt(self, connection: Connection, channel: Channel) -> None:
        """Use an account that is kept, or go on with it."""
        key = (connection.provider, connection.account)
        name = f"{key[0].value}:{key[1]}"
        if key in self._ended:
            del self._ended[key]
            self.problems.pop(name, None)
        self.connections[key], self.channels[key] = connection, channel
        self._changed.set()

    def leave(self, provider: Provider, account: str) -> None:
        """An account that was kept is kept no more."""
        self.connections.pop((provider, account), None)
        self.channels.pop((provider, account), None)
        self._ended.pop((provider, account), None)
        self.problems.pop(f"{provider.value}:{account}", None)

    def note_ended(self, connection: Connection, why: str) -> None:
        """The app was removed there: nothing is sent any more until it is installed again."""
        key = (connection.provider, connection.account)
        self.connections[key], self._ended[key] = connection, why
        self.problems[f"{key[0].value}:{key[1]}"] = why

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
        self._entering.discard(provider)
        self.adopt(known, found.channel)

    @property
    def is_connected(self) -> bool:
        """Whether every expected account is connected."""
        return not self._entering

    async def all_connected(self) -> None:
        """Return once every expected account is connected."""
        for provider in Provider:
            await self.all_connected_of(provider)

    async def all_connected_of(self, provider: Provider) -> None:
        """Return once the expected account of a provider is connected."""
        while provider in self._entering:
            self._changed.clear()
            await self._changed.wait()

    async def connection(self, provider: Provider, account: str) -> Connection | None:
        """The connection an arrival came through; None when it is for an account that is not connected here.

        Arrivals come as soon as a provider knows where to send them, which may be before its account is entered: those
        wait a little. Raises `Transient` when that was not enough, so that they come again.
        """
        key = (provider, account)
        if key not in self.channels:
            await self.find(provider, account)
        try:
            async with asyncio.timeout(ENTERING):
                while key not in self.channels and provider in self._entering:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise Transient(f"{provider.value} is not connected yet") from None
        return self.connections.get(key)

    async def _add(self, connection: Connection) -> None:
        try:
            async with self._context.work() as work:
                await work.add_connection(connection, self._context.clock.now())
                await work.commit()
        except Raced:
            # Another process of this service entered the account in the same moment.
            log.info("the account was entered by another process", account=connection.account)

    async def reach(self, workspace: str, provider: Provider, account: str) -> Channel:
        """The channel of a workspace's account (`""`: its only one). `Transient` while it is being connected,
        `Unreachable` when the workspace has none, `InstallationDead` while one whose credentials do not work is left
        alone, `InstallationEnded` where the app was removed."""
        account = account or await self.only_account(workspace, provider)
        key = (provider, account)
        if account and key not in self.connections:
            await self.find(provider, account)
        known = self.connections.get(key)
        if known is not None and known.workspace == workspace:
            if key in self._ended:
                raise InstallationEnded(self._ended[key])
            name = f"{provider.value}:{account}"
            if name in self.problems and self._is_left_alone(name, self._context.clock.now()):
                raise InstallationDead(self.problems[name])
            own = self.channels.get(key)
            if own is None:
                raise Transient(self.problems.get(name) or f"{provider.value} is not connected yet")
            return own
        if known is None and provider in self._entering:
            raise Transient(f"{provider.value} is not connected yet")
        # Another workspace's account is nobody's here, and not a word says that there is one.
        which = f" for the account {account}" if account else ""
        raise Unreachable("not_connected", f"{provider.value.capitalize()} is not connected to this service{which}")

    async def only_account(self, workspace: str, provider: Provider) -> str:
        """The account of a provider in a workspace that has exactly one, else `""`."""
        kept = await self._records.connections(workspace)
        accounts = [one.account for one in kept if one.provider is provider]
        return accounts[0] if len(accounts) == 1 else ""

    def known_in(self, workspace: str, provider: Provider) -> dict[str, Channel]:
        """The channels of a workspace in this process, by account."""
        return {
            account: self.channels[known, account]
            for (known, account), one in self.connections.items()
            if known is provider and one.workspace == workspace and (known, account) in self.channels
        }

    def _is_left_alone(self, name: str, now: datetime) -> bool:
        # Longer than usual it is left alone by a clock that was ahead.
        return timedelta() < self._left_alone.get(name, now) - now <= DEAD_WAIT

    def note_dead(self, provider: Provider, account: str, why: str | None) -> None:
        """Remember that the credentials of an account stopped working (or, with None, work again)."""
        name, now = f"{provider.value}:{account}", self._context.clock.now()
        if why is None:
            # A call that was under way when the app was removed may still have worked.
            if (provider, account) not in self._ended:
                self.problems.pop(name, None)
            return
        if name not in self.problems:
            log.warning("credentials stopped working", account=name, error=why)
            self.problems[name] = why
        if not self._is_left_alone(name, now):
            # Whoever is turned away meanwhile has learned nothing new.
            self._left_alone[name] = now + DEAD_WAIT
            self.doubt(provider, account)

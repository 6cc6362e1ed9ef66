"""Who the operator is in each chat, and a card to them in each: the end of `sayso init`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.config import Settings
from bot.credentials import Fault, slack, telegram
from bot.setup import operator
from bot.setup.asking import Talk
from bot.setup.given import keep
from bot.setup.running import Running
from bot.setup.slack import SECRET
from bot.setup.trying import Tried, try_it
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.errors import Invalid
from core.people import Identity, Person
from core.ports import Context
from core.store import Store
from core.telling import when

if TYPE_CHECKING:
    from bot.setup import Wishes

_HINTS: Final = {
    Provider.SLACK: "If Slack says that the app is not configured for it, turn on “Interactivity & Shortcuts” on the "
    "app's page.",
    Provider.TELEGRAM: "If nothing comes, another program may take this bot's updates away: see `sayso doctor`.",
}


def prove_chats(talk: Talk, running: Running, settings: Settings, wishes: Wishes) -> bool:
    """Know the operator in each chat, and have a card pressed in each. Whether all that was tried works."""
    person = operator.known_operator(running)
    if person is None:
        if not talk.attended and not wishes.operator:
            talk.note("No operator was added: give --operator HANDLE, or use `sayso person add`.")
            return True
        person = operator.add_operator(talk, running, wishes.operator)
    else:
        talk.good(f"The operator is {person.handle}.")
    works = True
    for provider, account in _accounts(talk, running, settings, wishes, person):
        works = _prove(talk, running, provider, account, wishes, socket_mode=settings.slack_socket_mode) and works
    return works


def _accounts(
    talk: Talk, running: Running, settings: Settings, wishes: Wishes, person: Person
) -> list[tuple[Provider, Identity]]:
    """The operator's account in each connected chat, found out where it is not known yet."""
    found: list[tuple[Provider, Identity]] = []
    for provider, is_on, find in (
        (Provider.SLACK, settings.slack_bot_token is not None, _in_slack),
        (Provider.TELEGRAM, settings.telegram_on, _in_telegram),
    ):
        if not is_on:
            continue
        account = find(talk, running, settings, wishes, person)
        if account is not None:
            found.append((provider, account))
    return found


def _in_slack(talk: Talk, running: Running, settings: Settings, wishes: Wishes, person: Person) -> Identity | None:
    if settings.slack_bot_token is None:
        return None
    token = settings.slack_bot_token.get_secret_value()
    bot = slack.bot_token(token, settings.slack_api_url)
    if isinstance(bot, Fault):
        return None
    known = next((one for one in person.identities if one.provider == "slack" and one.account == bot.team), None)
    if known is not None:
        return known
    account = operator.slack_account(talk, token, settings.slack_api_url, bot.team, wishes.slack_user)
    return _vouched(talk, running, person, account)


def _in_telegram(talk: Talk, running: Running, settings: Settings, wishes: Wishes, person: Person) -> Identity | None:
    if settings.telegram_bot_token is None:
        return None
    known = next((one for one in person.identities if one.provider == "telegram"), None)
    if known is not None:
        return known
    if wishes.telegram_user:
        return _vouched(talk, running, person, Identity(provider="telegram", user=wishes.telegram_user))
    if not talk.attended:
        talk.note("Telegram: which account is the operator's is not known; --telegram-user NUMBER says it.")
        return None
    bot = telegram.bot_token(settings.telegram_bot_token.get_secret_value(), settings.telegram_api_url)
    return None if isinstance(bot, Fault) else operator.telegram_account(talk, running, person, bot[0].username)


def _vouched(talk: Talk, running: Running, person: Person, account: Identity | None) -> Identity | None:
    if account is None:
        return None
    try:
        operator.vouch(running, person, account)
    except Invalid as error:
        talk.bad(f"{account}: {error.faults[0].detail if error.faults else error}".rstrip("."))
        return None
    talk.good(f"{person.handle} is {account}.")
    return account


def _prove(
    talk: Talk, running: Running, provider: Provider, account: Identity, wishes: Wishes, *, socket_mode: bool
) -> bool:
    """Send a card, unless one was pressed before and no other is wanted; whether it works as far as is known."""
    name = provider.value.capitalize()
    if wishes.test is None:

        async def pressed(store: Store, _: Context) -> str | None:
            at = await store.records.last_press(WORKSPACE, provider)
            return when(at) if at else None

        before = running.do(pressed)
        if before is not None:
            talk.good(f"{name} works: the last press came on {before}.")
            return True
    if wishes.test is False or (wishes.test is None and not talk.attended):
        talk.note(f"{name}: no test card was sent; `sayso init --test` sends one.")
        return True
    where = f"{account.account}.{account.user}" if account.account else account.user
    if provider is Provider.SLACK and not socket_mode:
        talk.note(
            "Slack checks the public address: open “Event Subscriptions” on the app's page and press “Retry” now."
        )
    hopeless = running.forged if provider is Provider.SLACK else lambda: False
    tried = try_it(talk, running, f"{provider.value}:{where}", [str(account)], _HINTS[provider], hopeless)
    return _tell(talk, name, tried, _HINTS[provider])


def _tell(talk: Talk, name: str, tried: Tried, todo: str) -> bool:
    if tried.forged:
        # Its shape is right, so only its absence makes the next run ask for it.
        keep({SECRET: ""})
        talk.bad(
            f"{name}: {tried.why}",
            f"{SECRET} was taken out of .env: run `sayso init` again, and give that of this app.",
        )
        return False
    if not tried.receipt:
        talk.bad(f"{name}: {tried.why}", todo)
        return False
    talk.good(f"It works: {tried.by} pressed it in {name}. The receipt is {tried.receipt}.")
    return True

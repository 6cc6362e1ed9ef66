"""`sayso init`: from nothing to a card that was pressed, and what is there already is kept.

Each stage asks for what it needs, verifies it, and writes it down before the next one begins. Read `run` first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.config import DATA, ENV_FILE, Settings, load
from bot.doctor import examine
from bot.doctor.examining import Examined, Level
from bot.doctor.house import database
from bot.keyfile import NAME as KEY_NAME
from bot.listening import listener
from bot.setup import agent, envfile, slack, telegram
from bot.setup.asking import STOP, Talk, is_attended
from bot.setup.given import Given, judge_others, keep, overruled, wrong_with
from bot.setup.operator import known_operator
from bot.setup.proving import prove_chats
from bot.setup.running import Elsewhere, Running, is_served, running
from bot.startup import WORKSPACE
from bot.web.keys import make_key
from core.addresses import Provider
from core.errors import Misconfigured
from core.store import Store

PREFIX: Final = "sk_"


@dataclass(frozen=True)
class Wishes:
    """What was said on the command line. `None`: that is asked. `test`: send a test card again, or none at all."""

    slack: bool | None = None
    telegram: bool | None = None
    public_url: str = ""
    operator: str = ""
    slack_user: str = ""
    telegram_user: str = ""
    agent: str = ""
    test: bool | None = None
    attended: bool = True


@dataclass(frozen=True)
class Ready:
    """What came of it: whether it works, the file with the first program's key, and an address to ask at."""

    works: bool
    key_file: Path | None
    address: str


def run(wishes: Wishes) -> bool:
    """Set everything up; whether it works. Raises `Misconfigured`."""
    if wishes.attended and not is_attended():
        raise Misconfigured(
            "`sayso init` asks questions, and nobody is at a terminal: use `sayso init --yes` with the settings in the "
            "environment."
        )
    talk = Talk(attended=wishes.attended)
    judge_others()
    if talk.attended:
        envfile.probe(ENV_FILE)  # nobody wants to hear at the end that all they said cannot be written down
    talk.say(f"The settings go into {ENV_FILE.resolve()}, which only you can read.{STOP if wishes.attended else ''}")
    changed = _address(talk, wishes)
    changed = _chats(talk, wishes) or changed
    changed = _secret_key(talk) or changed
    settings = load()
    ready = _with_service(talk, wishes, settings, changed=changed)
    _farewell(talk, settings, ready)
    return ready.works


def _address(talk: Talk, wishes: Wishes) -> bool:
    """Keep the public address that was given. Whether anything changed."""
    if not wishes.public_url:
        return False
    wanted = wishes.public_url.strip().rstrip("/")
    if not wanted.startswith("https://"):
        raise Misconfigured("--public-url must be the https address of this service.")
    if problem := wrong_with("sayso_public_url", wanted):
        raise Misconfigured(f"--public-url {problem}.")
    return _keep(talk, {"SAYSO_PUBLIC_URL": wanted})


def _chats(talk: Talk, wishes: Wishes) -> bool:
    """Connect the chats that are wanted. Whether anything changed."""
    changed = False
    given = Given()
    has_slack, has_telegram = bool(given.slack_bot_token), bool(given.telegram_bot_token)
    talk.head("Slack")
    if _is_wanted(talk, "Slack", wishes.slack, known=has_slack):
        where = slack.Before(_slack_address(talk, given), _is_running(), _known_teams())
        changed = _keep(talk, slack.connect(talk, given, where))
    talk.head("Telegram")
    if _is_wanted(talk, "Telegram", wishes.telegram, known=has_telegram):
        changed = _keep(talk, telegram.connect(talk, given)) or changed
    return changed


def _is_wanted(talk: Talk, name: str, wish: bool | None, *, known: bool) -> bool:
    if wish is not None:
        return wish
    if known or (talk.attended and talk.confirm(f"Connect {name}?", default=True)):
        return True
    talk.note(f"{name} stays off.")
    return False


def _is_running() -> bool:
    """Whether the service runs here, by the settings as they are; none does where these are not good yet."""
    try:
        return is_served(load())
    except Misconfigured:
        return False


def _known_teams() -> tuple[str, ...]:
    """The Slack workspaces in which cards were asked before, as far as the database tells."""
    try:
        examined = Examined(load(), lambda: datetime.now(UTC))
    except Misconfigured:
        return ()
    if database(examined).level is not Level.OK:
        return ()

    async def look(store: Store) -> tuple[str, ...]:
        known = await store.records.connections(WORKSPACE)
        return tuple(one.account for one in known if one.provider is Provider.SLACK)

    return examined.in_store(look)


def _slack_address(talk: Talk, given: Given) -> str | None:
    """Where Slack sends to, or None for Socket Mode, which needs no address."""
    if given.slack_app_token or not given.sayso_public_url.startswith("https://"):
        return None
    if given.slack_signing_secret:
        return given.sayso_public_url
    fetches = talk.confirm("Fetch from Slack (Socket Mode)? Else Slack sends to SAYSO_PUBLIC_URL.", default=True)
    return None if fetches else given.sayso_public_url


def _keep(talk: Talk, settings: dict[str, str]) -> bool:
    for name in overruled(settings):
        talk.note(f"{name} is set in the environment to something else, which wins over .env: unset it there.")
    return keep(settings)


def _secret_key(talk: Talk) -> bool:
    """Make the key of this deployment, unless it has one. Whether anything changed."""
    if Given().sayso_secret_key or (DATA / KEY_NAME).exists():
        return False
    return _keep(talk, {"SAYSO_SECRET_KEY": make_key().removeprefix(PREFIX)})


def _with_service(talk: Talk, wishes: Wishes, settings: Settings, *, changed: bool) -> Ready:
    """Add who is needed and send the test cards, beside a service: the one that runs here, or one of our own."""
    talk.head("People")
    if is_served(settings):
        if changed and talk.attended:
            talk.note("The service runs here already, with the settings of before: start it again now.")
            talk.text("Press Enter once it runs again")
        there = Elsewhere(settings)
        return _beside(talk, there, settings, wishes)
    settings = _free_port(talk, settings)
    talk.say("Starting the service for a moment …")
    with running(settings) as own:
        return _beside(talk, own, settings, wishes)


def _beside(talk: Talk, service: Running, settings: Settings, wishes: Wishes) -> Ready:
    """What is done while a service runs; it works when the cards that were tried were pressed."""
    works = prove_chats(talk, service, settings, wishes)
    talk.head("Programs")
    key_file = agent.offer(talk, service, settings, wishes.agent)
    person = known_operator(service)
    address = f"person:{person.handle}" if person and person.identities else "review"
    return Ready(_overlook(talk) and works, key_file, address)


def _free_port(talk: Talk, settings: Settings) -> Settings:
    """The settings with a port that is free. Raises `Misconfigured` when nobody is there to choose one."""
    while True:
        try:
            listener(settings.sayso_host, settings.sayso_port).close()
        except OSError as error:
            why = f"Port {settings.sayso_port} on {settings.sayso_host} cannot be listened on ({error.strerror})"
            if not talk.attended:
                raise Misconfigured(f"{why}: set another SAYSO_PORT.") from None
            talk.bad(why)
            keep({"SAYSO_PORT": talk.text("Another port", default=str(settings.sayso_port + 1))})
            settings = load()
        else:
            return settings


def _overlook(talk: Talk) -> bool:
    """Say what the doctor says that is not well; it asks the service that runs meanwhile. Whether nothing failed."""
    wrong = [one for one in examine() if one.level in (Level.WARNING, Level.FAILED)]
    if wrong:
        talk.head("To look at")
    for one in wrong:
        if one.level is Level.FAILED:
            talk.bad(f"{one.name}: {one.found}", one.todo)
        else:
            talk.note(f"{one.name}: {one.found}. {one.todo}")
    return all(one.holds for one in wrong)


def _farewell(talk: Talk, settings: Settings, ready: Ready) -> None:
    talk.head("Next")
    talk.say("sayso serve      runs the service", 2)
    talk.say("sayso doctor     says whether all is right", 2)
    if ready.key_file:
        talk.say("While it runs, in another terminal in this folder, the first question:", 2)
        talk.whole(f'    (set -a; . ./{ready.key_file}; sayso ask "Does it work?" --to {ready.address} --wait)')
    if settings.slack_on:
        talk.say("In a Slack channel, /invite @sayso, then /sayso help: it says the address to ask in.", 2)
    if settings.telegram_on:
        talk.say("In a Telegram group, add the bot and write /help@ with its name: it says the address.", 2)

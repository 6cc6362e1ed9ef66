"""The first person: an operator, with the accounts by which they are known in each chat."""

from __future__ import annotations

import getpass
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from slack_sdk.errors import SlackApiError, SlackClientError

from bot.credentials import slack
from bot.greeting import code_hash
from bot.setup.asking import Talk
from bot.setup.running import Running
from bot.startup import WORKSPACE
from core.access import Link
from core.errors import Invalid
from core.people import Identity, Person, Role
from core.ports import Context
from core.store import Store
from core.use_cases import directory

T = TypeVar("T")
PAGES: Final = 20
"""Pages of a workspace's people that are looked through for a name."""
_ID: Final = re.compile(r"[UW][A-Z0-9]{1,20}")
_LINK_WAIT: Final = 15 * 60.0
_LOOK: Final = 0.5


def known_operator(running: Running) -> Person | None:
    """An operator that was added before; None when there is none."""

    async def look(store: Store, _: Context) -> Person | None:
        people = await store.records.people(WORKSPACE)
        return next((one for one in people if one.role is Role.OPERATOR and not one.automatic), None)

    return running.do(look)


def add_operator(talk: Talk, running: Running, handle: str) -> Person:
    """Add one; the handle is asked for until it can be used. Raises `Invalid` when nobody is there to be asked."""
    wanted = handle or talk.text("Your short name here (yours is an operator's)", default=_usual_handle())
    while True:
        name = wanted.strip().lower()

        async def add(_: Store, context: Context, name: str = name) -> Person:
            return await directory.add_person(context, WORKSPACE, name, name.capitalize(), Role.OPERATOR, ())

        try:
            person = running.do(add)
        except Invalid as error:
            if not talk.attended:
                raise
            talk.bad(_words(error))
            wanted = talk.text("Another one", default=_usual_handle())
        else:
            talk.good(f"{person.handle} is an operator.")
            return person


def _usual_handle() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # nobody has this user id
        name = ""
    return re.sub(r"[^a-z0-9._-]", "", name.lower()).lstrip("._-")[:64] or "operator"


def _words(error: Invalid) -> str:
    return (error.faults[0].detail if error.faults else str(error)).rstrip(".")


def vouch(running: Running, person: Person, account: Identity) -> Person:
    """Give the operator an account. Raises `Invalid` when it is someone else's."""

    async def add(_: Store, context: Context) -> Person:
        return await directory.add_account(context, WORKSPACE, person.handle, account)

    return running.do(add)


def slack_account(talk: Talk, token: str, api_url: str, team: str, given: str) -> Identity | None:
    """Find out which Slack account is the operator's; None when they do not want to say."""
    client = slack.client_of(token, api_url)
    wanted = given or talk.text("Your Slack name, or your member id (your profile, ⋮, “Copy member ID”)")
    while wanted:
        try:
            found = _by_id(client, wanted) if _ID.fullmatch(wanted) else _named(client, wanted)
        except (SlackApiError, SlackClientError, OSError) as error:
            code = error.response.get("error") if isinstance(error, SlackApiError) else type(error).__name__
            found = f"Slack does not say who {wanted} is ({code})"
        if isinstance(found, str):
            talk.bad(found)
            if not talk.attended:
                return None
        elif not talk.attended or talk.confirm(f"{_told(found)}: is this you?", default=True):
            return Identity(provider="slack", account=team, user=str(found["id"]))
        wanted = talk.text("Your Slack name or member id (Enter to go on without)")
    return None


def _by_id(client: Any, id: str) -> Mapping[str, Any] | str:
    user: Mapping[str, Any] = client.users_info(user=id).get("user") or {}
    if not user or user.get("deleted") or user.get("is_bot"):
        return "this is no account of a person who is there"
    return user


def _named(client: Any, name: str) -> Mapping[str, Any] | str:
    """The one account with this name, or why there is not one."""
    wanted = name.lstrip("@").strip().lower()
    found = [user for user in _people(client) if wanted in _names(user)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"{_told(user)}" for user in found[:5])
        return f"several people have that name: {ids}; write the member id"
    return f"nobody in the workspace is called {name}"


def _people(client: Any) -> Iterator[Mapping[str, Any]]:
    cursor = ""
    for _ in range(PAGES):
        page = client.users_list(limit=200, cursor=cursor)
        for user in page.get("members") or ():
            if not user.get("deleted") and not user.get("is_bot") and user.get("id") != "USLACKBOT":
                yield user
        cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
        if not cursor:
            return


def _names(user: Mapping[str, Any]) -> set[str]:
    profile = user.get("profile") or {}
    names = (user.get("name"), user.get("real_name"), profile.get("display_name"), profile.get("real_name"))
    return {str(name).lower() for name in names if name}


def _told(user: Mapping[str, Any]) -> str:
    return f"{user.get('real_name') or user.get('name')} (@{user.get('name')}, {user.get('id')})"


def telegram_account(talk: Talk, running: Running, person: Person, username: str) -> Identity | None:
    """Let the operator show their Telegram account by pressing Start; None when nobody did in time.

    It becomes theirs only when they say at this terminal that it is.
    """
    code = secrets.token_urlsafe(24)

    async def offer(_: Store, context: Context) -> None:
        await directory.offer_link(context, WORKSPACE, person.handle, code_hash(code))

    async def claimed(_: Store, context: Context) -> Link | None:
        claims = await directory.claims_of(context, WORKSPACE, person.handle)
        return next((one for one in claims if one.code == code_hash(code)), None)

    running.do(offer)
    talk.say("Open this link in Telegram and press Start. It is for you alone, and good once:")
    talk.whole(f"\nhttps://t.me/{username}?start={code}\n")
    talk.say(f"Where no link can be opened, write this to @{username} instead:")
    talk.whole(f"\n/start {code}\n")
    link = until(lambda: running.do(claimed), _LINK_WAIT)
    if link is None or link.claimed is None:
        talk.bad("Nobody pressed Start within 15 minutes", "Run `sayso init` again when you have the time.")
        return None
    account = f"{link.claimed_name or 'Somebody without a name'} ({link.claimed})"
    if not talk.confirm(f"{account} pressed Start: is this you?", default=True):
        return None

    async def confirm(_: Store, context: Context) -> None:
        await directory.confirm_link(context, WORKSPACE, code_hash(code))

    running.do(confirm)
    return link.claimed


def until(found: Callable[[], T | None], seconds: float, hopeless: Callable[[], bool] = lambda: False) -> T | None:
    """What `found` gives as soon as it gives something; None after `seconds`, or once it is `hopeless`."""
    end = time.monotonic() + seconds
    while (now := found()) is None and time.monotonic() < end and not hopeless():
        time.sleep(_LOOK)
    return now

"""The checks of what people installed and operators added: whose credentials are kept, and which of them are dead."""

from __future__ import annotations

from adapters.slack.installing import REDIRECT
from adapters.slack.manifest import SCOPES
from bot.doctor.examining import Check, Examined, Level, Said
from bot.sealing import Sealer
from core.addresses import Provider
from core.errors import Misconfigured
from core.installations import Installation
from core.store import Store


def kept(examined: Examined) -> Said:
    """Whether every account can be used."""
    if not examined.stored:
        return Said(Level.OFF, "the database cannot be asked which there are")

    async def look(store: Store) -> tuple[Installation, ...]:
        return await store.records.installations()

    found = examined.in_store(look)
    if not found:
        return Said(Level.OFF, "nobody installed the Slack app from here, and no Telegram bot was added")
    sealer = Sealer(examined.settings.keys("installations"))
    sealed = [_name(one) for one in found if one.sealed is not None and not _opens(sealer, one)]
    if sealed:
        return Said(
            Level.FAILED,
            f"the credentials of {', '.join(sealed)} were sealed with another SAYSO_SECRET_KEY",
            "Set that one as SAYSO_SECRET_KEY_PREVIOUS, or connect these accounts again.",
        )
    dead = [f"{_name(one)} ({one.problem})" for one in found if not one.is_live]
    if dead:
        return Said(Level.WARNING, f"nothing is sent to {'; '.join(dead)}")
    lacking = [_name(one) for one in found if one.provider is Provider.SLACK and _lacks(one)]
    if lacking:
        return Said(
            Level.WARNING,
            f"{', '.join(lacking)} granted less than the manifest names",
            "Let them install the app again, with a link of `sayso workspace link`.",
        )
    return Said(Level.OK, f"all {len(found)} are live")


def _name(one: Installation) -> str:
    return f"{one.provider.value}:{one.account}"


def _opens(sealer: Sealer, one: Installation) -> bool:
    try:
        sealer.open(_name(one), one.sealed or "")
    except Misconfigured:
        return False
    return True


def _lacks(one: Installation) -> bool:
    granted = frozenset(one.facts.get("scopes", "").split(","))
    return bool(granted - {""}) and not granted >= {scope.name for scope in SCOPES}


def redirect(examined: Examined) -> Said:
    """Whether people come back from Slack's page."""
    if not examined.settings.link_ok:
        return Said(Level.FAILED, "Slack sends people back to https addresses alone, and SAYSO_PUBLIC_URL is none")
    return Said(Level.OK, f"they come back to {examined.settings.base_url}{REDIRECT}")


ACCOUNTS = (
    Check(
        "accounts",
        "Every Slack workspace and Telegram bot that was connected can be used.",
        "Install the app there again with a link of `sayso workspace link`, unless it was removed for good.",
        kept,
    ),
    Check(
        "Slack redirect",
        "Whoever installs the app comes back from Slack's page to this service.",
        "Set SAYSO_PUBLIC_URL, and add its address to the app's redirect URLs; `sayso manifest` prints it.",
        redirect,
    ),
)

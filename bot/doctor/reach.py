"""The checks of how this service is reached: the process here, its public address, and whether all clocks agree."""

from __future__ import annotations

from typing import Final

import requests

from bot.credentials import TIMEOUT
from bot.credentials.deployment import NotOurs, prove_address
from bot.doctor.examining import Check, Examined, Level, Said
from bot.moment import surely_ahead
from core.store import Store

MOST_SKEW: Final = 60.0
"""Seconds a clock may be off: Slack refuses signatures older than five minutes, and people read our times."""
MOST_APART: Final = 2.0
"""Seconds that clocks of processes which share a database may be apart: what is due is promised within as many."""
LOCAL_WAIT: Final = 3.0


def service(examined: Examined) -> Said:
    """Whether a service of this deployment runs on this machine, and what it says of itself."""
    base = examined.settings.local_url
    try:
        date = prove_address(examined.settings, base, LOCAL_WAIT)
        ready = requests.get(f"{base}/readyz", timeout=LOCAL_WAIT, allow_redirects=False).json()
    except NotOurs as error:
        return Said(Level.WARNING, f"at {base} {error}", "End it, or choose another SAYSO_PORT.")
    except (requests.RequestException, ValueError):
        return Said(Level.OFF, f"none runs at {base}; what only a running one sees is not checked")
    examined.note_date("the service", date)
    examined.served = ready
    troubles = [f"{count} of {name.capitalize()}" for name, count in (ready.get("chats") or {}).items()]
    if ready.get("stopping"):
        return Said(Level.WARNING, f"it runs at {base} and was asked to stop")
    if not ready.get("ready"):
        return Said(Level.FAILED, f"it runs at {base} and is not ready: {ready.get('database')}")
    if troubles:
        found = f"it runs at {base}, and accounts of chats cannot be used: {' and '.join(troubles)}"
        return Said(Level.FAILED, found, f"{base}/status says which and why, to operators; so does its log.")
    return Said(Level.OK, f"it runs at {base} and is ready")


def public_address(examined: Examined) -> Said:
    """Whether the public address leads to this deployment."""
    address = examined.settings.sayso_public_url
    if address is None:
        return Said(
            Level.WARNING, "SAYSO_PUBLIC_URL is not set: cards carry no link, and print the review address as text"
        )
    if not examined.settings.link_ok:
        found = "SAYSO_PUBLIC_URL is not https: cards carry no link, and print the review address as text"
        return Said(Level.WARNING, found)
    try:
        date = prove_address(examined.settings, address, TIMEOUT)
    except NotOurs as error:
        return Said(Level.FAILED, f"{address} does not lead here: {error}")
    except requests.exceptions.SSLError:
        return Said(Level.FAILED, f"the certificate of {address} is not good")
    except requests.RequestException as error:
        return Said(Level.FAILED, f"nothing answers at {address} ({type(error).__name__})")
    examined.note_date("the public address", date)
    return Said(Level.OK, f"{address} leads to this service")


def clock(examined: Examined) -> Said:
    """Whether this machine's clock agrees with everybody who was asked, the database's among them."""
    apart = _apart(examined) if examined.stored else None
    dates = [(source, abs((date - examined.now()).total_seconds())) for source, date in examined.dates]
    dates += [("the database", abs(apart))] if apart is not None else []
    if not dates:
        return Said(Level.OFF, "nobody was reached to compare it with")
    source, skew = max(dates, key=lambda one: one[1])
    if skew > MOST_SKEW:
        return Said(Level.FAILED, f"it is {skew:.0f} seconds off from {source}: signatures will be refused")
    if apart is not None and abs(apart) > MOST_APART:
        found = f"it is {abs(apart):.1f} seconds {'ahead of' if apart > 0 else 'behind'} the database's"
        return Said(Level.WARNING, f"{found}: where several processes work, each should be within {MOST_APART:g}")
    names = sorted({source for source, _ in dates})
    return Said(Level.OK, f"it agrees with {' and '.join(names)}")


def _apart(examined: Examined) -> float | None:
    """Seconds by which this machine's clock is ahead of the database's; None where it has none."""

    async def look(store: Store) -> float | None:
        await store.records.clock()  # the first question opens the connection, which takes longer than an answer
        before = examined.now()
        theirs = await store.records.clock()
        return None if theirs is None else surely_ahead(before, theirs, examined.now())

    return examined.in_store(look)


SERVICE = Check(
    "service",
    "A service of this deployment runs on this machine and is ready.",
    "Its log says more.",
    service,
)
REACH = (
    Check(
        "public address",
        "SAYSO_PUBLIC_URL is https and leads to this deployment, so that links and webhooks arrive.",
        "Set SAYSO_PUBLIC_URL to the https address that leads to SAYSO_HOST and SAYSO_PORT here, and see that it does.",
        public_address,
    ),
    Check(
        "clock",
        "This machine's clock agrees with Slack's, Telegram's and the database's.",
        "Set the clock (timedatectl set-ntp true).",
        clock,
    ),
)

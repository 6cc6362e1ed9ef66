"""The token that a conversation is reached with: of the settings, or kept for an account that was connected since."""

from __future__ import annotations

from typing import Final

from pydantic import SecretStr

from bot.doctor.examining import Examined, Level, Said
from bot.installing import CREDENTIAL as OF_SLACK
from bot.sealing import Sealer
from bot.telegram_bots import CREDENTIAL as OF_TELEGRAM
from core.addresses import Provider
from core.errors import Misconfigured
from core.installations import Installation
from core.store import Store

_CALLED: Final = {Provider.SLACK: OF_SLACK, Provider.TELEGRAM: OF_TELEGRAM}
_LIST: Final = "`sayso workspace list` names those that are."


def of_settings(given: SecretStr | None) -> str | None:
    """The token of a setting."""
    return given.get_secret_value() if given is not None else None


def kept(examined: Examined, provider: Provider, account: str | None) -> str | Said:
    """The token kept for an account (None: the only one), or what stands in the way."""
    name = provider.value.capitalize()
    if not examined.stored:
        return Said(Level.FAILED, f"{name} is off, or its token does not work; which others are kept cannot be read")

    async def look(store: Store) -> list[Installation]:
        return [one for one in await store.records.installations() if one.provider is provider]

    found = examined.in_store(look)
    if account is None and len(found) > 1:
        example = f"{provider.value}:{found[0].account}.…"
        return Said(Level.FAILED, f"{name} has several accounts here", f"Name the one that is meant, as in {example}.")
    one = next((one for one in found if account in (None, one.account)), None)
    if one is None and account is None:
        return Said(Level.FAILED, f"{name} is off, or its token does not work")
    if one is None:
        return Said(Level.FAILED, f"no account {account} of {name} is connected", _LIST)
    if one.sealed is None or not one.is_live:
        return Said(Level.FAILED, f"the account {one.account} cannot be used: {one.problem or 'it was removed'}", _LIST)
    sealer = Sealer(examined.settings.keys("installations"))
    try:
        return sealer.open(f"{provider.value}:{one.account}", one.sealed)[_CALLED[provider]]
    except Misconfigured as error:
        return Said(Level.FAILED, str(error).rstrip("."))

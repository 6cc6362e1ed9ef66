"""A connection as a Telegram card: what it is for and what it may do. It is declined here, and granted elsewhere."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from blocks.telegram.asked import Asked
from blocks.telegram.keyboard import Controls
from blocks.telegram.parts import name
from blocks.telegram.text import escape, moment
from core.controls import Action
from core.kinds.connection import ConnectionRequest

DECLINE: Final = "Decline"
DECLINE_SILENTLY: Final = "Decline (no reason)"
_HOW: Final = "An operator grants it on the full form. Here it can only be declined."


def asked(payload: ConnectionRequest, controls: Controls) -> Asked:
    """What the card shows."""
    connecting = controls.card.interaction.connecting
    set_out = "" if connecting is None else f"{name(connecting.by)} set out to grant it, {moment(connecting.at)}."
    return Asked(
        paragraphs=facts(payload),
        how=(_HOW,),
        notes=(set_out,),
        submit=(
            (controls.button(DECLINE, Action.REASON),),
            (controls.button(DECLINE_SILENTLY, Action.REJECT),),
        ),
    )


def facts(payload: ConnectionRequest) -> tuple[str, ...]:
    """Service, purpose, account, where granting goes on, and scopes."""
    told = [_fact("Service", payload.service), _fact("Purpose", payload.purpose)]
    if payload.account is not None:
        told.append(_fact("Account", payload.account))
    told.append(_fact("Connects at", urlsplit(payload.connect_url).hostname or payload.connect_url))
    if not payload.scopes:
        told.append(_fact("May do", "nothing was named"))
        return ("\n".join(told),)
    return ("\n".join(told), "\n".join(["<b>May do:</b>", *(f"• {escape(scope)}" for scope in payload.scopes)]))


def _fact(called: str, said: str) -> str:
    return f"<b>{called}:</b> {escape(said)}"

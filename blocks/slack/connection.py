"""A connection: what it is for and what it may do. It can be declined here; an operator grants it on the full form."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from blocks.codec import Codec
from blocks.slack.controls import block_id, control, press
from blocks.slack.parts import Block, actions, words
from blocks.slack.passages import Passage
from blocks.slack.prose import item, line, prose
from blocks.slack.text import moment
from blocks.words import neutralise, who
from core.cards import Card
from core.controls import Action
from core.kinds.connection import ConnectionRequest

DECLINE = "Decline"
HOW: Final = "An operator grants it on the full form. Here it can only be declined."
_LONGEST_NAME = 80


def asked(payload: ConnectionRequest) -> list[Block]:
    """Service, purpose, account, scopes, and the place where granting goes on: all in words."""
    passages = [_fact("Service", payload.service), _fact("Purpose", payload.purpose)]
    if payload.account is not None:
        passages.append(_fact("Account", payload.account))
    passages.append(_fact("Connects at", urlsplit(payload.connect_url).hostname or payload.connect_url))
    if not payload.scopes:
        return prose(*passages, _fact("May do", "nothing was named"))
    scopes = [item(words(neutralise(scope).strip() or "…", "code")) for scope in payload.scopes]
    return prose(*passages, line(words("May do:", "bold")), *scopes)


def deciding(card: Card, codec: Codec) -> list[Block]:
    """Decline, which may have a reason; and who has gone to grant it."""
    shown = [line(words(HOW))]
    connecting = card.interaction.connecting
    if connecting is not None:
        name = who(connecting.by)
        name = name if len(name) <= _LONGEST_NAME else "An operator"
        shown.append(line(words(f"{name} set out to grant it, ", "italic"), moment(connecting.at)))
    decline = press(codec, DECLINE, control(card, Action.REASON), "danger")
    return [*prose(*shown), actions(block_id("decide", card), decline)]


def _fact(name: str, said: str) -> Passage:
    return line(words(f"{name}: ", "bold"), words(neutralise(said).strip() or "…"))

"""The controls of a confirmation: accept and reject, in the asker's own words."""

from __future__ import annotations

from blocks.codec import Codec
from blocks.slack.controls import block_id, control, press
from blocks.slack.parts import Block, actions
from blocks.slack.sizes import fits_control
from blocks.words import neutralise
from core.cards import Card
from core.controls import Action
from core.kinds.base import Reason
from core.kinds.confirmation import Confirmation


def why_review(payload: Confirmation) -> str | None:
    """Why a confirmation cannot be decided in Slack whatever its length; None when it can."""
    if fits_control(payload.accept_label) and fits_control(payload.reject_label):
        return None
    return "A button would be longer than Slack shows whole, so it is decided on its own page."


def deciding(card: Card, codec: Codec, payload: Confirmation) -> list[Block]:
    """Accept, and reject: at once where the card takes no reason, else through a form that asks for it.

    Reject has no colour: in “Delete it” or “Keep it”, the no is not the dangerous one.
    """
    refuse = Action.REJECT if payload.reason is Reason.NONE else Action.REASON
    return [
        actions(
            block_id("decide", card),
            press(codec, neutralise(payload.accept_label), control(card, Action.ACCEPT), "primary"),
            press(codec, neutralise(payload.reject_label), control(card, refuse)),
        )
    ]

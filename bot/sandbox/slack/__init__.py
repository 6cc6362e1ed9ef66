"""The Slack stand-in: Slack's servers and clients, as far as an app can tell, on this machine.

Start reading at `stand_in`; `platform` is its state, `methods` the Web API, `person` what people do.
"""

from __future__ import annotations

from bot.sandbox.slack.courier import Sort
from bot.sandbox.slack.faults import FaultKind
from bot.sandbox.slack.seen import NotOnScreen, Seen
from bot.sandbox.slack.settings import DEFAULT_SCOPES, StandInSettings
from bot.sandbox.slack.signing import Signature
from bot.sandbox.slack.stand_in import SlackStandIn

__all__ = [
    "DEFAULT_SCOPES",
    "FaultKind",
    "NotOnScreen",
    "Seen",
    "Signature",
    "SlackStandIn",
    "Sort",
    "StandInSettings",
]

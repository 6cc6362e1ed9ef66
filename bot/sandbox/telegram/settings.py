"""How one Telegram stand-in is set up: its bot, and which of the platform's limits it enforces."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from blocks.telegram import limits


def _secret() -> str:
    return secrets.token_urlsafe(26)[:35]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInSettings:
    """The bot and the platform around it. The secret half of the token is drawn afresh unless given.

    `privacy` is the bot's privacy mode: in groups it sees only commands, replies to it and presses.
    `can_join_groups` is what /setjoingroups sets. `bot_to_bot` lets it see other bots' messages. `pace=False` turns
    off flood control and the slowing of repeated polls. `loopback_webhooks` is this stand-in's one leniency: the
    platform itself delivers only over HTTPS, to public addresses, on four ports. `webhook_retry` is the unit of the
    gaps between deliveries, in seconds; `webhook_wait` how long an answer to one is awaited; `answer_window` how long a
    press may be answered.
    """

    bot_id: int = 7_000_000_001
    bot_username: str = "sayso_demo_bot"
    bot_name: str = "sayso"
    bot_secret: str = field(default_factory=_secret, repr=False)
    privacy: bool = True
    can_join_groups: bool = True
    bot_to_bot: bool = False
    pace: bool = True
    loopback_webhooks: bool = True
    webhook_retry: float = 1.0
    webhook_wait: float = float(limits.WEBHOOK_WAIT.number)
    answer_window: float = float(limits.TAP_ANSWER.number)
    first_update_id: int = 500_000_001

    @property
    def bot_token(self) -> str:
        """The token as BotFather would print it."""
        return f"{self.bot_id}:{self.bot_secret}"

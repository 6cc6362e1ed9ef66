"""What Slack hands out for a moment: trigger ids (3 s, one use) and response URLs (30 min, 5 uses)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from blocks.slack import limits
from bot.sandbox.clock import Clock
from bot.sandbox.slack.mint import Mint
from bot.sandbox.slack.refusal import Refused


@dataclass(slots=True)
class Trigger:
    """Somebody's press, worth one modal."""

    user: str
    team_id: str
    made: float
    used: bool = False


@dataclass(slots=True)
class ResponseUrl:
    """Where the app may answer one interaction: for whom, in which conversation, about which message."""

    user: str
    team_id: str
    channel: str
    message_ts: str | None
    is_ephemeral: bool
    thread_ts: str | None
    made: float
    uses: int = 0


class Triggers:
    """Every trigger id and response URL handed out."""

    def __init__(self, clock: Clock, mint: Mint) -> None:
        self._clock = clock
        self._mint = mint
        self._triggers: dict[str, Trigger] = {}
        self._urls: dict[str, ResponseUrl] = {}

    def issue(self, user: str, team_id: str) -> str:
        """Return a trigger id that starts to expire now."""
        trigger_id = self._mint.trigger()
        self._triggers[trigger_id] = Trigger(user, team_id, self._clock.elapsed())
        return trigger_id

    def exchange(self, trigger_id: object, teams: Collection[str]) -> str:
        """Spend a trigger id of one of these workspaces and return whose it is, or refuse as Slack does."""
        trigger = self._triggers.get(str(trigger_id))
        if trigger is None or trigger.team_id not in teams:
            raise Refused("invalid_trigger_id")
        if trigger.used:
            raise Refused("exchanged_trigger_id")
        if self._clock.elapsed() - trigger.made > limits.TRIGGER.number:
            raise Refused("expired_trigger_id")
        trigger.used = True
        return trigger.user

    def open_url(
        self,
        *,
        user: str,
        team_id: str,
        channel: str,
        message_ts: str | None = None,
        is_ephemeral: bool = False,
        thread_ts: str | None = None,
    ) -> str:
        """Return the secret part of a new response URL."""
        key = self._mint.secret()
        self._urls[key] = ResponseUrl(
            user, team_id, channel, message_ts, is_ephemeral, thread_ts, self._clock.elapsed()
        )
        return key

    def peek_url(self, key: str) -> ResponseUrl:
        """Return what a response URL is about, without using it."""
        return self._urls[key]

    def spend_url(self, key: str) -> ResponseUrl:
        """Count one use of a response URL, or refuse it as Slack does."""
        url = self._urls.get(key)
        if url is None or self._clock.elapsed() - url.made > limits.RESPONSE_URL_LIFE.number:
            raise Refused("expired_url", status=404)
        if url.uses >= limits.RESPONSE_URL_USES.number:
            raise Refused("used_url", status=404)
        url.uses += 1
        return url

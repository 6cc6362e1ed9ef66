"""What a string looks like: people paste the wrong one of several, and are told which one it is."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final


class Looks(StrEnum):
    """What somebody may have copied from Slack's or Telegram's pages; the value is what it is called there."""

    SLACK_BOT = "a bot token"
    SLACK_APP = "an app-level token"
    SLACK_USER = "a user token, which acts as a person"
    SLACK_CONFIG = "an app configuration token"
    SLACK_REFRESH = "a refresh token"
    SLACK_BROWSER = "a token of somebody's browser"
    SLACK_LEGACY = "a token of a kind that Slack no longer makes"
    SLACK_HOOK = "the address of an incoming webhook"
    SLACK_SECRET = "a signing secret or a client secret"  # noqa: S105  # what it is called, not one
    SLACK_CLIENT = "a client id"
    TELEGRAM = "a Telegram bot token"
    NOTHING = "nothing that Slack or Telegram gives out"


# The first row that matches counts.
_ROWS: Final[tuple[tuple[re.Pattern[str], Looks], ...]] = (
    (re.compile(r"(xoxe\.)?xoxb-\S+"), Looks.SLACK_BOT),
    (re.compile(r"xapp-\S+"), Looks.SLACK_APP),
    (re.compile(r"xoxe\.xoxp-\S+"), Looks.SLACK_CONFIG),
    (re.compile(r"xoxp-\S+"), Looks.SLACK_USER),
    (re.compile(r"xoxe-\S+"), Looks.SLACK_REFRESH),
    (re.compile(r"xox[cd]-\S+"), Looks.SLACK_BROWSER),
    (re.compile(r"xox[a-z]-\S+"), Looks.SLACK_LEGACY),
    (re.compile(r"https://hooks\.slack\.com/\S+"), Looks.SLACK_HOOK),
    (re.compile(r"[0-9a-f]{32}"), Looks.SLACK_SECRET),
    (re.compile(r"\d{6,}\.\d{6,}"), Looks.SLACK_CLIENT),
    (re.compile(r"\d{5,}:[\w-]{30,}"), Looks.TELEGRAM),
)


def looks(text: str) -> Looks:
    """What `text` looks like."""
    return next((kind for shape, kind in _ROWS if shape.fullmatch(text)), Looks.NOTHING)

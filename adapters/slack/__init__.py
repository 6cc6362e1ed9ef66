"""Slack: what arrives from it and what is sent to it."""

from __future__ import annotations

from adapters.slack.adapter import SlackAdapter
from adapters.slack.channel import SlackChannel
from adapters.slack.settings import Installation, SlackSettings

__all__ = ["Installation", "SlackAdapter", "SlackChannel", "SlackSettings"]

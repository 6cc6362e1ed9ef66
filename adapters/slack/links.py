"""Where a message is found in Slack, as `chat.getPermalink` would say, without asking for each."""

from __future__ import annotations

from adapters.slack.settings import Installation


def message_url(installation: Installation, channel: str, message: str, thread: str | None) -> str | None:
    """The address of a message. None where the address of its workspace is not known: Slack did not say, or the app is
    installed for a whole organisation."""
    if not installation.url or installation.team == installation.enterprise:
        return None
    address = f"{installation.url.rstrip('/')}/archives/{channel}/p{message.replace('.', '')}"
    return f"{address}?thread_ts={thread}&cid={channel}" if thread is not None and thread != message else address

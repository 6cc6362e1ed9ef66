"""What a person types into the message field, and what Slack makes of it."""

from __future__ import annotations

import re

from bot.sandbox.slack.world import World

_ADDRESS = re.compile(r"(?P<web>https?://(?:[^\s&<>|]|&amp;)+)|(?<![\w@.])(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)")


def as_typed(text: str, world: World) -> str:
    """Return `text` as Slack stores it: `&`, `<` and `>` escaped, `@name` of an account made a mention, and links made
    of web and e-mail addresses."""
    accounts = {user.name: user.id for user in world.users.values()}
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def mention(found: re.Match[str]) -> str:
        user_id = accounts.get(found[1])
        return f"<@{user_id}>" if user_id else found[0]

    def link(found: re.Match[str]) -> str:
        return f"<{found['web']}>" if found["web"] else f"<mailto:{found['mail']}|{found['mail']}>"

    return re.sub(r"(?<!\w)@([\w.-]+\w)", mention, _ADDRESS.sub(link, escaped))

"""What a person types into the message field, and what Slack makes of it."""

from __future__ import annotations

from re import Match, sub

from bot.sandbox.slack.world import World


def as_typed(text: str, world: World) -> str:
    """Return `text` as Slack stores it: `&`, `<` and `>` escaped, `@name` of an account made a mention."""
    accounts = {user.name: user.id for user in world.users.values()}
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def mention(found: Match[str]) -> str:
        user_id = accounts.get(found[1])
        return f"<@{user_id}>" if user_id else found[0]

    return sub(r"(?<!\w)@([\w.-]+\w)", mention, escaped)

"""users.* and bots.info: who somebody is."""

from __future__ import annotations

from bot.sandbox.slack.methods.call import Call
from bot.sandbox.slack.organisations import of_organisation
from bot.sandbox.slack.payloads import user_json
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.world import Json, User


def info(call: Call) -> Json:
    """Return one account, if the app's workspace can see it."""
    user = call.platform.world.users.get(str(call.required("user")))
    if user is None:
        raise Refused("user_not_found")
    if not _is_visible(call, user):
        raise Refused("user_not_visible")
    return {"user": user_json(user, call.bot.team_id) | of_organisation(user, call.platform.world)}


def list_all(call: Call) -> Json:
    """Return every account the app's workspace can see, a page at a time."""
    rows = sorted((u for u in call.platform.world.users.values() if _is_visible(call, u)), key=lambda u: u.id)
    page, cursor = call.page(rows, default=1000, most=1000)
    return {
        "members": [user_json(user, call.bot.team_id) | of_organisation(user, call.platform.world) for user in page],
        "response_metadata": {"next_cursor": cursor},
    }


def bot_info(call: Call) -> Json:
    """Return one bot."""
    bot_id = call.text("bot") or call.bot.bot_id
    user = next((u for u in call.platform.world.users.values() if u.bot_id == bot_id), None)
    if user is None:
        raise Refused("bot_not_found")
    return {
        "bot": {
            "id": bot_id,
            "deleted": user.deleted,
            "name": user.real_name,
            "updated": 0,
            "app_id": call.platform.settings.app_id if bot_id == call.bot.bot_id else "",
            "user_id": user.id,
            "icons": {},
        }
    }


def _is_visible(call: Call, user: User) -> bool:
    if user.team_id in call.teams:
        return True
    return any(user.id in channel.members and call.sees(channel) for channel in call.platform.world.channels.values())

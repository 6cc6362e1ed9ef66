"""Installing, and what ends it: oauth.v2.access, auth.revoke, apps.uninstall."""

from __future__ import annotations

from bot.sandbox.slack.grants import redeem, refresh
from bot.sandbox.slack.methods.call import Call
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.workspace import Workspace
from bot.sandbox.slack.world import Installation, Json


def access(call: Call) -> Json:
    """Exchange a code for a bot token, with which the app is installed, or a refresh token for the next pair."""
    _check_client(call)
    match call.text("grant_type") or "authorization_code":
        case "authorization_code":
            return _granted(call, redeem(call.platform, call.text("code"), call.text("redirect_uri")))
        case "refresh_token":
            return _granted(call, refresh(call.platform, call.text("refresh_token")))
        case _:
            raise Refused("invalid_grant_type")


def revoke(call: Call) -> Json:
    """Revoke the token of the call. It is the last one there, so the app is gone with it."""
    if call.flag("test"):
        return {"revoked": False}
    Workspace(call.platform).end(call.bot, "token_revoked")
    return {"revoked": True}


def uninstall(call: Call) -> Json:
    """Remove the app from where the token of the call is from."""
    _check_client(call)
    Workspace(call.platform).end(call.bot, "account_inactive")
    return {}


def _check_client(call: Call) -> None:
    settings = call.platform.settings
    if call.text("client_id") != settings.client_id:
        raise Refused("invalid_client_id")
    if call.text("client_secret") != settings.client_secret:
        raise Refused("bad_client_secret")


def _granted(call: Call, app: Installation) -> Json:
    platform, world = call.platform, call.platform.world
    people = (one.id for one in world.users.values() if world.covers(app, one.team_id) and not one.is_bot)
    organisation = world.teams.get(app.enterprise_id or "")
    found: Json = {
        "app_id": platform.settings.app_id,
        "authed_user": {"id": next(people, "")},
        "scope": ",".join(sorted(app.scopes)),
        "token_type": "bot",
        "access_token": app.token,
        "bot_user_id": app.bot_user_id,
        "team": None if app.of_all else {"id": app.team_id, "name": world.teams[app.team_id].name},
        "enterprise": {"id": organisation.id, "name": organisation.name} if organisation else None,
        "is_enterprise_install": app.of_all,
    }
    if app.expires_at is not None:
        left = int(app.expires_at - platform.clock.elapsed() + 0.5)
        found |= {"refresh_token": app.refresh, "expires_in": left}
    return found

"""What concerns the app itself: auth.test, Socket Mode, installing, and Slack's own block validator."""

from __future__ import annotations

from typing import Any

from blocks.slack.check import Fault, Surface, check_blocks, check_message, check_view
from bot.sandbox.slack.methods.call import Call
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.world import Json


def api_test(call: Call) -> Json:
    """Echo, or fail with the error that was asked for."""
    if call.text("error"):
        raise Refused(call.text("error"), args=dict(call.args))
    return {"args": dict(call.args)} if call.args else {}


def auth_test(call: Call) -> Json:
    """Return whose token it is."""
    platform = call.platform
    settings = platform.settings
    if call.app is None:
        is_other = call.token == settings.other_app_token
        return {
            "app_name": "other" if is_other else settings.app_name,
            "app_id": settings.other_app_id if is_other else settings.app_id,
        }
    team = platform.world.teams[call.app.team_id]
    return {
        "url": f"https://{team.domain}.slack.com/",
        "team": team.name,
        "team_id": team.id,
        "user": platform.world.users[call.app.bot_user_id].name,
        "user_id": call.app.bot_user_id,
        "bot_id": call.app.bot_id,
        "enterprise_id": call.app.enterprise_id,
        "is_enterprise_install": call.app.of_all,
    }


def open_connection(call: Call) -> Json:
    """Return where a Socket Mode client connects to, once."""
    base = call.platform.base_url.replace("http", "ws", 1)
    ticket, app_id = call.platform.sockets.ticket(), call.platform.settings.app_id
    return {"url": f"{base}/link/?ticket={ticket}&app_id={app_id}"}


def export_manifest(call: Call) -> Json:
    """Return the app's own settings as a manifest."""
    platform, settings = call.platform, call.platform.settings
    if call.required("app_id") != settings.app_id:
        raise Refused("app_not_found")
    url = platform.courier.request_url
    to = {"request_url": url} if url else {}
    commands = [{"command": name, "description": name, "should_escape": False} for name in settings.commands]
    manifest = {
        "_metadata": {"major_version": 1, "minor_version": 1},
        "display_information": {"name": settings.app_name},
        "features": {
            "app_home": {
                "home_tab_enabled": settings.home_enabled,
                "messages_tab_enabled": settings.messages_enabled,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": settings.app_name, "always_online": True},
            "slash_commands": commands,
        },
        "oauth_config": {"scopes": {"bot": sorted(platform.app_in(settings.team_id).scopes)}},
        "settings": {
            "event_subscriptions": {**to, "bot_events": sorted(settings.bot_events)},
            "interactivity": {"is_enabled": platform.interactivity, **(to if platform.interactivity else {})},
            "org_deploy_enabled": False,
            "socket_mode_enabled": url is None and platform.sockets.enabled,
            "token_rotation_enabled": False,
        },
    }
    return {"manifest": manifest}


def validate_blocks(call: Call) -> Json:
    """Judge exactly one of `blocks`, `message` or `view` without posting anything."""
    given = [name for name in ("blocks", "message", "view") if call.args.get(name) is not None]
    if len(given) != 1:
        raise Refused("invalid_arguments")
    (name,) = given
    faults = _judged(name, call.args[name])
    if faults:
        found = [{"pointer": fault.pointer, "code": "failed_constraint", "message": fault.message} for fault in faults]
        raise Refused(f"invalid_{name}", errors=found)
    return {}


def _judged(name: str, value: Any) -> tuple[Fault, ...]:
    if name == "blocks":
        return check_blocks(value, Surface.MESSAGE, at="")
    if name == "view":
        return check_view(value, at="")
    return check_message(value) if isinstance(value, dict) else (Fault("", "must provide an object"),)

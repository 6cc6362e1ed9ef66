"""views.*: modals and Home."""

from __future__ import annotations

from typing import Any

from blocks.slack.check import check_view
from bot.sandbox.slack.methods.call import Call
from bot.sandbox.slack.refusal import Refused, refuse_faults
from bot.sandbox.slack.world import Json


def open_view(call: Call) -> Json:
    """Open a modal in front of whoever made the trigger."""
    content = _content(call, "modal")
    user = call.platform.triggers.exchange(call.required("trigger_id"), {call.bot.team_id, *call.teams})
    return {"view": call.platform.views.open(call.bot, user, content).payload}


def push(call: Call) -> Json:
    """Open a modal above the one the trigger came from."""
    content = _content(call, "modal")
    user = call.platform.triggers.exchange(call.required("trigger_id"), {call.bot.team_id, *call.teams})
    return {"view": call.platform.views.push(call.bot, user, content).payload}


def update(call: Call) -> Json:
    """Redraw an open modal, found by `view_id` or `external_id`."""
    content = _content(call, "modal")
    if not call.text("view_id") and not call.text("external_id"):
        call.required("view_id")
    view = call.platform.views.find(call.text("view_id"), call.text("external_id"))
    if view is None or view.app.token != call.bot.token or view.content["type"] != content["type"]:
        raise Refused("not_found")
    return {"view": call.platform.views.update(view, content, call.text("hash") or None).payload}


def publish(call: Call) -> Json:
    """Draw somebody's Home."""
    content = _content(call, "home")
    if not call.platform.settings.home_enabled:
        raise Refused("not_enabled")
    user = call.platform.world.users.get(str(call.required("user_id")))
    if user is None:
        raise Refused("invalid_arguments", response_metadata={"messages": ["[ERROR] user_id is not a valid user"]})
    view = call.platform.views.publish(call.bot, user.id, content, call.text("hash") or None)
    return {"view": view.payload}


def _content(call: Call, kind: str) -> Any:
    content = call.required("view")
    refuse_faults(check_view(content))
    if content["type"] != kind:
        raise Refused(
            "invalid_arguments",
            response_metadata={"messages": [f"[ERROR] must be a {kind} view [json-pointer:/view/type]"]},
        )
    return content

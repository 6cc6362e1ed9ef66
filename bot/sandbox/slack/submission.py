"""Submitting a modal: what the client checks itself, and what the app's answer does."""

from __future__ import annotations

from collections.abc import Mapping
from re import fullmatch
from typing import Any

from blocks.slack import limits
from blocks.slack.check import check_view
from bot.sandbox.slack.controls import SLOTS, Control, controls
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.views import View
from bot.sandbox.slack.world import Json

CONNECTING = "We had some trouble connecting. Try again?"


def client_errors(view: View) -> dict[str, str]:
    """Return what Slack's client complains about before anything is sent, by block id."""
    values = view.payload["state"]["values"]
    found: dict[str, str] = {}
    for control in controls(view.blocks):
        if control.block["type"] == "input":
            block_id, action_id = control.key
            complaint = _complaint(control, values[block_id][action_id])
            if complaint:
                found[block_id] = complaint
    return found


def _complaint(control: Control, entry: Json) -> str | None:
    element = control.element
    value: Any = entry.get(SLOTS[element["type"]].field)
    if value in (None, [], ""):
        return None if control.block.get("optional") else "Please complete this required field."
    if isinstance(value, str):
        return _text_complaint(element, value)
    if isinstance(value, list) and len(value) > element.get("max_selected_items", len(value)):
        return f"Choose up to {element['max_selected_items']} options."
    return None


def _text_complaint(element: Json, value: str) -> str | None:
    count = limits.length(value)
    if count < element.get("min_length", 0):
        return f"Must be at least {element['min_length']} characters."
    if count > element.get("max_length", count):
        return f"Must be at most {element['max_length']} characters."
    if element["type"] == "number_input":
        shape = r"-?\d+(\.\d+)?" if element["is_decimal_allowed"] else r"-?\d+"
        if not fullmatch(shape, value):
            return "Enter a number."
        if not float(element.get("min_value", value)) <= float(value) <= float(element.get("max_value", value)):
            return "Enter a number within the allowed range."
    if element["type"] == "email_text_input" and not fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", value):
        return "Enter an email address."
    if element["type"] == "url_text_input" and not fullmatch(r"https?://\S+", value):
        return "Enter a URL."
    return None


def apply_answer(platform: Platform, view: View, body: Any) -> str | None:
    """Do what the app answered to a submission; return what was wrong with the answer, or None."""
    if body is None:
        platform.views.close(view)
        return None
    action = body.get("response_action") if isinstance(body, dict) else None
    match action:
        case "clear":
            platform.views.clear(view.user)
        case "errors":
            return _show_errors(platform, view, body.get("errors"))
        case "update" | "push":
            return _show_view(platform, view, action, body.get("view"))
        case _:
            return f"a submission was answered with a body that is no response_action: {body!r}"
    return None


def _show_errors(platform: Platform, view: View, errors: Any) -> str | None:
    if not isinstance(errors, Mapping) or not errors:
        return "response_action errors without errors"
    inputs = {control.block["block_id"] for control in controls(view.blocks) if control.block["type"] == "input"}
    unknown = [name for name in errors if name not in inputs]
    if unknown:
        return f"errors for {unknown}, which are no input blocks of this view"
    platform.views.show_errors(view, {str(name): str(text) for name, text in errors.items()})
    return None


def _show_view(platform: Platform, view: View, action: str, content: Any) -> str | None:
    faults = check_view(content)
    if faults or content["type"] != "modal":
        return f"response_action {action} with a view Slack refuses: {[fault.line for fault in faults]}"
    try:
        if action == "push":
            platform.views.push(view.app, view.user, content)
        else:
            platform.views.update(view, content)
    except Refused as refused:
        return f"response_action {action} refused: {refused.error}"
    return None

"""The guard in front of Bolt: only what Slack signed, whole and readable, gets past; anything else is a 4xx.

Bolt itself reads the body before it checks the signature, answers junk with a 500, and takes a command for an
interaction when somebody wrote the word `payload` in it. So it is never shown a body, only the payload read here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from adapters.slack.encoded import read_form

LARGEST: Final = 1_000_000
"""Bytes of a body. Slack's own payloads are far smaller: the largest carry a view of at most 250 kB."""
WINDOW: Final = 300
"""Seconds a request may be old, or ahead of our clock."""
TIMESTAMP: Final = "x-slack-request-timestamp"
SIGNATURE: Final = "x-slack-signature"
_SECONDS: Final = re.compile(r"[0-9]{1,12}")
_SIGNATURE: Final = re.compile(r"v0=[0-9a-f]{64}")
_OBJECTS: Final = ("event", "user", "view", "container", "team", "enterprise")
_WORDS: Final = ("team_id", "enterprise_id", "api_app_id", "trigger_id", "event_id")
_ACTS: Final = frozenset({"block_actions", "view_submission", "view_closed"})
"""What people do, and so must have a person."""
JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Turned:
    """A request that is turned away: the HTTP status, and why in words for a log. `forged`: it is signed in Slack's way
    and in time, but with another secret."""

    status: int
    why: str
    forged: bool = False


def check(headers: Mapping[str, str], body: bytes, secret: str, now: float) -> str | Turned:
    """The payload of a request as JSON, if it is Slack's and readable. Header names are in lower case; `now` is in Unix
    seconds."""
    stamp, signature = headers.get(TIMESTAMP, ""), headers.get(SIGNATURE, "")
    if len(body) > LARGEST:
        return Turned(413, "the body is too large")
    if not secret or not _SECONDS.fullmatch(stamp) or not _SIGNATURE.fullmatch(signature):
        return Turned(401, "the request is not signed")
    if abs(now - int(stamp)) > WINDOW:
        return Turned(401, "the signature is too old or the clocks disagree")
    if not hmac.compare_digest(sign(stamp, body, secret), signature):
        return Turned(401, "the signature is not Slack's", forged=True)
    payload = _read(headers.get("content-type", ""), body)
    return payload if payload is not None else Turned(400, "the body is no payload of Slack's")


def sign(stamp: str, body: bytes, secret: str) -> str:
    """The signature Slack would put on a body sent at `stamp`."""
    mac = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256)
    return "v0=" + mac.hexdigest()


def _read(content_type: str, body: bytes) -> str | None:
    """A body is the payload itself, or a form with the payload in a field, or (a command, a certificate check) a form
    that is the payload. None: it is none of them."""
    kind = content_type.partition(";")[0].strip().lower()
    try:
        form = read_form(body) if kind == FORM else {}
        if kind == JSON or "payload" in form:
            written = form["payload"] if "payload" in form else body.decode("utf-8")
            return written if _is_payload(json.loads(written)) else None
    except (ValueError, RecursionError):
        return None
    return json.dumps(form) if "ssl_check" in form or (form.get("command") and form.get("user_id")) else None


def _is_payload(payload: object) -> bool:
    """Whether it has the shape that every payload has and that Bolt relies on: these parts are objects or words, if
    present, and what a person did says who did it."""
    if not isinstance(payload, dict) or not isinstance(payload.get("type"), str):
        return False
    if not all(isinstance(payload.get(name), dict | None) for name in _OBJECTS):
        return False
    if not all(isinstance(payload.get(name), str | None) for name in _WORDS):
        return False
    event, view, user = payload.get("event"), payload.get("view"), payload.get("user")
    if payload["type"] in _ACTS and not (user and isinstance(user.get("id"), str) and user["id"]):
        return False
    if payload["type"] == "block_actions":
        actions = payload.get("actions")
        return isinstance(actions, list) and bool(actions) and all(isinstance(one, dict) for one in actions)
    if payload["type"] == "event_callback":
        return isinstance(event, dict) and isinstance(event.get("type"), str)
    if payload["type"] in ("view_submission", "view_closed"):
        return isinstance(view, dict) and isinstance(view.get("type"), str)
    return True

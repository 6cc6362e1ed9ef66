"""What Slack's payloads have in common: their parts, who did it, and the keys that tell them apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.addresses import Provider
from core.installations import is_organisation
from core.people import Identity, Standing

Payload = Mapping[str, Any]


def part(body: Payload, name: str) -> Payload:
    """An object inside a payload; empty when there is none."""
    found = body.get(name)
    return found if isinstance(found, Mapping) else {}


def text(body: Payload, name: str) -> str:
    """A text inside a payload; empty when there is none."""
    found = body.get(name)
    return found if isinstance(found, str) else ""


def unescape(words: str) -> str:
    """Undo Slack's escaping of messages and command texts, once. What is typed into a modal comes as typed."""
    return words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


_LINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]*:[^<>|]*)(?:\|([^<>]*))?>")


def as_typed(words: str) -> str:
    """A message's text as it was typed. Slack makes links of addresses (`<https://x.example>`, and
    `<mailto:a@x.example|a@x.example>` of what was typed without a scheme); people, channels and broadcasts, of which it
    sends ids alone, stay as they come."""
    return unescape(_LINK.sub(_typed_link, words))


def _typed_link(found: re.Match[str]) -> str:
    address, label = found[1], found[2]
    if not label:
        return address
    scheme, _, rest = address.partition(":")
    is_own = scheme.lower() == "tel" or rest.removeprefix("//").rstrip("/") == label.rstrip("/") or address == label
    return label if is_own else f"{label} ({address})"


def is_elsewhere(team: str, account: str) -> bool:
    """Whether somebody of `team` is from outside the installation of `account`. Where that is a whole organisation, a
    payload cannot tell: Slack is asked who they are."""
    return team != account and not is_organisation(account)


def is_known(body: Payload) -> bool:
    """Whether it says who did it and by which trigger. Without a trigger two people's acts would have one key."""
    return bool(text(part(body, "user"), "id") and text(body, "trigger_id"))


def from_user(body: Payload, account: str, once: str = "") -> dict[str, Any]:
    """What every arrival of a person's act has. `once` tells it apart where it has no trigger."""
    user = part(body, "user")
    team = text(user, "team_id") or account
    return {
        "key": f"slack:{text(body, 'api_app_id')}:{once or text(body, 'trigger_id')}",
        "provider": Provider.SLACK,
        "account": account,
        "sender": Identity(provider="slack", account=team, user=text(user, "id")),
        "hint": Standing(
            known=False, external=is_elsewhere(team, account), name=text(user, "name") or text(user, "username")
        ),
        "raw": without_secrets(body),
    }


def from_event(body: Payload, account: str, user: str, team: str) -> dict[str, Any]:
    """What every arrival of an event has: `user` of the workspace `team` did it."""
    return {
        "key": f"slack:{text(body, 'api_app_id')}:{text(body, 'event_id')}",
        "provider": Provider.SLACK,
        "account": account,
        "sender": Identity(provider="slack", account=team, user=user),
        "hint": Standing(known=False, external=is_elsewhere(team, account)),
        "raw": without_secrets(body),
    }


def without_secrets(body: Payload) -> Payload:
    """The payload without Slack's deprecated verification token and its one-time addresses."""
    return {name: value for name, value in body.items() if name not in ("token", "response_url", "response_urls")}

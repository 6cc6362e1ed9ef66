"""The manifest is what Slack accepts, what the adapter uses, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from adapters.slack import parse
from adapters.slack.endpoint import REVOKED
from adapters.slack.manifest import COMMAND, EVENTS, METHODS, POWERS, SCOPES, manifest, manifest_yaml
from bot.sandbox.slack.methods import METHODS as ALL_METHODS
from bot.sandbox.slack.methods.call import TokenKind
from bot.sandbox.slack.settings import EVENT_SCOPES

ROOT = Path(__file__).parents[3]
URL = "https://sayso.example.com"


def text(most: int, least: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": most, **more}


def obj(required: str = "", **properties: Any) -> dict[str, Any]:
    known: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**known, "required": required.split()} if required else known


FLAG = {"type": "boolean"}
HTTPS = text(3_000, pattern="^https://")
# The rules of Slack's published manifest schema, as far as a manifest of ours could touch them.
RULES = obj(
    "display_information",
    _metadata=obj(major_version={"enum": [1, 2]}, minor_version={"type": "integer", "minimum": 0}),
    display_information=obj(
        "name",
        name=text(35),
        description=text(140),
        long_description=text(4_000, 175),
        background_color=text(7, pattern="^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"),
    ),
    features=obj(
        app_home=obj(home_tab_enabled=FLAG, messages_tab_enabled=FLAG, messages_tab_read_only_enabled=FLAG),
        bot_user=obj("display_name", display_name=text(80, pattern="^[a-z0-9._-]+$"), always_online=FLAG),
        slash_commands={
            "type": "array",
            "maxItems": 50,
            "items": obj(
                "command description",
                command=text(32, 2, pattern="^/"),
                description=text(2_000),
                usage_hint=text(1_000),
                url=HTTPS,
                should_escape=FLAG,
            ),
        },
    ),
    oauth_config=obj(
        redirect_urls={"type": "array", "maxItems": 1_000, "items": HTTPS},
        scopes=obj(bot={"type": "array", "maxItems": 255, "uniqueItems": True, "items": text(255)}),
    ),
    settings=obj(
        event_subscriptions=obj(
            request_url=HTTPS, bot_events={"type": "array", "maxItems": 100, "uniqueItems": True, "items": text(255)}
        ),
        interactivity=obj("is_enabled", is_enabled=FLAG, request_url=HTTPS, message_menu_options_url=HTTPS),
        org_deploy_enabled=FLAG,
        socket_mode_enabled=FLAG,
        token_rotation_enabled=FLAG,
    ),
)


@pytest.mark.parametrize("url", [None, URL])
def test_slack_accepts_it(url: str | None) -> None:
    assert list(jsonschema.Draft7Validator(RULES).iter_errors(manifest(url))) == []


def test_the_rules_refuse_what_slack_refuses() -> None:
    wrong = manifest(None)
    wrong["display_information"]["name"] = "x" * 36
    wrong["settings"]["unknown"] = True
    wrong["features"]["bot_user"]["display_name"] = "Say So"
    assert len(list(jsonschema.Draft7Validator(RULES).iter_errors(wrong))) == 3


@pytest.mark.parametrize("url", [None, URL])
def test_its_text_is_yaml_for_the_same(url: str | None) -> None:
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(manifest_yaml(url)) == manifest(url)


def test_the_manifest_in_the_repository_is_the_socket_mode_one() -> None:
    assert (ROOT / "manifest.yml").read_text("utf-8") == manifest_yaml(None)


def test_http_and_socket_mode_differ_in_addresses_alone() -> None:
    over_http, over_socket = manifest(URL), manifest(None)
    assert over_http["settings"].pop("socket_mode_enabled") is False
    assert over_socket["settings"].pop("socket_mode_enabled") is True
    addresses = [
        over_http["features"]["slash_commands"][0].pop("url"),
        over_http["settings"]["event_subscriptions"].pop("request_url"),
        over_http["settings"]["interactivity"].pop("request_url"),
    ]
    assert over_http["oauth_config"].pop("redirect_urls") == [
        f"{URL}/slack/oauth_redirect",
        f"{URL}/signin/slack/return",
    ]
    assert set(addresses) == {f"{URL}/slack/events"}
    assert over_http == over_socket


def called() -> Iterator[str]:
    """Every Web API method that the adapter's source calls on a client, as Slack spells it."""
    names = {name.replace(".", "_").lower(): name for name in ALL_METHODS}
    for path in (ROOT / "adapters" / "slack").glob("*.py"):
        for found in re.findall(r"\.(?:_?write|_?read|anonymous)\.(\w+)\(", path.read_text("utf-8")):
            # slack_sdk spells chat.postMessage chat_postMessage, and users.info users_info.
            yield names[found.lower()]


def test_every_method_that_is_called_is_listed_and_no_other() -> None:
    assert set(called()) == set(METHODS)


def test_every_scope_is_needed_and_every_need_is_met() -> None:
    granted = {scope.name for scope in SCOPES}
    needed = {scope for scopes in (*METHODS.values(), *EVENTS.values()) for scope in scopes}
    assert granted == needed | {"commands"}
    assert manifest(None)["features"]["slash_commands"][0]["command"] == COMMAND
    assert all(scope.why for scope in SCOPES)


def test_the_scopes_of_each_method_are_among_those_slack_asks_for() -> None:
    for name, scopes in METHODS.items():
        # The app-level token's scopes are in no manifest.
        taken = set() if ALL_METHODS[name].token is TokenKind.APP else set(ALL_METHODS[name].scopes)
        assert set(scopes) <= taken
        assert bool(scopes) is bool(taken), name


def test_the_events_are_those_that_are_read() -> None:
    kinds = {"message.channels", "message.groups", "message.im", "message.mpim"}
    assert set(EVENTS) == (set(parse.EVENTS_READ) - {"message"}) | kinds | REVOKED


def test_the_scopes_of_each_event_are_those_slack_sends_it_under() -> None:
    for name, scope in EVENT_SCOPES.items():
        if name in EVENTS:
            assert scope in EVENTS[name] if scope else EVENTS[name] == (), name


def test_whoever_allows_it_is_told_what_every_scope_is_for() -> None:
    told = [scope for _, scopes in POWERS for scope in scopes]
    assert sorted(told) == sorted(scope.name for scope in SCOPES)

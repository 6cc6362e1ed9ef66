"""The doctor's checks of Slack and Telegram. They ask and change nothing."""

from __future__ import annotations

import re
from typing import Any

import requests
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError

from adapters.slack.manifest import SCOPES
from adapters.telegram.settings import PATH as TELEGRAM_PATH
from bot.examining import TIMEOUT, Examined, Level, Said


def slack_token(examined: Examined) -> Said:
    """Whether Slack takes the bot token."""
    token = examined.settings.slack_bot_token
    if token is None:
        return Level.OFF, "SLACK_BOT_TOKEN is not set, so Slack is off"
    client = WebClient(token.get_secret_value(), base_url=examined.settings.slack_api_url, timeout=int(TIMEOUT))
    try:
        answer = client.auth_test()
    except SlackApiError as error:
        code = error.response.get("error", "an error")
        return Level.FAILED, f"Slack refuses SLACK_BOT_TOKEN ({code}); install the app again and copy its bot token"
    except (SlackClientError, OSError) as error:
        return Level.FAILED, f"Slack cannot be reached ({type(error).__name__})"
    headers = {name.lower(): value for name, value in (answer.headers or {}).items()}
    examined.scopes = frozenset(
        scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",") if scope.strip()
    )
    examined.note_date("Slack", headers.get("date"))
    examined.slack = {"team": answer.get("team_id"), "name": answer.get("team"), "bot": answer.get("user")}
    return Level.OK, f"it is {examined.slack['bot']} in {examined.slack['name']} ({examined.slack['team']})"


def slack_scopes(examined: Examined) -> Said:
    """Whether it has every scope that is used."""
    if examined.slack is None:
        return Level.OFF, "there is no working token to ask about"
    if not examined.scopes:
        return Level.WARNING, "Slack did not say which scopes the token has"
    missing = [scope for scope in SCOPES if scope.name not in examined.scopes]
    if missing:
        lacking = "; ".join(f"{scope.name} (to {scope.why})" for scope in missing)
        return Level.FAILED, f"missing {lacking}: add them on the app's page and install it again"
    return Level.OK, f"all {len(SCOPES)} are granted"


def slack_secret(examined: Examined) -> Said:
    """Whether the signing secret looks like one."""
    settings = examined.settings
    if not settings.slack_on or settings.slack_socket_mode:
        return Level.OFF, "nothing arrives over signed HTTP"
    secret = settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else ""
    if not re.fullmatch(r"[0-9a-f]{32}", secret):
        return Level.WARNING, "SLACK_SIGNING_SECRET does not look like one: 32 of 0-9 a-f, under “Basic Information”"
    return Level.OK, "it has the shape of one"


def slack_app_token(examined: Examined) -> Said:
    """Whether Socket Mode opens."""
    token = examined.settings.slack_app_token
    if token is None or not examined.settings.slack_on:
        return Level.OFF, "Socket Mode is not used"
    client = WebClient(base_url=examined.settings.slack_api_url, timeout=int(TIMEOUT))
    try:
        client.apps_connections_open(app_token=token.get_secret_value())
    except SlackApiError as error:
        code = error.response.get("error", "an error")
        return Level.FAILED, f"Slack refuses SLACK_APP_TOKEN ({code}); it needs the scope connections:write"
    except (SlackClientError, OSError) as error:
        return Level.FAILED, f"Slack cannot be reached ({type(error).__name__})"
    return Level.OK, "Socket Mode opens"


def telegram_token(examined: Examined) -> Said:
    """Whether Telegram takes the bot token."""
    if examined.settings.telegram_bot_token is None:
        return Level.OFF, "TELEGRAM_BOT_TOKEN is not set, so Telegram is off"
    answer = _call(examined, "getMe")
    if isinstance(answer, str):
        return Level.FAILED, f"{answer}; check TELEGRAM_BOT_TOKEN with BotFather"
    return Level.OK, f"it is @{answer.get('username')}"


def telegram_webhook(examined: Examined) -> Said:
    """Whether the updates of this bot come to this service and to no other."""
    if examined.settings.telegram_bot_token is None:
        return Level.OFF, "Telegram is off"
    answer = _call(examined, "getWebhookInfo")
    if isinstance(answer, str):
        return Level.FAILED, answer
    found = str(answer.get("url", ""))
    wanted = f"{examined.settings.sayso_public_url}{TELEGRAM_PATH}" if examined.settings.telegram_webhook else ""
    if found == wanted:
        trouble = answer.get("last_error_message")
        if trouble:
            return Level.WARNING, f"it is ours, but Telegram last said: {trouble}"
        return Level.OK, "updates come to this service" if wanted else "none is set, updates are fetched"
    if not found:
        return Level.WARNING, "none is set yet; `sayso serve` sets it"
    host = re.sub(r"^(https?://[^/]+).*", r"\1", found)
    return Level.FAILED, f"it belongs to {host}: another deployment uses this bot, and only one can"


def _call(examined: Examined, method: str) -> dict[str, Any] | str:
    """What a method answers, or a sentence why not. The address holds the token, so no error of requests is shown."""
    token = examined.settings.telegram_bot_token
    if token is None:
        return "Telegram is off"
    url = f"{examined.settings.telegram_api_url}/bot{token.get_secret_value()}/{method}"
    try:
        response = requests.get(url, timeout=TIMEOUT, allow_redirects=False)
        said = response.json()
    except requests.RequestException as error:
        return f"Telegram cannot be reached ({type(error).__name__})"
    examined.note_date("Telegram", response.headers.get("Date"))
    if not isinstance(said, dict) or said.get("ok") is not True:
        description = said.get("description") if isinstance(said, dict) else None
        return f"Telegram refuses ({description or response.status_code})"
    result: dict[str, Any] = said["result"]
    return result

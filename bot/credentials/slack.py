"""Slack's credentials: the bot token, the app-level token, the signing secret, and the app's own settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web import SlackResponse

from bot.credentials import TIMEOUT, Fault
from bot.credentials.kinds import Looks, looks

APPS: Final = "https://api.slack.com/apps"
_COPY_BOT: Final = "Copy the Bot User OAuth Token, which begins with xoxb-, from “OAuth & Permissions”."
_COPY_APP: Final = "Under “Basic Information”, “App-Level Tokens”, make one with the scope connections:write."
_COPY_SECRET: Final = "Copy the Signing Secret from “Basic Information”, “App Credentials”: 32 of 0-9 a-f."  # noqa: S105  # words
_INSTALL: Final = "Press “Install App”, “Install to Workspace” on the app's page, and copy its bot token again."
NETWORK: Final = "Check that this machine reaches the internet (a proxy, a firewall, SLACK_API_URL), and try again."

_LATER: Final = "Try again in a minute."
_WAIT: Final = frozenset({"ratelimited", "rate_limited"})
_TROUBLE: Final = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
_CODE: Final = re.compile(r"[a-z][a-z0-9_]*")
"""How Slack spells what it says of a token. A proxy or a sign-in page of the network says something else."""
# What a refused token means, and what to do; codes as documented for auth.test.
_REFUSED: Final[Mapping[str, tuple[str, str]]] = {
    "invalid_auth": ("Slack does not know this token", ""),
    "account_inactive": ("the app was removed from its workspace, or the workspace is gone", _INSTALL),
    "token_revoked": ("this token was revoked", _INSTALL),
    "token_expired": ("this token has expired: token rotation is on in this app", "Make an app without it."),
    "not_allowed_token_type": ("this is a token of another kind", ""),
    "team_access_not_granted": ("the organisation has not let the app into this workspace", _INSTALL),
    "two_factor_setup_required": ("Slack wants two-factor sign-in set up first", "Ask an administrator."),
    "org_login_required": ("the workspace moves to an organisation", "Try again later."),
    "accesslimited": ("Slack does not take it from this network", "Allow this address under “OAuth & Permissions”."),
    "missing_scope": ("this token lacks a permission", ""),
}  # fmt: skip


@dataclass(frozen=True)
class SlackBot:
    """Whose a bot token is. `app` is empty where it could not be asked; `scopes` where Slack did not say; `date` is
    the time that Slack said it was."""

    team: str
    team_name: str
    user: str
    user_id: str
    app: str
    scopes: frozenset[str]
    date: str | None


@dataclass(frozen=True)
class SlackApp:
    """Whose an app-level token is (`app` is empty where Slack did not say), and where Socket Mode connects to, once."""

    app: str
    address: str


def bot_token(token: str, api_url: str) -> SlackBot | Fault:
    """Ask Slack whose bot token this is."""
    kind = looks(token)
    if kind is not Looks.SLACK_BOT:
        return Fault(f"this is {kind.value}, not a bot token", _COPY_BOT)
    client = client_of(token, api_url)
    answer = _asked(lambda: client.auth_test(), _COPY_BOT)  # noqa: PLW0108  # not called yet
    if isinstance(answer, Fault):
        return answer
    headers = {name.lower(): value for name, value in (answer.headers or {}).items()}
    bot_id = str(answer.get("bot_id") or "")
    if not bot_id:
        return Fault("this token acts as a person, not as the app's bot", _COPY_BOT)
    bot = _asked(lambda: client.bots_info(bot=bot_id), "")
    about = {} if isinstance(bot, Fault) else bot.get("bot") or {}
    return SlackBot(
        team=str(answer.get("team_id") or ""),
        team_name=str(answer.get("team") or ""),
        user=str(answer.get("user") or ""),
        user_id=str(answer.get("user_id") or ""),
        app=str(about.get("app_id") or ""),
        scopes=frozenset(one.strip() for one in headers.get("x-oauth-scopes", "").split(",") if one.strip()),
        date=headers.get("date"),
    )


def app_token(token: str, api_url: str, app: str = "") -> SlackApp | Fault:
    """Ask Slack for a Socket Mode address with this app-level token. `app` is that of the bot token, if known."""
    kind = looks(token)
    if kind is not Looks.SLACK_APP:
        return Fault(f"this is {kind.value}, not an app-level token", _COPY_APP)
    client = client_of(token, api_url)
    opened = _asked(lambda: client.apps_connections_open(app_token=token), _COPY_APP)
    if isinstance(opened, Fault):
        return opened
    own = _asked(lambda: client.auth_test(), "")  # noqa: PLW0108  # not called yet
    found = "" if isinstance(own, Fault) else str(own.get("app_id") or "")
    if app and found and found != app:
        return Fault(
            f"this token is of the app {found}, and the bot token of {app}", f"Take both from one app. {_COPY_APP}"
        )
    return SlackApp(found, str(opened["url"]))


def signing_secret(text: str) -> Fault | None:
    """What is wrong with the shape of a signing secret. Slack tells nobody whether it is the right one."""
    if re.fullmatch(r"[0-9a-f]{32}", text):
        return None
    kind = looks(text)
    if kind is Looks.NOTHING:
        return Fault("this does not look like a signing secret", _COPY_SECRET)
    return Fault(f"this is {kind.value}, not a signing secret", _COPY_SECRET)


def app_manifest(config_token: str, app: str, api_url: str) -> Mapping[str, Any] | Fault:
    """The settings of an app as Slack has them. The token is an app configuration token, which lasts 12 hours."""
    todo = f"Make one at {APPS} under “Your App Configuration Tokens”; it begins with xoxe.xoxp- and lasts 12 hours."
    kind = looks(config_token)
    if kind is not Looks.SLACK_CONFIG:
        return Fault(f"this is {kind.value}, not an app configuration token", todo)
    answer = _asked(lambda: client_of(config_token, api_url).apps_manifest_export(app_id=app), todo)
    if isinstance(answer, Fault) and "token_expired" in answer.found:
        return Fault("this configuration token has ended: they last 12 hours", todo)
    if isinstance(answer, Fault):
        return answer
    found: Mapping[str, Any] = answer.get("manifest") or {}
    return found


def client_of(token: str | None, api_url: str) -> WebClient:
    """A client for a command that runs once."""
    return WebClient(token, base_url=api_url, timeout=int(TIMEOUT), retry_handlers=[])


def _asked(call: Callable[[], SlackResponse], todo: str) -> SlackResponse | Fault:
    """The answer to a call. `todo` says what to do where the code of a refusal alone does not."""
    try:
        return call()
    except SlackApiError as error:
        return _refused(error, todo)
    except (SlackClientError, OSError, ValueError) as error:
        # An address that no web server answers at raises what its pieces raise.
        return Fault(f"Slack cannot be reached ({type(error).__name__})", NETWORK, unreachable=True)
    except (AttributeError, TypeError):
        # The library takes for granted that an answer is an object.
        return Fault("something else than Slack answers in its place", NETWORK, unreachable=True)


def _refused(error: SlackApiError, todo: str) -> Fault:
    """What a refusal means; only one that Slack gives for the token's sake says anything of the token."""
    told = error.response if isinstance(error.response, Mapping) else error.response.data
    code = str(told.get("error") or "") if isinstance(told, Mapping) else ""
    status = int(getattr(error.response, "status_code", None) or 0)
    if code in _WAIT or status == HTTPStatus.TOO_MANY_REQUESTS:
        return Fault(
            f"Slack asked to wait ({code if _CODE.fullmatch(code) else status})", _LATER, unreachable=True, passing=True
        )
    if code in _TROUBLE or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        found = f"Slack has trouble of its own ({code if _CODE.fullmatch(code) else f'HTTP {status}'})"
        return Fault(found, f"{_LATER} https://slack-status.com says how Slack is.", unreachable=True, passing=True)
    if not _CODE.fullmatch(code):
        found = f"something else than Slack answers in its place (HTTP {status or 'without a status'})"
        return Fault(found, NETWORK, unreachable=True)
    words, own = _REFUSED.get(code, ("Slack refuses this token", ""))
    needed = told.get("needed")
    return Fault(f"{words} ({code}{f': {needed}' if needed else ''})", own or todo)

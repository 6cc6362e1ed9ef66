"""Connecting Slack: what to click, then each token asked for and verified the moment it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from adapters.slack.manifest import SCOPES, creation_link, manifest_yaml
from bot.credentials import Fault, slack
from bot.doctor.sockets import Refused, greeting
from bot.setup.asking import Talk
from bot.setup.given import Given

BOT: Final = "SLACK_BOT_TOKEN"
APP: Final = "SLACK_APP_TOKEN"
SECRET: Final = "SLACK_SIGNING_SECRET"  # noqa: S105  # the name of a setting


@dataclass(frozen=True)
class Before:
    """How things stand: where Slack sends what happens (None: this machine fetches it, by Socket Mode), whether our
    service may be connected already, and in which workspaces cards were asked so far."""

    public_url: str | None
    is_running: bool
    teams: tuple[str, ...]


def connect(talk: Talk, given: Given, before: Before) -> dict[str, str]:
    """The settings that connect Slack, all verified. Raises `Unattended`."""
    public_url = before.public_url
    name, value = (SECRET, given.slack_signing_secret) if public_url else (APP, given.slack_app_token)
    if not given.slack_bot_token or not value:
        _explain(talk, public_url, has_app=bool(given.slack_bot_token))
    token, bot = talk.until_good(
        BOT,
        given.slack_bot_token,
        "Bot User OAuth Token, xoxb-…",
        lambda text: _judge_bot(talk, given, before, text),
    )
    talk.good(f"The bot token works: it is {bot.user} in {bot.team_name} ({bot.team}).")
    _check_scopes(talk, given, token, bot)
    if public_url:
        secret, _ = talk.until_good(name, value, "Signing Secret", _judge_secret)
        talk.good("The signing secret has the shape of one; the test card shows whether it is the right one.")
        return {BOT: token, SECRET: secret}
    app_token, app = talk.until_good(
        name, value, "App-level token, xapp-…", lambda text: slack.app_token(text, given.slack_base, bot.app)
    )
    if before.is_running or _check_socket(talk, given, app_token, app):
        talk.good("The app-level token works: Socket Mode opens.")
    return {BOT: token, APP: app_token}


def _check_socket(talk: Talk, given: Given, token: str, app: slack.SlackApp) -> bool:
    """Say that Socket Mode is off, or that somebody else is connected, until it is mended or the operator goes on
    without. Whether all is well. Not while our own service is connected, which would be taken for somebody else."""
    while True:
        found = greeting(app.address)
        if isinstance(found, Refused):
            talk.bad(found.why, found.todo)
        elif found.connections > 1:
            talk.bad(
                "Another program is connected to this app, and takes presses away unless it is this deployment's",
                "End it, or make an app of its own for it: one deployment, one app.",
            )
        else:
            return True
        if not talk.attended or not talk.confirm("Look again?", default=True):
            return False
        again = slack.app_token(token, given.slack_base)
        app = app if isinstance(again, Fault) else again


def _judge_bot(talk: Talk, given: Given, before: Before, token: str) -> slack.SlackBot | Fault:
    bot = slack.bot_token(token, given.slack_base)
    if isinstance(bot, Fault) or not before.teams or bot.team in before.teams or not talk.attended:
        return bot
    so_far = ", ".join(before.teams)
    talk.note(f"This token is of the workspace {bot.team_name} ({bot.team}); cards were asked in {so_far} so far.")
    if talk.confirm("Use it all the same?", default=False):
        return bot
    return Fault("this is the token of another workspace", f"Take the token of the app in {so_far}.")


def _judge_secret(text: str) -> str | Fault:
    return slack.signing_secret(text) or text


def _check_scopes(talk: Talk, given: Given, token: str, bot: slack.SlackBot) -> None:
    """Say which permissions are missing, until they are there or the operator goes on without them."""
    while missing := [scope for scope in SCOPES if bot.scopes and scope.name not in bot.scopes]:
        talk.bad(
            "The app lacks permissions: " + "; ".join(f"{one.name} (to {one.why})" for one in missing),
            "Add them under “OAuth & Permissions”, “Bot Token Scopes”, and install the app again.",
        )
        if not talk.attended or not talk.confirm("Look again?", default=True):
            return
        again = slack.bot_token(token, given.slack_base)
        bot = bot if isinstance(again, Fault) else again


def _explain(talk: Talk, public_url: str | None, *, has_app: bool) -> None:
    """The exact clicks, from no app at all to what is asked for next."""
    if not has_app:
        _explain_app(talk, public_url)
    if public_url:
        talk.step(3, "Open “Basic Information”, “App Credentials”, and copy the Signing Secret.")
    else:
        talk.step(
            3,
            "Open “Basic Information”, “App-Level Tokens”, press “Generate Token and Scopes”, write any name, press "
            "“Add Scope”, choose connections:write, press “Generate”, and copy the token: xapp-…",
        )
    talk.say()


def _explain_app(talk: Talk, public_url: str | None) -> None:
    if talk.attended:
        talk.step(1, "Open this link, choose your workspace, press “Next” and “Create”. It holds the app's manifest:")
    else:
        talk.step(1, "Make the app from this manifest, or with the link below it, which holds the same:")
        talk.whole(f"\n{manifest_yaml(public_url)}")
    talk.whole(f"\n{creation_link(public_url)}\n")
    if talk.attended:
        said = talk.text("Press Enter once the app is there (m shows the manifest, to paste it instead)")
        if said.lower() == "m":
            talk.whole(f"\n{manifest_yaml(public_url)}")
    talk.step(
        2,
        "Open “Install App”, press “Install to …” and “Allow”, and copy the Bot User OAuth Token: xoxb-…",
    )

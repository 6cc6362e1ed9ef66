"""What OAuth gives out: codes that work once, and refresh tokens that each replace a token once."""

from __future__ import annotations

from dataclasses import replace

from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.world import Installation


def redeem(platform: Platform, code: str, redirect_uri: str) -> Installation:
    """Install the app for a code. A workspace in which it is already keeps its bot account, and its token unless tokens
    are replaced."""
    allowed = platform.codes.pop(code, None)
    if allowed is None:
        raise Refused("invalid_code")
    if allowed.redirect_uri and redirect_uri != allowed.redirect_uri:
        raise Refused("bad_redirect_uri")
    account, world = allowed.account, platform.world
    before = [app for app in world.installations.values() if app.team_id == account]
    if before and before[-1].active and not platform.settings.token_rotation:
        return before[-1]
    user = before[-1].bot_user_id if before else platform.mint.name("U")
    bot = before[-1].bot_id if before else platform.mint.name("B")
    return _made(platform, account, user, bot)


def refresh(platform: Platform, token: str) -> Installation:
    """Replace a token. What it was replaced with is no use a second time; the token before lives on until its end."""
    apps = platform.world.installations.values()
    app = next((one for one in apps if one.refresh and one.refresh == token), None)
    if app is None or not app.active:
        raise Refused("invalid_refresh_token")
    platform.world.installations[app.token] = replace(app, refresh="")
    return _made(platform, app.team_id, app.bot_user_id, app.bot_id)


def _made(platform: Platform, account: str, user: str, bot: str) -> Installation:
    rotates = platform.settings.token_rotation
    prefix = "xoxe.xoxb-1-" if rotates else "xoxb-"
    app = platform.install(account, f"{prefix}{platform.mint.secret()}", user, bot)
    if rotates:
        ends = platform.clock.elapsed() + platform.settings.token_seconds
        app = replace(app, refresh=f"xoxe-1-{platform.mint.secret()}", expires_at=ends)
        platform.world.installations[app.token] = app
    return app

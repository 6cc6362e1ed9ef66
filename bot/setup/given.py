"""What is set already, as it stands: checked by nobody yet, so that what is wrong can be told and mended."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.config import ENV_FILE, SLACK_API, TELEGRAM_API, Malformed, load
from bot.setup.envfile import change


class Given(BaseSettings):
    """The settings that `sayso init` looks at, from the environment and `.env`, as for the service."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE, env_ignore_empty=True, extra="ignore", frozen=True, str_strip_whitespace=True
    )

    slack_bot_token: str = ""
    slack_app_token: str = ""
    slack_signing_secret: str = ""
    slack_api_url: str = SLACK_API
    telegram_bot_token: str = ""
    telegram_api_url: str = TELEGRAM_API
    sayso_public_url: str = ""
    sayso_secret_key: str = ""
    sayso_host: str = "127.0.0.1"
    sayso_port: str = "8080"

    @property
    def slack_base(self) -> str:
        """Where Slack is, with a slash at the end."""
        return self.slack_api_url.rstrip("/") + "/"

    @property
    def telegram_base(self) -> str:
        """Where Telegram is, without one."""
        return self.telegram_api_url.rstrip("/")


ASKED: Final = frozenset({"slack_bot_token", "slack_app_token", "slack_signing_secret", "telegram_bot_token"})
"""What is asked for again where it is not good. All else is the operator's to mend."""


def judge_others() -> None:
    """Say at once what is wrong with a setting that nobody is asked for. Raises `Misconfigured`."""
    try:
        load()
    except Malformed as error:
        if error.setting not in ASKED:
            raise


def wrong_with(name: str, value: str) -> str:
    """What is wrong with a value for a setting, without the setting's name; empty when nothing is."""
    try:
        load({name: value})
    except Malformed as error:
        return str(error).removeprefix(name.upper()).strip(" .") if error.setting == name else ""
    return ""


def keep(settings: Mapping[str, str]) -> bool:
    """Write settings into `.env`; whether there was anything to write. Raises `Misconfigured`."""
    return change(ENV_FILE, settings)


def overruled(settings: Mapping[str, str]) -> list[str]:
    """Those of the settings that the environment sets to something else: it wins over `.env`."""
    return [name for name, value in settings.items() if os.environ.get(name) not in (None, "", value)]

"""The settings: read once from the environment and `.env`, checked as a whole, never changed.

A field is named as its variable, in lower case. `load` is the door; what is wrong becomes one sentence that
names the setting. Secrets are `SecretStr`, so that printing or logging the settings shows none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from bot import shapes
from bot.keyfile import derive, kept_key
from bot.whereabouts import ANYWHERE
from bot.whereabouts import HOST as LOCAL
from core.errors import Misconfigured

SLACK_API = "https://slack.com/api/"
TELEGRAM_API = "https://api.telegram.org"
ENV_FILE = Path(".env")
"""The settings file, in the working directory."""
DATA = Path(".data")
"""The data directory, under the working directory: the SQLite file and the kept key of a single machine."""
DRAIN = timedelta(seconds=5)
"""How long a load balancer has to send requests to other replicas, where there may be some."""


class ProcessRole(StrEnum):
    """What a process does: everything; only HTTP; or only the relay, the scheduler and the chats' sockets."""

    ALL = "all"
    WEB = "web"
    WORKER = "worker"


class Installing(StrEnum):
    """Who may connect a Slack workspace that is new here: whoever has an operator's link, or anybody."""

    INVITED = "invited"
    OPEN = "open"


class LogStyle(StrEnum):
    """How it logs."""

    CONSOLE = "console"
    JSON = "json"


class Malformed(Misconfigured):
    """One setting by itself is not what it may be. `setting` is its field's name."""

    def __init__(self, setting: str, sentence: str) -> None:
        self.setting = setting
        super().__init__(sentence)


class Settings(BaseSettings):
    """Everything an operator can set. `None` means unset."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        str_strip_whitespace=True,
        validate_default=False,
    )

    slack_bot_token: shapes.SlackBotToken | None = None
    slack_signing_secret: shapes.SlackSigningSecret | None = None
    slack_app_token: shapes.SlackAppToken | None = None
    slack_sockets: Annotated[int, Field(ge=1, le=10)] = 8
    slack_client_id: str | None = None
    slack_client_secret: SecretStr | None = None
    slack_config_token: shapes.SlackConfigToken | None = None
    slack_api_url: shapes.UrlWithSlash = SLACK_API

    telegram_bot_token: shapes.TelegramBotToken | None = None
    telegram_webhook_secret: shapes.TelegramWebhookSecret | None = None
    telegram_api_url: shapes.Url = TELEGRAM_API

    oidc_issuer: shapes.Issuer | None = None
    oidc_client_id: str | None = None
    oidc_client_secret: SecretStr | None = None

    sayso_database_url: shapes.DatabaseUrl | None = None
    sayso_public_url: shapes.Url | None = None
    sayso_secret_key: shapes.SecretKey | None = None
    sayso_secret_key_previous: shapes.SecretKey | None = None
    sayso_install: Installing = Installing.INVITED
    sayso_host: str = "127.0.0.1"
    sayso_port: Annotated[int, Field(ge=0, le=65535)] = 8080
    sayso_api_key: shapes.ApiKey | None = None
    sayso_webhook_secret: shapes.WebhookSecret | None = None
    sayso_webhook_allow: Annotated[shapes.Networks, NoDecode] = ()
    sayso_trusted_proxies: Annotated[shapes.Networks, NoDecode] = ()
    sayso_retention: shapes.Retention | None = None
    sayso_drain: shapes.Drain | None = None
    sayso_role: ProcessRole = ProcessRole.ALL
    sayso_log: LogStyle = LogStyle.CONSOLE
    otel_exporter_otlp_endpoint: shapes.Url | None = None

    @model_validator(mode="after")
    def _settings_agree(self) -> Self:
        if self.slack_on and not (self.slack_app_token or self.slack_signing_secret):
            raise ValueError("SLACK_SIGNING_SECRET is missing: set it, or SLACK_APP_TOKEN for Socket Mode.")
        if (self.slack_client_id is None) != (self.slack_client_secret is None):
            missing = "SLACK_CLIENT_ID" if self.slack_client_id is None else "SLACK_CLIENT_SECRET"
            raise ValueError(f"{missing} is missing: installing needs the client id and the client secret.")
        oidc = {
            "OIDC_ISSUER": self.oidc_issuer,
            "OIDC_CLIENT_ID": self.oidc_client_id,
            "OIDC_CLIENT_SECRET": self.oidc_client_secret,
        }
        if any(oidc.values()) and not all(oidc.values()):
            missing = next(name for name, value in oidc.items() if not value)
            raise ValueError(f"{missing} is missing: a provider of yours needs {_listed(oidc)}.")
        if self.sayso_webhook_secret and not self.sayso_api_key:
            raise ValueError("SAYSO_API_KEY is missing: SAYSO_WEBHOOK_SECRET belongs to that key.")
        return self

    @property
    def slack_on(self) -> bool:
        """Whether Slack is connected: with a token of its own, or wherever people install the app."""
        return self.slack_bot_token is not None or self.slack_installs

    @property
    def slack_installs(self) -> bool:
        """Whether people install the app from here."""
        return self.slack_client_id is not None and self.slack_client_secret is not None

    @property
    def slack_socket_mode(self) -> bool:
        """Whether Slack is received by Socket Mode instead of HTTP."""
        return self.slack_on and self.slack_app_token is not None

    @property
    def telegram_on(self) -> bool:
        """Whether Telegram is connected."""
        return self.telegram_bot_token is not None

    @property
    def telegram_webhook(self) -> bool:
        """Whether Telegram is received by webhook instead of long polling."""
        return self.telegram_on and self.telegram_webhook_secret is not None and self.sayso_public_url is not None

    @property
    def base_url(self) -> str:
        """Where people and programs find this service, without a slash at the end."""
        host = f"[{self.sayso_host}]" if ":" in self.sayso_host else self.sayso_host
        return self.sayso_public_url or f"http://{host}:{self.sayso_port}"

    @property
    def local_url(self) -> str:
        """Where this machine itself finds the service, without a slash at the end."""
        host = LOCAL if self.sayso_host in ANYWHERE else self.sayso_host
        return f"http://[{host}]:{self.sayso_port}" if ":" in host else f"http://{host}:{self.sayso_port}"

    @property
    def link_ok(self) -> bool:
        """Whether a chat can carry a link button to this service: only a public https address."""
        return self.sayso_public_url is not None and self.sayso_public_url.startswith("https://")

    @property
    def is_shared(self) -> bool:
        """Whether several processes may work on one database: only a server has room for them."""
        url = self.sayso_database_url
        return url is not None and not url.get_secret_value().startswith("sqlite")

    @property
    def drain(self) -> timedelta:
        """How long requests are still served once the process was told to stop."""
        if self.sayso_drain is not None:
            return self.sayso_drain
        return DRAIN if self.is_shared else timedelta(0)

    def database_url(self) -> str:
        """The address of the database, its password in it; a file in the data directory when unset."""
        if self.sayso_database_url is not None:
            return self.sayso_database_url.get_secret_value()
        DATA.mkdir(mode=0o700, parents=True, exist_ok=True)
        return f"sqlite:///{(DATA / 'sayso.sqlite3').resolve()}"

    def key(self, purpose: str) -> bytes:
        """A 32-byte key for one purpose (`controls`, `sessions`), derived so that none serves for another."""
        if self.sayso_secret_key is not None:
            return derive(self.sayso_secret_key.get_secret_value().encode(), purpose)
        return derive(kept_key(DATA), purpose)

    def keys(self, purpose: str) -> tuple[bytes, ...]:
        """The same with the key before it, where one is set: made with the first, opened with any."""
        previous = self.sayso_secret_key_previous
        older = (derive(previous.get_secret_value().encode(), purpose),) if previous is not None else ()
        return (self.key(purpose), *older)


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}"


def load(given: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings; those `given` (by field name) win over the environment. Raises `Misconfigured`."""
    try:
        return Settings(**(given or {}))
    except ValidationError as error:
        raise _malformed(error) from None
    except SettingsError as error:
        raise Misconfigured(f"The settings cannot be read: {error}.") from None
    except UnicodeDecodeError:
        raise Misconfigured("The file .env is not UTF-8 text.") from None


def _malformed(error: ValidationError) -> Misconfigured:
    at = error.errors(include_url=False, include_input=False)[0]["loc"]
    return Malformed(str(at[0]), _sentence(error)) if at else Misconfigured(_sentence(error))


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    detail = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return detail
    name = str(first["loc"][0]).upper()
    if first["type"] == "value_error" and detail.startswith(("must ", "is ")):
        return f"{name} {detail}."
    return f"{name} is malformed: {detail[:1].lower()}{detail[1:]}."

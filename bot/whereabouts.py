"""Where a program that asks finds the service, and with which key: the environment or `.env`, as for the service."""

from __future__ import annotations

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

HOST = "127.0.0.1"
PORT = "8080"
ANYWHERE = frozenset({"0.0.0.0", "::", "[::]"})  # noqa: S104  # nothing listens there: it is what is not called
"""Hosts that a server listens on and nobody can call."""
NO_KEY = (
    "give a key, or set SAYSO_API_KEY: `sayso init` put the first one into a file .env.NAME beside .env; load it with "
    "`set -a; . ./.env.NAME; set +a`, and `sayso agent add NAME` makes another"
)
"""What to say to whoever asks without a key."""


class Whereabouts(BaseSettings):
    """`SAYSO_URL` says where. Without it the service is on this machine, where its own settings put it; only if they
    name no place here, but a public address, it is there."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    sayso_url: str | None = None
    sayso_host: str | None = None
    sayso_port: str | None = None
    sayso_public_url: str | None = None
    sayso_api_key: SecretStr | None = None

    @property
    def url(self) -> str:
        """The address of the service, without a slash at the end."""
        here = self.sayso_host is not None or self.sayso_port is not None
        found = self.sayso_url or (None if here else self.sayso_public_url) or self._on_this_machine()
        return found.rstrip("/")

    @property
    def key(self) -> str | None:
        """The API key."""
        return self.sayso_api_key.get_secret_value() if self.sayso_api_key else None

    def _on_this_machine(self) -> str:
        host = self.sayso_host or HOST
        if host in ANYWHERE:
            host = HOST
        if ":" in host and not host.startswith("["):
            host = f"[{host}]"
        return f"http://{host}:{self.sayso_port or PORT}"

"""What the Telegram adapter is given, and what it finds out about its bot when it starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

API: Final = "https://api.telegram.org"
PATH: Final = "/telegram/webhook"
APP_PATH: Final = "/telegram/app"
"""Where the Mini App of each bot is, by its number."""


@dataclass(frozen=True, slots=True)
class TelegramSettings:
    """How a bot is reached. With a webhook secret and a public https address updates are delivered there to `path`,
    else fetched.

    `api_url` is what stands before `/bot<token>/`.
    """

    bot_token: str = field(repr=False)
    webhook_secret: str | None = field(default=None, repr=False)
    api_url: str | None = None
    public_url: str | None = None
    path: str = PATH

    @property
    def webhook_url(self) -> str | None:
        """Where Telegram delivers; None: updates are fetched."""
        if self.webhook_secret and self.public_url:
            return self.public_url.rstrip("/") + self.path
        return None

    @property
    def number(self) -> str:
        """The id of the bot's account, which its token begins with."""
        return self.bot_token.partition(":")[0]

    @property
    def launcher(self) -> str | None:
        """The page that opens ours inside Telegram; None: Telegram opens none, as they are not on public https."""
        if self.public_url is None or not self.public_url.startswith("https://"):
            return None
        return f"{self.public_url.rstrip('/')}{APP_PATH}/{self.number}"


@dataclass(frozen=True, slots=True)
class Me:
    """The bot: its account's id, the username by which addresses and connections name it, and what it is called."""

    id: int
    username: str
    name: str

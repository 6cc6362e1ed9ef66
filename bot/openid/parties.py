"""Whom people may sign in with, as the settings say: Slack, and an identity provider of the operator's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from adapters.slack.openid import SCOPES, identity_of, openid_at
from bot.config import Settings
from core.people import Identity


@dataclass(frozen=True)
class Endpoints:
    """Where a browser is sent, where a code is exchanged, and where the keys are. `pkce`: it takes S256; `basic`: it
    takes the client's secret in a header, otherwise in the form."""

    authorize: str
    token: str
    keys: str
    pkce: bool = False
    basic: bool = False


@dataclass(frozen=True)
class Party:
    """One provider. `name` is its word in our addresses, `label` what people call it; `endpoints` None: its discovery
    document says; `identify` names the account in verified claims."""

    name: str
    label: str
    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    scopes: str
    identify: Callable[[Mapping[str, object]], Identity | None]
    endpoints: Endpoints | None = None


def parties_of(settings: Settings) -> tuple[Party, ...]:
    """All of them, in the order in which they are offered."""
    found: list[Party] = []
    if settings.slack_client_id is not None and settings.slack_client_secret is not None:
        at = openid_at(settings.slack_api_url)
        secret = settings.slack_client_secret.get_secret_value()
        endpoints = Endpoints(at.authorize, at.token, at.keys)
        found.append(
            Party("slack", "Slack", at.issuer, settings.slack_client_id, secret, SCOPES, identity_of, endpoints)
        )
    if settings.oidc_issuer and settings.oidc_client_id and settings.oidc_client_secret:
        secret, issuer = settings.oidc_client_secret.get_secret_value(), settings.oidc_issuer
        label = urlsplit(issuer).netloc
        found.append(Party("oidc", label, issuer, settings.oidc_client_id, secret, "openid", subject_at(issuer)))
    return tuple(found)


def subject_at(issuer: str) -> Callable[[Mapping[str, object]], Identity | None]:
    """Reads the subject, which an issuer gives to nobody else ever again."""

    def identify(claims: Mapping[str, object]) -> Identity | None:
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= 255:
            return None
        return Identity(provider="oidc", account=issuer, user=subject)

    return identify

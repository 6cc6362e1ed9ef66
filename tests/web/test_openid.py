"""What is believed of a provider: over sockets, with tokens that are wrong in every way an attacker can make them."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from joserfc.jwk import RSAKey

from bot.moment import SystemClock
from bot.openid import NotProved, RelyingParty, relying_parties
from bot.openid.fetching import Fetcher
from bot.openid.keys import KeyRing
from bot.sandbox.openid import Signer
from core.errors import Misconfigured
from core.people import Identity
from tests.web.calling import MovingClock
from tests.web.providers import TRIP, Providers, code_for, providers


@pytest.fixture
async def p() -> AsyncIterator[Providers]:
    async with providers() as served:
        yield served


async def test_a_verified_subject_is_the_account_and_nothing_else_in_the_token_is(p: Providers) -> None:
    identity = await p.party.come_back(await code_for(p.party), TRIP)
    assert identity == Identity(provider="oidc", account=p.own.issuer, user="248289761001")


async def test_a_user_of_a_slack_team_is_the_account(p: Providers) -> None:
    p.slack.openid.person = "U9"
    identity = await p.parties[0].come_back(await code_for(p.parties[0]), TRIP)
    assert identity == Identity(provider="slack", account="T1", user="U9")


def _set(**claims: Any) -> Callable[[dict[str, Any]], None]:
    return lambda token: token.update(claims)


def _drop(name: str) -> Callable[[dict[str, Any]], None]:
    def drop(token: dict[str, Any]) -> None:
        del token[name]

    return drop


SPOILED: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
    ("another issuer", _set(iss="https://evil.example.com")),
    ("our issuer with a slash more", lambda token: token.update(iss=token["iss"] + "/")),
    ("another client", _set(aud="somebody-else")),
    ("another client beside others", _set(aud=["somebody-else", "more"])),
    ("ours among others, made for another", _set(aud=["sayso", "somebody-else"], azp="somebody-else")),
    ("another visit's nonce", _set(nonce="nonce-of-another-visit")),
    ("no nonce", _drop("nonce")),
    ("expired", lambda token: token.update(exp=token["iat"] - 61, iat=token["iat"] - 400)),
    ("no expiry", _drop("exp")),
    ("expiry that is no number", _set(exp="never")),
    ("issued in the future", lambda token: token.update(iat=token["iat"] + 3_600, exp=token["exp"] + 3_600)),
    ("no subject", _drop("sub")),
    ("a subject that is no text", _set(sub=["248289761001"])),
    ("an endless subject", _set(sub="s" * 300)),
    ("an empty subject", _set(sub="")),
]


@pytest.mark.parametrize(("what", "spoil"), SPOILED, ids=[one[0] for one in SPOILED])
async def test_a_signed_token_with_a_wrong_claim_proves_nothing(
    p: Providers, what: str, spoil: Callable[[dict[str, Any]], None]
) -> None:
    code = await code_for(p.party)
    p.own.signer.spoil = spoil
    with pytest.raises(NotProved):
        await p.party.come_back(code, TRIP)


def _spelled(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def _unsigned(signer: Signer) -> None:
    header = _spelled(json.dumps({"alg": "none"}).encode())
    signer.forge = lambda token: f"{header}.{token.split('.')[1]}."


def _signed_with_the_public_key(signer: Signer) -> None:
    """For whoever takes the published key for a shared secret."""
    secret, header = signer.keys[0].as_pem(private=False), {"alg": "HS256", "kid": signer.keys[0].kid}

    def forge(token: str) -> str:
        signed = f"{_spelled(json.dumps(header).encode())}.{token.split('.')[1]}"
        return f"{signed}.{_spelled(hmac.digest(secret, signed.encode(), 'sha256'))}"

    signer.forge = forge


def _changed_after_it_was_signed(signer: Signer) -> None:
    def forge(token: str) -> str:
        header, claims, signature = token.split(".")
        read = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        return f"{header}.{_spelled(json.dumps(read | {'sub': 'the-boss'}).encode())}.{signature}"

    signer.forge = forge


def _no_token_at_all(signer: Signer) -> None:
    signer.forge = lambda _: "ü.{}.\0"


def _signed_with_another_key(signer: Signer) -> None:
    signer.key = RSAKey.generate_key(2048)


def _naming_a_key_that_is_nobodys(signer: Signer) -> None:
    signer.header = {"kid": "../../etc/passwd"}


def _bringing_its_own_key(signer: Signer) -> None:
    own = RSAKey.generate_key(2048, {"kid": "mine"})
    signer.key, signer.header = own, {"kid": "mine", "jku": "https://evil.example.com/keys"}


FORGED = [
    _unsigned,
    _signed_with_the_public_key,
    _changed_after_it_was_signed,
    _no_token_at_all,
    _signed_with_another_key,
    _naming_a_key_that_is_nobodys,
    _bringing_its_own_key,
]


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__.strip("_"))
async def test_a_token_that_the_provider_did_not_sign_proves_nothing(
    p: Providers, forge: Callable[[Signer], None]
) -> None:
    code = await code_for(p.party)
    forge(p.own.signer)
    with pytest.raises(NotProved):
        await p.party.come_back(code, TRIP)


async def test_a_code_is_good_once_and_only_with_the_verifier_of_its_visit(p: Providers) -> None:
    stolen = await code_for(p.party)
    with pytest.raises(NotProved):
        await p.party.come_back(stolen, replace(TRIP, verifier="another" * 8))
    code = await code_for(p.party)
    await p.party.come_back(code, TRIP)
    with pytest.raises(NotProved):
        await p.party.come_back(code, TRIP)


async def test_slack_saying_no_with_a_200_is_a_no(p: Providers) -> None:
    with pytest.raises(NotProved, match="does not take this way back"):
        await p.parties[0].come_back("made-up", TRIP)


@pytest.mark.parametrize("claim", ["https://slack.com/team_id", "https://slack.com/user_id"])
async def test_a_slack_token_without_its_team_or_user_names_nobody(p: Providers, claim: str) -> None:
    p.slack.openid.person = "U9"
    code = await code_for(p.parties[0])
    p.slack.openid.signer.spoil = _drop(claim)
    with pytest.raises(NotProved, match="did not say which account"):
        await p.parties[0].come_back(code, TRIP)


async def test_a_new_key_is_fetched_when_it_is_first_seen_and_not_more_than_once_a_minute(p: Providers) -> None:
    clock = MovingClock()

    async def fetch() -> Any:
        return await Fetcher(p.settings.sayso_webhook_allow).get(f"{p.own.issuer}/keys")

    ring = KeyRing(fetch, clock)
    first = p.own.signer.keys[0].kid
    await ring.holding(first)
    await ring.holding(first)
    assert p.own.key_fetches == 1
    p.own.signer.rotate()
    for _ in range(5):
        await ring.holding(p.own.signer.keys[0].kid)
    assert p.own.key_fetches == 1, "a flood of unknown names is no flood of requests"
    clock.move(seconds=61)
    found = await ring.holding(p.own.signer.keys[0].kid)
    assert p.own.key_fetches == 2
    assert p.own.signer.keys[0].kid in {key.kid for key in found.keys}
    clock.move(hours=2)
    await ring.holding(p.own.signer.keys[0].kid)
    assert p.own.key_fetches == 3, "what was taken back is not trusted for ever"


async def test_keys_that_were_looked_up_by_a_clock_that_was_ahead_are_looked_up_again(p: Providers) -> None:
    clock = MovingClock()

    async def fetch() -> Any:
        return await Fetcher(p.settings.sayso_webhook_allow).get(f"{p.own.issuer}/keys")

    ring = KeyRing(fetch, clock)
    await ring.holding(p.own.signer.keys[0].kid)
    clock.move(days=-30)
    p.own.signer.rotate()
    found = await ring.holding(p.own.signer.keys[0].kid)
    assert p.own.signer.keys[0].kid in {key.kid for key in found.keys}
    clock.move(days=-30)
    await ring.holding(p.own.signer.keys[0].kid)
    assert p.own.key_fetches == 3


async def test_a_provider_that_is_down_is_told_from_one_that_says_no(p: Providers) -> None:
    p.own.answers = False
    with pytest.raises(NotProved, match="could not be asked just now"):
        await p.party.leave(TRIP)


async def test_another_issuers_discovery_document_is_not_believed(p: Providers) -> None:
    elsewhere = replace(p.party.party, issuer=p.own.issuer.replace("127.0.0.1", "localhost"))
    party = RelyingParty(elsewhere, Fetcher(p.settings.sayso_webhook_allow), SystemClock())
    with pytest.raises(NotProved, match="could not be asked just now"):
        await party.leave(TRIP)


async def test_a_private_address_is_asked_only_where_the_operator_allowed_it() -> None:
    async with providers(sayso_webhook_allow="10.0.0.0/8") as served:
        with pytest.raises(NotProved, match="could not be asked just now"):
            await served.party.leave(TRIP)
        assert served.own.key_fetches == 0


async def test_the_token_of_a_clock_that_is_a_little_off_is_good(p: Providers) -> None:
    class Behind(SystemClock):
        def now(self) -> Any:
            return super().now() - timedelta(seconds=50)

    party = relying_parties(p.settings, Behind())[1]
    assert (await party.come_back(await code_for(party), TRIP)).user == "248289761001"


@pytest.mark.parametrize("missing", ["oidc_issuer", "oidc_client_id", "oidc_client_secret"])
async def test_half_of_a_provider_stops_the_start(missing: str) -> None:
    with pytest.raises(Misconfigured, match=missing.upper()):
        async with providers(**{missing: ""}):
            pass

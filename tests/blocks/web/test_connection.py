"""Connections on the page: what would be connected, where that leads, and who may grant it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest

from blocks.web.connection import host_of, leading_to
from core.acts import Connected, Reject, SetOut
from core.kinds import EXAMPLES, Kind
from core.kinds.connection import digest_of
from core.records import Interaction
from tests.blocks.web.test_page import settled
from tests.blocks.web.visits import page
from tests.rules.making import ASKER, NOW, by, card

PAYLOAD = EXAMPLES[Kind.CONNECTION]["payload"]


def connection(**payload: Any) -> Interaction:
    return card(Kind.CONNECTION, payload={**PAYLOAD, **payload})


def buttons(interaction: Interaction, **changes: Any) -> list[str]:
    form = page(interaction, **changes).form
    return [one.label for one in form.buttons] if form is not None else []


def aside(interaction: Interaction, **changes: Any) -> str:
    form = page(interaction, **changes).form
    assert form is not None
    return "\n".join(form.aside)


def test_everything_that_would_be_connected_is_shown_before_and_after() -> None:
    told = (
        ("Service", ("github",)),
        ("Purpose", ("Read pull requests and write release notes.",)),
        ("Account", ("example-org",)),
        ("Scopes", ("repo:read", "releases:write")),
        ("Connects at", ("agent.example",)),
    )
    for shown in (page(connection()), page(settled(connection(), Reject(1, "no")))):
        assert tuple((one.label, one.lines) for one in shown.details) == told
    without = page(connection(scopes=[], account=None)).details
    assert [one.label for one in without] == ["Service", "Purpose", "Scopes", "Connects at"]
    assert without[2].lines == ("none named",)


def test_only_operators_can_connect_and_only_those_asked_can_decline() -> None:
    assert buttons(connection()) == ["Decline", "Save draft"]
    assert buttons(connection(), operator=True) == ["Connect", "Decline", "Save draft"]
    assert buttons(connection(), operator=True, refusal="Not yours.") == ["Connect"]
    assert buttons(connection(), refusal="Not yours.") == []


def test_the_host_is_named_before_anybody_leaves() -> None:
    assert aside(connection(), operator=True).startswith("“Connect” leads to agent.example, which is outside")
    form = page(connection(), operator=True).form
    assert form is not None
    assert form.leaves


def test_who_may_grant_it_is_named_to_everybody_else() -> None:
    told = aside(connection(), operators=("Ana", "Ben"))
    assert told == "Only an operator can grant this, on this page: Ana or Ben. You can decline it."
    assert "nobody is one yet" in aside(connection())


def test_somebody_who_set_out_is_named_until_it_is_too_long_ago() -> None:
    away = settled(connection(), SetOut(1, digest_of("s")))
    assert "Ben set out to connect it just now" in aside(away, operator=True)
    assert "too long ago" not in aside(away, operator=True)
    assert "too long ago" in aside(away, operator=True, now=NOW + timedelta(hours=2))


def test_a_connection_that_was_granted_says_by_whom() -> None:
    done = page(settled(settled(connection(), SetOut(1, digest_of("s"))), Connected("s"), ASKER), person="per_ana")
    assert done.ending is not None
    assert (done.ending.decided, done.ending.sentence) == (
        ("github connected",),
        "Ben granted this on 2 Dec 2026, 14:05 UTC, on this page.",
    )
    declined = page(settled(connection(), Reject(1, "not that account"), by("ana"))).ending
    assert declined is not None
    assert (declined.decided, declined.reason) == (("github not connected",), "not that account")


HOSTS: tuple[tuple[str, str | None, str], ...] = (
    ("https://agent.example/connect", "agent.example", "as it is"),
    ("https://AGENT.example:8443/", "agent.example:8443", "with its port"),
    ("https://github.com@evil.example/", "evil.example", "a name in front of the host is not the host"),
    ("https://evil.example\\@github.com/", "evil.example", "a backslash is a slash to browsers"),
    ("https://github.com%2eevil.example/", None, "what browsers would decode"),
    ("https://gіthub.com/", "xn--gthub-n2e.com", "a Cyrillic letter shows"),
    ("https://ｇithub.com/", "github.com", "what browsers would fold"),
    ("https://[2001:db8::1]/", "[2001:db8::1]", "an address of numbers"),
    ("https://evil.example:99999/", None, "a port that there is not"),
    ("https://exa<b>mple.com/", None, "no host at all"),
    (f"https://{'a' * 64}.example/", None, "a label that names cannot have"),
)


@pytest.mark.parametrize(("address", "host", "reason"), HOSTS, ids=[row[-1] for row in HOSTS])
def test_the_host_that_is_shown_is_where_a_browser_goes(address: str, host: str | None, reason: str) -> None:
    assert host_of(address) == host
    if host is None:
        with pytest.raises(ValueError, match="leads nowhere"):
            leading_to(address, "s")
    else:
        assert urlsplit(leading_to(address, "s")).netloc == host


def test_nobody_is_led_to_an_address_that_cannot_be_shown() -> None:
    odd = connection(connect_url=f"https://{'a' * 64}.example/")
    assert buttons(odd, operator=True) == ["Decline", "Save draft"]
    assert "not one that can be opened safely" in aside(odd, operator=True)


LED = (
    ("https://agent.example/connect", "https://agent.example/connect?state=S"),
    ("https://agent.example/?a=1&b=%20", "https://agent.example/?a=1&b=%20&state=S"),
    ("https://agent.example/?state=old&a=1&state=", "https://agent.example/?a=1&state=S"),
    ("https://agent.example/?statement=1", "https://agent.example/?statement=1&state=S"),
    ("https://agent.example/#top", "https://agent.example/?state=S#top"),
)


@pytest.mark.parametrize(("address", "led"), LED)
def test_the_state_takes_the_place_of_any_that_was_there(address: str, led: str) -> None:
    assert leading_to(address, "S") == led

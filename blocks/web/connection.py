"""A connection request on the page: what would be connected, where granting leads, and who may grant it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import SplitResult, urlsplit

from blocks.web.page import Detail, Visit
from blocks.web.parts import Button, Field, shown
from blocks.web.reasons import reason_field
from blocks.words import ago, isolate, listed, when, who
from core.kinds.base import Reason
from core.kinds.connection import STATE_LIVES, ConnectionRequest
from core.records import Interaction

CONNECT = "connect"
DECLINE = "Decline"
_HOST: Final = re.compile(r"[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?\.?|\[[0-9a-f:.]+\]")


def fields(visit: Visit) -> Iterator[Field]:
    """The reason for declining."""
    yield reason_field(Reason.OPTIONAL, "Reason", DECLINE, visit)


def buttons(payload: ConnectionRequest, visit: Visit) -> tuple[Button, ...]:
    """Decline for whoever may answer, Connect for operators. Nobody is led to an address that cannot be shown."""
    connect = Button(CONNECT, "Connect", main=True)
    decline = Button("reject", DECLINE)
    may_connect = visit.operator and host_of(payload.connect_url) is not None
    return (*((connect,) if may_connect else ()), *((decline,) if visit.refusal is None else ()))


def aside(payload: ConnectionRequest, interaction: Interaction, visit: Visit) -> Iterator[str]:
    """What to know before pressing one."""
    host = host_of(payload.connect_url)
    if host is None:
        yield "The address to connect at is not one that can be opened safely, so it cannot be granted."
    elif visit.operator:
        yield f"“Connect” leads to {host}, which is outside of this service. The connection is granted there, not here."
    elif visit.operators:
        names = listed([isolate(name) for name in visit.operators], "or")
        yield f"Only an operator can grant this, on this page: {names}. You can decline it."
    else:
        yield "Only an operator can grant this, on this page, and nobody is one yet. You can decline it."
    connecting = interaction.connecting
    if connecting is not None:
        since = visit.now - connecting.at
        over = " That was too long ago to count; start again." if since > STATE_LIVES else ""
        yield (
            f"{who(connecting.by)} set out to connect it {ago(since)} ({when(connecting.at)}); "
            f"the other side has not confirmed it yet.{over}"
        )


def details(payload: ConnectionRequest) -> tuple[Detail, ...]:
    """What would be connected, all of it."""
    host = host_of(payload.connect_url)
    found = (
        Detail("Service", (shown(payload.service),)),
        Detail("Purpose", (shown(payload.purpose),)),
        Detail("Account", (shown(payload.account),) if payload.account else ()),
        Detail("Scopes", tuple(shown(scope) for scope in payload.scopes) or ("none named",)),
        Detail("Connects at", (host or "an address that cannot be opened safely",)),
    )
    return tuple(one for one in found if one.lines)


def host_of(address: str) -> str | None:
    """The host that a browser would go to, in letters that cannot look like others, with its port if it names one;
    None where that cannot be told for sure."""
    parts = _parts(address)
    if parts is None:
        return None
    try:
        name, port = parts.hostname or "", parts.port
        plain = f"[{name}]" if ":" in name else name.encode("idna").decode()
    except (ValueError, UnicodeError):
        return None
    host = plain.lower()
    return f"{host}:{port}" if port and _HOST.fullmatch(host) else host if _HOST.fullmatch(host) else None


def leading_to(address: str, state: str) -> str:
    """The address with `state` in its query, in place of any that was there. It leads to `host_of(address)`: a name and
    password before the host are left out."""
    parts, host = _parts(address), host_of(address)
    if parts is None or host is None:
        raise ValueError("the address leads nowhere that can be told")
    kept = [pair for pair in parts.query.split("&") if pair and pair.partition("=")[0] != "state"]
    query = "&".join((*kept, f"state={state}"))
    return parts._replace(netloc=host, query=query).geturl()


def _parts(address: str) -> SplitResult | None:
    """As browsers take an address apart: a backslash is a slash."""
    before, mark, rest = address.partition("?")
    try:
        return urlsplit(before.replace("\\", "/") + mark + rest)
    except ValueError:
        return None

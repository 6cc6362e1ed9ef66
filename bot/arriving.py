"""What the use cases take of an arrival, whatever it is: who sent it, and through which account."""

from __future__ import annotations

from typing import TypedDict

from adapters.inbound import Arrival, Wrote
from core.addresses import Provider
from core.people import Identity, Standing
from core.ports import Connection
from core.use_cases.loop_arrivals import Heard


class Sent(TypedDict):
    """The fields of `core.use_cases.arrivals.Arrival`."""

    key: str
    workspace: str
    provider: Provider
    account: str
    identity: Identity
    standing: Standing


def sent(arrival: Arrival, connection: Connection, standing: Standing) -> Sent:
    """What every arrival through a connection has; `standing` is what the provider says of its sender now."""
    return Sent(
        key=arrival.key,
        workspace=connection.workspace,
        provider=arrival.provider,
        account=arrival.account,
        identity=arrival.sender,
        standing=standing,
    )


def message_of(arrival: Wrote, connection: Connection, standing: Standing) -> Heard:
    """A message, as it is heard where work orders are talked about and read as an answer elsewhere."""
    return Heard(
        **sent(arrival, connection, standing),
        channel=arrival.channel,
        thread=arrival.thread,
        message=arrival.message,
        private=arrival.private,
        text=arrival.text,
        reply_to=arrival.reply_to,
        to_us=arrival.to_us,
        own=arrival.own,
        attached=arrival.attached,
        spoken=arrival.spoken,
    )

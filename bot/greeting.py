"""`/start` with a one-time code: an operator wants to link the account of whoever says it."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from adapters.inbound import Commanded
from core.addresses import Provider
from core.ports import Connection, Context, Work
from core.replies import Helped, Reply
from core.use_cases.once import once

LINKED = "Thank you. An operator sees this account now and has to confirm that it is yours."
NO_CODE = "This link is used or too old. Please ask for a new one."


def code_hash(code: str) -> str:
    """What is stored of a one-time code."""
    return hashlib.sha256(code.encode()).hexdigest()


class Greeting:
    """Answers `/start` with a code."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def __call__(self, arrival: Commanded, connection: Connection) -> Reply:
        """Note which account used a one-time code. The account becomes nobody's identity by that alone."""
        code = arrival.argument.strip()

        async def claim(work: Work) -> Reply:
            link = await work.link(code_hash(code))
            now = self._context.clock.now()
            if link is None or link.workspace != connection.workspace or not arrival.private:
                return Helped(NO_CODE)
            if link.claimed == arrival.sender:
                return Helped(LINKED)
            if link.used_at is not None or link.expires_at <= now:
                return Helped(NO_CODE)
            name = arrival.hint.name or None
            await work.save_link(replace(link, used_at=now, claimed=arrival.sender, claimed_name=name))
            return Helped(LINKED)

        return await once(self._context, arrival.key, Provider(arrival.provider), claim)

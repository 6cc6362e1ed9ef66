"""`/signin` in a chat: a name for one sign-in, for whoever gets no code because others asked for them."""

from __future__ import annotations

import secrets

from adapters.inbound import Commanded
from bot.authority import Authority
from bot.web.security import hashed
from core.addresses import Provider
from core.ports import Connection, Context
from core.replies import Helped, Reply
from core.use_cases.passes import ALPHABET, LENGTH, give_pass

IN_PRIVATE = "Write that to me in private: what I would say is for you alone."


def pass_hash(word: str) -> str:
    """What is stored of a pass: never the hash of a code for `/start`, whatever that is."""
    return hashed(f"pass {word}")


def asks_for_pass(arrival: Commanded) -> bool:
    """Whether somebody wants one: `/signin` in Telegram, `/sayso signin` in Slack."""
    return (arrival.argument.strip().lower() if arrival.name == "sayso" else arrival.name) == "signin"


async def tell_pass(context: Context, authority: Authority, arrival: Commanded, connection: Connection) -> Reply:
    """Make one and tell it where nobody else reads the answer: in Slack, where only the sender does, or in private."""
    if not arrival.private and arrival.provider is Provider.TELEGRAM:
        return Helped(IN_PRIVATE)
    word = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    standing = await authority.standing(connection.workspace, arrival.sender, arrival.hint)
    return await give_pass(context, connection.workspace, arrival.sender, standing, word, pass_hash(word))

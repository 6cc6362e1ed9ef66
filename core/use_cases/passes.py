"""A pass: a name that is good for asking for one code, and that only a person's own chat was told.

Anybody may type a person's handle and have codes sent to them, so those are few in an hour, and somebody else can use
them up. Nobody else knows a pass: a code that is asked for with one is always sent. It confers nothing by itself.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Final

from core.access import Link
from core.errors import Refused
from core.people import Identity, Person, Standing
from core.ports import Context, Work
from core.replies import Helped, Reply, Told
from core.use_cases.people import recognise
from core.use_cases.transact import transact

GOOD_FOR: Final = timedelta(minutes=10)
ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""What a pass is made of: nothing that is read as something else."""
LENGTH: Final = 8
_SPELLED: Final = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}")


def spelled(word: str) -> str:
    """A pass as it is told: `k7qm-2xwd`."""
    return f"{word[: LENGTH // 2]}-{word[LENGTH // 2 :]}"


def pass_in(typed: str) -> str | None:
    """The pass that somebody typed, in any case and with whatever gaps; None: that is none."""
    word = re.sub(r"[\s-]", "", typed[:64]).lower()
    return word if _SPELLED.fullmatch(word) else None


async def give_pass(
    context: Context, workspace: str, identity: Identity, standing: Standing, word: str, word_hash: str
) -> Reply:
    """Keep a pass, as its hash, for whoever has this account, and tell it to them."""

    async def keep(work: Work) -> None:
        person = await recognise(work, context, workspace, identity, standing)
        now = context.clock.now()
        await work.add_link(Link(word_hash, workspace, person.id, now, now + GOOD_FOR, claimed=identity))

    try:
        await transact(context, keep)
    except Refused as refused:
        return Told(str(refused))
    minutes = GOOD_FOR.seconds // 60
    return Helped(
        f"At {context.signin_url} type {spelled(word)} in the place of your name. It is good once and for {minutes} "
        "minutes. The code to sign in then comes to you here, however often others asked for one in your name."
    )


async def take_pass(work: Work, context: Context, word_hash: str) -> tuple[Person, Identity] | None:
    """Whose a pass is and the account that was told it, once; None: it is not good."""
    kept, now = await work.link(word_hash), context.clock.now()
    if kept is None or kept.used_at is not None or kept.expires_at <= now or kept.claimed is None:
        return None
    # Confirmed, so that no operator is asked whose account it is.
    await work.save_link(replace(kept, used_at=now, confirmed_at=now))
    person = await work.person(kept.workspace, kept.person)
    if person is None or kept.claimed not in person.identities:
        return None
    return person, kept.claimed

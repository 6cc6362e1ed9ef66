"""Every arrival once: what it leads to is committed with its inbox row, and a redelivery is told the same again."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import assert_never

from core.addresses import Provider
from core.errors import Fault, Raced
from core.ports import Context, Work
from core.replies import Helped, Listed, OpenForm, Quiet, Reply, Saved, Told, Wrong
from core.use_cases.transact import transact

TRY_AGAIN = "This was not saved: too much happened at once. Please press again."
Inner = Callable[[Work], Awaitable[Reply]]
Foresee = Callable[[Work], Awaitable[None]]


async def once(context: Context, key: str, provider: Provider, inner: Inner, foresee: Foresee | None = None) -> Reply:
    """Run `inner` in one transaction with the arrival's inbox row, so that a redelivery changes nothing and is
    told the same again. A lost race is run again from what then stands. `foresee` says what `inner` will ask for."""

    async def in_inbox(work: Work) -> Reply:
        now = context.clock.now()
        if foresee is not None:
            await foresee(work)
        # What it said is of no use later: it is done when this commits, or never came.
        if not await work.first_seen(key, provider.value, "", now):
            return _unpack(await work.arrival_reply(key))
        reply = await inner(work)
        await work.arrival_done(key, _pack(reply), now)
        return reply

    try:
        return await transact(context, in_inbox)
    except Raced:
        return Told(TRY_AGAIN)


def _pack(reply: Reply) -> str | None:
    match reply:
        case Saved():
            return json.dumps({"saved": reply.text, "unseen": reply.unseen})
        case Told():
            return json.dumps({"told": reply.text})
        case Wrong():
            return json.dumps({"wrong": [[one.pointer, one.detail] for one in reply.faults], "fields": reply.fields})
        case OpenForm() | Quiet() | Listed() | Helped():
            # A form is opened with a trigger that is used up, so there is nothing to say again.
            return None
        case _:
            assert_never(reply)


def _unpack(stored: str | None) -> Reply:
    if stored is None:
        return Quiet()
    known = json.loads(stored)
    if "wrong" in known:
        return Wrong(tuple(Fault(*one) for one in known["wrong"]), tuple(known["fields"]))
    return Saved(known["saved"], known["unseen"]) if "saved" in known else Told(known["told"])

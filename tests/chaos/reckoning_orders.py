"""What must be true of one work order: it ended once, everybody is told so, and nobody was reminded twice of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from core.publications import PublicationState
from tests.chaos.reckoning_cards import most_copies, of_chain
from tests.chaos.sights import Sights, ending

ORDER_ENDS: Final = frozenset({"loop.closed", "loop.declined", "loop.no_action"})
WORDS: Final = {"declined": "Declined", "no_action": "Closed without action"}


def of_order(
    title: str,
    now: dict[str, Any],
    chain: Sequence[dict[str, Any]],
    ends: Sequence[dict[str, Any]],
    sights: Sights,
    *,
    backs: int = 0,
) -> Iterator[str]:
    """Every breach, in words. `backs` as for cards."""
    outcome = now["outcome"]
    if outcome is None:
        yield f"not ended but {now['state']}"
        return
    yield from of_chain(chain, outcome["receipt"], ORDER_ENDS, "loop")
    if [one["type"] for one in ends] != [f"loop.{outcome['status']}"] or now["state"] != outcome["status"]:
        yield f"events of ending {[one['type'] for one in ends]}, state {now['state']}"
    nudged = [line["type"] for line in chain].count("nudged")
    if nudged != now["nudges"]["sent"] or nudged > now["nudges"]["max"]:
        yield f"{nudged} receipts of reminders, and {now['nudges']} says the order"
    for number in range(1, now["nudges"]["max"] + 1):
        said = sum(f"[NUDGE {now['id']}]" in one and f"[nudge {number}/" in one for one in sights.said)
        if said > (1 if number <= nudged else 0) + backs:
            yield f"reminder {number} was said {said} times, with {nudged} receipts"
    copies = sights.copies.get(title, [])
    known = (now["card"]["provider"], now["card"]["channel"], now["card"]["message"])
    if known[-1] is None and now["card"]["state"] != PublicationState.UNKNOWN:
        yield f"there is no card, and it is said to be {now['card']['state']}"
    # Telegram cannot be asked whether a post arrived whose answer was lost. Where that of its replacement was lost too,
    # the card is known to be nowhere, is told to be so, and may be in the chat or not.
    if known[-1] is not None and known not in {copy.at for copy in copies}:
        yield f"the card known at {known} is not in chat"
    if len(copies) > most_copies(now["card"]["provider"], backs):
        yield f"{len(copies)} copies"
    line = ending(WORDS.get(outcome["status"], f"Closed ({outcome['result']})"), sights, outcome)
    for copy in copies:
        if copy.is_live:
            yield f"the copy at {copy.at} still offers controls"
        if line not in copy.text and not (backs and copy.at != known and copy.at[0] == "telegram"):
            yield f"the copy at {copy.at} does not say {line!r}"

"""What must be true of one card: settled once, by somebody who may, told once, and shown as it is everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.chaos.asking import ALLOWED
from tests.chaos.sights import Copy, Sights, ending, whose
from tests.chaos.town import Town
from tests.flows.crashing import expect_whole

CARD_ENDS: Final = frozenset(
    f"interaction.{one}"
    for one in ("answered", "accepted", "rejected", "completed", "expired", "withdrawn", "undeliverable", "superseded")
)
ACCEPT_REJECT: Final = {"accepted": "Deploy", "rejected": "Hold"}
MOST_COPIES: Final = {"slack": 1, "telegram": 2}
"""Telegram cannot be asked whether a post arrived whose answer was lost: one replacement is what is promised."""


def of_card(
    town: Town,
    title: str,
    now: dict[str, Any],
    chain: Sequence[dict[str, Any]],
    ends: Sequence[dict[str, Any]],
    sights: Sights,
    *,
    backs: int = 0,
) -> Iterator[str]:
    """Every breach, in words. `backs`: how often the database went back to a copy, after which what the copy did not
    know of may have been done once more."""
    outcome = now["outcome"]
    if outcome is None:
        yield "not settled"
        return
    yield from of_chain(chain, outcome["receipt"], CARD_ENDS, "interaction")
    if [one["type"] for one in ends] != [f"interaction.{now['status']}"]:
        yield f"events of ending {[one['type'] for one in ends]}, status {now['status']}"
    by = outcome["by"]
    if title in town.restricted and by["type"] == "person" and whose(by) not in ALLOWED:
        yield f"settled by somebody who may not: {by}"
    copies = sights.copies.get(title, [])
    yield from _of_copies(now, copies, backs)
    known = {(one["provider"], one["channel"], one["message"]) for one in now["publications"]}
    for copy in copies:
        if backs and copy.at not in known and copy.at[0] == "telegram":
            # It was posted and settled after the copy: nobody can find it, and nobody can press it.
            continue
        missing = list(_expected(copy, now, sights))
        yield from (f"a copy in {copy.at[0]} does not say {one!r}: {copy.text[-200:]!r}" for one in missing)
    for number in (1, 2):
        said = sum(f"Reminder {number} of" in one and title in one for one in sights.said)
        if said > 1 + backs:
            yield f"reminder {number} was said {said} times"


def most_copies(provider: str, backs: int) -> int:
    """How often one card may be in a chat, after its database went back so often."""
    return MOST_COPIES[provider] + (backs if provider == "telegram" else 0)


def of_chain(chain: Sequence[dict[str, Any]], last: str, ends: frozenset[str], prefix: str) -> Iterator[str]:
    """Of any chain of receipts: it is whole, and ends once, with `last`; nobody is reminded after that."""
    types = [line["type"] for line in chain]
    terminal = [line["id"] for line in chain if f"{prefix}.{line['type']}" in ends]
    if terminal != [last]:
        yield f"terminal receipts {terminal} of {types}, and the outcome has {last}"
    try:
        expect_whole(chain)
    except AssertionError:
        yield "the chain of receipts does not verify"
    after = [line["type"] for line in chain[[line["id"] for line in chain].index(last) :]] if terminal else []
    if "nudged" in after:
        yield f"somebody was reminded after the end: {types}"


def _of_copies(now: dict[str, Any], copies: Sequence[Copy], backs: int) -> Iterator[str]:
    """The copies that the database knows are in the chats, and those in the chats offer nothing any more."""
    known = {(one["provider"], one["channel"], one["message"]) for one in now["publications"] if one["message"]}
    shown = {copy.at for copy in copies}
    if known - shown:
        yield f"copies known and not in chat: {sorted(known - shown)}"
    for provider, count in Counter(at[0] for at in shown).items():
        if count > most_copies(provider, backs):
            yield f"{count} copies in {provider}"
    yield from (f"the copy at {copy.at} still offers controls" for copy in copies if copy.is_live)


def _expected(copy: Copy, now: dict[str, Any], sights: Sights) -> Iterator[str]:
    """What this copy ought to say of the outcome and does not."""
    outcome, status = now["outcome"], now["status"]
    label = f" (“{ACCEPT_REJECT[status]}”)" if status in ACCEPT_REJECT and copy.at[0] == "telegram" else ""
    line = ending(status.capitalize() + label, sights, outcome)
    if line not in copy.text:
        yield line
        return
    said = copy.text[copy.text.index(line) :]
    yield from (one for one in _decided(now) if one not in said)


def _decided(now: dict[str, Any]) -> Iterator[str]:
    """The words of what was decided, in the order they are shown."""
    answer = now["outcome"]["answer"]
    match now["kind"]:
        case "questions" if answer is not None:
            for question in now["payload"]["questions"]:
                yield _given(question, answer[question["id"]]["value"])
        case "item_verdicts" if answer is not None:
            for item in now["payload"]["items"]:
                yield item["label"]
                yield answer["verdicts"][item["id"]]["reason"] or ""
        case "checklist" if answer is not None:
            yield from (one["label"] for one in now["payload"]["items"] if one["id"] in answer["selected"])
        case _:
            return


def _given(question: dict[str, Any], value: Any) -> str:
    match question["type"]:
        case "choice":
            return next(str(one["label"]) for one in question["options"] if one["id"] == value)
        case "boolean":
            return "Yes" if value else "No"
        case _:
            return str(value)

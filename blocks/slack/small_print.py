"""The small print under a card: who asked, who may answer, how far the votes are, when it expires, who holds it."""

from __future__ import annotations

from blocks.slack.limits import CONTEXT_ELEMENTS, CONTEXT_TEXT, length
from blocks.slack.parts import Block, context, mrkdwn, pack_lines, plain
from blocks.slack.text import date
from blocks.timely import ESCALATED, MOST_NAMED, handed_on
from blocks.words import isolate, listed, who
from core.addressed import MAY_ANSWER, OR, account, answerers, notes
from core.addresses import ChatAddress, PersonAddress, Provider, parse_address
from core.audience import Audience
from core.cards import Card
from core.records import Interaction
from core.standing import ASIDE, OPEN_UNTIL, STILL_OPEN, are_answering, votes_so_far

LONGEST_NAME = 200
"""In small print a name beyond any that Slack takes is left out, not cut."""
LONGEST_NAMES = 260
"""Who is answering comes and goes: it takes no room that the content needs."""


def small_print(card: Card) -> list[Block]:
    """The context blocks of a card that is still open."""
    interaction = card.interaction
    lines: list[Block] = [asked_by(interaction)]
    lines += [mrkdwn(text) for text in _who_can_answer(interaction.audience)]
    lines += _widened(interaction)
    progress = _progress(interaction)
    if progress:
        lines.append(plain(progress))
    lines += expires(interaction)
    if interaction.dismissed_at is not None:
        lines.append(plain(f"{ASIDE}: {STILL_OPEN}"))
    busy = answering_now(card)
    if busy:
        lines.append(plain(busy))
    most = CONTEXT_ELEMENTS.number
    return [context(*lines[start : start + most]) for start in range(0, len(lines), most)]


def answering_now(card: Card) -> str:
    """`Ana is answering…`, `Ana and Ben are answering…`; a count where the names would take the card over."""
    names = [_name(isolate(name)) for name in card.answering or ((card.holder,) if card.holder else ())]
    if not names:
        return ""
    told = are_answering(listed(names), len(names))
    return told if len(told) <= LONGEST_NAMES else are_answering(f"{len(names)} people", len(names))


def asked_by(interaction: Interaction) -> Block:
    """Who asked, as an element of small print; all that is left of it once a card is settled."""
    return plain(f"Asked by {_name(who(interaction.creator))}")


def expires(interaction: Interaction) -> list[Block]:
    """When it expires, if it does, as elements of small print."""
    return [] if interaction.expires_at is None else [mrkdwn(f"{OPEN_UNTIL} {date(interaction.expires_at)}")]


def asked_in(interaction: Interaction) -> str:
    """Where a card was asked, in mrkdwn."""
    return listed([_place(address) for address in interaction.to]) or "the review page"


def _place(text: str) -> str:
    address = parse_address(text)
    if isinstance(address, PersonAddress):
        return f"a message to @{address.handle}"
    if not isinstance(address, ChatAddress):
        return "the review page"
    if address.provider is Provider.TELEGRAM:
        return "Telegram"
    if address.place.startswith(("C", "G")):
        return f"<#{address.place}>"
    if address.place.startswith(("U", "W")):
        return f"a direct message to <@{address.place}>"
    return "a direct message"


def _name(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else "someone"


def _answerer(one: str | ChatAddress) -> str:
    """One answerer in mrkdwn. Every form has an alphabet of its own that cannot spell markup."""
    if isinstance(one, ChatAddress):
        return f"<@{one.place}>" if one.provider is Provider.SLACK else account(one)
    return one


def _who_can_answer(audience: Audience) -> list[str]:
    names, more = [_answerer(one) for one in answerers(audience)], notes(audience)
    also = f" ({listed(more)})" if more else ""
    told = f"{MAY_ANSWER}: {listed(names, OR)}{also}"
    if length(told) <= CONTEXT_TEXT.number:
        return [told]
    return pack_lines([f"{MAY_ANSWER}: {names[0]}", *names[1:-1], f"{names[-1]}{also}"], ", ", CONTEXT_TEXT.number)


def _widened(interaction: Interaction) -> list[Block]:
    """That others were brought in once nobody answered, and who handed it to whom."""
    lines: list[Block] = []
    nudges = interaction.policy.nudges
    if interaction.reminding.escalated_at is not None and nudges is not None:
        others = [_answerer(one) for one in answerers(Audience(answerers=nudges.escalate_to))]
        more = [f"{len(others) - MOST_NAMED} more"] if len(others) > MOST_NAMED else []
        lines.append(mrkdwn(f"{ESCALATED} {listed([*others[:MOST_NAMED], *more])}"))
    handed = handed_on(interaction)
    return [*lines, plain(handed)] if handed else lines


def _progress(interaction: Interaction) -> str:
    """`1 of 2 have accepted: Ana`, where several must."""
    standing = list(votes_so_far(interaction))
    named = [
        f"{said}: {listed([_name(who(vote.by)) for vote in votes])}" if votes else said for said, votes in standing
    ]
    told = "; ".join(named)
    return told if len(told) <= CONTEXT_TEXT.number else "; ".join(said for said, _ in standing)

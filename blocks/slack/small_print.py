"""The small print under a card: who asked, who can answer, how far the votes are, when it expires, who holds it."""

from __future__ import annotations

from blocks.slack.limits import CONTEXT_ELEMENTS, CONTEXT_TEXT
from blocks.slack.parts import Block, context, mrkdwn, pack_lines, plain
from blocks.slack.text import date
from blocks.words import isolate, listed, who
from core.addresses import ChatAddress, PersonAddress, Provider, parse_address
from core.cards import Card
from core.kinds import Confirmation
from core.records import Interaction

LONGEST_NAME = 200
"""In small print a name beyond any that Slack takes is left out, not cut."""
LONGEST_NAMES = 260
"""Who is answering comes and goes: it takes no room that the content needs."""


def small_print(card: Card) -> list[Block]:
    """The context blocks of a card that is still open."""
    interaction = card.interaction
    lines: list[Block] = [asked_by(interaction)]
    lines += [mrkdwn(text) for text in _who_can_answer(interaction)]
    progress = _progress(interaction)
    if progress:
        lines.append(plain(progress))
    lines += expires(interaction)
    if interaction.dismissed_at is not None:
        lines.append(plain("Set aside: no reminders, but it can still be answered"))
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
    told = f"{listed(names)} {'is' if len(names) == 1 else 'are'} answering…"
    return told if len(told) <= LONGEST_NAMES else f"{len(names)} people are answering…"


def asked_by(interaction: Interaction) -> Block:
    """Who asked, as an element of small print; all that is left of it once a card is settled."""
    return plain(f"Asked by {_name(who(interaction.creator))}")


def expires(interaction: Interaction) -> list[Block]:
    """When it expires, if it does, as elements of small print."""
    return [] if interaction.expires_at is None else [mrkdwn(f"Expires {date(interaction.expires_at)}")]


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


def _answerer(text: str) -> str:
    """One answerer in mrkdwn. Every form has an alphabet of its own that cannot spell markup."""
    if text == "conversation":
        return "anyone in this conversation"
    if text == "role:operator":
        return "operators"
    if text.startswith("agent:"):
        return f"agent {text.removeprefix('agent:')}"
    address = parse_address(text)
    if isinstance(address, ChatAddress):
        return f"<@{address.place}>" if address.provider is Provider.SLACK else "someone on Telegram"
    return f"@{address.handle}" if isinstance(address, PersonAddress) else str(address)


def _who_can_answer(interaction: Interaction) -> list[str]:
    audience = interaction.audience
    pieces = list(dict.fromkeys(_answerer(one) for one in audience.answerers))
    pieces[0] = f"Can answer: {pieces[0]}"
    notes = []
    if audience.guests and "conversation" in audience.answerers:
        notes.append("guests too")
    if "creator" in audience.exclude:
        notes.append("not whoever asked")
    if notes:
        pieces[-1] += f" ({', '.join(notes)})"
    return pack_lines(pieces, ", ", CONTEXT_TEXT.number)


def _progress(interaction: Interaction) -> str:
    """`1 of 2 have accepted: Ana`, where several must."""
    quorum = interaction.audience.quorum
    if quorum < 2 or not isinstance(interaction.content.payload, Confirmation):
        return ""
    accepted = [_name(who(vote.by)) for vote in interaction.votes if vote.accepted]
    rejected = [_name(who(vote.by)) for vote in interaction.votes if not vote.accepted]
    told = f"{len(accepted)} of {quorum} have accepted" + (f": {listed(accepted)}" if accepted else "")
    if rejected:
        told += f"; {len(rejected)} rejected: {listed(rejected)}"
    return told if len(told) <= CONTEXT_TEXT.number else f"{len(accepted)} of {quorum} have accepted"

"""The small print of a card: who asked, who may answer, where it was asked, the votes so far, and how long there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, assert_never

from blocks.timely import escalated, handed
from blocks.web.copies import CHATS, copies
from blocks.web.later import local
from blocks.web.page import Fact, Visit
from blocks.words import ago, isolate, listed, one_line, through, until, who
from core.addressed import MAY_ANSWER, OR, account, answerers, notes
from core.addresses import ChatAddress, PersonAddress, ReviewAddress, parse_address
from core.audience import Audience
from core.endings import voted as voted_as
from core.records import Interaction, Vote
from core.signed_in import needs_sign_in, spelled
from core.standing import ASIDE, OPEN_UNTIL, STILL_OPEN, votes_so_far

HERE: Final = "on this page"


def facts(interaction: Interaction, visit: Visit) -> Iterator[Fact]:
    """Everything worth knowing about a card besides its content."""
    now, asked_at = visit.now, interaction.created_at
    yield Fact("Asked by", f"{who(interaction.creator)}, {ago(now - asked_at)}", asked_at)
    yield Fact("Asked in", places(interaction, visit.names))
    yield from copies(visit.copies, visit.names)
    if interaction.is_pending:
        yield Fact(MAY_ANSWER, may_answer(interaction.audience))
        if needs_sign_in(interaction.policy):
            yield Fact(
                "Counts", f"only from this page, within {spelled(interaction.policy.sign_in_lasts)} of signing in"
            )
    yield from _brought_in(interaction, now)
    if interaction.audience.quorum > 1:
        yield Fact("Votes", "; ".join(said for said, _ in votes_so_far(interaction)))
    if interaction.is_pending:
        for vote in interaction.votes:
            yield Fact("Vote", voted(vote), vote.at)
        yield from _time(interaction, now, visit.times.zone)
        if interaction.dismissed_at is not None:
            yield Fact(ASIDE, STILL_OPEN, interaction.dismissed_at)
    if interaction.revision > 1:
        yield Fact("Revision", f"{interaction.revision}: it was changed after it was asked")
    yield Fact("Reference", interaction.id)


def _brought_in(interaction: Interaction, now: datetime) -> Iterator[Fact]:
    """Who may answer besides those who were asked first, and since when."""
    escalated_at = interaction.reminding.escalated_at
    if escalated_at is not None:
        yield Fact("Nobody had answered", f"{escalated(interaction)}, {ago(now - escalated_at)}", escalated_at)
    for one in interaction.delegations:
        yield Fact("Handed on", f"{handed(one)}, {ago(now - one.at)}", one.at)


def _time(interaction: Interaction, now: datetime, zone: str) -> Iterator[Fact]:
    if interaction.expires_at is not None:
        left = interaction.expires_at - now
        yield Fact(OPEN_UNTIL, f"{local(interaction.expires_at, zone)} ({until(left)})", interaction.expires_at)
    elif interaction.undelivered_until is not None:
        yield Fact(OPEN_UNTIL, f"{interaction.policy.expires_in} after it is delivered")
    else:
        yield Fact(OPEN_UNTIL, "it is answered; it does not expire")


def places(interaction: Interaction, names: Mapping[str, str]) -> str:
    """Where a card was asked, which is where its outcome is shown."""
    return listed(list(dict.fromkeys(_place(address, names) for address in interaction.to)))


def _place(text: str, names: Mapping[str, str]) -> str:
    address = parse_address(text)
    match address:
        case ReviewAddress():
            return "the inbox here"
        case PersonAddress():
            return f"a direct message to {address.handle}"
        case ChatAddress():
            thread = ", in a thread" if address.thread else ""
            called = isolate(one_line(names.get(text, ""))) or address.place
            return f"{CHATS[address.provider]} ({called}{thread})"
        case _:
            assert_never(address)


def may_answer(audience: Audience) -> str:
    """Who may answer, all of them."""
    found = answerers(audience, here=False)
    names, more = [isolate(account(one) if isinstance(one, ChatAddress) else one) for one in found], notes(audience)
    return listed(names, OR) + (f" ({listed(more)})" if more else "")


def voted(vote: Vote) -> str:
    """One vote in words."""
    said = f"{who(vote.by)} {voted_as(vote)} {through(vote.via, HERE)}".rstrip()
    reason = isolate(vote.reason or "")
    return f"{said}: {reason}" if reason else said

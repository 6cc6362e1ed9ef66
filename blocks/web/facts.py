"""The small print of a card: who asked, who may answer, where it was asked, the votes so far, and how long there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, assert_never

from blocks.web.copies import CHATS, copies
from blocks.web.page import Fact, Visit
from blocks.words import ago, isolate, listed, one_line, through, until, when, who
from core.addresses import ChatAddress, PersonAddress, ReviewAddress, parse_address
from core.audience import Audience
from core.endings import voted as voted_as
from core.records import Interaction, Vote

HERE: Final = "on this page"


def facts(interaction: Interaction, visit: Visit) -> Iterator[Fact]:
    """Everything worth knowing about a card besides its content."""
    now, asked_at = visit.now, interaction.created_at
    yield Fact("Asked by", f"{who(interaction.creator)}, {ago(now - asked_at)}", asked_at)
    yield Fact("Asked in", places(interaction, visit.names))
    yield from copies(visit.copies, visit.names)
    if interaction.is_pending:
        yield Fact("May answer", may_answer(interaction.audience))
    if interaction.audience.quorum > 1:
        accepted = sum(vote.accepted for vote in interaction.votes)
        yield Fact("Votes", f"{accepted} of {interaction.audience.quorum} have accepted")
    if interaction.is_pending:
        for vote in interaction.votes:
            yield Fact("Vote", voted(vote), vote.at)
        yield from _time(interaction, now)
        if interaction.dismissed_at is not None:
            yield Fact("Set aside", "no reminders, but it can still be answered", interaction.dismissed_at)
    if interaction.revision > 1:
        yield Fact("Revision", f"{interaction.revision}: it was changed after it was asked")
    yield Fact("Reference", interaction.id)


def _time(interaction: Interaction, now: datetime) -> Iterator[Fact]:
    if interaction.expires_at is not None:
        left = interaction.expires_at - now
        yield Fact("Open until", f"{when(interaction.expires_at)} ({until(left)})", interaction.expires_at)
    elif interaction.undelivered_until is not None:
        yield Fact("Open until", f"{interaction.policy.expires_in} after it is delivered")
    else:
        yield Fact("Open until", "it is answered; it does not expire")


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
    names = list(dict.fromkeys(_answerer(one) for one in audience.answerers))
    notes = []
    if audience.guests and "conversation" in audience.answerers:
        notes.append("guests too")
    if "creator" in audience.exclude:
        notes.append("not whoever asked")
    return listed(names, "or") + (f" ({listed(notes)})" if notes else "")


def _answerer(text: str) -> str:
    if text == "conversation":
        return "anyone in the conversation where it was asked"
    if text == "role:operator":
        return "an operator"
    if text.startswith("agent:"):
        return isolate(f"agent {text.removeprefix('agent:')}")
    address = parse_address(text)
    match address:
        case ChatAddress():
            return f"{CHATS[address.provider]} user {address.place}"
        case PersonAddress():
            return address.handle
        case ReviewAddress():
            return "nobody"
        case _:
            assert_never(address)


def voted(vote: Vote) -> str:
    """One vote in words."""
    said = f"{who(vote.by)} {voted_as(vote)} {through(vote.via, HERE)}".rstrip()
    reason = isolate(vote.reason or "")
    return f"{said}: {reason}" if reason else said

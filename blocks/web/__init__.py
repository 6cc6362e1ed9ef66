"""The review page as plain data: what is asked, what may be done, how it stands. Templates draw it and decide nothing.

`render` makes the page of one card for one visit, `entry` its line in a list. `reading` reads the form that comes
back, `changes` tells what is different since it was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import assert_never

from blocks.markdown import parse
from blocks.web import confirmation, questions
from blocks.web.facts import facts
from blocks.web.form import form_for
from blocks.web.page import Entry, Page, Remark, Visit
from blocks.web.parts import Asked, shown, typed
from blocks.web.settled import HEADLINES, OVERDUE, answer_of, ending
from blocks.web.text import html
from blocks.words import ago, one_line, until, when, who
from core.forms import read_answers
from core.kinds import Confirmation, Questions
from core.records import Interaction
from core.telling import answer_lines, outcome_sentence, saved_sentence

__all__ = ["Entry", "Page", "Remark", "Visit", "entry", "render"]


def render(interaction: Interaction, visit: Visit) -> Page:
    """The page of a card. A form is on it only while the card is open and this person may do something."""
    content, outcome = interaction.content, interaction.outcome
    overdue = interaction.is_due(visit.now)
    state, tone = OVERDUE if overdue else HEADLINES[interaction.status]
    form = form_for(interaction, visit) if interaction.is_pending and not overdue else None
    mine = outcome is not None and outcome.by.type == "person" and outcome.by.id == visit.person
    return Page(
        interaction=interaction.id,
        title=one_line(content.title) or "…",
        state=state,
        tone=tone,
        body=_body(content.body),
        recommendation=shown(content.recommendation),
        facts=tuple(facts(interaction, visit.now, visit.names)),
        notice=shown(saved_sentence(interaction)) if mine else _own_vote(interaction, visit),
        refusal=visit.refusal or "" if interaction.is_pending and not overdue else "",
        asked=() if form is not None and form.fields else _asked(interaction),
        form=form,
        ending=ending(interaction, outcome) if outcome is not None else None,
        changed=visit.changed,
        unplaced=visit.unplaced,
        unsent=() if interaction.is_pending and not overdue else tuple(_unsent(interaction, visit)),
        remarks=visit.remarks,
    )


def _body(text: str) -> str:
    """The body as HTML. A table wider than the page scrolls by itself, which a keyboard must be able to do too. Every
    `<table>` in the HTML is ours: what others wrote is escaped."""
    wide = '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
    return html(parse(text)).replace("<table>", wide).replace("</table>", "</table></div>")


def _own_vote(interaction: Interaction, visit: Visit) -> str:
    own = next((one for one in interaction.votes if one.by.type == "person" and one.by.id == visit.person), None)
    if own is None or not interaction.is_pending:
        return ""
    payload = interaction.content.payload
    label = ""
    if isinstance(payload, Confirmation):
        label = shown(payload.accept_label if own.accepted else payload.reject_label)
    return f"Your vote is saved: {label}. You can change it until this is settled."


def _asked(interaction: Interaction) -> tuple[Asked, ...]:
    payload = interaction.content.payload
    match payload:
        case Questions():
            return tuple(questions.asked(payload, answer_of(interaction)))
        case Confirmation():
            return tuple(confirmation.asked(payload, interaction))
        case _:
            assert_never(payload)


def _unsent(interaction: Interaction, visit: Visit) -> Iterator[tuple[str, str]]:
    """What was filled in for a card that is settled by now."""
    payload, filled = interaction.content.payload, visit.filled or {}
    if isinstance(payload, Questions):
        given = {id: answer.wire() for id, answer in read_answers(payload, filled).items()}
        yield from ((shown(prompt), shown(words)) for prompt, words in answer_lines(payload, given))
    elif typed(filled, "reason").strip():
        yield shown(payload.reason_label), shown(typed(filled, "reason"))
    if typed(filled, "comment").strip():
        yield "Your words", shown(typed(filled, "comment"))


def entry(interaction: Interaction, now: datetime) -> Entry:
    """A card as one line of a list."""
    overdue = interaction.is_due(now)
    state, tone = OVERDUE if overdue else HEADLINES[interaction.status]
    outcome = interaction.outcome
    asked = f"Asked by {who(interaction.creator)}, {ago(now - interaction.created_at)}"
    ends = interaction.expires_at if interaction.is_pending and not overdue else None
    return Entry(
        interaction=interaction.id,
        title=one_line(interaction.content.title) or "…",
        state=state,
        tone=tone,
        about=shown(outcome_sentence(interaction)) if outcome is not None else asked,
        until=f"Open until {when(ends)} ({until(ends - now)})" if ends is not None else "",
    )

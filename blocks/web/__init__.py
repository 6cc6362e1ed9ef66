"""The review page as plain data: what is asked, what may be done, how it stands. Templates draw it and decide nothing.

`render` makes the page of one card for one visit, `entry` its line in a list. `reading` reads the form that comes
back, `changes` tells what is different since it was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import assert_never

from blocks.markdown import parse
from blocks.web import checklist, confirmation, connection, item_verdicts, questions, suggested_tasks
from blocks.web.facts import facts
from blocks.web.form import form_for
from blocks.web.history import history
from blocks.web.later import local, news
from blocks.web.page import Detail, Entry, Page, Progress, Remark, Visit
from blocks.web.parts import Asked, shown, typed
from blocks.web.settled import DECIDED, answer_of, ending, state
from blocks.web.text import html
from blocks.web.told import told
from blocks.words import ago, isolate, listed, one_line, until, who
from core.forms import read_answers
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.nudging import next_nudge
from core.people import By
from core.records import Interaction, Status
from core.signed_in import is_fresh, spelled
from core.standing import OPEN_UNTIL, are_answering
from core.telling import answer_lines, outcome_sentence, saved_sentence

__all__ = ["Entry", "Page", "Remark", "Visit", "body_html", "entry", "render"]


def render(interaction: Interaction, visit: Visit) -> Page:
    """The page of a card. A form is on it only while the card is open and this person may do something."""
    content, outcome = interaction.content, interaction.outcome
    overdue = interaction.is_due(visit.now)
    standing, tone = state(interaction, overdue=overdue)
    is_open = interaction.is_pending and not overdue
    form = form_for(interaction, visit) if is_open else None
    mine = outcome is not None and outcome.status in DECIDED and _is_by(outcome.by, visit)
    return Page(
        interaction=interaction.id,
        title=one_line(content.title) or "…",
        state=standing,
        tone=tone,
        body=body_html(content.body),
        recommendation=shown(content.recommendation),
        facts=tuple(facts(interaction, visit)),
        notice=_notice(interaction, visit, mine=mine, is_open=is_open),
        refusal=visit.refusal or "" if is_open else "",
        sign_in=_sign_in(interaction, visit) if form is not None and visit.refusal is None else "",
        asked=() if form is not None and form.fields else _asked(interaction, visit),
        form=form,
        ending=ending(interaction, outcome, visit.times.zone) if outcome is not None else None,
        changed=visit.changed,
        unplaced=visit.unplaced,
        unsent=() if is_open else tuple(_unsent(interaction, visit)),
        remarks=visit.remarks,
        late=tuple(shown(line) for line in visit.late),
        asker=who(interaction.creator),
        answering=_answering(visit) if is_open else "",
        progress=None if interaction.status is Status.COMPLETED else _progress(interaction),
        details=_details(interaction),
        zone=visit.times.zone,
        history=tuple(history(content, visit.receipts)),
        told=tuple(told(visit.announced, content.kind, webhook=interaction.continuation.webhook is not None)),
    )


def _notice(interaction: Interaction, visit: Visit, *, mine: bool, is_open: bool) -> str:
    """What this person did, just now or before."""
    done = news(visit, visit.times.done) if is_open else ""
    if done:
        return done
    return shown(saved_sentence(interaction)) if mine or visit.saved else _own_vote(interaction, visit)


def _sign_in(interaction: Interaction, visit: Visit) -> str:
    """Why somebody must sign in again before they answer. What they fill in until then is kept as a draft."""
    if is_fresh(interaction.policy, visit.signed_in_at, visit.now):
        return ""
    within = spelled(interaction.policy.sign_in_lasts)
    return f"An answer to this counts only within {within} of signing in, and you signed in earlier."


def _answering(visit: Visit) -> str:
    names = [isolate(name) for name in visit.answering]
    return are_answering(listed(names), len(names)) if names else ""


def _progress(interaction: Interaction) -> Progress | None:
    payload = interaction.content.payload
    match payload:
        case Checklist():
            return checklist.progress(payload, interaction)
        case ItemVerdicts():
            return item_verdicts.progress(payload, interaction)
        case Questions() | Confirmation() | SuggestedTasks() | ConnectionRequest():
            return None
        case _:
            assert_never(payload)


def _details(interaction: Interaction) -> tuple[Detail, ...]:
    payload = interaction.content.payload
    return connection.details(payload) if isinstance(payload, ConnectionRequest) else ()


def body_html(text: str) -> str:
    """The body as HTML. A table wider than the page scrolls by itself, which a keyboard must be able to do too. Every
    `<table>` in the HTML is ours: what others wrote is escaped."""
    wide = '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
    return html(parse(text)).replace("<table>", wide).replace("</table>", "</table></div>")


def _is_by(by: By, visit: Visit) -> bool:
    return by.type == "person" and by.id == visit.person


def _own_vote(interaction: Interaction, visit: Visit) -> str:
    own = next((one for one in interaction.votes if _is_by(one.by, visit)), None)
    if own is None or not interaction.is_pending:
        return ""
    payload = interaction.content.payload
    label = ""
    if isinstance(payload, Confirmation):
        label = shown(payload.accept_label if own.accepted else payload.reject_label)
    return f"Your vote is saved: {label}. You can change it until this is settled."


def _asked(interaction: Interaction, visit: Visit) -> tuple[Asked, ...]:
    payload = interaction.content.payload
    match payload:
        case Questions():
            return tuple(questions.asked(payload, answer_of(interaction)))
        case Confirmation():
            return tuple(confirmation.asked(payload, interaction))
        case Checklist():
            return tuple(checklist.asked(payload, interaction))
        case ItemVerdicts():
            return tuple(item_verdicts.asked(payload, interaction))
        case SuggestedTasks():
            return tuple(suggested_tasks.asked(payload, interaction, visit.tasks))
        case ConnectionRequest():
            return ()
        case _:
            assert_never(payload)


def _unsent(interaction: Interaction, visit: Visit) -> Iterator[tuple[str, str]]:
    """What was filled in for a card that is settled by now."""
    payload, filled = interaction.content.payload, visit.filled or {}
    if isinstance(payload, Questions):
        given = {id: answer.wire() for id, answer in read_answers(payload, filled).items()}
        yield from ((shown(prompt), shown(words)) for prompt, words in answer_lines(payload, given))
    elif isinstance(payload, ItemVerdicts):
        yield from item_verdicts.unsent(payload, interaction, filled)
    elif isinstance(payload, Checklist):
        yield from checklist.unsent(payload, interaction, filled)
    elif isinstance(payload, SuggestedTasks):
        yield from suggested_tasks.unsent(payload, filled)
    if typed(filled, "reason").strip():
        label = shown(payload.reason_label) if isinstance(payload, Confirmation) else "Reason"
        yield label, shown(typed(filled, "reason"))
    if typed(filled, "comment").strip():
        yield "Your words", shown(typed(filled, "comment"))


def entry(interaction: Interaction, now: datetime, zone: str = "UTC", person: str = "") -> Entry:
    """A card as one line of a list, for a person (an id) in `zone`."""
    overdue = interaction.is_due(now)
    standing, tone = state(interaction, overdue=overdue)
    outcome = interaction.outcome

    def spelled(at: datetime) -> str:
        return local(at, zone)

    asked = f"Asked by {who(interaction.creator)}, {ago(now - interaction.created_at)}"
    progress = _progress(interaction)
    if progress is not None:
        asked = f"{asked}; {progress.text}"
    ends = interaction.expires_at if interaction.is_pending and not overdue else None
    return Entry(
        path=f"/review/{interaction.id}",
        title=one_line(interaction.content.title) or "…",
        state=standing,
        tone=tone,
        about=shown(outcome_sentence(interaction, spelled=spelled)) if outcome is not None else asked,
        until=f"{OPEN_UNTIL} {local(ends, zone)} ({until(ends - now)})" if ends is not None else "",
        next=_next(interaction, now, zone, person) if not overdue else "",
    )


def _next(interaction: Interaction, now: datetime, zone: str, person: str) -> str:
    """When somebody is reminded of an open card next."""
    if not interaction.is_pending:
        return ""
    asked, planned = interaction.reminding.snoozed_until(person), next_nudge(interaction)
    if asked is not None and asked > now:
        return f"You asked to be reminded on {local(asked, zone)}"
    return f"Next reminder {local(planned, zone)}" if planned is not None and planned > now else ""

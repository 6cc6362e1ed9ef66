"""How it ended, under the content that was asked: who, what, when, through what, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from blocks.slack import checklist, item_verdicts, suggested_tasks
from blocks.slack.content import place
from blocks.slack.parts import FULL_FORM, Block, words
from blocks.slack.passages import Passage
from blocks.slack.prose import line, prose, quotation
from blocks.slack.text import date, escape, moment
from blocks.words import neutralise, one_line, through, when, who
from core.cards import Card
from core.endings import EXPLAINED, NOT_WHOLE, SET_BEFOREHAND, WAITING, called, credit, reason_label, voted
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.records import Interaction, Outcome, Status, Vote
from core.standing import so_far
from core.telling import answer_lines, decision

_MARKS: Final = {Status.ANSWERED: "✓ ", Status.ACCEPTED: "✓ ", Status.COMPLETED: "✓ ", Status.REJECTED: "✗ "}
LONGEST_NAME = 200


def headline(interaction: Interaction, outcome: Outcome) -> str:
    """`✓ Accepted by Ana in Slack, 2 Dec 2026, 14:05 UTC`."""
    return f"{_ended(interaction, outcome)}, {when(outcome.at)}"


def _ended(interaction: Interaction, outcome: Outcome) -> str:
    name = who(outcome.by)
    by = credit(outcome, name if len(name) <= LONGEST_NAME else "someone", through(outcome.via))
    return f"{_MARKS.get(outcome.status, '')}{called(interaction.content.kind, outcome)}{by}"


def _headline(interaction: Interaction, outcome: Outcome) -> Passage:
    """The same with the time in each reader's own zone."""
    return line(words(f"{_ended(interaction, outcome)}, ", "bold"), moment(outcome.at))


def notified(interaction: Interaction) -> str:
    """How it stands in one short escaped line, for notifications: Slack spells a time in each reader's own zone."""
    outcome = interaction.outcome
    if outcome is not None:
        return f"{escape(_ended(interaction, outcome))}, {date(outcome.at)}"
    return escape(state(interaction))


def state(interaction: Interaction) -> str:
    """How it stands in one short line of plain text, for lists."""
    if interaction.outcome is not None:
        return headline(interaction, interaction.outcome)
    progress = so_far(interaction)
    return f"{WAITING}: {progress}" if progress else WAITING


def faces(card: Card, outcome: Outcome) -> Iterator[list[Block]]:
    """The outcome, fullest first: everything that was said and asked, what was decided without it, how it ended."""
    interaction = card.interaction
    before, after = _how(card, outcome), _why(outcome)
    yield prose(*before, *_decision(interaction, outcome, whole=True), *after)
    on_the_form = line(words(f"{FULL_FORM}: "), place(card, card.review_url))
    if isinstance(interaction.content.payload, Checklist | ItemVerdicts | SuggestedTasks):
        decided = _decision(interaction, outcome, whole=False)
        yield prose(*before, *decided, line(words(NOT_WHOLE)), on_the_form)
    what = decision(interaction, outcome) or so_far(interaction)
    counted = [line(words(what))] if what and _is_counted(interaction) else []
    said = outcome.answer is not None or outcome.reason or outcome.default is not None or outcome.votes
    long = [line(words(NOT_WHOLE))] if said or interaction.ticks or interaction.verdicts else []
    yield prose(_headline(interaction, outcome), *_successor(card, outcome), *counted, *long, on_the_form)


def _how(card: Card, outcome: Outcome) -> list[Passage]:
    explained = [line(words(EXPLAINED[outcome.status]))] if outcome.status in EXPLAINED else []
    return [_headline(card.interaction, outcome), *explained, *_successor(card, outcome)]


def _successor(card: Card, outcome: Outcome) -> list[Passage]:
    if outcome.successor is None:
        return []
    address = card.review_url.removesuffix(card.interaction.id) + outcome.successor
    return [line(words("The newer question: "), place(card, address))]


def _why(outcome: Outcome) -> list[Passage]:
    passages: list[Passage] = []
    reason = neutralise(outcome.reason or "").strip()
    if reason:
        passages += [line(words(f"{reason_label(outcome)}:")), quotation(words(reason))]
    return [*passages, *(line(words(_vote(vote))) for vote in outcome.votes)]


def _is_counted(interaction: Interaction) -> bool:
    """Whether what was decided is told in numbers, which are short whatever was said."""
    return isinstance(interaction.content.payload, Checklist | ItemVerdicts | SuggestedTasks)


def _vote(vote: Vote) -> str:
    said = f"{who(vote.by)} {voted(vote)}"
    reason = one_line(vote.reason or "")
    return f"{said}: {reason}" if reason else said


def _decision(interaction: Interaction, outcome: Outcome, *, whole: bool) -> list[Passage]:
    """What was decided. Of lists it is the list itself, so far as it was decided; `whole`: with all that was said."""
    payload = interaction.content.payload
    match payload:
        case Confirmation():
            chosen = decision(interaction, outcome)
            return [quotation(words(one_line(chosen) or "…"))] if chosen else []
        case ConnectionRequest():
            chosen = decision(interaction, outcome)
            return [line(words(one_line(chosen)))] if chosen else []
        case Questions():
            answered = _answers(payload, outcome.answer)
            if outcome.default is None:
                return answered
            beforehand = line(words(f"{SET_BEFOREHAND}:"))
            return [*answered, beforehand, *_answers(payload, outcome.default)]
        case Checklist():
            return checklist.ended(interaction, payload, whole=whole)
        case ItemVerdicts():
            return item_verdicts.ended(interaction, payload, whole=whole)
        case SuggestedTasks():
            chosen = decision(interaction, outcome)
            head = [line(words(chosen, "bold"))] if chosen else []
            return [*head, *suggested_tasks.ended(payload, outcome.answer, whole=whole)]
        case _:
            assert_never(payload)


def _answers(payload: Questions, answer: object) -> list[Passage]:
    if answer is None:
        return []
    said = answer_lines(payload, answer)
    if not said:
        return [quotation(words("No answer to any question, as none was required."))]
    passages: list[Passage] = []
    for prompt, given in said:
        if len(payload.questions) > 1:
            passages.append(line(words(one_line(prompt) or "…")))
        passages.append(quotation(words(neutralise(given).strip("\n") or "(left blank)")))
    return passages

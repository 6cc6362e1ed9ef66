"""How it ended, under the content that was asked: who, what, when, through what, and why."""

from __future__ import annotations

from typing import Final, assert_never

from blocks.slack.content import place
from blocks.slack.parts import FULL_FORM, Block, words
from blocks.slack.passages import Passage
from blocks.slack.prose import line, prose, quotation
from blocks.words import neutralise, one_line, through, when, who
from core.cards import Card
from core.kinds import Confirmation, Questions
from core.records import Interaction, Outcome, Status, Vote
from core.telling import answer_lines

HEADLINES: Final = {
    Status.ANSWERED: "Answered",
    Status.ACCEPTED: "Accepted",
    Status.REJECTED: "Rejected",
    Status.COMPLETED: "Completed",
    Status.CANCELLED: "Cancelled",
    Status.WITHDRAWN: "Withdrawn",
    Status.SKIPPED: "Skipped",
    Status.EXPIRED: "Expired",
    Status.SUPERSEDED: "Replaced by a newer question",
    Status.UNDELIVERABLE: "Could not be delivered",
    Status.PENDING: "Waiting for an answer",
}
_EXPLAINED: Final = {
    Status.CANCELLED: "It will not be answered.",
    Status.WITHDRAWN: "Whoever asked took it back, so no answer is needed.",
    Status.SKIPPED: "No answer was needed.",
    Status.EXPIRED: "Nobody answered in time.",
}
_MARKS: Final = {Status.ANSWERED: "✓ ", Status.ACCEPTED: "✓ ", Status.COMPLETED: "✓ ", Status.REJECTED: "✗ "}
LONGEST_NAME = 200


def headline(outcome: Outcome) -> str:
    """`✓ Accepted by Ana in Slack, 2 Dec 2026, 14:05 UTC`."""
    parts = [f"{_MARKS.get(outcome.status, '')}{HEADLINES[outcome.status]}"]
    if outcome.by.type != "timer":
        name = who(outcome.by)
        parts.append(f"by {name if len(name) <= LONGEST_NAME else 'someone'}")
        parts.append(through(outcome.via))
    return f"{' '.join(part for part in parts if part)}, {when(outcome.at)}"


def state(interaction: Interaction) -> str:
    """How it stands in one short line of plain text, for notifications and lists."""
    return headline(interaction.outcome) if interaction.outcome else HEADLINES[Status.PENDING]


def in_full(card: Card, outcome: Outcome) -> list[Block]:
    """The outcome with everything that was said."""
    passages = [line(words(headline(outcome), "bold"))]
    if outcome.status in _EXPLAINED:
        passages.append(line(words(_EXPLAINED[outcome.status])))
    if outcome.successor is not None:
        address = card.review_url.removesuffix(card.interaction.id) + outcome.successor
        passages.append(line(words("The newer question: "), place(card, address)))
    passages += _decision(card.interaction, outcome)
    if outcome.reason and outcome.reason.strip():
        passages += [line(words("Reason:")), quotation(words(neutralise(outcome.reason).strip()))]
    passages += [line(words(_vote(vote))) for vote in outcome.votes]
    return prose(*passages)


def in_short(card: Card, outcome: Outcome) -> list[Block]:
    """The outcome without what was said, which is on the full form."""
    passages = [line(words(headline(outcome), "bold"))]
    if outcome.answer is not None or outcome.reason or outcome.default is not None or outcome.votes:
        passages.append(line(words("What was said is too long to show whole here; it is on the full form.")))
    return prose(*passages, line(words(f"{FULL_FORM}: "), place(card, card.review_url)))


def _vote(vote: Vote) -> str:
    said = f"{who(vote.by)} {'accepted' if vote.accepted else 'rejected'}"
    return f"{said}: {one_line(vote.reason)}" if vote.reason and vote.reason.strip() else said


def _decision(interaction: Interaction, outcome: Outcome) -> list[Passage]:
    payload = interaction.content.payload
    match payload:
        case Confirmation():
            if outcome.status in (Status.ACCEPTED, Status.REJECTED):
                chosen = payload.accept_label if outcome.status is Status.ACCEPTED else payload.reject_label
                return [quotation(words(one_line(chosen)))]
            return []
        case Questions():
            answered = _answers(payload, outcome.answer)
            if outcome.default is None:
                return answered
            beforehand = line(words("The answer set beforehand for this case:"))
            return [*answered, beforehand, *_answers(payload, outcome.default)]
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
            passages.append(line(words(one_line(prompt))))
        passages.append(quotation(words(neutralise(given).strip("\n") or "(left blank)")))
    return passages

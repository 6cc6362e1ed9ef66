"""Whether an act on a settled card is the one that settled it, done once more by the same one."""

from __future__ import annotations

from pydantic import JsonValue

from core.acts import Accept, Act, Cancel, Connected, Judge, Reject, Respond, Skip, Tick, Withdraw
from core.kinds import Questions, SuggestedTasks
from core.kinds.answers import Answer, in_order
from core.kinds.base import words_of
from core.kinds.connection import proves
from core.kinds.item_verdicts import Given
from core.kinds.suggested_tasks import changes
from core.people import By
from core.records import Interaction, Outcome, Status


def is_repeat(ended: Interaction, act: Act, by: By) -> bool:
    """Whether somebody whose act settled it, or whose vote did together with others', does the very same again."""
    outcome = ended.outcome
    if outcome is None:
        return False
    if isinstance(act, Connected):
        # The outcome is the operator's; what is repeated is the asker's confirmation.
        return by.is_same(ended.creator) and outcome.status is Status.ACCEPTED and _was_proved(ended, act.state)
    vote = next((one for one in outcome.votes if one.by.is_same(by)), None)
    if vote is not None and isinstance(act, Accept | Reject):
        return vote.accepted if isinstance(act, Accept) else not vote.accepted and vote.reason == words_of(act.reason)
    if isinstance(act, Judge | Tick):
        # Whoever did the last of it settled it; what the others did stands as well.
        return outcome.status is Status.COMPLETED and _has_part(ended, act, by)
    if not outcome.by.is_same(by):
        return False
    match act:
        case Respond():
            return outcome.status is Status.ANSWERED and outcome.answer == _as_kept(ended, act)
        case Accept():
            return outcome.status in (Status.ACCEPTED, Status.COMPLETED) and _is_selection(ended, outcome, act)
        case Reject():
            return outcome.status is Status.REJECTED and outcome.reason == words_of(act.reason)
        case Withdraw():
            return outcome.status is Status.WITHDRAWN
        case Cancel():
            return outcome.status is Status.CANCELLED
        case Skip():
            return outcome.status is Status.SKIPPED
        case _:
            return False


def _as_kept(ended: Interaction, act: Respond) -> dict[str, JsonValue]:
    """What the answers of an act would be as an outcome."""
    payload = ended.content.payload
    questions = {one.id: one for one in payload.questions} if isinstance(payload, Questions) else {}
    return {
        key: dict((in_order(questions[key], one) if key in questions else one).wire())
        for key, one in act.answers.items()
        if one != Answer()
    }


def _was_proved(ended: Interaction, state: str) -> bool:
    granted = ended.connecting
    return granted is not None and proves(granted, state, granted.at)


def _is_selection(ended: Interaction, outcome: Outcome, act: Accept) -> bool:
    """Whether what was chosen then is what is chosen now, and changed as it was then; without a choice, the yes alone
    is compared."""
    chosen, payload = (outcome.answer or {}).get("selected"), ended.content.payload
    if isinstance(payload, SuggestedTasks) and outcome.edits not in (None, changes(payload, act.edits)):
        return False
    return act.selected is None or (isinstance(chosen, list) and set(act.selected) == set(chosen))


def _has_part(ended: Interaction, act: Judge | Tick, by: By) -> bool:
    """Whether all of it stands in what was completed, done by the same one."""
    if isinstance(act, Judge):
        return bool(act.verdicts) and all(_stands(ended, one, by) for one in act.verdicts)
    items = [*((item, True) for item in act.tick), *((item, False) for item in act.untick)]
    return bool(items) and all(
        any((one.item, one.on) == item and one.by.is_same(by) for one in ended.ticks) for item in items
    )


def _stands(ended: Interaction, given: Given, by: By) -> bool:
    wanted = (given.item, given.verdict, words_of(given.reason))
    return any((one.item, one.verdict, one.reason) == wanted and one.by.is_same(by) for one in ended.verdicts)

"""How each kind settles: what an answerer's act makes of the card. `core.interactions` decides which rule applies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from pydantic import JsonValue

from core.acts import Accept, Connected, Judge, Quoted, Reject, Respond, SetOut, Stamp, Tick
from core.deciding import Decision, changed, check_revision, settled
from core.errors import AlreadyJudged, Fault, Invalid
from core.events import EventType
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.answers import check_answers
from core.kinds.base import Reason, kept_reason
from core.kinds.checklist import apply_ticks, check_selected, selected
from core.kinds.checklist import wire as checklist_answer
from core.kinds.confirmation import check_reason
from core.kinds.connection import Connecting, proves
from core.kinds.item_verdicts import Verdict, is_complete, judge_items
from core.kinds.item_verdicts import wire as verdicts_answer
from core.kinds.suggested_tasks import changes, check_selection
from core.kinds.suggested_tasks import wire as tasks_answer
from core.people import Via
from core.receipts import ReceiptDraft, ReceiptType
from core.records import Interaction, Status, Vote
from core.tasks import Task
from core.traces import draft


def respond(before: Interaction, act: Respond, stamp: Stamp) -> Decision:
    """Questions are answered all at once."""
    payload = before.content.payload
    if not isinstance(payload, Questions):
        raise Invalid.at("/answers", "this card has no questions; it is not answered with answers")
    check_revision(before, act.revision)
    given = check_answers(payload, act.answers)
    answer: dict[str, JsonValue] = {key: dict(one.wire()) for key, one in given.items()}
    return settled(before, Status.ANSWERED, stamp, answer=answer)


def accept(before: Interaction, act: Accept, stamp: Stamp) -> Decision:
    """A yes: to a confirmation, to a checklist as ticked, to the chosen tasks."""
    payload = before.content.payload
    if act.edits and not isinstance(payload, SuggestedTasks):
        raise Invalid.at("/edits", "only suggested tasks can be edited")
    match payload:
        case Confirmation():
            if act.selected is not None:
                raise Invalid.at("/selected", "there is nothing to select on this card")
            return _vote(before, payload, act, stamp)
        case Checklist():
            return _complete(before, payload, act, stamp)
        case SuggestedTasks():
            return _create(before, payload, act, stamp)
        case ConnectionRequest():
            raise Invalid.at("", "a connection is granted by an operator on the review page, nowhere else")
        case Questions() | ItemVerdicts():
            raise Invalid.at("", "this card is answered with answers or verdicts, not accepted or rejected")
        case _:
            assert_never(payload)


def reject(before: Interaction, act: Reject, stamp: Stamp) -> Decision:
    """A no, with a reason where the card takes one."""
    payload = before.content.payload
    answer: dict[str, JsonValue]
    match payload:
        case Confirmation():
            return _vote(before, payload, act, stamp)
        case SuggestedTasks():
            answer = tasks_answer(payload, {})
        case ConnectionRequest():
            answer = {"connected": False}
        case Questions() | ItemVerdicts() | Checklist():
            raise Invalid.at("", "this card cannot be rejected; answer it, or reply in words")
        case _:
            assert_never(payload)
    check_revision(before, act.revision)
    reason, fault = kept_reason(Reason.OPTIONAL, act.reason)
    if fault is not None:
        raise Invalid.at("/reason", fault)
    return settled(before, Status.REJECTED, stamp, answer=answer, reason=reason)


def _vote(before: Interaction, payload: Confirmation, act: Accept | Reject, stamp: Stamp) -> Decision:
    check_revision(before, act.revision)
    reason = check_reason(payload, act.reason) if isinstance(act, Reject) else None
    vote = Vote(by=stamp.by, via=stamp.via, accepted=isinstance(act, Accept), at=stamp.now, reason=reason)
    earlier = next((one for one in before.votes if one.by.is_same(stamp.by)), None)
    if earlier is not None and (earlier.accepted, earlier.reason) == (vote.accepted, vote.reason):
        return Decision(before, repeated=True)
    votes = (*(one for one in before.votes if one is not earlier), vote)
    verdict = before.verdict(votes)
    if verdict is None:
        after = changed(before, votes=votes)
        data: dict[str, JsonValue] = {"accepted": vote.accepted, "reason": reason}
        return Decision(after, (draft(after, ReceiptType.VOTED, stamp, data),), (EventType.PROGRESSED,))
    status = Status.ACCEPTED if verdict else Status.REJECTED
    shown = votes if before.audience.quorum > 1 else ()
    return settled(before, status, stamp, answer={"accepted": verdict}, reason=reason, votes=shown)


def tick(before: Interaction, act: Tick, stamp: Stamp) -> Decision:
    """Each tick is saved when made; the card stays open."""
    payload = before.content.payload
    if not isinstance(payload, Checklist):
        raise Invalid.at("", "this card has nothing to tick")
    check_revision(before, act.revision)
    if not act.tick and not act.untick:
        raise Invalid.at("", "name an item to tick or untick")
    ticks, on, off = apply_ticks(
        payload, before.ticks, tick=act.tick, untick=act.untick, by=stamp.by, via=stamp.via, at=stamp.now
    )
    if not on and not off:
        return Decision(before, repeated=True)
    after = changed(before, ticks=ticks)
    data = _ticked(on, off)
    line = draft(after, ReceiptType.TICKED, stamp, data)
    return Decision(after, (line,), (EventType.PROGRESSED,), said={**data, "by": dict(stamp.by.wire())})


def _ticked(on: tuple[str, ...], off: tuple[str, ...]) -> dict[str, JsonValue]:
    return {"tick": list(on), "untick": list(off)}


def _complete(before: Interaction, payload: Checklist, act: Accept, stamp: Stamp) -> Decision:
    """Submit: with `selected`, exactly these are ticked first."""
    check_revision(before, act.revision)
    ticked, lines = before, list[ReceiptDraft]()
    if act.selected is not None:
        _check_known(act.selected, {item.id for item in payload.items})
        rest = [item.id for item in payload.items if item.id not in set(act.selected)]
        ticks, on, off = apply_ticks(
            payload, before.ticks, tick=act.selected, untick=rest, by=stamp.by, via=stamp.via, at=stamp.now
        )
        if on or off:
            ticked = before.model_copy(update={"ticks": ticks})
            lines.append(_extra(draft(ticked, ReceiptType.TICKED, stamp, _ticked(on, off)), stamp))
    check_selected(payload, selected(payload, ticked.ticks))
    end = settled(ticked, Status.COMPLETED, stamp, answer=checklist_answer(payload, ticked.ticks))
    return Decision(end.after, (*lines, *end.receipts), end.events)


def _check_known(ids: tuple[str, ...], known: set[str]) -> None:
    faults = [Fault(f"/selected/{index}", "not the id of an item") for index, id in enumerate(ids) if id not in known]
    if len(set(ids)) != len(ids):
        faults.append(Fault("/selected", "an item is named twice"))
    if faults:
        raise Invalid(faults)


def _extra(line: ReceiptDraft, stamp: Stamp) -> ReceiptDraft:
    """The receipt of a step on the way, before the one that ends it."""
    return line.model_copy(update={"id": stamp.more_receipts[0]})


def _create(before: Interaction, payload: SuggestedTasks, act: Accept, stamp: Stamp) -> Decision:
    """All of the chosen tasks are created, or none."""
    check_revision(before, act.revision)
    if act.selected is None:
        raise Invalid.at("/selected", "say which tasks are to be created")
    chosen = check_selection(payload, act.selected, act.edits)
    ids = {task.key: id for task, id in zip(chosen, stamp.tasks, strict=False)}
    tasks = tuple(
        Task(
            id=ids[task.key],
            workspace=before.workspace,
            interaction=before.id,
            key=task.key,
            title=task.title,
            description=task.description,
            parent=ids[task.parent] if task.parent else None,
            assignee=task.assignee,
            priority=task.priority,
            by=stamp.by,
            at=stamp.now,
        )
        for task in chosen
    )
    said: Mapping[str, JsonValue] = {"tasks": [task.said() for task in tasks]}
    end = settled(before, Status.ACCEPTED, stamp, answer=tasks_answer(payload, ids), said=said)
    edits: dict[str, JsonValue] = {key: edit.model_dump(exclude_none=True) for key, edit in act.edits.items()}
    lines = tuple(line.model_copy(update={"data": {**line.data, "edits": edits}}) if edits else line
                  for line in end.receipts)  # fmt: skip
    kept = end.after.outcome.model_copy(update={"edits": changes(payload, act.edits)}) if end.after.outcome else None
    return Decision(end.after.model_copy(update={"outcome": kept}), lines, end.events, end.said, tasks)


def judge(before: Interaction, act: Judge, stamp: Stamp) -> Decision:
    """The first verdict of an item stands; the card completes with its last."""
    payload = before.content.payload
    if not isinstance(payload, ItemVerdicts):
        raise Invalid.at("/verdicts", "this card has no items to judge")
    check_revision(before, act.revision)
    if not act.verdicts:
        raise Invalid.at("/verdicts", "give at least one verdict")
    verdicts, new, late = judge_items(payload, before.verdicts, act.verdicts, by=stamp.by, via=stamp.via, at=stamp.now)
    if not new:
        if late:
            raise AlreadyJudged(late)
        return Decision(before, repeated=True)
    data: dict[str, JsonValue] = {"verdicts": {one.item: _short(one) for one in new}}
    if is_complete(payload, verdicts):
        judged = before.model_copy(update={"verdicts": verdicts})
        step = _extra(draft(judged, ReceiptType.JUDGED, stamp, data), stamp)
        end = settled(judged, Status.COMPLETED, stamp, answer=verdicts_answer(payload, verdicts))
        return Decision(end.after, (step, *end.receipts), end.events, late=late)
    after = changed(before, verdicts=verdicts)
    line = draft(after, ReceiptType.JUDGED, stamp, data)
    said: dict[str, JsonValue] = {**data, "by": dict(stamp.by.wire())}
    return Decision(after, (line,), (EventType.PROGRESSED,), said=said, late=late)


def _short(verdict: Verdict) -> dict[str, JsonValue]:
    return {"verdict": verdict.verdict, "reason": verdict.reason}


def set_out(before: Interaction, act: SetOut, stamp: Stamp) -> Decision:
    """An operator goes to grant a connection; whoever set out last is the one whose state counts."""
    if not isinstance(before.content.payload, ConnectionRequest):
        raise Invalid.at("", "there is nothing to connect on this card")
    check_revision(before, act.revision)
    connecting = Connecting(by=stamp.by, at=stamp.now, state=act.state)
    after = changed(before, connecting=connecting)
    return Decision(after, (draft(after, ReceiptType.CONNECTING, stamp),))


def connected(before: Interaction, act: Connected, stamp: Stamp) -> Decision:
    """The asker's side proves that the operator who set out arrived: it is granted, by that operator."""
    if not isinstance(before.content.payload, ConnectionRequest):
        raise Invalid.at("", "there is nothing to connect on this card")
    granted = before.connecting
    if granted is None or not proves(granted, act.state, stamp.now):
        raise Invalid.at("/state", "no operator set out with this state, or it is older than an hour")
    confirmed = Stamp(
        now=stamp.now,
        by=granted.by,
        via=Via.REVIEW,
        receipt=stamp.receipt,
        quoted=Quoted(message="connected", agent=stamp.by.handle or ""),
    )
    return settled(before, Status.ACCEPTED, confirmed, answer={"connected": True})

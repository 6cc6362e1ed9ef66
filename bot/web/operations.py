"""What each call of the API takes and answers, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from bot.web import acting, changing, loop_views, schemas
from core import errors
from core.asking import ASKS
from core.errors import SaysoError
from core.kinds import EXAMPLES
from core.loops import asking as loops

ALWAYS: tuple[type[SaysoError], ...] = (errors.Unauthorized, errors.RateLimited)
BODY: tuple[type[SaysoError], ...] = (errors.Invalid, errors.TooLarge)
SETTLED: tuple[type[SaysoError], ...] = (
    errors.AlreadySettled,
    errors.Expired,
    errors.Withdrawn,
    errors.Superseded,
    errors.StaleRevision,
)
ANSWERING = (*BODY, errors.NotFound, errors.NotAnAnswerer, errors.Forbidden, *SETTLED, errors.Raced)
MOVING = (*BODY, errors.NotFound, errors.NotAnAnswerer, errors.LoopEnded, errors.LoopTaken, errors.Raced)
CHANGING = (*BODY, errors.NotFound, errors.Forbidden, *SETTLED, errors.Raced)


@dataclass(frozen=True)
class Operation:
    """What one operation takes and gives, with `status` or in other words with one of `also`. Without `body` it takes
    none; a body that may be left out is not `needed`."""

    answer: type[BaseModel]
    problems: tuple[type[SaysoError], ...]
    body: tuple[type[BaseModel], ...] = ()
    needed: bool = True
    status: int = 200
    also: Mapping[int, str] = field(default_factory=dict)
    examples: Mapping[str, Any] = field(default_factory=dict)


def _one(value: Mapping[str, Any]) -> dict[str, Any]:
    return _for(example=value)


def _for(**values: Mapping[str, Any]) -> dict[str, Any]:
    """An example for each case."""
    return {name: {"value": dict(value)} for name, value in values.items()}


OPERATIONS: Mapping[str, Operation] = {
    "ask": Operation(
        schemas.InteractionView,
        (*BODY, errors.IdempotencyConflict, errors.NotFound, *SETTLED[:-1], errors.Raced),
        ASKS,
        status=201,
        also={200: "This connection was asked for before and is still open: how it stands, and nobody is asked anew."},
        examples={kind.value: {"value": {**example, "to": "slack:C0123"}} for kind, example in EXAMPLES.items()},
    ),
    "list_interactions": Operation(schemas.InteractionPage, (errors.Invalid,)),
    "get_interaction": Operation(schemas.InteractionView, (errors.Invalid, errors.NotFound)),
    "respond": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.RespondBody,),
        examples=_one({"answers": {"ship": {"value": "yes"}}, "revision": 1}),
    ),
    "accept": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.AcceptBody,),
        examples=_for(
            confirmation={"revision": 1},
            checklist={"revision": 1, "selected": ["notes", "canary"]},
            suggested_tasks={
                "revision": 1,
                "selected": ["alerts", "runbook"],
                "edits": {"runbook": {"title": "Write the runbook for queues", "assignee": "ben"}},
            },
        ),
    ),
    "reject": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.RejectBody,),
        examples=_one({"revision": 1, "reason": "Not before Monday"}),
    ),
    "tick": Operation(
        schemas.InteractionView,
        ANSWERING,
        (acting.TicksBody,),
        examples=_one({"revision": 1, "tick": ["canary"], "untick": ["notes"]}),
    ),
    "judge": Operation(
        schemas.JudgedView,
        ANSWERING,
        (acting.VerdictsBody,),
        examples=_one(
            {
                "revision": 1,
                "verdicts": [
                    {"item": "pydantic", "verdict": "approve"},
                    {"item": "sqlalchemy", "verdict": "reject", "reason": "Not in a release week"},
                ],
            }
        ),
    ),
    "withdraw": Operation(
        schemas.InteractionView,
        CHANGING,
        (changing.WithdrawBody,),
        needed=False,
        examples=_one({"reason": "Found the answer elsewhere"}),
    ),
    "patch": Operation(
        schemas.InteractionView,
        CHANGING,
        (changing.PatchBody,),
        examples=_one({"revision": 1, "body": "The canary has been **clean** for three hours."}),
    ),
    "reply": Operation(
        schemas.InteractionView,
        (*BODY, errors.NotFound, errors.Forbidden, errors.Raced),
        (changing.ReplyBody,),
        examples=_one({"text": "Release 4.2 is live."}),
    ),
    "connected": Operation(
        schemas.InteractionView, CHANGING, (changing.ConnectedBody,), examples=_one({"state": "4xLq0b6mQ1aZ"})
    ),
    "resolve_from_comment": Operation(
        schemas.InteractionView,
        (*ANSWERING, errors.IdentityUndetermined),
        (changing.ResolveBody,),
        examples=_one(
            {
                "revision": 1,
                "message": "slack:T1.C0123/1712000000.000100",
                "decision": "reject",
                "reason": "Wait for Monday",
            }
        ),
    ),
    **{
        name: Operation(schemas.Problem, (errors.NotFound, errors.Forbidden), status=403)
        for name in ("cancel", "skip", "dismiss", "reopen")
    },
    "order": Operation(
        loop_views.LoopView,
        (*BODY, errors.IdempotencyConflict, errors.NotFound, errors.Raced),
        (loops.Order,),
        status=201,
        examples=_one({"title": "Audit the exec endpoints", "to": "slack:C0123", "priority": "high", "due": "45m"}),
    ),
    "list_loops": Operation(loop_views.LoopPage, (errors.Invalid,)),
    "get_loop": Operation(loop_views.LoopView, (errors.NotFound,)),
    "list_loop_receipts": Operation(schemas.ReceiptPage, (errors.Invalid, errors.NotFound)),
    "acknowledge": Operation(loop_views.MovedView, MOVING, (loops.AckBody,), needed=False, examples=_one({})),
    "claim": Operation(loop_views.MovedView, MOVING, (loops.ClaimBody,), needed=False, examples=_one({"slot": 2})),
    "deliver_result": Operation(
        loop_views.MovedView,
        MOVING,
        (loops.ResultBody,),
        examples=_one({"status": "OK", "summary": "14 of 14 endpoints ask for a key."}),
    ),
    **{
        name: Operation(loop_views.MovedView, MOVING, (loops.ReasonBody,), examples=_one({"reason": reason}))
        for name, reason in (("decline", "The node is down."), ("no_action", "It recovered by itself."))
    },
    "dispatch_again": Operation(
        loop_views.LoopView,
        (
            *BODY,
            errors.IdempotencyConflict,
            errors.NotFound,
            errors.NotAnAnswerer,
            errors.LoopEnded,
            errors.LoopTaken,
            errors.Raced,
        ),
        (loops.AgainBody,),
        needed=False,
        status=201,
        examples=_for(the_same={}, for_another={"to": "agent:worker", "due": "2h"}),
    ),
    "list_conversations": Operation(loop_views.ConversationPage, (errors.Invalid,)),
    "list_messages": Operation(loop_views.SayingPage, (errors.Invalid, errors.NotFound)),
    "list_alerts": Operation(loop_views.AlertPage, (errors.Invalid,)),
    "say": Operation(
        loop_views.SaidView,
        (*BODY, errors.IdempotencyConflict, errors.NotFound, errors.Raced),
        (loops.MessageBody,),
        status=201,
        examples=_one({"text": "[CLAIM wo-7] I start with the ones that are public."}),
    ),
    "alert": Operation(
        loop_views.RaisedView,
        (*BODY, errors.IdempotencyConflict, errors.NotFound, errors.Raced),
        (loops.AlertBody,),
        status=201,
        examples=_one({"to": "slack:C0123", "severity": "CRITICAL", "message": "The queue stands.", "order": True}),
    ),
    "order_from_alert": Operation(
        loop_views.LoopView,
        (*BODY, errors.NotFound, errors.NotAnAnswerer, errors.Raced),
        (loops.AlertOrder,),
        needed=False,
        status=201,
        examples=_one({"title": "Get the queue going", "due": "30m"}),
    ),
    "list_receipts": Operation(schemas.ReceiptPage, (errors.Invalid, errors.NotFound)),
    "list_tasks": Operation(schemas.TaskPage, (errors.Invalid,)),
    "list_events": Operation(schemas.EventPage, (errors.Invalid,)),
}

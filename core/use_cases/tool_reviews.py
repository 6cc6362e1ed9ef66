"""Calls that people look at before they run. The decision is the card's; what becomes of it is done after that, in one
transaction that looks at everything again, so that an approved call runs once or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from pydantic import JsonValue

from core.addresses import ChatAddress, parse_address
from core.audit import About, Changed
from core.dues import Due, DueKind
from core.errors import Forbidden, IdentityUndetermined, Invalid, NotAnAnswerer, Refused
from core.interactions import replied
from core.loops.access import AgentSpeaks, PersonSpeaks, Speaker, check_may_speak
from core.loops.places import Conversation
from core.loops.wording import NOT_YOURS
from core.outcomes import Status
from core.people import Membership, Standing
from core.ports import Context, Work
from core.records import Continuation, Interaction
from core.telling import who
from core.tools.policies import OpPolicy, ToolPolicy
from core.tools.registry import OPS, read_call
from core.tools.reviewing import (
    ToolCall,
    ToolOutcome,
    call_mark,
    definition_of,
    is_what_was_shown,
    review_audience,
    review_content,
    review_policy,
    spelled,
)
from core.use_cases.ask import publish
from core.use_cases.auditing import note
from core.use_cases.destinations import resolve
from core.use_cases.loop_recording import say_there
from core.use_cases.nudge import is_still
from core.use_cases.recording import record, stamp_for
from core.use_cases.tools import Ran, check_may_run, run
from core.use_cases.transact import transact

SWITCHED_OFF = "An operator has switched {op} off, so it was not run."
CHANGED = "what was shown is not what would run"
REDEFINED = "the operation has changed since it was asked"
GONE = "whoever asked for it may not run it any more"
OFF_SINCE = "an operator has switched it off since"
NOT_KNOWN = "I could not check just now that whoever asked for it is still here. Please call it again"


@dataclass(frozen=True)
class CallerNow:
    """What a chat says of a person who called an operation, and of them in the conversation where they did, asked when
    it is to run. The message that called it proved them then, which says nothing of now."""

    standing: Standing
    membership: Membership


UNKNOWN_CALLER = CallerNow(Standing(known=False), Membership.UNDETERMINED)


async def set_tool_policy(context: Context, workspace: str, policy: OpPolicy) -> None:
    """Say what becomes of an operation's calls. Raises `Invalid` for an operation or a person that there is not."""
    if policy.op not in OPS:
        raise Invalid.at("/op", f"there is no operation {policy.op}; there are {', '.join(OPS)}")

    async def inner(work: Work) -> None:
        for handle in (one.removeprefix("person:") for one in policy.reviewers if one.startswith("person:")):
            if await work.person_by_handle(workspace, handle) is None:
                raise Invalid.at("/by", f"there is nobody with the handle {handle}")
        earlier = await work.tool_policy(workspace, policy.op)
        await work.set_tool_policy(workspace, policy, context.clock.now())
        about = About(type="tool", id=policy.op, name=policy.op)
        before = _told(earlier) if earlier is not None else None
        await note(work, context, workspace, Changed.TOOL_POLICY, about, before=before, after=_told(policy))

    await transact(context, inner)


def _told(policy: OpPolicy) -> dict[str, JsonValue]:
    return {"policy": policy.policy.value, "reviewers": list(policy.reviewers)}


async def ask_first(
    work: Work,
    context: Context,
    conversation: Conversation,
    speaker: Speaker,
    op: str,
    arguments: str,
    provider_event: str | None = None,
) -> Ran | None:
    """Ask people about a call whose policy says so; None: it may run at once. Raises any `Refused`, also for an
    operation that is off; then nothing was asked."""
    known, given = read_call(op, arguments)
    check_may_run(known, speaker)
    policy = await work.tool_policy(conversation.workspace, op)
    match policy.policy if policy else known.policy:
        case ToolPolicy.OFF:
            raise Forbidden(SWITCHED_OFF.format(op=op))
        case ToolPolicy.ALLOW:
            return None
        case ToolPolicy.ASK_FIRST:
            call = ToolCall(
                id=context.ids.new("tcl"),
                workspace=conversation.workspace,
                conversation=conversation.id,
                op=op,
                arguments=spelled(given),
                definition=definition_of(known),
                by=speaker.by,
                via=speaker.via,
                identity=speaker.identity,
                interaction=context.ids.new("int"),
                created_at=context.clock.now(),
            )
            await _ask(work, context, conversation, call, policy, provider_event)
            result = {"call": call.id, "interaction": call.interaction}
            return Ran(op, "waits until somebody has looked at it", result)
        case unknown:
            assert_never(unknown)


async def _ask(
    work: Work,
    context: Context,
    conversation: Conversation,
    call: ToolCall,
    policy: OpPolicy | None,
    provider_event: str | None,
) -> None:
    stamp = stamp_for(context, call.by, call.via, provider_event)
    terms = review_policy()
    card = Interaction(
        id=call.interaction,
        workspace=call.workspace,
        content=review_content(call),
        audience=review_audience(policy, in_chat=conversation.is_chat),
        policy=terms,
        continuation=Continuation(),
        to=(conversation.address,) if conversation.is_chat else ("review",),
        creator=call.by,
        created_at=stamp.now,
        expires_at=terms.expiry(stamp.now),
        started_at=stamp.now,
        sole_key=call_mark(call.id),
    )
    place = parse_address(conversation.address) if conversation.is_chat else None
    targets = await resolve(work, call.workspace, [place], [""]) if isinstance(place, ChatAddress) else []
    await publish(work, context, card, targets, stamp)
    await work.add_tool_call(call)


async def fire_tool(work: Work, context: Context, due: Due, *, caller: CallerNow = UNKNOWN_CALLER) -> None:
    """Do what the decision about a call says, once, and tell it where it was asked. `caller` is the person who called
    it, as they are now; of programs nothing need be asked."""
    call = await work.tool_call(due.workspace, due.subject)
    if not await is_still(work, due):
        return
    await work.set_due(DueKind.TOOL, due.subject, due.workspace, None)
    card = await work.interaction(due.workspace, call.interaction) if call is not None else None
    if call is None or card is None or card.is_pending or call.is_over:
        return
    conversation = await work.conversation(call.workspace, call.conversation)
    if conversation is None:
        return
    outcome, words = await _outcome(work, context, conversation, call, card, caller)
    now = context.clock.now()
    ended = {"decision": card.status, "outcome": outcome, "words": words, "over_at": now}
    await work.save_tool_call(call.model_copy(update=ended))
    stamp = stamp_for(context, call.by, call.via)
    await record(work, context, card, replied(card, words, stamp), await work.publications(card.id), now)
    await say_there(work, context, conversation, words, now)


async def _outcome(
    work: Work, context: Context, conversation: Conversation, call: ToolCall, card: Interaction, caller: CallerNow
) -> tuple[ToolOutcome | None, str]:
    """What became of the call, and what is said of it."""
    if card.status is not Status.ACCEPTED:
        return None, _not_approved(call, card)
    approved = f"{call.op} was approved by {who(card.outcome.by)}" if card.outcome else f"{call.op} was approved"
    try:
        speaker = await _speaker_now(work, conversation, call, caller)
        check_may_speak(speaker)
        why_not = await _changed(work, call, card)
    except IdentityUndetermined:
        why_not, speaker = NOT_KNOWN, None
    except Refused:
        why_not, speaker = GONE, None
    if why_not is not None or speaker is None:
        return ToolOutcome.STOPPED, f"{approved}, but it was not run: {why_not or GONE}."
    try:
        ran = await run(work, context, conversation, speaker, call.op, call.arguments)
    except Refused as refused:
        return ToolOutcome.FAILED, f"{approved}, but it could not be done: {refused}"
    return ToolOutcome.EXECUTED, f"{approved}. {ran.text}"


def _not_approved(call: ToolCall, card: Interaction) -> str:
    ended = card.outcome
    if card.status is Status.REJECTED and ended is not None:
        reason = f": {ended.reason}" if ended.reason else "."
        return f"{call.op} was not run. {who(ended.by)} decided against it{reason}"
    if card.status is Status.EXPIRED:
        return f"{call.op} was not run: nobody decided about it in time."
    return f"{call.op} was not run: the question about it was {card.status.value}."


async def _changed(work: Work, call: ToolCall, card: Interaction) -> str | None:
    """Why what was approved may not run as things stand; None: it may."""
    known = OPS.get(call.op)
    if known is None or definition_of(known) != call.definition:
        return REDEFINED
    if not is_what_was_shown(call, card):
        return CHANGED
    policy = await work.tool_policy(call.workspace, call.op)
    return OFF_SINCE if (policy.policy if policy else known.policy) is ToolPolicy.OFF else None


async def _speaker_now(work: Work, conversation: Conversation, call: ToolCall, caller: CallerNow) -> Speaker:
    """The caller as they are now. Raises `NotAnAnswerer` for one that is gone, or whose account is not theirs now."""
    if call.by.type == "agent":
        agent = await work.agent(call.workspace, call.by.id or "")
        if agent is not None and call.identity is not None:
            agent = await work.agent_of_account(call.workspace, call.identity)
        if agent is None or agent.revoked or agent.id != call.by.id:
            raise NotAnAnswerer(NOT_YOURS)
        return AgentSpeaks(agent, await work.takes_part(conversation.id, agent.id), call.via, call.identity)
    person = await work.person(call.workspace, call.by.id or "")
    if person is None and call.identity is not None:
        # A member who turned out to be somebody known since.
        person = await work.person_by_identity(call.workspace, call.identity)
    if person is None or call.identity is None or call.identity not in person.identities:
        raise NotAnAnswerer(NOT_YOURS)
    standing = caller.standing
    kept = await work.kept_standing(call.workspace, call.identity)
    if kept is not None and (standing.known or kept.deleted):
        # What was asked just now is kept; what is kept since is news of this very moment.
        standing = kept.model_copy(update={"external": kept.external or standing.external})
    return PersonSpeaks(person, call.identity, standing, caller.membership, call.via)

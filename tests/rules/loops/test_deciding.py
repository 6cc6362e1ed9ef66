"""The table of states is the only authority: what it does not list changes nothing, whatever is tried in any order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acts import Stamp
from core.errors import Invalid, LoopEnded, LoopTaken, Refused
from core.events import LoopEventType
from core.loops import (
    TRANSITIONS,
    Acknowledge,
    Claim,
    Decline,
    Escalate,
    Loop,
    LoopAct,
    LoopAction,
    LoopDecision,
    LoopState,
    MarkOverdue,
    NoAction,
    Nudged,
    Result,
    Slot,
    Start,
    Track,
    decide,
    opened,
)
from core.loops.access import AgentSpeaks, PersonSpeaks, check_may_move, check_may_speak
from core.loops.cards import controls_of
from core.loops.outcomes import ENDED
from core.loops.values import Verb
from core.loops.wording import act_words, due_prompt, nudge_words, order_words
from core.people import AgentRole, By, Membership, Standing, Via, by_agent
from core.receipts import Receipt, seal
from core.sentences import WorkOrder, parse
from core.sentences.values import Status as ResultStatus
from tests.chains import first_break
from tests.rules.making import NOW, by, person
from tests.store.making import BUILDER
from tests.store.ordering import order

WHO = [by("ana"), by("ben"), by_agent(BUILDER)]


def stamp(who: By, number: int = 1) -> Stamp:
    return Stamp(now=NOW, by=who, via=Via.SLACK, receipt=f"rcp_{number}")


EVERY_ACT: list[LoopAct] = [
    Acknowledge(), Claim(), Start(), Result("ok"), Decline("no"), NoAction("none"), Track(1), MarkOverdue(), Nudged(1),
    Escalate(),
]  # fmt: skip


def test_every_verb_has_its_act_and_every_open_state_its_row() -> None:
    assert {act.name for act in EVERY_ACT} == set(Verb)
    assert {state for state in LoopState if not TRANSITIONS[state]} == ENDED
    assert all(
        TRANSITIONS[state].keys() >= set(Verb) - {Verb.ACK, Verb.CLAIM, Verb.START} for state in set(LoopState) - ENDED
    )


@pytest.mark.parametrize("act", EVERY_ACT, ids=lambda one: one.name)
@pytest.mark.parametrize("state", sorted(ENDED))
def test_nothing_moves_a_loop_that_has_ended(state: LoopState, act: LoopAct) -> None:
    closing: dict[LoopState, LoopAct] = {
        LoopState.CLOSED: Result("over"),
        LoopState.DECLINED: Decline("over"),
        LoopState.NO_ACTION: NoAction("over"),
    }
    ended = decide(order(), closing[state], stamp(WHO[0])).after
    with pytest.raises(LoopEnded) as late:
        decide(ended, act, stamp(WHO[1], 2))
    assert late.value.outcome == ended.outcome


def test_the_sender_and_operators_may_end_what_somebody_has_claimed() -> None:
    claimed = decide(order(), Claim(), stamp(WHO[0])).after
    for act in (Decline("no"), NoAction("none")):
        with pytest.raises(LoopTaken):
            decide(claimed, act, stamp(WHO[1], 2))
        assert not decide(claimed, act, stamp(WHO[1], 2), overrules=True).after.is_open


def test_progress_counts_only_of_whoever_has_the_work() -> None:
    claimed = decide(order(), Claim(), stamp(WHO[0])).after
    assert decide(claimed, Start(), stamp(WHO[0], 2)).after.state is LoopState.RUNNING
    for before, who in ((claimed, WHO[1]), (order(), WHO[0])):
        with pytest.raises(Invalid):
            decide(before, Start(), stamp(who, 2))


@pytest.mark.parametrize(
    ("number", "most", "sent"),
    [(2, 3, 0), (1, 3, 1), (1, 0, 0), (4, 3, 3)],  # skipped, again, none wanted, too many
)
def test_a_reminder_out_of_turn_is_refused(number: int, most: int, sent: int) -> None:
    before = order(reminders={"every": "5m", "max": most}, nudges=sent)
    with pytest.raises(Invalid):
        decide(before, Nudged(number), stamp(WHO[0]))


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
slots = st.none() | st.integers(0, 3)
acts = st.one_of(
    st.just(Acknowledge()),
    slots.map(Claim),
    slots.map(Start),
    st.builds(Result, words, st.none() | st.sampled_from(ResultStatus), slots),
    st.builds(Decline, words, slots),
    st.builds(NoAction, words, slots),
    st.builds(Track, st.integers(0, 3), words),
    st.just(MarkOverdue()),
    st.integers(1, 4).map(Nudged),
    st.just(Escalate()),
)
loops = st.builds(
    lambda count, due: order(slots=tuple(Slot(number=n) for n in range(1, count + 1)), due_at=NOW if due else None),
    st.sampled_from([0, 0, 1, 2, 3]),
    st.booleans(),
)
ENDING = {
    LoopEventType.CLOSED: LoopState.CLOSED,
    LoopEventType.DECLINED: LoopState.DECLINED,
    LoopEventType.NO_ACTION: LoopState.NO_ACTION,
}


@given(loops, st.lists(st.tuples(acts, st.sampled_from(WHO)), max_size=15))
def test_whatever_is_done_state_receipts_and_events_agree(loop: Loop, done: list[tuple[LoopAct, By]]) -> None:
    chain: list[Receipt] = []
    heard: list[LoopEventType] = []

    def keep(decision: LoopDecision) -> None:
        for line in decision.receipts:
            chain.append(seal(line, chain[-1] if chain else None))
        heard.extend(decision.events)

    keep(opened(loop, stamp(loop.sender, 0)))
    for number, (act, who) in enumerate(done, 1):
        try:
            decision = decide(loop, act, stamp(who, number))
        except Refused:
            continue
        after = decision.after
        if decision.repeated:
            assert after is loop
            assert not decision.receipts
            assert not decision.events
            assert decision.receipt in {one.id for one in chain} | {f"rcp_{number}"}
        else:
            assert after.version == loop.version + 1
            assert after.state in TRANSITIONS[loop.state][act.name]
            assert [one.id for one in decision.receipts] == [decision.receipt]
        keep(decision)
        loop = after
    assert first_break(chain) is None
    assert len(chain) == len(heard) == loop.version
    ends = [ENDING[one] for one in heard if one in ENDING]
    assert ends == ([] if loop.is_open else [loop.state])
    assert (loop.outcome is None) is loop.is_open
    if loop.outcome is not None:
        assert (chain[-1].id, chain[-1].type.value) == (loop.outcome.receipt, loop.state.value)
    if loop.slots and loop.state is LoopState.CLOSED:
        assert all(slot.done for slot in loop.slots)
    assert heard.count(LoopEventType.NUDGED) == loop.nudges <= loop.reminders.max
    claimed = [one for one in chain if one.type.value == "claimed"]
    assert loop.slots or len(claimed) <= 1
    assert LoopAction.ACKNOWLEDGE not in controls_of(loop) or loop.state is LoopState.OPEN


texts = st.text(st.sampled_from("ab [](){}/:—-\n`>#\"'\\") | st.characters(exclude_categories=["Cs"]), max_size=60)
bracketed = st.sampled_from(
    ["[ACK x]", "[RESULT wo-1] OK", "Reply: [ACK 7] seen | [CLAIM 7]", "[due 2026]", "OK done", "```"]
)


@given(st.lists(texts | bracketed, max_size=4).map("\n".join), st.lists(texts | bracketed, max_size=3).map(" ".join))
def test_what_people_type_is_said_as_one_sentence_and_says_nothing_else(body: str, title: str) -> None:
    loop = order(title=title.strip()[:240] or "Do it", body=body)
    said = parse(order_words(loop))
    assert sorted(type(one).__name__ for one in said) == ["ContractFooter", "WorkOrder"]
    for act in (Result(body), Result(body, ResultStatus.OK), Decline(body), NoAction(body)):
        text = act_words(loop, act, WHO[0], 1)
        assert text is not None
        (sentence,) = parse(text)
        assert type(sentence).__name__ == type(act).__name__
    reminder = parse(nudge_words(loop, 1, due_prompt(loop, NOW)))
    assert sorted(type(one).__name__ for one in reminder) == ["ContractFooter", "Nudge"]


ADMITTED: list[tuple[str, dict[str, Any], bool, bool]] = [
    # who and where, what is known of them, may speak, may move a loop for person:ana
    ("ana is there", {}, True, True),
    ("ana is elsewhere, but it is for her", {"membership": Membership.NO}, False, True),
    ("nobody can say whether ben is there", {"handle": "ben", "membership": Membership.UNDETERMINED}, False, False),
    ("ben is elsewhere", {"handle": "ben", "membership": Membership.NO}, False, False),
    ("ben is there", {"handle": "ben"}, True, True),
    ("a bot", {"standing": Standing(bot=True)}, False, False),
]


@pytest.mark.parametrize(("case", "known", "speaks", "moves"), ADMITTED)
def test_a_person_is_admitted_by_what_is_known_of_them(
    case: str, known: dict[str, Any], speaks: bool, moves: bool
) -> None:
    who = person(known.get("handle", "ana"))
    speaker = PersonSpeaks(
        who, who.identities[0], known.get("standing", Standing()), known.get("membership", Membership.YES), Via.SLACK
    )
    assert _admits(lambda: check_may_speak(speaker)) is speaks
    assert _admits(lambda: check_may_move(LOOP, speaker)) is moves


def _admits(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True


LOOP = order(recipient="person:ana", sender=by("opal"))


@pytest.mark.parametrize(
    ("changes", "takes_part", "moves"),
    [
        ({}, True, True),  # it is in the conversation
        ({}, False, False),
        ({"role": AgentRole.OPERATOR}, False, True),
        ({"revoked": True}, True, False),
    ],
)
def test_a_program_is_admitted_where_it_takes_part(changes: dict[str, Any], takes_part: bool, moves: bool) -> None:
    speaker = AgentSpeaks(BUILDER.model_copy(update=changes), takes_part)
    assert _admits(lambda: check_may_move(LOOP, speaker)) is moves


def test_a_program_that_the_order_names_may_move_it_from_anywhere() -> None:
    named = order(recipient="agent:builder", sender=by("opal"))
    check_may_move(named, AgentSpeaks(BUILDER, takes_part=False))
    with pytest.raises(Refused):
        check_may_move(named, AgentSpeaks(BUILDER.model_copy(update={"revoked": True}), takes_part=True))


@pytest.mark.parametrize("label", ["\x85: `a", " :: a", "[a]", "::", "\x1c", "a" * 200])
def test_whatever_a_sender_calls_itself_the_order_is_readable(label: str) -> None:
    nameless = By(type="agent", id="agt_9")
    said = parse(order_words(order(sender=nameless, sender_label=label)))
    (named,) = [one.claimed_sender for one in said if isinstance(one, WorkOrder)]
    assert named == ("a" * min(label.count("a"), 80) or None)

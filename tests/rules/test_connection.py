"""A connection: declined by whoever may answer, granted only by the operator whose state comes back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.acts import Accept, Act, Connected, Patch, Reject, SetOut
from core.errors import AlreadySettled, Invalid, StaleRevision
from core.interactions import decide
from core.kinds import EXAMPLES, Kind
from core.kinds.connection import digest_of
from core.people import By, Via
from core.receipts import ReceiptType
from core.records import Interaction, Status
from tests.rules.making import ASKER, NOW, by, card, content, stamp
from tests.rules.replaying import Done, told

EXAMPLE = EXAMPLES[Kind.CONNECTION]["payload"]
OLGA, OTTO = by("olga"), by("otto")


def asked() -> Interaction:
    return card(Kind.CONNECTION)


def set_out(state: str, revision: int = 1) -> SetOut:
    return SetOut(revision, digest_of(state))


def gone(who: By = OLGA, state: str = "s-1") -> Interaction:
    """Somebody set out with a state."""
    return decide(asked(), set_out(state), stamp(who)).after


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"service": ""}, "no service"),
        ({"purpose": ""}, "no purpose"),
        ({"connect_url": "http://agent.example/connect"}, "not https"),
        ({"connect_url": "javascript:alert(1)"}, "no address at all"),
        ({"connect_url": "https://"}, "no host"),
        ({"connect_url": "https://a.example/\nb"}, "a break in an address"),
        ({"scopes": [""]}, "a scope without words"),
        ({"scopes": ["x"] * 51}, "more scopes than anybody reads"),
        ({"token": "secret"}, "there is no place for a secret"),
    ],
)
def test_what_cannot_be_connected_is_refused_when_asked(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError):
        content(Kind.CONNECTION, **{**EXAMPLE, **changes})


def test_the_operator_who_set_out_granted_it_and_the_asker_confirmed() -> None:
    decision = decide(gone(), Connected("s-1"), stamp(ASKER))
    outcome = decision.after.outcome
    assert outcome is not None
    assert (outcome.status, outcome.answer) == (Status.ACCEPTED, {"connected": True})
    assert (outcome.by.handle, outcome.via) == ("olga", Via.REVIEW)
    (line,) = decision.receipts
    assert (line.by.handle, line.data["quoted"]) == ("olga", {"message": "connected", "agent": "builder"})
    assert decision.events == ("interaction.accepted",)


def test_setting_out_is_kept_without_the_state_itself_and_is_no_news_to_the_asker() -> None:
    decision = decide(asked(), set_out("s-1"), stamp(OLGA))
    assert [line.type for line in decision.receipts] == [ReceiptType.CONNECTING]
    assert decision.events == ()
    assert "s-1" not in decision.after.model_dump_json() + decision.receipts[0].model_dump_json()


@pytest.mark.parametrize(
    ("minutes", "state", "proves", "reason"),
    [
        (0, "s-1", True, "at once"),
        (60, "s-1", True, "at the last moment"),
        (60.001, "s-1", False, "a moment later"),
        (0, "s-2", False, "another state"),
        (0, "", False, "none"),
        (0, digest_of("s-1"), False, "what is kept of it is not it"),
    ],
)
def test_only_the_state_itself_proves_it_and_not_for_ever(
    minutes: float, state: str, proves: bool, reason: str
) -> None:
    later = stamp(ASKER, now=NOW + timedelta(minutes=minutes))
    if proves:
        assert decide(gone(), Connected(state), later).after.status is Status.ACCEPTED, reason
        return
    with pytest.raises(Invalid) as refused:
        decide(gone(), Connected(state), later)
    assert [fault.pointer for fault in refused.value.faults] == ["/state"], reason


def test_nobody_set_out_so_nothing_proves_it() -> None:
    with pytest.raises(Invalid):
        decide(asked(), Connected("s-1"), stamp(ASKER))


def test_whoever_set_out_last_is_the_one_whose_state_counts() -> None:
    both = decide(gone(), set_out("s-2"), stamp(OTTO)).after
    with pytest.raises(Invalid):
        decide(both, Connected("s-1"), stamp(ASKER))
    outcome = decide(both, Connected("s-2"), stamp(ASKER)).after.outcome
    assert outcome is not None
    assert outcome.by.handle == "otto"


def test_the_asker_may_confirm_again_and_nobody_else_may() -> None:
    done = decide(gone(), Connected("s-1"), stamp(ASKER)).after
    assert decide(done, Connected("s-1"), stamp(ASKER)).repeated
    for who, state in ((ASKER, "s-2"), (By(type="agent", id="agt_2", handle="other"), "s-1")):
        with pytest.raises(AlreadySettled):
            decide(done, Connected(state), stamp(who))


def test_a_patch_sends_the_operator_back_and_cannot_change_the_service() -> None:
    change = Patch(1, content(Kind.CONNECTION, **{**EXAMPLE, "scopes": ["everything"]}))
    patched = decide(gone(), change, stamp(ASKER)).after
    assert patched.connecting is None
    with pytest.raises(Invalid):
        decide(patched, Connected("s-1"), stamp(ASKER))
    with pytest.raises(StaleRevision):
        decide(patched, set_out("s-2"), stamp(OLGA))
    with pytest.raises(Invalid) as refused:
        decide(asked(), Patch(1, content(Kind.CONNECTION, **{**EXAMPLE, "service": "gitlab"})), stamp(ASKER))
    assert [fault.pointer for fault in refused.value.faults] == ["/payload/service"]


@pytest.mark.parametrize(("reason", "kept"), [(None, None), (" ", None), ("not now", "not now")])
def test_it_is_declined_with_or_without_a_reason(reason: str | None, kept: str | None) -> None:
    outcome = decide(gone(), Reject(1, reason), stamp()).after.outcome
    assert outcome is not None
    assert (outcome.status, outcome.answer, outcome.reason) == (Status.REJECTED, {"connected": False}, kept)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Accept(1), "granting is not a press"),
        (Accept(1, ("github",)), "nor a choice"),
        (Reject(1, "x" * 3_001), "a reason has its limit"),
    ],
)
def test_it_is_granted_nowhere_else(act: Act, reason: str) -> None:
    with pytest.raises(Invalid):
        decide(gone(), act, stamp())


STATES = st.sampled_from(["s-1", "s-2"])
OPERATORS = st.sampled_from([OLGA, OTTO])
ACTS = st.one_of(
    st.tuples(OPERATORS, st.builds(set_out, STATES, st.integers(1, 2))),
    st.tuples(st.just(ASKER), st.builds(Connected, STATES)),
    st.tuples(st.just(by("ana")), st.builds(Reject, st.integers(1, 2))),
    st.tuples(st.just(ASKER), st.just(Patch(1, content(Kind.CONNECTION, **EXAMPLE)))),
)


@given(st.lists(ACTS, max_size=12))
def test_it_is_granted_exactly_to_the_last_who_set_out_on_what_stands(acts: list[Done]) -> None:
    """The same told once more in the plainest way: a minute goes by for each act, so no state grows too old."""
    revision, last, end = 1, None, None
    for who, act in acts:
        match act:
            case _ if end is not None:
                break
            case SetOut() if act.revision == revision:
                last = (who, act.state)
            case Connected() if last is not None and last[1] == digest_of(act.state):
                end = (Status.ACCEPTED, last[0])
            case Reject() if act.revision == revision:
                end = (Status.REJECTED, who)
            case Patch() if act.revision == revision:
                revision, last = 2, None
            case _:
                pass
    story = told(asked(), acts)
    outcome = story.card.outcome
    assert (None if outcome is None else (outcome.status, outcome.by)) == end
    ends = story.of(ReceiptType.ACCEPTED, ReceiptType.REJECTED)
    assert [line.by for line in ends] == ([] if end is None else [end[1]])

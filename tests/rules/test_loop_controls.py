"""Controls of loops and alerts travel as tokens that nobody takes for a card's, and nobody else can make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.codec import LENGTH, Codec
from core.controls import Action, Control
from core.errors import Forged
from core.ids import make_id
from core.loops import LoopAction, LoopControl
from core.loops.controls import SUBJECTS

CODEC = Codec(b"k" * 32)
CARD = Control(make_id("int", 1, 1), 1, 1, "0a0b0c0d", Action.ACCEPT)


def control(action: LoopAction = LoopAction.CLAIM, slot: int | None = None) -> LoopControl:
    return LoopControl(make_id(SUBJECTS[action], 1, 7), action, slot)


@given(st.sampled_from(LoopAction), st.none() | st.integers(0, 999_999_999))
def test_every_control_comes_back_as_it_was(action: LoopAction, slot: int | None) -> None:
    token = CODEC.pack_loop(control(action, slot))
    assert len(token) == LENGTH
    assert CODEC.unpack_any(token) == control(action, slot)


def test_a_card_s_control_comes_back_by_the_same_door() -> None:
    assert CODEC.unpack_any(CODEC.pack(CARD)) == CARD


def test_no_number_stands_for_two_actions() -> None:
    assert {int(one) for one in Action}.isdisjoint(int(one) for one in LoopAction)
    assert all(40 <= one < 60 for one in LoopAction)


def test_a_loop_s_control_is_none_of_a_card() -> None:
    with pytest.raises(Forged):
        CODEC.unpack(CODEC.pack_loop(control()))


@pytest.mark.parametrize("position", [0, 1, 20, 30, 47])
def test_a_changed_token_is_refused(position: int) -> None:
    token = CODEC.pack_loop(control())
    other = "A" if token[position] != "A" else "B"
    with pytest.raises(Forged):
        CODEC.unpack_any(token[:position] + other + token[position + 1 :])


def test_a_token_of_one_person_s_form_is_nobody_else_s() -> None:
    token = CODEC.pack_loop(control(LoopAction.DONE), holder="slack:T1.U1")
    assert CODEC.unpack_any(token, holder="slack:T1.U1") == control(LoopAction.DONE)
    with pytest.raises(Forged):
        CODEC.unpack_any(token, holder="slack:T1.U2")

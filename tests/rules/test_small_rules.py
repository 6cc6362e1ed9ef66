"""Addresses, durations, ids, control tokens and the arithmetic of retries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.codec import LENGTH, Codec
from core.addresses import ChatAddress, PersonAddress, Provider, ReviewAddress, parse_address
from core.controls import Action, Control
from core.durations import parse_duration
from core.errors import Forged, Invalid
from core.ids import id_bytes, id_from_bytes, make_id
from core.outbox import LONGEST_GAP, MOST_ATTEMPTS, Lane, retry_at
from tests.rules.making import NOW


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("slack:C0123", ChatAddress(Provider.SLACK, None, "C0123")),
        ("slack:T0AB.C0123/1712000000.000100", ChatAddress(Provider.SLACK, "T0AB", "C0123", "1712000000.000100")),
        ("slack:U1", ChatAddress(Provider.SLACK, None, "U1")),
        ("telegram:-100123/7", ChatAddress(Provider.TELEGRAM, None, "-100123", "7")),
        ("telegram:42", ChatAddress(Provider.TELEGRAM, None, "42")),
        ("telegram:ask_bot.42", ChatAddress(Provider.TELEGRAM, "ask_bot", "42")),
        ("person:ana", PersonAddress("ana")),
        ("review", ReviewAddress()),
    ],
)
def test_an_address_is_read_and_written_the_same(text: str, address: object) -> None:
    assert parse_address(text) == address
    assert str(address) == text


@pytest.mark.parametrize(
    ("text", "is_user", "is_private"),
    [
        ("slack:U1", True, True),
        ("slack:T1.W1", True, True),  # an account on Enterprise Grid
        ("slack:D1", False, True),  # a direct message, which has one person in it
        ("slack:C1", False, False),
        ("slack:G1", False, False),  # a private channel has members
        ("telegram:42", True, True),  # a private chat has its person's id
        ("telegram:-42", False, False),
        ("telegram:-100123/7", False, False),
    ],
)
def test_it_shows_whose_place_an_address_is(text: str, is_user: bool, is_private: bool) -> None:
    address = parse_address(text)
    assert isinstance(address, ChatAddress)
    assert (address.is_user, address.is_private) == (is_user, is_private)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "slack:",
        "slack:general",  # a name is not an id
        "slack:C0123/1",  # not a Slack thread
        "telegram:@name",
        "telegram:0",
        "telegram:-100/",
        "telegram:" + "9" * 17,  # more than 52 bits
        "person:Ana Maria",
        "mailto:a@b.c",
        "slack:C0123\n",
        "review/",
    ],
)
def test_what_is_no_address_is_refused_with_its_pointer(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_address(text, "/to/3")
    assert refused.value.faults[0].pointer == "/to/3"


@pytest.mark.parametrize(("text", "seconds"), [("30s", 30), ("10m", 600), ("24h", 86_400), ("7d", 604_800)])
def test_durations_are_read(text: str, seconds: int) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "0s", "5", "5w", "-5m", "1.5h", "5 m", "99999d", "٥m"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        parse_duration(text)


@given(st.binary(min_size=16, max_size=16))
def test_an_id_holds_its_bits(raw: bytes) -> None:
    assert id_bytes("int", id_from_bytes("int", raw)) == raw


@given(st.integers(0, 2**48 - 2), st.integers(0, 2**74 - 1), st.integers(0, 2**74 - 1))
def test_ids_sort_by_time(milliseconds: int, one: int, other: int) -> None:
    assert make_id("evt", milliseconds, one) < make_id("evt", milliseconds + 1, other)


@pytest.mark.parametrize("text", ["int_", "evt_" + "0" * 26, "int_" + "0" * 25, "int_" + "u" * 26, "int_" + "z" * 26])
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        id_bytes("int", text)


CODEC = Codec(b"k" * 32)
controls = st.builds(
    Control,
    interaction=st.binary(min_size=16, max_size=16).map(lambda raw: id_from_bytes("int", raw)),
    publication=st.integers(0, 65_535),
    revision=st.integers(0, 65_535),
    seen=st.binary(min_size=4, max_size=4).map(bytes.hex),
    action=st.sampled_from(Action),
    question=st.integers(0, 255),
    option=st.integers(0, 255),
)


@given(controls, st.text(max_size=20))
def test_a_control_comes_back_from_its_token_and_the_token_fits_every_chat(control: Control, holder: str) -> None:
    token = CODEC.pack(control, holder)
    assert len(token) == LENGTH <= 64
    assert CODEC.unpack(token, holder) == control


@given(controls, st.integers(0, LENGTH - 1), st.sampled_from("ABCxyz019-_"))
def test_a_token_with_any_letter_changed_is_forged(control: Control, place: int, letter: str) -> None:
    token = CODEC.pack(control)
    if token[place] == letter:
        return
    with pytest.raises(Forged):
        CODEC.unpack(token[:place] + letter + token[place + 1 :])


@given(controls)
def test_a_token_means_nothing_to_another_holder_or_with_another_key(control: Control) -> None:
    token = CODEC.pack(control, "slack:T1.U1")
    for codec, holder in ((CODEC, ""), (CODEC, "slack:T1.U2"), (Codec(b"j" * 32), "slack:T1.U1")):
        with pytest.raises(Forged):
            codec.unpack(token, holder)


@given(st.text(max_size=80) | st.text("AQabc-_=", min_size=48, max_size=48))
def test_no_text_of_others_is_a_token(text: str) -> None:
    with pytest.raises(Forged):
        CODEC.unpack(text)


@given(st.sampled_from(Lane), st.integers(1, 11), st.floats(0, 0.999))
def test_gaps_grow_within_their_bounds(lane: Lane, attempts: int, jitter: float) -> None:
    due = retry_at(lane, attempts, NOW, jitter, None)
    assert due is not None
    assert NOW < due <= NOW + LONGEST_GAP[lane] * 1.5


@given(st.integers(1, 11), st.floats(0, 0.999), st.floats(0, 10_000))
def test_what_a_provider_says_of_retrying_is_never_shortened(attempts: int, jitter: float, after: float) -> None:
    due = retry_at(Lane.POST, attempts, NOW, jitter, after)
    assert due is not None
    assert due >= NOW + timedelta(seconds=after)


@pytest.mark.parametrize("lane", Lane)
def test_every_lane_ends_trying(lane: Lane) -> None:
    assert retry_at(lane, MOST_ATTEMPTS[lane], NOW, 0.5, 1.0) is None

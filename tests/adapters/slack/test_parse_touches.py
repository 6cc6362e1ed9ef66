"""Touched groups of boxes and closed forms, as Slack sends them."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.inbound import Closed, Wrote
from adapters.slack import forms, parse
from core.touches import Touch
from tests.adapters.slack.test_parse import IN_CHANNEL, SUBMISSION, USER, VIEW, event, press

GROUP = {"type": "checkboxes", "block_id": "ticks.TOK.5.mark", "action_id": "ticks.HEAD", "action_ts": "1700.25"}


def test_a_touched_group_says_what_is_ticked_in_it_and_what_was_drawn_so() -> None:
    boxes = [{"value": "2.two"}, {"value": "3.three"}]
    pick = {"pick:1": {"pick.0.HEAD": {"type": "checkboxes", "selected_options": [{"value": "A"}]}}}
    arrival = press(actions=[{**GROUP, "selected_options": boxes}], state={"values": pick})
    assert arrival is not None
    assert (arrival.token, arrival.picked) == ("TOK", ("HEADtwo", "HEADthree"))
    assert arrival.touch == Touch(GROUP["block_id"], frozenset({0, 2}), 1700.25)


@pytest.mark.parametrize("options", [[], None, "junk", [7]])
def test_a_group_with_nothing_ticked_in_it_says_so(options: object) -> None:
    arrival = press(actions=[{**GROUP, "selected_options": options}])
    assert arrival is not None
    assert arrival.picked == ()
    assert arrival.touch is not None


@pytest.mark.parametrize("block_id", ["ticks.", "ticks.TOK", "ticks.TOK.zz.mark", "ticks.TOK.1.2.3"])
def test_a_group_that_we_did_not_make_is_nothing(block_id: str) -> None:
    assert press(actions=[{**GROUP, "block_id": block_id, "selected_options": []}]) is None


@pytest.mark.parametrize("at", [None, "", "now"])
def test_a_touch_at_no_time_is_nothing(at: object) -> None:
    assert press(actions=[{**GROUP, "action_ts": at, "selected_options": []}]) is None


CLOSED: dict[str, Any] = {
    "type": "view_closed",
    "team": {"id": "T2"},
    "user": {**USER, "team_id": "T2"},
    "api_app_id": "A1",
    "token": "deprecated",
    "view": VIEW,
    "is_cleared": False,
}


def test_a_closed_form_says_whose_it_was() -> None:
    arrival = forms.closed(CLOSED, "T9")
    assert isinstance(arrival, Closed)
    assert (arrival.key, arrival.token, arrival.account) == ("slack:A1:closed:V1", "tok", "T1")
    assert (arrival.sender.account, arrival.sender.user) == ("T2", "U1")
    assert "token" not in arrival.raw


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("another app's", {"view": {**VIEW, "callback_id": "other"}}),
        ("nobody's", {"user": None}),
        ("one without an id", {"view": {**VIEW, "id": None}}),
    ],
)
def test_another_closed_view_is_nothing(why: str, changes: dict[str, Any]) -> None:
    assert forms.closed({**CLOSED, **changes}, "T1") is None, why


def test_every_field_of_a_form_is_read() -> None:
    values = {
        "q0:1": {"value": {"type": "plain_text_input", "value": "words"}},
        "q1:1": {"value": {"type": "number_input", "value": None}},
        "q2:1": {"value": {"type": "datepicker", "selected_date": "2026-12-24"}},
        "q3:1": {"value": {"type": "radio_buttons", "selected_option": {"value": "yes"}}},
        "q4:1": {"pick.4.HEAD": {"type": "multi_static_select", "selected_options": [{"value": "A"}, {"value": "B"}]}},
        "q5:1": {"pick.5.HEAD": {"type": "static_select", "selected_option": None}},
        "q5.custom:1": {"value": {"type": "plain_text_input", "value": "own"}},
        "as:1": {"value": {"type": "radio_buttons", "selected_option": {"value": "reject"}}},
    }
    arrival = forms.submission({**SUBMISSION, "view": {**VIEW, "state": {"values": values}}}, "T1")
    assert arrival is not None
    assert arrival.fields == {
        "q0": "words", "q1": "", "q2": "2026-12-24", "q3": "yes", "q5.custom": "own", "as": "reject"
    }  # fmt: skip
    assert arrival.picked == ("HEADA", "HEADB")


def test_a_file_is_attached_and_its_caption_no_answer() -> None:
    arrival = parse.event(event({**IN_CHANNEL, "subtype": "file_share", "files": [{"id": "F1"}], "text": "yes"}), "T1")
    assert isinstance(arrival, Wrote)
    assert (arrival.attached, arrival.text, arrival.own) == (True, "", True)

"""Slack's payloads become arrivals, or nothing when there is nothing to act on."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.inbound import AnyArrival, Changed, Commanded, Moved, Opened, Pressed, Submitted, Wrote
from adapters.slack import forms, parse
from core.addresses import Provider
from core.people import Identity, Standing

USER = {"id": "U1", "username": "ana", "name": "ana", "team_id": "T1"}
BUTTON = {"type": "button", "block_id": "answer:1", "action_id": "answer.0.0", "value": "tok", "action_ts": "1.1"}
PRESS: dict[str, Any] = {
    "type": "block_actions",
    "team": {"id": "T1", "domain": "acme"},
    "user": USER,
    "api_app_id": "A1",
    "token": "deprecated",
    "container": {"type": "message", "message_ts": "10.1", "channel_id": "C1", "is_ephemeral": False},
    "trigger_id": "1.2.3",
    "channel": {"id": "C1", "name": "general"},
    "message": {"ts": "10.1", "text": "…"},
    "response_url": "https://hooks.slack.com/actions/1",
    "state": {"values": {}},
    "actions": [BUTTON],
}
VIEW: dict[str, Any] = {
    "id": "V1",
    "type": "modal",
    "callback_id": "sayso_form",
    "private_metadata": '{"token":"tok","channel":"C1"}',
    "app_installed_team_id": "T1",
    "hash": "1.h",
    "state": {"values": {}},
    "blocks": [],
}
SUBMISSION: dict[str, Any] = {
    "type": "view_submission",
    "team": {"id": "T1"},
    "user": USER,
    "api_app_id": "A1",
    "trigger_id": "1.2.4",
    "view": VIEW,
    "response_urls": [],
}
COMMAND = {
    "token": "deprecated",
    "team_id": "T1",
    "channel_id": "C1",
    "channel_name": "general",
    "user_id": "U1",
    "user_name": "ana",
    "command": "/sayso",
    "text": "",
    "api_app_id": "A1",
    "trigger_id": "1.2.5",
    "response_url": "https://hooks.slack.com/commands/1",
}
MESSAGE = {
    "type": "message",
    "channel": "D1",
    "user": "U1",
    "ts": "11.1",
    "text": "hi",
    "channel_type": "im",
    "team": "T1",
}

IN_THREAD = {**MESSAGE, "channel": "C1", "thread_ts": "10.1"}
IN_CHANNEL = {**IN_THREAD, "channel_type": "channel"}


def event(inner: dict[str, Any]) -> dict[str, Any]:
    return {"type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": "Ev1", "event": inner}


def press(**changes: Any) -> Pressed | None:
    return parse.press({**PRESS, **changes}, "T1")


def test_a_press_says_all_that_is_known_of_it() -> None:
    assert press() == Pressed(
        key="slack:A1:1.2.3",
        provider=Provider.SLACK,
        account="T1",
        sender=Identity(provider="slack", account="T1", user="U1"),
        hint=Standing(known=False, name="ana"),
        raw={name: value for name, value in PRESS.items() if name not in ("token", "response_url")},
        channel="C1",
        thread=None,
        message="10.1",
        token="tok",
    )


TOKENS: list[tuple[str, dict[str, Any], str | None]] = [
    # what is pressed, the action, its token (None: nothing to act on)
    ("a button", BUTTON, "tok"),
    ("a link", {"type": "button", "action_id": "full_form", "url": "https://e.com"}, None),
    (
        "an option of a select",
        {"type": "static_select", "action_id": "answer.0.HEAD", "selected_option": {"value": "TAIL"}},
        "HEADTAIL",
    ),
    (
        "a radio button",
        {"type": "radio_buttons", "action_id": "answer.0.HEAD", "selected_option": {"value": "TAIL"}},
        "HEADTAIL",
    ),
    ("an entry of the menu", {"type": "overflow", "action_id": "later", "selected_option": {"value": "tok"}}, "tok"),
    ("a menu without an entry", {"type": "overflow", "action_id": "later", "selected_option": None}, None),
    ("an emptied select", {"type": "static_select", "action_id": "answer.0.HEAD", "selected_option": None}, None),
    ("a tick", {"type": "checkboxes", "action_id": "pick.0.HEAD", "selected_options": [{"value": "TAIL"}]}, None),
    (
        "several chosen",
        {"type": "multi_static_select", "action_id": "pick.0.HEAD", "selected_options": [{"value": "TAIL"}]},
        None,
    ),
]


@pytest.mark.parametrize(("why", "action", "token"), TOKENS, ids=[row[0] for row in TOKENS])
def test_a_control_carries_its_token(why: str, action: dict[str, Any], token: str | None) -> None:
    arrival = press(actions=[action])
    assert (arrival.token if arrival else None) == token, why


def test_what_is_picked_beside_the_button_comes_along() -> None:
    values = {
        "pick:1": {"pick.0.HEAD": {"type": "checkboxes", "selected_options": [{"value": "A"}, {"value": "B"}]}},
        "one:1": {"pick.1.NECK": {"type": "radio_buttons", "selected_option": {"value": "C"}}},
        "none:1": {"pick.2.HEAD": {"type": "checkboxes", "selected_options": []}},
        "answer:1": {"answer.0.HEAD": {"type": "static_select", "selected_option": {"value": "D"}}},
    }
    arrival = press(state={"values": values})
    assert arrival is not None
    assert arrival.picked == ("HEADA", "HEADB", "NECKC")


@pytest.mark.parametrize(
    ("thread", "changes"),
    [
        ("9.1", {"container": {**PRESS["container"], "thread_ts": "9.1"}}),
        ("9.2", {"message": {"ts": "10.1", "thread_ts": "9.2"}}),
        (None, {}),
    ],
)
def test_a_press_names_its_thread(thread: str | None, changes: dict[str, Any]) -> None:
    arrival = press(**changes)
    assert arrival is not None
    assert arrival.thread == thread


def test_a_presser_of_another_workspace_is_external() -> None:
    """`team` is where the app is installed; who pressed is of `user.team_id`."""
    arrival = press(user={**USER, "team_id": "T2"})
    assert arrival is not None
    assert (arrival.account, arrival.sender.account, arrival.hint.external) == ("T1", "T2", True)


def test_a_press_in_a_view_is_no_press_on_a_card() -> None:
    assert press(container={"type": "view", "view_id": "V1"}) is None


@pytest.mark.parametrize("missing", [{"user": {}}, {"user": {"id": ""}}, {"trigger_id": ""}, {"trigger_id": 7}])
def test_an_act_of_nobody_or_without_a_key_is_nothing_to_act_on(missing: dict[str, Any]) -> None:
    """Without a trigger the acts of two people would count as one and its repeat."""
    assert press(**missing) is None
    assert forms.submission({**SUBMISSION, **missing}, "T1") is None


def test_an_event_without_an_id_is_nothing_to_act_on() -> None:
    assert parse.event({**event(MESSAGE), "event_id": ""}, "T1") is None


def submission(**values: Any) -> Submitted | None:
    return forms.submission({**SUBMISSION, "view": {**VIEW, "state": {"values": values}}}, "T1")


def test_a_form_brings_its_fields() -> None:
    arrival = submission(
        **{
            "q0:3": {"value": {"type": "plain_text_input", "value": "a &lt; b"}},
            "q1:3": {"value": {"type": "plain_text_input", "value": None}},
            "q2:3": {"value": {"type": "datepicker", "selected_date": "2026-12-31"}},
            "q3:3": {"value": {"type": "datepicker", "selected_date": None}},
            "q4:3": {"value": {"type": "number_input", "value": "1.5"}},
            "q5:3": {"value": {"type": "radio_buttons", "selected_option": {"value": "true"}}},
            "q6:3": {"value": {"type": "radio_buttons", "selected_option": None}},
            "q7:3": {"pick.7.HEAD": {"type": "checkboxes", "selected_options": [{"value": "TAIL"}]}},
            "q7.custom:3": {"value": {"type": "plain_text_input", "value": "mine"}},
        }
    )
    assert arrival is not None
    assert arrival.fields == {
        "q0": "a &lt; b",
        "q1": "",
        "q2": "2026-12-31",
        "q3": "",
        "q4": "1.5",
        "q5": "true",
        "q6": "",
        "q7.custom": "mine",
    }
    assert arrival.picked == ("HEADTAIL",)
    assert (arrival.token, arrival.channel, arrival.key) == ("tok", "C1", "slack:A1:1.2.4")
    assert "response_urls" not in arrival.raw


def test_a_form_opened_in_a_shared_channel_is_of_the_installed_workspace() -> None:
    """There `team` is the submitter's own."""
    body = {**SUBMISSION, "team": {"id": "T2"}, "user": {**USER, "team_id": "T2"}}
    arrival = forms.submission(body, "T9")
    assert arrival is not None
    assert (arrival.account, arrival.sender.account, arrival.hint.external) == ("T1", "T2", True)


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"token": 7}'])
def test_a_form_with_broken_metadata_has_no_token(kept: str) -> None:
    arrival = forms.submission({**SUBMISSION, "view": {**VIEW, "private_metadata": kept}}, "T1")
    assert arrival is not None
    assert (arrival.token, arrival.channel) == ("", None)


def test_another_apps_form_is_none() -> None:
    assert forms.submission({**SUBMISSION, "view": {**VIEW, "callback_id": "other"}}, "T1") is None


def test_the_fields_of_a_view_are_where_errors_can_stand() -> None:
    blocks = [
        {"type": "context", "block_id": "x:1"},
        {"type": "input", "block_id": "q0:1"},
        {"type": "input", "block_id": "q0.custom:1"},
    ]
    body = {"view": {**VIEW, "blocks": blocks}}
    assert forms.fields(body) == {"q0": "q0:1", "q0.custom": "q0.custom:1"}


def test_a_command_says_who_and_where() -> None:
    arrival = parse.command({**COMMAND, "text": "a &amp;amp; &lt;b&gt;", "channel_name": "directmessage"}, "T1")
    assert isinstance(arrival, Commanded)
    assert (arrival.name, arrival.argument, arrival.private) == ("sayso", "a &amp; <b>", True)
    assert (arrival.key, arrival.channel, arrival.sender.user) == ("slack:A1:1.2.5", "C1", "U1")


HAPPENED: list[tuple[str, dict[str, Any], type[AnyArrival] | None]] = [
    ("Home", {"type": "app_home_opened", "user": "U1", "tab": "home", "channel": "D1"}, Opened),
    ("the messages tab", {"type": "app_home_opened", "user": "U1", "tab": "messages", "channel": "D1"}, None),
    ("a message to the app", MESSAGE, Wrote),
    ("a message in a channel", {**MESSAGE, "channel_type": "channel"}, None),
    ("a message in a thread of a channel", {**IN_THREAD, "channel_type": "channel"}, Wrote),
    ("a message in a thread of a private channel", {**IN_THREAD, "channel_type": "group"}, Wrote),
    ("a message in a thread of a conversation of several", {**IN_THREAD, "channel_type": "mpim"}, Wrote),
    ("a reply shown in its channel too", {**IN_CHANNEL, "subtype": "thread_broadcast"}, Wrote),
    ("a file in a thread", {**IN_CHANNEL, "subtype": "file_share", "files": [{"id": "F1"}]}, Wrote),
    ("a file in a channel", {**MESSAGE, "channel_type": "channel", "subtype": "file_share"}, None),
    ("what begins a thread", {**IN_CHANNEL, "thread_ts": "11.1"}, None),
    ("an edit", {**MESSAGE, "subtype": "message_changed"}, None),
    ("an edit in a thread", {**IN_CHANNEL, "subtype": "message_changed", "hidden": True}, None),
    ("a deleted message in a thread", {**IN_CHANNEL, "subtype": "message_deleted", "hidden": True}, None),
    ("what is left of a deleted message", {**IN_CHANNEL, "hidden": True}, None),
    ("another app's message", {**MESSAGE, "bot_id": "B1"}, None),
    ("another app's message in a thread", {**IN_CHANNEL, "bot_id": "B1", "app_id": "A2"}, Wrote),
    ("our own message in a thread", {**IN_CHANNEL, "bot_id": "B9", "app_id": "A1"}, None),
    ("an old kind of app's message", {**IN_CHANNEL, "subtype": "bot_message", "bot_id": "B1", "user": None}, Wrote),
    ("an app's message without its id", {**IN_CHANNEL, "subtype": "bot_message", "user": None}, None),
    ("an app's message outside threads", {**IN_CHANNEL, "bot_id": "B1", "thread_ts": None}, None),
    ("an app's edit in a thread", {**IN_CHANNEL, "bot_id": "B1", "subtype": "message_changed", "hidden": True}, None),
    ("Slackbot", {**MESSAGE, "user": "USLACKBOT"}, None),
    ("a message of nobody", {**MESSAGE, "user": None}, None),
    ("a changed account", {"type": "user_change", "user": {"id": "U1", "team_id": "T1"}}, Changed),
    ("a changed account without an id", {"type": "user_change", "user": {}}, None),
    ("a channel's new id", {"type": "channel_id_changed", "old_channel_id": "G1", "new_channel_id": "C1"}, Moved),
    ("a channel's new id, unsaid", {"type": "channel_id_changed", "old_channel_id": "G1"}, None),
    ("an event nobody asked for", {"type": "reaction_added"}, None),
]


@pytest.mark.parametrize(("why", "inner", "wanted"), HAPPENED, ids=[row[0] for row in HAPPENED])
def test_an_event_is_an_arrival_or_nothing(why: str, inner: dict[str, Any], wanted: type[AnyArrival] | None) -> None:
    arrival = parse.event(event(inner), "T1")
    assert (type(arrival) if arrival else None) is wanted, why
    if arrival is not None:
        assert arrival.key == "slack:A1:Ev1"
        assert arrival.account == "T1"


def test_a_writer_of_another_workspace_is_external() -> None:
    arrival = parse.event(event({**MESSAGE, "user_team": "T2"}), "T1")
    assert isinstance(arrival, Wrote)
    assert (arrival.sender.account, arrival.hint.external) == ("T2", True)


def test_words_that_a_program_wrote_for_a_person_are_not_their_own() -> None:
    arrival = parse.event(event({**IN_CHANNEL, "app_id": "A2"}), "T1")
    assert isinstance(arrival, Wrote)
    assert not arrival.own

"""What looks like a secret is hidden from people; everything else is shown as it is."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from blocks.markdown import parse
from blocks.markdown.tree import Code, Paragraph
from core.people import By, Via
from core.redaction import HIDDEN, redacted, without_secrets
from core.tools.reviewing import ToolCall, review_content
from tests.rules.making import NOW

CASES: list[tuple[str, JsonValue, JsonValue]] = [
    ("a field that says so", {"api_key": "hunter2"}, {"api_key": HIDDEN}),
    ("in any spelling", {"API-Key": "x", "dbPassword": "y"}, {"API-Key": HIDDEN, "dbPassword": HIDDEN}),
    ("whatever it holds", {"credentials": {"user": "a", "pw": ["b"]}}, {"credentials": HIDDEN}),
    ("however deep", [{"a": [{"token": "x"}]}], [{"a": [{"token": HIDDEN}]}]),
    ("a number is none", {"max_tokens": 500, "secret": False}, {"max_tokens": 500, "secret": False}),
    ("nothing is none", {"token": "", "cookie": None}, {"token": "", "cookie": None}),
    ("a Slack token in a text", "use xoxb-123-abc please", f"use {HIDDEN} please"),
    ("a Telegram token", f"12345678:{'A' * 35}", HIDDEN),
    ("one in an address of the Bot API", f"/bot12345678:{'A' * 35}/getMe", f"/bot{HIDDEN}/getMe"),
    ("a key of ours", f"sk_{'k' * 43}", HIDDEN),
    ("a bearer", "Authorization: Bearer abc.def", f"Authorization: Bearer {HIDDEN}"),
    ("a password in an address", "postgres://me:pass@db/x", f"postgres://{HIDDEN}@db/x"),
    ("plain words", {"title": "Reset the tokens of Ana", "n": 1.5}, {"title": "Reset the tokens of Ana", "n": 1.5}),
]


@pytest.mark.parametrize(("why", "given_", "shown"), CASES, ids=[row[0] for row in CASES])
def test_secrets_are_hidden_and_nothing_else_is(why: str, given_: JsonValue, shown: JsonValue) -> None:
    assert redacted(given_) == shown, why


@pytest.mark.parametrize("unit", [":", "://", "://a:", "1:", "xoxb-", "sk_"])
def test_looking_for_secrets_takes_time_by_length_alone(unit: str) -> None:
    """Whoever sends a call of an operation says what is looked through, while everybody waits."""
    text = "https://" + unit * (200_000 // len(unit))
    since = time.process_time()
    without_secrets(text)
    assert time.process_time() - since < 10, "by the square of it, this takes a quarter of an hour"


@given(st.text(max_size=200))
def test_no_text_breaks_out_of_the_code_that_shows_it(text: str) -> None:
    arguments = json.dumps({"in_m": 5, "prompt": text}, ensure_ascii=False)
    call = ToolCall(
        id="tcl_1",
        workspace="wsp_1",
        conversation="cnv_1",
        op="followup.create",
        arguments=arguments,
        definition="sha256:0",
        by=By(type="agent", id="agt_1", handle="builder"),
        via=Via.API,
        interaction="int_1",
        created_at=NOW,
    )
    drawn = parse(review_content(call).body).blocks
    assert [type(block) for block in drawn] == [Paragraph, Code, Paragraph]

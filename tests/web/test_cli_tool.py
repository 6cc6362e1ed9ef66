"""`sayso tool`: which operations there are, and what becomes of a call."""

from __future__ import annotations

import json

import pytest

from tests.web.shells import Shell


def test_policies_are_listed_set_and_kept(shell: Shell) -> None:
    assert shell("tool", "list") == 0
    assert [line.split()[:2] for line in shell.out.splitlines()] == [
        ["followup.create", "allow"],
        ["followup.cancel", "allow"],
        ["loop.list", "allow"],
        ["loop.show", "allow"],
        ["interaction.ask", "allow"],
    ]
    assert shell("tool", "set", "interaction.ask", "ask_first") == 0
    assert shell.out == "interaction.ask is ask_first, and whoever may look at a call is role:operator.\n"
    shell("person", "add", "ana", "--name", "Ana")
    assert shell("tool", "set", "loop.list", "ask_first", "--by", "person:ana", "--by", "conversation") == 0
    assert shell("tool", "set", "loop.show", "off") == 0
    assert shell.out == "loop.show is off.\n"
    assert shell("tool", "list", "--json") == 0
    kept = {one["op"]: (one["policy"], one["reviewers"]) for one in json.loads(shell.out)}
    assert kept["interaction.ask"] == ("ask_first", ["role:operator"])
    assert kept["loop.list"] == ("ask_first", ["person:ana", "conversation"])
    assert kept["loop.show"][0] == "off"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rm.rf", "off"], "there is no operation rm.rf"),
        (["loop.list", "sometimes"], "sometimes"),
        (["loop.list", "ask_first", "--by", "agent:worker"], "a program reviews no calls"),
        (["loop.list", "ask_first", "--by", "person:nobody"], "nobody with the handle nobody"),
        (["loop.list", "allow", "--by", "conversation"], "nobody looks at a call that is allow"),
    ],
)
def test_a_policy_that_cannot_be_is_refused_in_words(shell: Shell, arguments: list[str], told: str) -> None:
    assert shell("tool", "set", *arguments) == 2
    assert told in shell.err
    assert "pydantic" not in shell.err

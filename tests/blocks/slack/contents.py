"""Whatever an agent may ask, as Hypothesis strategies: every type, hostile words, sizes at and beyond every limit."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from core.audience import Audience
from core.content import Content
from core.kinds.confirmation import Reason

HOSTILE = [
    "<!channel>", "<@U1>", "&amp;", "*_`~", "[x](https://e.com)", ":x:", "\u202ereversed", "\u2066", "😀👩\u200d👧",
    "文" * 40, "\x00\x07", "\\", '"', "\t", "~~~\n```", "| a | b |\n|---|---|\n| c |", "> q\n", "- i\n  - j\n",
    "a\n\n\nb", "   ",
]  # fmt: skip
ANSWERERS = (
    "conversation", "slack:U1", "slack:T2.W2", "person:ana", "role:operator", "agent:x_y", "telegram:4",
)  # fmt: skip
_piece = st.one_of(st.text(st.characters(codec="utf-8"), max_size=40), st.sampled_from(HOSTILE))
_raw = st.lists(_piece, max_size=5).map("".join)


def text(least: int, most: int) -> st.SearchStrategy[str]:
    """Hostile text of `least` to `most` characters, now and then as long as is allowed."""
    filled = st.builds(lambda part, n: ((part or "x") * n)[:n], _raw, st.integers(max(1, least), most))
    longest = st.builds(lambda part: ((part or "x") * most)[:most], _raw)
    return st.one_of(_raw.map(lambda part: part[:most]), filled, longest).filter(lambda made: len(made) >= least)


def _options(count: int, drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**drawn[number % len(drawn)], "id": str(number)} for number in range(count)]


option = st.fixed_dictionaries(
    {"label": st.one_of(text(1, 20), text(1, 76), text(1, 1_000))},
    optional={"description": text(0, 300), "recommended": st.booleans()},
)
counts = st.one_of(st.integers(1, 12), st.sampled_from([5, 6, 10, 11, 100, 101]), st.integers(1, 128))
options = st.builds(_options, counts, st.lists(option, min_size=1, max_size=3))
_common = {"id": st.just("q"), "prompt": st.one_of(text(1, 100), text(1, 4_000))}
_more = {"help": st.one_of(text(0, 100), text(0, 4_000)), "required": st.booleans()}
question = st.one_of(
    st.fixed_dictionaries(
        {**_common, "type": st.sampled_from(["choice", "choices"]), "options": options, "custom": st.booleans()},
        optional=_more,
    ),
    st.fixed_dictionaries({**_common, "type": st.sampled_from(["boolean", "number", "date"])}, optional=_more),
    st.fixed_dictionaries(
        {**_common, "type": st.just("text")},
        optional={
            **_more,
            "multiline": st.booleans(),
            "max_length": st.sampled_from([3_000, 3_001]),
            "placeholder": text(0, 1_000),
            "initial": text(0, 3_000),
        },
    ),
)


def _form(first: dict[str, Any], count: int) -> dict[str, Any]:
    return {"questions": [{**first, "id": f"q{number}"} for number in range(count)]}


_asked = {"title": text(1, 240), "body": st.one_of(text(0, 300), text(0, 20_000)), "recommendation": text(0, 1_000)}
questions = st.fixed_dictionaries(
    {
        **_asked,
        "kind": st.just("questions"),
        "payload": st.builds(_form, question, st.sampled_from([1, 1, 1, 1, 2, 64])),
    }
)
confirmations = st.fixed_dictionaries(
    {
        **_asked,
        "kind": st.just("confirmation"),
        "payload": st.fixed_dictionaries(
            {
                "accept_label": st.one_of(text(1, 30), text(1, 80)),
                "reject_label": text(1, 80),
                "reason": st.sampled_from([reason.value for reason in Reason]),
                "reason_label": text(1, 150),
            }
        ),
    }
)


def _content(asked: dict[str, Any]) -> Content:
    return Content.model_validate({**asked, "title": asked["title"].strip() or "t"})


contents = st.one_of(questions, confirmations).map(_content)
audiences = st.builds(
    Audience,
    answerers=st.lists(
        st.sampled_from(
            ["conversation", "slack:U1", "slack:T2.W2", "person:ana", "role:operator", "agent:x_y", "telegram:4"]
        ),
        min_size=1,
        max_size=100,
    ).map(tuple),
    guests=st.booleans(),
    exclude=st.sampled_from([(), ("creator",)]),
)

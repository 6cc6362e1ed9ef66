"""Whatever an agent may ask, as Hypothesis strategies: every type, hostile words, sizes at and beyond every limit."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from core.audience import Audience
from core.content import Content
from core.kinds.base import Reason

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
        "payload": st.builds(_form, question, st.sampled_from([1, 1, 1, 2, 3, 64])),
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


def _of_kind(kind: str, payload: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({**_asked, "kind": st.just(kind), "payload": payload})


item_counts = st.one_of(st.integers(1, 12), st.sampled_from([1, 10, 11, 30, 31, 100, 200]))
reasons = st.sampled_from([reason.value for reason in Reason])
link = st.one_of(st.none(), st.just("https://e.example/x?a=1&b=<2>"), st.just("https://e.example/".ljust(2_000, "x")))
check_item = st.fixed_dictionaries(
    {"label": st.one_of(text(1, 20), text(1, 76), text(1, 1_000)), "checked": st.booleans()},
    optional={"description": st.one_of(text(0, 76), text(0, 4_000)), "recommended": st.booleans()},
)
checklists = _of_kind(
    "checklist",
    st.builds(
        lambda count, drawn, label: {"items": _options(count, drawn), "accept_label": label},
        item_counts,
        st.lists(check_item, min_size=1, max_size=3),
        st.one_of(text(1, 20), text(1, 80)),
    ),
)
verdict_item = st.fixed_dictionaries(
    {"label": st.one_of(text(1, 20), text(1, 1_000)), "href": link},
    optional={"description": st.one_of(text(0, 76), text(0, 4_000)), "recommended": st.booleans()},
)
verdict_option = st.fixed_dictionaries({"label": st.one_of(text(1, 20), text(1, 80)), "reason": reasons})
item_verdicts = _of_kind(
    "item_verdicts",
    st.builds(
        lambda count, drawn, verdicts: {"items": _options(count, drawn), "verdicts": _options(len(verdicts), verdicts)},
        item_counts,
        st.lists(verdict_item, min_size=1, max_size=3),
        st.lists(verdict_option, min_size=2, max_size=5),
    ),
)
task = st.fixed_dictionaries(
    {"title": st.one_of(text(1, 20), text(1, 76), text(1, 240)).map(lambda made: made.strip() or "t")},
    optional={
        "description": st.one_of(text(0, 40), text(0, 4_000)),
        "assignee": text(1, 160).map(lambda made: made.strip() or "a"),
        "recommended": st.booleans(),
    },
)


def _tasks(count: int, drawn: list[dict[str, Any]], family: int) -> dict[str, Any]:
    tasks = [{**drawn[number % len(drawn)], "key": str(number)} for number in range(count)]
    for number, one in enumerate(tasks):
        if family and number % family:
            one["parent"] = str(number - 1)
    return {"tasks": tasks}


suggested_tasks = _of_kind(
    "suggested_tasks",
    st.builds(
        _tasks,
        st.one_of(st.integers(1, 12), st.sampled_from([10, 11, 50])),
        st.lists(task, min_size=1, max_size=3),
        st.integers(0, 4),
    ),
)
connections = _of_kind(
    "connection",
    st.fixed_dictionaries(
        {
            "service": text(1, 160),
            "purpose": st.one_of(text(1, 100), text(1, 4_000)),
            "scopes": st.one_of(st.lists(text(1, 300), max_size=3), st.just(["x" * 300] * 50)),
            "account": st.one_of(st.none(), text(1, 300)),
            "connect_url": st.just("https://agent.example/connect"),
        }
    ),
)


def content_of(asked: dict[str, Any]) -> Content:
    """The content of what was drawn."""
    return Content.model_validate({**asked, "title": asked["title"].strip() or "t"})


lists = st.one_of(checklists, item_verdicts).map(content_of)
contents = st.one_of(
    questions, confirmations, checklists, item_verdicts, suggested_tasks, connections
).map(content_of)  # fmt: skip
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

"""Whatever an agent may ask, as Hypothesis strategies: every kind, hostile words, sizes at and beyond every limit."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from core.content import Content
from core.kinds.base import Reason

HOSTILE = [
    "<!channel>", "<@U1>", "@everyone", "*_`[x](https://e.com)", "<b>", "</b>&lt;", "\u202ereversed", "\u2066",
    "😀👩\u200d👩\u200d👧", "文" * 40, "\x00\x07", "tg://user?id=1", "~~~\n```", "| a | b |\n|---|---|", "> q\n",
    "a\n\n\nb", "שלום",
]  # fmt: skip
raw = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=60), st.lists(st.sampled_from(HOSTILE), max_size=6).map("".join)
)


def text(least: int, most: int) -> st.SearchStrategy[str]:
    """Hostile text of `least` to `most` characters, now and then as long as is allowed."""
    filled = st.builds(lambda part, n: ((part or "x") * n)[:n], raw, st.integers(max(1, least), most))
    return st.one_of(raw.map(lambda part: part[:most]), filled).filter(lambda made: len(made) >= least)


option = st.fixed_dictionaries(
    {"label": st.one_of(text(1, 20), text(1, 1_000))},
    optional={"description": text(0, 300), "recommended": st.booleans()},
)


def _cycled(count: int, drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """`count` options out of a few, some of them told apart by a number."""
    made = [{**drawn[number % len(drawn)], "id": str(number)} for number in range(count)]
    return [{**one, "label": (one["label"] + one["id"])[:1_000]} if count > 4 else one for one in made]


counts = st.one_of(st.integers(1, 12), st.sampled_from([1, 8, 9, 31, 128]))
options = st.builds(_cycled, counts, st.lists(option, min_size=1, max_size=3))
common = {"id": st.just("q"), "prompt": text(1, 400)}
more = {"help": text(0, 400), "required": st.booleans()}
question = st.one_of(
    st.fixed_dictionaries(
        {**common, "type": st.sampled_from(["choice", "choices"]), "options": options, "custom": st.booleans()},
        optional=more,
    ),
    st.fixed_dictionaries({**common, "type": st.sampled_from(["boolean", "number", "date"])}, optional=more),
    st.fixed_dictionaries(
        {**common, "type": st.just("text"), "max_length": st.sampled_from([300, 3_000, 3_001])},
        optional={**more, "initial": text(0, 300), "placeholder": text(0, 300), "pattern_hint": text(0, 300)},
    ),
)


def _form(asked: list[dict[str, Any]]) -> dict[str, Any]:
    return {"questions": [{**one, "id": f"q{number}"} for number, one in enumerate(asked)]}


reasons = st.sampled_from([reason.value for reason in Reason])
item_counts = st.one_of(st.integers(1, 12), st.sampled_from([1, 10, 30, 31, 100, 200]))
href = st.sampled_from([None, "https://e.example/x?a=1&b=<2>", "https://nodot", "https://e.example/".ljust(2_000, "x")])
check_item = st.fixed_dictionaries(
    {"label": st.one_of(text(1, 20), text(1, 1_000))},
    optional={"description": text(0, 2_000), "recommended": st.booleans(), "checked": st.booleans()},
)
verdict_item = st.fixed_dictionaries(
    {"label": st.one_of(text(1, 20), text(1, 1_000)), "href": href},
    optional={"description": text(0, 2_000), "recommended": st.booleans()},
)
verdict = st.fixed_dictionaries({"label": text(1, 80), "reason": reasons})
task = st.fixed_dictionaries(
    {"title": text(1, 240).map(lambda made: made.strip() or "t")},
    optional={"description": text(0, 1_000), "recommended": st.booleans(), "assignee": st.just("ana <b>")},
)


def _tasks(count: int, drawn: list[dict[str, Any]], depth: int) -> dict[str, Any]:
    """Tasks of which each but every `depth`-th is part of the one before it."""
    made = [{**drawn[at % len(drawn)], "key": str(at)} for at in range(count)]
    return {"tasks": [{**one, "parent": str(at - 1)} if at % depth else one for at, one in enumerate(made)]}


PAYLOADS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "question": question.map(lambda one: _form([one])),
    "form": st.lists(question, min_size=2, max_size=3).map(_form),
    "confirmation": st.fixed_dictionaries(
        {}, optional={"accept_label": text(1, 80), "reject_label": text(1, 80), "reason": reasons}
    ),
    "checklist": st.builds(
        lambda count, drawn, end: {"items": _cycled(count, drawn), "accept_label": end},
        item_counts, st.lists(check_item, min_size=1, max_size=3), text(1, 80),
    ),
    "item_verdicts": st.builds(
        lambda count, drawn, verdicts: {"items": _cycled(count, drawn),
                                        "verdicts": [{**one, "id": str(at)} for at, one in enumerate(verdicts)]},
        item_counts, st.lists(verdict_item, min_size=1, max_size=3), st.lists(verdict, min_size=2, max_size=5),
    ),
    "suggested_tasks": st.builds(
        _tasks, st.sampled_from([1, 2, 8, 9, 50]), st.lists(task, min_size=1, max_size=3), st.integers(1, 5)
    ),
    "connection": st.fixed_dictionaries(
        {"service": text(1, 160), "purpose": text(1, 2_000), "connect_url": st.just("https://agent.example/c?a=<b>")},
        optional={"account": text(1, 300), "scopes": st.lists(text(1, 60), max_size=50)},
    ),
}  # fmt: skip


@st.composite
def contents(draw: st.DrawFn, *names: str) -> Content:
    """Any content that may be asked, of the payloads with these names."""
    name = draw(st.sampled_from(names or tuple(PAYLOADS)))
    return Content.model_validate(
        {
            "title": "t" + draw(text(0, 239)),
            "body": draw(st.one_of(text(0, 200), text(0, 4_000))),
            "recommendation": draw(text(0, 200)),
            "kind": "questions" if name in ("question", "form") else name,
            "payload": draw(PAYLOADS[name]),
        }
    )

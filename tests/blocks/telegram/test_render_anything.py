"""Whatever may be asked is either shown whole or not offered at all, and Telegram takes what is sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from blocks.characters import WORD_JOINER, neutralise
from blocks.telegram import render
from core.audience import Audience
from core.cards import Card
from core.content import Content
from core.controls import DECIDES, Action
from core.kinds.confirmation import Reason
from core.people import Via
from core.publications import Surface
from core.records import Outcome, Status, Vote
from tests.blocks.telegram.cards import ANA, CODEC, IN_AN_HOUR, NOW, buttons, card, controls, expect_sendable, seen

DECIDING = DECIDES | {Action.WRITE, Action.OTHER, Action.REASON, Action.TOGGLE}
HOSTILE = [
    "<!channel>", "<@U1>", "@everyone", "*_`[x](https://e.com)", "<b>", "</b>&lt;", "\u202ereversed", "\u2066",
    "😀👩‍👩‍👧", "文" * 40, "\x00\x07", "tg://user?id=1", "~~~\n```", "| a | b |\n|---|---|", "> q\n", "a\n\n\nb",
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


counts = st.one_of(st.integers(1, 12), st.integers(1, 128))
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
        {**common, "type": st.just("text"), "max_length": st.integers(300, 4_000)},
        optional={**more, "initial": text(0, 300), "placeholder": text(0, 300), "pattern_hint": text(0, 300)},
    ),
)
confirmation = st.fixed_dictionaries(
    {},
    optional={
        "accept_label": text(1, 80),
        "reject_label": text(1, 80),
        "reason": st.sampled_from([reason.value for reason in Reason]),
    },
)


@st.composite
def contents(draw: st.DrawFn) -> Content:
    """Any content that may be asked."""
    shared: dict[str, Any] = {
        "title": "t" + draw(text(0, 239)),
        "body": draw(st.one_of(text(0, 200), text(0, 4_000))),
        "recommendation": draw(text(0, 200)),
    }
    if draw(st.booleans()):
        return Content.model_validate({**shared, "kind": "confirmation", "payload": draw(confirmation)})
    asked = draw(st.one_of(question.map(lambda one: [one]), st.lists(question, min_size=2, max_size=2)))
    asked = [{**one, "id": f"q{number}"} for number, one in enumerate(asked)]
    return Content.model_validate({**shared, "kind": "questions", "payload": {"questions": asked}})


def _letters(written: str) -> str:
    """The text without what a reader cannot tell apart: runs of space, and the joiner that breaks mentions."""
    return "".join(neutralise(written).replace(WORD_JOINER, "").split())


@given(contents(), st.booleans(), st.integers(0, 40), text(1, 90))
def test_any_card_is_whole_or_decides_nothing(content: Content, link_ok: bool, page: int, holder: str) -> None:
    audience = Audience(quorum=30)
    by = ANA.model_copy(update={"name": holder})
    votes = tuple(Vote(by=by, via=Via.TELEGRAM, accepted=bool(n % 2), at=NOW) for n in range(40))
    shown = card(
        content, link_ok=link_ok, page=page, holder=holder, audience=audience, votes=votes, dismissed_at=NOW,
        expires_at=IN_AN_HOUR,
    )  # fmt: skip
    rendered = render(shown, CODEC)
    expect_sendable(rendered, "supergroup")
    actions = {control.action for control in controls(rendered)}
    if rendered.surface is Surface.REVIEW:
        assert not actions & DECIDING
    else:
        assert actions & DECIDING
        turned = [render(replace(shown, page=page), CODEC) for page in range(rendered.page_count)]
        _expect_whole(content, seen(rendered), "\n".join(button.text for one in turned for button in buttons(one)))
    _expect_same_when_settled(shown, rendered.surface)


def _expect_whole(content: Content, read: str, on_buttons: str) -> None:
    payload = content.payload.model_dump()
    written = [content.title, content.recommendation]
    for one in payload.get("questions", ()):
        written += [one["prompt"], one["help"] or "", one.get("initial") or "", one.get("placeholder") or ""]
        written += [option["description"] or "" for option in one.get("options", ())]
        for option in one.get("options", ()):
            assert _letters(option["label"]) in _letters(read) or _letters(option["label"]) in _letters(on_buttons)
    for part in written:
        assert _letters(str(part)) in _letters(read)


def _expect_same_when_settled(shown: Card, surface: Surface) -> None:
    by = ANA.model_copy(update={"name": "@someone " * 30})
    outcome = Outcome(
        status=Status.WITHDRAWN, by=by, via=Via.REVIEW, at=NOW, reason="r" * 3_000, receipt="rcp_1",
        votes=shown.interaction.votes,
    )  # fmt: skip
    ended = shown.interaction.model_copy(update={"status": outcome.status, "outcome": outcome})
    rendered = render(Card(ended, shown.publication, shown.review_url, shown.link_ok, shown.page), CODEC)
    expect_sendable(rendered)
    assert rendered.surface is surface
    assert rendered.keyboard == ()
    assert "Withdrawn by @someone" in seen(rendered)

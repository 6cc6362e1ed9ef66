"""The page as a whole: what it shows to whom, open and settled."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from blocks.web import entry
from blocks.web.page import Tone
from blocks.web.parts import Area
from core.acts import (
    Accept,
    Act,
    Cancel,
    Comment,
    Dismiss,
    Expire,
    FailDelivery,
    Patch,
    Reject,
    Respond,
    Skip,
    Supersede,
    Withdraw,
)
from core.audience import Audience
from core.interactions import decide
from core.kinds import Kind
from core.kinds.answers import Answer
from core.people import TIMER, By
from core.policy import Policy
from core.records import Interaction
from tests.blocks.web.visits import asking, options, page, with_content, wrong
from tests.rules.making import NOW, by, card, stamp

LATER = NOW + timedelta(minutes=5)


def settled(interaction: Interaction, act: Act, who: By | None = None, **changes: Any) -> Interaction:
    return decide(interaction, act, stamp(who or by("ben"), **changes)).after


def confirmation(**payload: Any) -> Interaction:
    return card(Kind.CONFIRMATION, payload=payload or None)


def facts(interaction: Interaction, **changes: Any) -> dict[str, str]:
    return {fact.label: fact.text for fact in page(interaction, **changes).facts}


def test_a_card_shows_its_content_as_safe_html_and_words() -> None:
    shown = page(
        with_content(confirmation(), title="A <b>\u202e title", body="**bold** <script>", recommendation="*do* it")
    )
    assert shown.title == "A <b> title"
    assert shown.body == '<p dir="auto"><strong>bold</strong> &lt;script&gt;</p>'
    assert shown.recommendation == "*do* it"


def test_a_wide_table_can_be_scrolled_with_a_keyboard() -> None:
    body = page(with_content(confirmation(), body="a|b\n-|-\n<table>|</table>")).body
    assert body.startswith('<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
    assert body.count("<table>") == body.count("</table></div>") == 1


def test_whoever_may_answer_gets_a_form_with_the_askers_labels() -> None:
    form = page(confirmation(accept_label="Delete it", reject_label="Keep it", reason="required")).form
    assert form is not None
    assert [(one.act, one.label, one.main) for one in form.buttons] == [
        ("accept", "Delete it", True),
        ("reject", "Keep it", False),
        ("draft", "Save draft", False),
    ]
    (reason,) = form.fields
    assert (reason.required, reason.hint) == (True, "Needed if you press “Keep it”. At most 3,000 characters.")
    assert form.closing == ()


def test_a_confirmation_that_takes_no_reason_has_two_buttons_and_no_field() -> None:
    form = page(confirmation(reason="none")).form
    assert form is not None
    assert (form.fields, [one.act for one in form.buttons]) == ((), ["accept", "reject"])


def test_a_reason_that_was_typed_stays() -> None:
    form = page(confirmation(reason="optional"), filled={"reason": "a\nb"}, wrong=wrong(reason="too long")).form
    assert form is not None
    assert form.fields[0].control == Area("a\nb")
    assert form.complaints[0].target == "reason"


def test_who_may_not_answer_sees_what_is_asked_and_why_not() -> None:
    shown = page(asking({"type": "choice", "options": options("Yes", "No")}), refusal="Not yours.")
    assert (shown.form, shown.refusal) == (None, "Not yours.")
    assert [choice.label for choice in shown.asked[0].choices] == ["Yes", "No"]


def test_an_operator_may_close_a_card_that_is_not_theirs_to_answer() -> None:
    shown = page(confirmation(), refusal="Not yours.", operator=True)
    assert shown.form is not None
    assert (shown.form.buttons, shown.form.comment) == ((), None)
    assert [one.act for one in shown.form.closing] == ["dismiss", "skip", "cancel", "withdraw"]
    assert shown.asked[0].label == "To choose between"


def test_a_card_that_was_set_aside_can_be_brought_back() -> None:
    aside = settled(confirmation(), Dismiss())
    form = page(aside, operator=True).form
    assert form is not None
    assert form.closing[0].act == "reopen"
    assert "can still be answered" in facts(aside)["Set aside"]


def test_words_that_decide_nothing_are_offered_unless_own_words_are_an_answer() -> None:
    plain, own = ({"type": "choice", "options": options("Yes")} | more for more in ({}, {"custom": True}))
    both = [page(asking(one)).form for one in (plain, own)]
    assert [form is not None and form.comment is not None for form in both] == [True, False]


AT = "2 Dec 2026, 14:05 UTC"
DONE, NOT_DONE = settled(confirmation(), Accept(1)), settled(confirmation(), Reject(1, "no"))
REPLACED = settled(confirmation(), Supersede("int_2"))
UNSENT = settled(confirmation(), FailDelivery("gone"), TIMER)
ENDINGS: tuple[tuple[Interaction, str, Tone, str], ...] = (
    (DONE, "Accepted", Tone.GOOD, f"Ben accepted this on {AT}, in Slack."),
    (NOT_DONE, "Rejected", Tone.BAD, f"Ben rejected this on {AT}, in Slack."),
    (settled(confirmation(), Cancel()), "Cancelled", Tone.OVER, f"Ben cancelled this on {AT}."),
    (settled(confirmation(), Skip()), "Skipped", Tone.OVER, f"Ben skipped this on {AT}: no answer was needed."),
    (
        settled(confirmation(), Supersede("int_2")),
        "Replaced by a newer question",
        Tone.OVER,
        f"A newer question replaced this one on {AT}.",
    ),
    (UNSENT, "Could not be delivered", Tone.BAD, f"This could not be delivered ({AT})."),
    (settled(confirmation(), Withdraw()), "Withdrawn", Tone.OVER, f"Ben took this question back on {AT}."),
)


@pytest.mark.parametrize(("interaction", "state", "tone", "sentence"), ENDINGS, ids=[row[1] for row in ENDINGS])
def test_a_settled_card_says_how_it_ended_instead_of_a_form(
    interaction: Interaction, state: str, tone: Tone, sentence: str
) -> None:
    shown = page(interaction, operator=True)
    assert shown.form is None
    assert (shown.state, shown.tone) == (state, tone)
    assert shown.ending is not None
    assert shown.ending.sentence == sentence


def test_the_answer_to_one_question_is_the_outcome_and_is_marked_among_the_options() -> None:
    asked = asking({"type": "choices", "options": options("Yes", "No", "Maybe"), "custom": True})
    done = page(settled(asked, Respond({"id0": Answer(values=("yes", "no"), custom="mine\ntoo")}, 1)))
    assert done.ending is not None
    assert done.ending.decided == ("Yes", "No", "mine\ntoo")
    assert [choice.chosen for choice in done.asked[0].choices] == [True, True, False]
    assert done.asked[0].said is None


def test_answers_to_several_questions_stand_with_their_questions() -> None:
    asked = asking({"type": "text", "required": False}, {"type": "boolean"}, {"type": "number"})
    done = page(settled(asked, Respond({"id1": Answer(value=False), "id2": Answer(value=2.0)}, 1)))
    assert done.ending is not None
    assert done.ending.decided == ()
    assert [one.said for one in done.asked] == [(), ("No",), ("2",)]


def test_a_default_is_not_taken_for_somebodys_answer() -> None:
    policy = Policy(expires_in="1h", default={"id0": {"value": "no"}})
    asked = asking({"type": "choice", "options": options("Yes", "No")}, policy=policy, expires_at=NOW)
    done = page(settled(asked, Expire(), TIMER))
    assert done.ending is not None
    assert (done.ending.decided, done.state) == (("No",), "Expired")
    assert "Nobody answered in time" in done.ending.default


def test_whoever_settled_it_is_told_that_it_is_saved() -> None:
    mine = settled(confirmation(accept_label="Do it"), Accept(1), by("ana"))
    assert page(mine).notice == "Saved: Do it"
    assert page(mine, person="per_ben").notice == ""


def test_a_vote_is_confirmed_while_others_are_missing() -> None:
    voted = settled(card(Kind.CONFIRMATION, audience=Audience(quorum=2)), Accept(1), by("ana"))
    assert page(voted).notice == "Your vote is saved: Delete it. You can change it until this is settled."
    assert facts(voted)["Votes"] == "1 of 2 have accepted"
    assert facts(voted)["Vote"] == "Ana accepted in Slack"
    assert page(voted, person="per_ben").notice == ""


def test_what_was_filled_in_too_late_is_shown_back() -> None:
    asked = asking({"type": "choice", "options": options("Yes", "No")}, {"type": "text"})
    done = settled(asked, Respond({"id0": Answer(value="no"), "id1": Answer(value="x")}, 1))
    late = page(done, filled={"q0": "yes", "q1": "my words", "comment": "hm"})
    assert late.unsent == (("Number 0?", "Yes"), ("Number 1?", "my words"), ("Your words", "hm"))
    assert page(settled(confirmation(), Accept(1)), filled={"reason": "why"}).unsent == (("Reason", "why"),)


def test_a_card_past_its_time_has_no_form_even_before_the_timer_comes() -> None:
    due = asking({"type": "text"}, expires_at=NOW)
    shown = page(due, operator=True)
    assert (shown.form, shown.state, shown.ending) == (None, "The time is over", None)


def test_the_small_print_says_who_where_and_how_long() -> None:
    open_card = asking(
        {"type": "text"},
        audience=Audience(
            answerers=("conversation", "person:ana", "slack:U7", "telegram:42", "role:operator", "agent:ci"),
            exclude=("creator",),
            guests=True,
        ),
        expires_at=NOW + timedelta(hours=3),
    ).model_copy(update={"to": ("slack:C1", "slack:T1.C2/1.2", "telegram:-100", "person:ana", "review")})
    assert facts(open_card) == {
        "Asked by": "agent builder, 5 min ago",
        "Asked in": "Slack (C1), Slack (C2, in a thread), Telegram (-100), a direct message to ana and the inbox here",
        "May answer": "anyone in the conversation where it was asked, ana, Slack user U7, Telegram user 42, "
        "any operator or agent ci (guests too and not whoever asked)",
        "Open until": "2 Dec 2026, 17:05 UTC (in 3 h)",
        "Reference": "int_00000000000000000000000001",
    }


def test_a_place_is_shown_by_its_name_where_that_is_known() -> None:
    card_in = asking({"type": "text"}).model_copy(update={"to": ("slack:C1/1.2", "telegram:-100", "telegram:-200")})
    named = {"slack:C1/1.2": "#ops", "telegram:-100": "Deploys\nand\u202e more"}
    assert facts(card_in, names=named)["Asked in"] == (
        "Slack (#ops, in a thread), Telegram (Deploys and more) and Telegram (-200)"
    )


def test_a_changed_card_says_that_it_changed() -> None:
    before = asking({"type": "text"})
    after = settled(before, Patch(1, with_content(before, title="New").content))
    assert facts(after)["Revision"] == "2: it was changed after it was asked"
    assert "Revision" not in facts(before)


def test_a_comment_leaves_the_form_in_place() -> None:
    assert page(settled(asking({"type": "text"}), Comment("hm"))).form is not None


def test_a_list_tells_what_waits_and_how_the_rest_ended() -> None:
    waiting = entry(asking({"type": "text"}, expires_at=LATER), NOW)
    assert (waiting.state, waiting.about) == ("Waiting for an answer", "Asked by agent builder, 5 min ago")
    assert waiting.until == "Open until 2 Dec 2026, 14:10 UTC (in 5 min)"
    done = entry(settled(confirmation(accept_label="Do it"), Accept(1)), NOW)
    assert (done.about, done.until) == ("Ben accepted this on 2 Dec 2026, 14:05 UTC: Do it", "")
    over = entry(asking({"type": "text"}, expires_at=NOW), NOW)
    assert (over.state, over.until) == ("The time is over", "")

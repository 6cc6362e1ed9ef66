"""Whatever someone writes is shown whole and as written on every surface, notifies nobody and leads nowhere else."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from blocks.characters import neutralise
from blocks.markdown import Document, Listing, Quote, Table, parse
from blocks.slack import text as slack
from blocks.slack.check import Surface, check_blocks
from blocks.telegram import text as telegram
from blocks.telegram.parse_html import parse_html
from blocks.web import text as web
from tests.blocks.text import cases
from tests.blocks.text.cases import ANY, CLEAR_SOUP, DEEP, HOSTILE, PLAIN, SOUP, Case
from tests.blocks.text.readers import (
    elements,
    is_balanced,
    read_mrkdwn,
    read_telegram,
    read_web,
    slack_shown,
    telegram_mentions,
    visible,
)

every_case = pytest.mark.parametrize("case", HOSTILE + DEEP, ids=lambda case: case.reason)
MESSAGE_BLOCKS = 50


def shown(document: Document) -> dict[str, str]:
    """What each surface shows of a document, read back by rules of the tests' own."""
    page = read_web(web.html(document))
    return {
        "slack": slack_shown(slack.rich_text(document)),
        "telegram": read_telegram(telegram.html(document)).text,
        "web": page.text,
    }


def addresses(document: Document) -> set[str]:
    """Every link address in a tree."""

    def walk(part: object) -> Iterator[str]:
        match part:
            case Document(blocks) | Quote(blocks):
                yield from walk(blocks)
            case Listing(items, _, _):
                yield from walk(items)
            case Table(head, rows):
                yield from walk((head, rows))
            case tuple():
                for each in part:
                    yield from walk(each)
            case _:
                if (href := getattr(part, "href", None)) is not None:
                    yield href
                yield from walk(getattr(part, "spans", ()))

    return set(walk(document))


@every_case
def test_slack_shows_words_and_known_links_and_nothing_else(case: Case) -> None:
    check_slack(case.text)


@given(SOUP | ANY)
def test_slack_takes_any_text(text: str) -> None:
    check_slack(text)


def check_slack(text: str) -> None:
    document = parse(text)
    blocks = slack.rich_text(document)
    shown_elements = list(elements(blocks))
    assert {element["type"] for element in shown_elements} <= {"text", "link"}, "no user, channel, broadcast or emoji"
    assert {element["url"] for element in shown_elements if "url" in element} <= addresses(document)
    assert all(element["text"] for element in shown_elements), "Slack refuses empty text"
    json.dumps(blocks, ensure_ascii=False).encode()
    # The size of a whole message is the card's to judge; here every block by itself is one that Slack takes.
    for block in blocks:
        assert not [fault for fault in check_blocks([block], Surface.MESSAGE) if "13201" not in fault.message]


@every_case
def test_words_escaped_for_mrkdwn_hold_no_control_sequence(case: Case) -> None:
    check_mrkdwn(case.text)


@given(SOUP | ANY)
def test_any_words_escaped_for_mrkdwn_read_as_written(text: str) -> None:
    check_mrkdwn(text)


def check_mrkdwn(text: str) -> None:
    read = read_mrkdwn(slack.escape(text))
    assert read.controls == []
    assert read.shown == neutralise(text)
    assert slack.plain(text)["text"] == neutralise(text)


@every_case
def test_telegram_reads_balanced_tags_and_finds_no_mention(case: Case) -> None:
    check_telegram(case.text)


@given(SOUP | ANY)
@example("@" + "a" * 4)
@example("`@`anabel @`anabel`")
@example("<https://b.example>@anabel")
def test_telegram_takes_any_text(text: str) -> None:
    check_telegram(text)


def check_telegram(text: str) -> None:
    document = parse(text)
    source = telegram.html(document)
    page = read_telegram(source)
    assert set(page.links()) <= addresses(document)
    assert telegram_mentions(page) == []
    assert is_balanced(page.text)
    assert telegram.utf16_length(source) == len(page.text.encode("utf-16-le")) // 2
    assert (
        len([e for e in page.elements if e.tag in {"a", "code", "pre", "blockquote"} and "pre" not in e.around]) <= 100
    )
    parse_html(source)  # as the server reads it, which is stricter than HTML

    for single in (telegram.escape(text), telegram.inside(text)):
        page = read_telegram(single)
        assert page.elements == []
        assert telegram_mentions(page) == []
        assert is_balanced(page.text)
    assert composed(read_telegram(telegram.escape(text)).text) == composed(neutralise(text))


def composed(text: str) -> str:
    """What is seen, in one spelling: `å` may be one code point or two."""
    return unicodedata.normalize("NFC", visible(text))


@every_case
def test_the_page_holds_our_tags_and_safe_links_only(case: Case) -> None:
    check_web(case.text)


@given(SOUP | ANY)
def test_the_page_takes_any_text(text: str) -> None:
    check_web(text)


def check_web(text: str) -> None:
    document = parse(text)
    page = read_web(web.html(document))
    assert set(page.links()) <= addresses(document)
    assert is_balanced(page.text)
    single = read_web(web.escape(text))
    assert single.elements == []
    assert single.text == neutralise(text)


@given(PLAIN)
def test_plain_words_are_shown_whole_and_in_order_everywhere(text: str) -> None:
    for surface, what in shown(parse(text)).items():
        assert visible(what) == visible(text), surface


@given(CLEAR_SOUP)
@example("[warning]: irreversible")
@example("a|b\n-|-\n1|2|three")
@example("> " * 30 + "deep\n\n" + "- " * 30 + "deep")
@example("[a](https://b.example 'hidden words')")
@example("``` not a language\nx\n```")
def test_no_letter_is_lost_whatever_markup_stands_around_it(text: str) -> None:
    letters = Counter(filter(str.isalpha, neutralise(text)))
    for surface, what in shown(parse(text)).items():
        missing = letters - Counter(filter(str.isalpha, what + "".join(addresses(parse(text)))))
        assert not missing, surface


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a * b_c_d ~e f", "signs that form no pair"),
        ("<!channel> <@U1> <b>x</b>", "markup of other languages"),
        (":tada: @channel #general", "codes that only clients know"),
        ("\\*not this\\*".replace("\\", ""), "a pair that is Markdown loses its signs, its words stay"),
    ],
)
def test_what_is_no_markdown_is_shown_as_typed(text: str, reason: str) -> None:
    typed = text.replace("*not this*", "not this")
    for surface, what in shown(parse(text)).items():
        assert what.strip().replace("\u2060", "") == typed, surface


@given(SOUP | ANY)
def test_reading_the_same_text_twice_gives_the_same_tree(text: str) -> None:
    assert parse(text) == parse(text)


@given(st.sampled_from([case.text for case in HOSTILE]), st.sampled_from([case.text for case in HOSTILE]))
def test_texts_read_after_each_other_leave_nothing_behind(first: str, second: str) -> None:
    alone = web.html(parse(second))
    parse(first)
    assert web.html(parse(second)) == alone


def test_a_body_of_the_longest_kind_is_not_cut() -> None:
    words = [f"word{number}" for number in range(2_500)]
    for surface, what in shown(parse(" ".join(words))).items():
        assert what.split() == words, surface


def test_every_case_says_why_it_is_there() -> None:
    reasons = [case.reason for case in cases.HOSTILE + cases.DEEP]
    assert len(set(reasons)) == len(reasons)
    assert all(reasons)

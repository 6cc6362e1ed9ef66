"""Buttons that open our pages inside Telegram, and the room that is kept for them."""

from __future__ import annotations

import pytest

from blocks.telegram.check_keyboard import keyboard_bytes
from blocks.telegram.keyboard import OPENING, Button, fits, markup, opening_inside
from blocks.telegram.limits import KEYBOARD_BYTES

SITE = "https://sayso.example.com/asks"
LAUNCHER = f"{SITE}/telegram/app/4503599627370495"
ID = "int_01ARZ3NDEKTSV4RRFFQ69G5FAV"


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        (f"{SITE}/review/{ID}", f"{LAUNCHER}?next=/review/{ID}"),
        (f"{SITE}/inbox", f"{LAUNCHER}?next=/inbox"),
        (f"{SITE}/loops/a-b&c", f"{LAUNCHER}?next=/loops/a-b%26c"),
        (f"{SITE}.evil.example.com/inbox", None),
        (f"{SITE}", None),
        ("https://elsewhere.example.com/review/1", None),
    ],
)
def test_only_what_leads_to_our_pages_is_opened_inside(url: str, opened: str | None) -> None:
    ((button,),) = opening_inside(((Button("Open", url=url),),), SITE, LAUNCHER)
    assert button == (Button("Open", app=opened) if opened else Button("Open", url=url))


def test_what_decides_stays_a_press() -> None:
    keyboard = ((Button("Yes", data="token"), Button("Open", url=f"{SITE}/inbox")), (Button("No", data="other"),))
    assert opening_inside(keyboard, SITE, LAUNCHER)[1] == keyboard[1]
    assert opening_inside(keyboard, SITE, LAUNCHER)[0][0] == keyboard[0][0]
    app = {"text": "Open", "web_app": {"url": f"{LAUNCHER}?next=/inbox"}}
    assert markup(opening_inside(keyboard, SITE, LAUNCHER))["inline_keyboard"] == [
        [{"text": "Yes", "callback_data": "token"}, app],
        [{"text": "No", "callback_data": "other"}],
    ]


def test_a_keyboard_that_fits_still_fits_where_its_link_is_opened_inside() -> None:
    """Such a card is drawn the same in a group and in a private chat, and must not be too large for one of them."""
    link = Button("Open full form", url=f"{SITE}/review/{ID}")
    rows = tuple((Button("x" * 40, data="d" * 64),) for _ in range(60))
    room = KEYBOARD_BYTES.number - OPENING - keyboard_bytes(markup(((link,), *rows)))
    full = ((link,), *rows, (Button("y" * 30, data="d" * (room - 30 - len('[{"text":"","callback_data":""}],'))),))
    assert keyboard_bytes(markup(full)) == KEYBOARD_BYTES.number - OPENING
    assert fits(full)
    assert keyboard_bytes(markup(opening_inside(full, SITE, LAUNCHER))) <= KEYBOARD_BYTES.number

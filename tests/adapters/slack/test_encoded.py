"""A form is read as the standard library reads it, whatever is in it."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.slack.encoded import read_form

ESCAPES = ("%", "%%", "%3D", "%3d", "%0A", "%2B", "%E2%82%AC", "%e2", "%zz", "%4")
PIECES = st.sampled_from([*ESCAPES, "=", "==", "&", ";", "+", "\n", "\r\n", " "])


def by_the_standard(body: bytes) -> dict[str, str]:
    return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=200))


@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
@example("%\n")
@example("%41%")
@example("%3D%\r\n41")
@example("%%4141")
@example(" \t")
def test_every_payload_is_read_as_by_the_standard(value: str) -> None:
    body = b"payload=" + value.encode("utf-8", "surrogatepass")
    try:
        wanted = by_the_standard(body)
    except ValueError:
        with pytest.raises(ValueError, match=r"utf-8|fields"):
            read_form(body)
    else:
        assert read_form(body) == wanted


@given(st.text())
def test_what_is_escaped_comes_back(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert read_form(b"payload=" + quote_plus(text).encode()) == {"payload": text}


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"", {}),
        (b"payload=", {"payload": ""}),
        (b"payload", {"payload": ""}),
        (b"payload=a&payload=b", {"payload": "b"}),
        (b"command=%2Fsayso&text=&user_id=U1", {"command": "/sayso", "text": "", "user_id": "U1"}),
    ],
)
def test_other_forms_are_read_whole(body: bytes, wanted: dict[str, str]) -> None:
    assert read_form(body) == wanted


def test_a_form_of_too_many_fields_is_refused() -> None:
    with pytest.raises(ValueError, match="fields"):
        read_form(b"a=1&" * 201)

"""The README's table is of all formats and surfaces, as they are driven: whoever changes one has to run the gallery."""

from __future__ import annotations

import json

import pytest

from bot.sandbox.gallery import FORMATS, Format
from core.asking import ASK, check_ask
from core.kinds import Kind
from tests import readme
from tests.gallery.parity import PART, SURFACES, parity_table
from tests.gallery.spot import Surface


def test_the_table_in_the_readme_is_that_of_the_last_change() -> None:
    """`make gallery` writes it, once everything in it has been done."""
    assert readme.part(PART).strip() == parity_table()


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.id)
def test_a_surface_answers_every_format_and_no_other(surface: Surface) -> None:
    assert surface.steps.keys() == {one.id for one in FORMATS}


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.id)
def test_a_format_is_a_request_that_can_be_made(one: Format) -> None:
    request = ASK.validate_json(json.dumps({**one.request, "to": "slack:C0123"}), strict=True)
    assert check_ask(request)[0]


def test_every_kind_is_in_the_gallery() -> None:
    assert {one.request["kind"] for one in FORMATS} == {kind.value for kind in Kind}


def test_formats_have_rooms_and_names_of_their_own() -> None:
    for name in ("id", "name", "room"):
        assert len({getattr(one, name) for one in FORMATS}) == len(FORMATS)

"""The chain of receipts: a line that is changed, moved or missing shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.kinds import Kind
from core.receipts import Receipt, ReceiptType, seal
from core.traces import draft
from tests.chains import first_break
from tests.rules.making import card, stamp


def chain(length: int) -> list[Receipt]:
    lines: list[Receipt] = []
    for number in range(length):
        line = draft(
            card(Kind.CONFIRMATION), ReceiptType.COMMENTED, stamp(receipt=f"rcp_{number}"), {"text": str(number)}
        )
        lines.append(seal(line, lines[-1] if lines else None))
    return lines


def test_a_whole_chain_holds_and_counts_from_one() -> None:
    lines = chain(4)
    assert first_break(lines) is None
    assert [line.seq for line in lines] == [1, 2, 3, 4]
    assert lines[0].prev is None
    assert [line.prev for line in lines[1:]] == [line.hash for line in lines[:-1]]


@given(st.integers(0, 5), st.sampled_from(["data", "by", "digest", "at", "policy", "id"]))
def test_a_changed_line_breaks_the_chain_where_it_was_changed(place: int, field: str) -> None:
    lines = chain(6)
    other = {
        "data": {"text": "changed"},
        "by": stamp().by.model_copy(update={"id": "per_other"}),
        "digest": "sha256:0",
        "at": lines[0].at.replace(year=2020),
        "policy": {},
        "id": "rcp_other",
    }[field]
    lines[place] = lines[place].model_copy(update={field: other})
    assert first_break(lines) == place + 1


@given(st.integers(0, 4))
def test_a_removed_line_breaks_the_chain(place: int) -> None:
    lines = chain(6)
    del lines[place]
    assert first_break(lines) == place + 1


def test_the_hash_is_of_the_receipt_as_the_outside_sees_it() -> None:
    from core.canonical import digest

    wire = chain(1)[0].wire()
    own = wire.pop("hash")
    for mark in ("salt", "key", "signature", "redacted", "redaction"):
        wire.pop(mark)
    assert digest(wire) == own


def test_a_display_name_is_not_part_of_a_receipt() -> None:
    assert "Ana" not in str(chain(1)[0].wire())

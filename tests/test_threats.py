"""The threat model names a test for each threat, and each of them is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "docs" / "threats.md"
_NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def threats() -> list[str]:
    """The rows of the tables."""
    rows = [line for line in MODEL.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [row for row in rows if not row.startswith("| threat |")]


@pytest.mark.parametrize("row", threats(), ids=lambda row: row.split("|")[1].strip()[:50])
def test_what_tries_it_exists(row: str) -> None:
    named = _NAMED.findall(row)
    assert named, "no test is named"
    for path, name in named:
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert not name or name in functions, f"{path}::{name}"

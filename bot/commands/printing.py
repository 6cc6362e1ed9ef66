"""What commands answer: for programs, and in columns for people."""

from __future__ import annotations

import json
from typing import Any

import typer


def say_json(value: Any) -> None:
    """Print a value as JSON, for programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def say_rows(rows: list[tuple[str, ...]]) -> None:
    """Print rows in columns, for people."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

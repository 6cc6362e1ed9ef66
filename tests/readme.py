"""The README's parts that are made of the code: `python -m tests.readme` writes them; tests compare them.

A part stands between `<!-- name: … -->` and `<!-- end of name -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup, TyperOption

from bot.cli import COMMANDS, built
from core.diagram import state_diagram

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
EXAMPLE = ROOT / ".env.example"
_SETTING = re.compile(r"^# ?(?P<words>.+)\n#(?P<name>[A-Z_]+)=(?P<default>.*)$", re.MULTILINE)
_FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Described:
    """A setting as `.env.example` describes it."""

    name: str
    default: str
    words: str


def settings() -> tuple[Described, ...]:
    """Every setting in `.env.example`."""
    found = _SETTING.finditer(EXAMPLE.read_text("utf-8"))
    return tuple(Described(one["name"], one["default"], one["words"]) for one in found)


def commands() -> Iterator[tuple[str, str]]:
    """Every command as it is typed, with what it must be given, and the first sentences of its help."""
    for path, command in _walk(typer.main.get_command(built(*COMMANDS)), ("sayso",)):
        asked = [_shown(one) for one in command.params if one.required]
        yield " ".join((*path, *asked)), " ".join((command.help or "").partition("\n\n")[0].split())


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(command, TyperGroup):
        yield path, command
        return
    for name, inner in command.commands.items():
        yield from _walk(inner, (*path, name))


def _shown(parameter: Any) -> str:
    if isinstance(parameter, TyperOption):
        return f"{parameter.opts[0]} …"
    return str(parameter.metavar or parameter.name.upper())


def settings_table() -> str:
    """The settings."""
    rows = [f"| `{one.name}` | {f'`{one.default}`' if one.default else ''} | {one.words} |" for one in settings()]
    return "\n".join(["| setting | default | what it is |", "|---|---|---|", *rows])


def commands_table() -> str:
    """The commands."""
    rows = [f"| `{usage}` | {words} |" for usage, words in commands()]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def diagram() -> str:
    """The states of an interaction."""
    return f"```mermaid\n{state_diagram()}```"


PARTS: Mapping[str, Callable[[], str]] = {
    "settings": settings_table,
    "commands": commands_table,
    "states": diagram,
}


def part(name: str) -> str:
    """What the README holds between the marks of this name. Raises `ValueError` when there are none."""
    return _split(name)[1]


def write(name: str, text: str) -> None:
    """Put something between the marks of this name."""
    before, _, after = _split(name)
    README.write_text(f"{before}{text}{after}", "utf-8")


def _split(name: str) -> tuple[str, str, str]:
    found = re.fullmatch(
        rf"(.*<!-- {name}: [^>]* -->\n)(.*)(\n<!-- end of {name} -->.*)", README.read_text("utf-8"), re.DOTALL
    )
    if found is None:
        raise ValueError(f"{README.name} has no part called {name}")
    return found[1], found[2], found[3]


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language, in order."""
    found = _FENCE.finditer(README.read_text("utf-8"))
    return [one["text"] for one in found if one["language"] == language]


if __name__ == "__main__":
    for _name, _make in PARTS.items():
        write(_name, _make())
    sys.stdout.write(f"Wrote {', '.join(PARTS)}.\n")

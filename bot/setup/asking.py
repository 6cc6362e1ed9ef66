"""How `sayso init` talks: questions on a terminal, secrets without echo, and nobody to ask under `--yes`."""

from __future__ import annotations

import getpass
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import Final, TypeVar

import typer

from bot.credentials import Fault
from core.errors import Misconfigured

T = TypeVar("T")
WIDEST: Final = 96
STOP: Final = " Ctrl+C stops; what is finished stays."


class Unattended(Misconfigured):
    """Something is missing, and nobody is there to be asked."""


class Talk:
    """Says things in the width of the terminal, and asks. `attended` is whether somebody is there to answer."""

    def __init__(self, *, attended: bool) -> None:
        self.attended = attended

    def say(self, text: str = "", indent: int = 0) -> None:
        """A paragraph."""
        pad = " " * indent
        typer.echo(_filled(text, pad, pad))

    def head(self, text: str) -> None:
        """A heading."""
        typer.echo("")
        typer.secho(text, bold=True)

    def step(self, number: int, text: str) -> None:
        """One of several things to do."""
        typer.echo(_filled(text, f"{number:>3}. ", " " * 5))

    def whole(self, text: str) -> None:
        """Something to be copied: nothing is added to it, and it is not wrapped."""
        typer.echo(text)

    def good(self, text: str) -> None:
        """Something that is as it should be."""
        self._marked("ok", typer.colors.GREEN, text)

    def bad(self, text: str, todo: str = "") -> None:
        """Something that is not, and what to do."""
        self._marked("no", typer.colors.RED, f"{text}." if not todo else f"{text}. {todo}")

    def note(self, text: str) -> None:
        """Something to know."""
        self._marked("--", typer.colors.YELLOW, text)

    def _marked(self, mark: str, colour: str, text: str) -> None:
        told = _filled(text, " " * 5, " " * 5)
        typer.echo(f"  {typer.style(mark, fg=colour)} {told[5:]}")

    def confirm(self, question: str, *, default: bool) -> bool:
        """Yes or no; unattended, the default."""
        if not self.attended:
            return default
        while True:
            said = _line(f"{question} [{'Y/n' if default else 'y/N'}] ").lower()
            if said in ("", "y", "yes", "n", "no"):
                return default if not said else said.startswith("y")

    def text(self, question: str, default: str = "") -> str:
        """Words; unattended, the default."""
        if not self.attended:
            return default
        return _line(f"{question} [{default}]: " if default else f"{question}: ") or default

    def secret(self, question: str, missing: str) -> str:
        """A secret, which is not shown while it is typed. Raises `Unattended`, naming what is `missing`."""
        if not self.attended:
            raise Unattended(f"{missing} is missing: set it in the environment or in .env.")
        while True:
            # Some terminals mark what is pasted; the marks are no part of it.
            said = re.sub(r"\x1b\[20[01]~", "", getpass.getpass(f"{question} (not shown): ")).strip()
            if said:
                return said

    def until_good(self, name: str, given: str, question: str, judge: Callable[[str], T | Fault]) -> tuple[str, T]:
        """Judge what is given (nothing: ask), say in a sentence what is wrong with it, and ask until it is good.

        Raises `Unattended` when nobody is there to give another one, and for a provider that cannot be reached.
        """
        while True:
            value = given or self.secret(question, name)
            found = judge(value)
            if not isinstance(found, Fault):
                return value, found
            self.bad(f"{name}: {found.found}", found.todo)
            if not self.attended:
                is_judged = "could not be checked" if found.unreachable else "is not good"
                raise Unattended(f"{name} {is_judged}: {found.found}.")
            if found.unreachable:
                if not self.confirm("Try again?", default=True):
                    raise Unattended(
                        "Nothing can be checked without reaching the provider; run `sayso init` again then."
                    )
                given = value
            else:
                given = ""


def is_attended() -> bool:
    """Whether somebody sits at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _filled(text: str, first: str, rest: str) -> str:
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def _line(question: str) -> str:
    sys.stdout.write(question)
    sys.stdout.flush()
    said = sys.stdin.readline()
    if not said:
        raise KeyboardInterrupt  # the terminal was closed
    return re.sub(r"\x1b\[20[01]~", "", said).strip()

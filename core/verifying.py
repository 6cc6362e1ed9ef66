"""Checking an export with nothing else at hand: every line, every chain, every signature, and what is missing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from core.chains import ChainCheck
from core.errors import Invalid
from core.exporting import FORMAT, KNOWN, START, VERSION, link_after, manifest_signed, spelled
from core.proving import Keyring
from core.signing import Check

SECTIONS: Final = (
    "header", "person", "agent", "conversation", "interaction", "loop", "alert", "saying", "purged", "event",
    "manifest",
)  # fmt: skip
"""The order of what begins a part."""
PARTS_OF: Final = {"receipt": ("interaction", "loop"), "task": ("interaction",), "proof": ("purged",)}
"""What belongs to the part before it."""
MOST_FAULTS: Final = 100


@dataclass(frozen=True)
class Fault:
    """What is wrong, and in which line of the file."""

    line: int
    what: str


@dataclass
class Report:
    """What was found. `unsigned` receipts are older than signing, or had their signatures taken away. Of `purged` ones
    the content is gone and the proof was checked, and of `redacted` ones what is left without a person; nothing proves
    what the `unproved` of these say, as that was done before it was signed. `key` signed the whole."""

    faults: list[Fault] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    unsigned: int = 0
    redacted: int = 0
    unproved: int = 0
    key: str | None = None
    public: str | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


class _Enough(Exception):
    """More faults would tell nothing new."""


def verify(lines: Iterable[bytes], check: Check, trusted: str | None = None) -> Report:
    """Check an export, given line by line with their line feeds. `trusted` is the public key (base64) that must have
    signed it; without it the file's own word is taken for whose keys they are. Raises `Invalid` for another file."""
    return _Reader(check, trusted).read(lines)


class _Reader:
    def __init__(self, check: Check, trusted: str | None) -> None:
        self._check = check
        self._trusted = trusted
        self._report = Report()
        self._link = START
        self._line = 0
        self._section = -1
        self._last = ""
        self._keys = Keyring({}, check)
        self._chain: ChainCheck | None = None
        self._begun = 0
        self._manifest = False

    def read(self, lines: Iterable[bytes]) -> Report:
        try:
            for raw in lines:
                self._line += 1
                self._take(raw)
            self._end_chain()
            if not self._manifest:
                self._fault("the file ends here without its manifest: lines are missing")
        except _Enough:
            pass
        return self._report

    def _fault(self, what: str, line: int | None = None) -> None:
        self._report.faults.append(Fault(line or self._line, what))
        if len(self._report.faults) >= MOST_FAULTS:
            raise _Enough

    def _take(self, raw: bytes) -> None:
        line = _parsed(raw)
        if self._line == 1 and (line is None or line["type"] != "header" or line["value"].get("format") != FORMAT):
            raise Invalid.at("", "this is no export of sayso")
        if line is None:
            self._fault("this is no line of an export: it was changed or cut off")
            return
        if self._manifest:
            self._fault("there is more after the manifest")
        self._linked(raw, line)
        type_, value = line["type"], line["value"]
        self._ordered(type_, value)
        try:
            self._look(type_, value)
        except (KeyError, TypeError, ValueError, AttributeError):
            self._fault(f"the value of this {type_} has not the shape of one")
        self._report.counts[type_] += 1

    def _linked(self, raw: bytes, line: dict[str, Any]) -> None:
        if line["n"] != self._line:
            self._fault(f"this says that it is line {line['n']}: lines were moved, doubled or taken out before it")
        bare = {name: line[name] for name in ("n", "type", "value")}
        if line["link"] != link_after(self._link, bare):
            self._fault("this line, or the order of it and the one before, was changed")
        elif raw != spelled(line) + b"\n":
            self._fault("this line is spelled in another way than it was written")
        self._link = line["link"]

    def _ordered(self, type_: str, value: dict[str, Any]) -> None:
        if type_ in PARTS_OF:
            if self._section < 0 or SECTIONS[self._section] not in PARTS_OF[type_]:
                self._fault(f"a {type_} stands where none belongs")
            return
        self._end_chain()
        if type_ not in SECTIONS:
            self._fault("this is of a type that exports of this version do not have")
            return
        section = SECTIONS.index(type_)
        mark = _mark(type_, value)
        if section < self._section:
            self._fault(f"a {type_} stands behind a {SECTIONS[self._section]}: lines were moved or doubled")
        elif section == self._section and mark <= self._last:
            self._fault(f"this {type_} stands behind a later one, or is there twice")
        self._section, self._last = section, mark

    def _end_chain(self) -> None:
        if self._chain is not None:
            for what in self._chain.ended():
                self._fault(what, self._begun)
            self._report.unsigned += self._chain.unsigned
            self._report.redacted += self._chain.redacted
            self._report.unproved += self._chain.unproved
        self._chain = None

    def _look(self, type_: str, value: dict[str, Any]) -> None:
        match type_:
            case "header":
                if value["version"] not in KNOWN:
                    self._fault(f"this export is of version {value['version']}, and this program knows {VERSION}")
                self._keys = Keyring({key["id"]: key for key in value["keys"]}, self._check)
                for what in self._keys.faults():
                    self._fault(what)
            case "interaction" | "loop" | "purged":
                self._chain, self._begun = ChainCheck(type_, value, self._keys), self._line
                for what in self._chain.begun():
                    self._fault(what)
            case "receipt" | "proof":
                for what in self._chain.taken(value) if self._chain else ():
                    self._fault(what)
            case "task":
                if self._chain is None or value["interaction"] != self._chain.subject:
                    self._fault("this task is of another interaction")
            case "manifest":
                self._end(value)
            case _:
                pass  # its link says all there is to say

    def _end(self, manifest: dict[str, Any]) -> None:
        self._manifest = True
        self._report.key = manifest["key"]
        self._report.public = self._keys.public(manifest["key"])
        if self._trusted is not None and self._report.public != self._trusted:
            self._fault("the export was signed by another key than the one given")
        wrong = self._keys.wrong(manifest, manifest_signed(manifest), manifest["signature"])
        if wrong:
            self._fault(f"of the whole export, {wrong}")
        if manifest["lines"] != self._line - 1:
            self._fault(f"there were {manifest['lines']} lines before the manifest, and there are {self._line - 1}")
        counts = dict(self._report.counts)
        for name in sorted({*counts, *manifest["counts"]}):
            was, is_ = manifest["counts"].get(name, 0), counts.get(name, 0)
            if was != is_:
                self._fault(f"there were {was} lines of the type {name}, and there are {is_}")


def _mark(type_: str, value: dict[str, Any]) -> str:
    """What lines of one section are ordered by."""
    if type_ == "event":
        position = value.get("position")
        return f"{position:020d}" if isinstance(position, int) else ""
    return str(value.get("key" if type_ == "loop" else "id", ""))


def _parsed(raw: bytes) -> dict[str, Any] | None:
    if not raw.endswith(b"\n"):
        return None
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or set(line) != {"link", "n", "type", "value"}:
        return None
    shaped = isinstance(line["link"], str) and isinstance(line["type"], str) and isinstance(line["value"], dict)
    return line if shaped and line["link"].isascii() else None

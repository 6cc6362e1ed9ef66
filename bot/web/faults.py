"""From pydantic's findings to faults: a JSON pointer into the request and plain words, one for each mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from core.errors import Fault
from core.kinds.base import pointer

Path = tuple[str | int, ...]
Unions = Sequence[Path]
"""Where the shape is chosen by a field of the object itself; `*` stands for any index. pydantic puts the chosen name
into the path there, which is no part of the request."""

MOST = 1_000
"""Mistakes that are told one by one. A body of a megabyte has room for 300,000, and telling them takes half a minute in
which nobody else is answered."""

_TYPES = frozenset(
    {"bool_type", "dict_type", "float_type", "int_type", "list_type", "model_type", "none_required", "string_type"}
    | {"tuple_type", "set_type", "literal_error", "enum"}
)
"""Findings that only say: this value has another type. Between the branches of a union they are alternatives."""

_WORDS = {
    "missing": "this is required",
    "extra_forbidden": "there is no such field here",
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "none_required": "must be null",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
}
_PHRASES = (
    (re.compile(r"^Value error, "), ""),
    (re.compile(r"^(?:Tuple|List|Dictionary) should have (.+?) after validation, not \d+$"), r"must have \1"),
    (re.compile(r"^(?:Tuple|List|String|Input|Value) should "), "must "),
)


@dataclass(frozen=True)
class _Finding:
    path: Path
    type: str
    words: str
    in_branch: bool


def faults_of(error: ValidationError, document: Any, unions: Unions = ()) -> list[Fault]:
    """Every mistake in `document`, in its order of discovery; of too many only how many."""
    if error.error_count() > MOST:
        return [Fault("", f"there are more than {MOST:,} mistakes; so many are not told one by one")]
    findings = [_finding(detail, document, unions) for detail in error.errors(include_url=False, include_input=False)]
    deepest = {path[:end] for path in (one.path for one in findings) for end in range(len(path))}
    kept = [one for one in findings if not _is_echo(one, deepest)]
    return list(_merged(kept))


def _is_echo(finding: _Finding, inner: set[Path]) -> bool:
    """Whether a finding only follows from one inside it: a list that is too short once its bad items are left out,
    or another branch of a union."""
    return finding.path in inner and (finding.in_branch or finding.type == "too_short")


def _merged(findings: list[_Finding]) -> Iterator[Fault]:
    by_path: dict[Path, list[_Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.path, []).append(finding)
    for path, group in by_path.items():
        branches = [one for one in group if one.in_branch]
        said = [one for one in branches if one.type not in _TYPES]
        for one in group:
            if not one.in_branch:
                yield Fault(pointer(*path), one.words)
        for one in said:
            yield Fault(pointer(*path), one.words)
        if branches and not said:
            alternatives = dict.fromkeys(one.words.removeprefix("must be ") for one in branches)
            yield Fault(pointer(*path), "must be " + " or ".join(alternatives))


def _finding(detail: Mapping[str, Any], document: Any, unions: Unions) -> _Finding:
    path: list[str | int] = []
    at = document
    in_branch = False
    skip_tag = _is_union(path, unions)
    for position, part in enumerate(detail["loc"]):
        if skip_tag:
            skip_tag = False
            continue
        if _has(at, part):
            at = at[part]
        elif position + 1 == len(detail["loc"]) and detail["type"] == "missing":
            at = None
        else:
            in_branch = True  # the name of a branch, which is no part of the request
            continue
        path.append(part)
        skip_tag = _is_union(path, unions)
    if detail["type"] in ("union_tag_not_found", "union_tag_invalid"):
        path.append(detail["ctx"]["discriminator"].strip("'"))
    if detail["type"] == "misplaced":
        path.extend(detail["ctx"]["at"])
    return _Finding(tuple(path), detail["type"], _words(detail), in_branch)


def _has(value: Any, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


def _is_union(path: Sequence[str | int], unions: Unions) -> bool:
    starred = tuple("*" if isinstance(part, int) else part for part in path)
    return starred in unions


def _words(detail: Mapping[str, Any]) -> str:
    match detail["type"]:
        case "union_tag_not_found":
            return "this is required"
        case "union_tag_invalid":
            return "must be one of " + ", ".join(re.findall(r"'([^']+)'", detail["ctx"]["expected_tags"]))
        case known if known in _WORDS:
            return _WORDS[known]
        case _:
            words: str = detail["msg"]
            for pattern, replacement in _PHRASES:
                words = pattern.sub(replacement, words)
            return words[:1].lower() + words[1:] if not words[:2].isupper() else words

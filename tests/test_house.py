"""The house rules that a machine can check, over everything that is in the repository."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.config import Settings

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "adapters", "blocks", "core")
FOLDERS = (*PACKAGES, "tests", "docs", ".ci", "build")  # the last is ignored by git: what `make gallery` writes
FILES = (
    "pyproject.toml", "requirements.lock", "README.md", "manifest.yml", "Makefile",
    ".editorconfig", ".env.example", ".gitignore",
)  # fmt: skip
LONGEST = 300
SUBJECTLESS = {
    "utils",
    "util",
    "helpers",
    "helper",
    "manager",
    "managers",
    "common",
    "service",
    "services",
    "misc",
}

# Spelled in pieces, so that this file does not contain what it looks for.
PLACES = re.compile(
    "|".join(
        (
            *(f"(?<![A-Za-z0-9_.])/{folder}/" for folder in ("work", "farm", "root")),
            "(?<![A-Za-z0-9_.])/(?:tmp|home)/[a-z]",
            *(r"\.".join(host) for host in (("pypi", "org"), ("registry", "npmjs"), ("deb", "debian"))),
            "python" + "hosted",
        )
    )
)
UNFINISHED = re.compile("|".join(("Not" + "Implemented" + "Error", "TO" + "DO", "FIX" + "ME", r"\bXX" + r"X\b")))
SILENCER = re.compile(r"#\s*(?:type:\s*" + r"ignore|no" + r"qa|pragma:\s*no cover|nosec)\b")
REASONED = re.compile(r"#\s*(?:type:\s*" + r"ignore\[[\w, -]+\]|no" + r"qa:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)\s+#\s*\w+")


MADE_UP = re.compile(r"(.)\1{5}|example|[Tt]est|fake|FAKE|secret|AAH|abc|MfKQ9r8GKYq", re.IGNORECASE)
SECRETS = re.compile(
    "|".join(
        (
            "-----BEGIN [A-Z ]*PRIVATE " + "KEY-----",
            r"\bAKIA[0-9A-Z]{16}\b",
            r"\bgh[pousr]_[A-Za-z0-9]{36}\b",
            r"\bxox[abeprs]-[0-9]{10,}-[0-9]{10,}-[A-Za-z0-9]{24,}",
            r"\bxapp-[0-9]-A[A-Z0-9]{9,}-[0-9]{10,}-[0-9a-f]{64}",
            r"\b[0-9]{9,10}:AA[A-Za-z0-9_-]{33}\b",
            r"\bsk_[A-Za-z0-9_-]{43}\b",
            r"\bwhsec_[A-Za-z0-9+/]{32,}=*",
            r"\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}",
        )
    )
)
"""Shapes of real credentials. What is made up for tests says so by its letters, or is a specification's own example."""


@cache
def written() -> tuple[Path, ...]:
    """Every file that belongs to the repository and is text."""
    return tuple(_written())


def _written() -> Iterator[Path]:
    yield from (ROOT / name for name in FILES if (ROOT / name).exists())
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def modules(*folders: str) -> list[Path]:
    return [path for path in written() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def named(path: Path, line: int | None = None) -> str:
    return f"{path.relative_to(ROOT)}" + (f":{line}" if line else "")


def lines_with(pattern: re.Pattern[str], paths: Sequence[Path]) -> list[tuple[Path, int, str]]:
    found = []
    for path in paths:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        found += [(path, number, line) for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
    return found


def test_the_modules_are_found() -> None:
    assert len(modules(*PACKAGES, "tests")) > 20


def test_the_top_level_holds_nothing_else() -> None:
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert visible <= {*FILES, *FOLDERS}


def test_a_file_over_300_lines_has_two_subjects() -> None:
    long = {
        named(path): lines
        for path in modules(*PACKAGES, "tests")
        if "migrations" not in path.parts and (lines := len(path.read_text("utf-8").splitlines())) > LONGEST
    }
    assert long == {}


def test_every_file_and_folder_is_named_for_its_subject() -> None:
    names = {
        (path, part) for path in modules(*PACKAGES, "tests") for part in path.relative_to(ROOT).with_suffix("").parts
    }
    assert [named(path) for path, part in names if part.removeprefix("test_") in SUBJECTLESS] == []


def test_no_file_names_a_machine_or_where_packages_come_from() -> None:
    assert [f"{named(path, number)} {line}" for path, number, line in lines_with(PLACES, written())] == []


def test_nothing_is_left_unfinished() -> None:
    found = lines_with(UNFINISHED, modules(*PACKAGES, "tests"))
    assert [f"{named(path, number)} {line}" for path, number, line in found] == []


def test_no_file_holds_a_credential() -> None:
    found = [
        f"{named(path, number)} {hit[0][:24]}"
        for path in written()
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        for hit in SECRETS.finditer(line)
        if not MADE_UP.search(hit[0])
    ]
    assert found == []


def test_a_silenced_check_names_itself_and_its_reason() -> None:
    found = lines_with(SILENCER, modules(*PACKAGES, "tests"))
    assert [f"{named(path, number)} {line}" for path, number, line in found if not REASONED.search(line)] == []


def test_every_module_says_what_it_is() -> None:
    silent = [path for path in modules(*PACKAGES, "tests") if not _documented(path)]
    assert [named(path) for path in silent] == []


def _documented(path: Path) -> bool:
    tree = parsed(path)
    return bool(ast.get_docstring(tree)) or not tree.body  # an empty __init__ only makes a package


def test_every_module_reads_annotations_as_text() -> None:
    eager = [path for path in modules(*PACKAGES, "tests") if not _annotations_as_text(path)]
    assert [named(path) for path in eager] == []


def _annotations_as_text(path: Path) -> bool:
    body = parsed(path).body
    only_a_docstring = all(isinstance(node, ast.Expr) for node in body)
    return only_a_docstring or any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in body)


def test_every_test_can_fail() -> None:
    idle = [
        named(path, node.lineno)
        for path in modules("tests")
        if path.name.startswith("test_")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        if not re.search("Assert|raises|check|expect|verify", ast.dump(node))
    ]
    assert idle == []


LOCKS = ("requirements.lock", "docs/runtime.lock")


def test_what_runs_is_locked_as_it_was_tested() -> None:
    all_of_it, what_runs = ((ROOT / name).read_text("utf-8") for name in LOCKS)
    pins = [re.findall(r"^([a-z0-9._-]+==[^ ]+)", lock, re.MULTILINE) for lock in (all_of_it, what_runs)]
    assert set(pins[1]) < set(pins[0]), "run `make lock`"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["otel"]]
    runs = {canonicalize_name(pin.partition("==")[0]) for pin in pins[1]}
    assert {canonicalize_name(Requirement(one).name) for one in wanted} <= runs


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_is_hashed_and_holds_no_address(name: str) -> None:
    lock = (ROOT / name).read_text("utf-8")
    assert "://" not in lock
    for block in re.split(r"\n(?=\S)", lock.strip()):
        assert re.match(r"[a-z0-9._-]+==\S+", block), block
        assert "--hash=sha256:" in block, block


def test_the_lock_answers_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    pins = re.findall(r"^([a-z0-9._-]+)==(\S+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    locked = {canonicalize_name(name): version for name, version in pins}
    for requirement in map(Requirement, wanted):
        assert requirement.specifier, f"{requirement.name} needs a lower bound"
        version = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} is locked as {version}: run `make lock`"


def test_the_example_settings_are_the_settings() -> None:
    names = [name.upper() for name in Settings.model_fields]
    example = re.findall(r"^# ?.+\n#([A-Z_]+)=", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE)
    assert sorted(example) == sorted(names)

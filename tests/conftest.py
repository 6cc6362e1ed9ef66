"""What every test may use: a clean environment, this machine only, and both databases."""

from __future__ import annotations

import functools
import gc
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import typer
from hypothesis.database import DirectoryBasedExampleDatabase

from tests import engines, loopback, postgres
from tests.stores import postgres_database, postgres_store_url, sqlite_store_url, sqlite_template

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

__all__ = ["postgres_database", "postgres_store_url", "sqlite_store_url", "sqlite_template"]
"""Imported here alone: a module that imports a fixture of its own has that run for it once more."""

ROOT = Path(__file__).parents[1]
BROWSER = ROOT / "tests" / "browser"
OURS = ("SLACK_", "TELEGRAM_", "SAYSO_")
KEPT = "SAYSO_TEST_"
WORKER_INPUT = "postgres"

_servers = pytest.StashKey[ExitStack]()
_shared = pytest.StashKey["URL"]()

RARELY = (10_000, 20, 20)
"""A test leaves little behind: looking for it as often as Python does by itself takes a tenth of the run."""

EXAMPLES = int(os.environ.get("SAYSO_TEST_EXAMPLES", "10"))
"""How many examples a property is tried with: few in every run, many in `make slow`."""

hypothesis.settings.register_profile(
    "sayso",
    max_examples=EXAMPLES,
    print_blob=True,
    deadline=None,  # two busy cores make single examples slow; the whole test has its timeout
    database=DirectoryBasedExampleDatabase(ROOT / ".hypothesis"),  # tests work in folders that do not last
)


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the settings of whoever runs the tests, and stay on this machine."""
    for name in [name for name in os.environ if name.startswith(OURS) and not name.startswith(KEPT)]:
        del os.environ[name]
    hypothesis.settings.load_profile("sayso")
    loopback.install()
    config.stash[_servers] = ExitStack()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is loaded to collect the tests stays: looking through it for garbage again and again helps nobody."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*RARELY)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The pages come first: of several test processes one then has them all, and starts the only Chromium."""
    items.sort(key=lambda item: BROWSER not in item.path.parents)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the server that this process started, if any."""
    config.stash[_servers].close()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """With several test processes, the one that outlives the others starts the server they share."""
    stash = node.config.stash
    if _shared not in stash:
        stash[_shared] = _server(node.config)
    node.workerinput[WORKER_INPUT] = stash[_shared].render_as_string(hide_password=False)


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _server(config: pytest.Config) -> URL:
    if named := os.environ.get("SAYSO_TEST_POSTGRES"):
        return postgres.server_at(named)
    return config.stash[_servers].enter_context(postgres.running_server())


@pytest.fixture(scope="session", autouse=True)
def _statements_are_compiled_once() -> Iterator[None]:
    with engines.shared():
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands_are_described_once() -> Iterator[None]:
    """Typer reads every command's signature again for each call: the commands of this process stay the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.main.get_command", functools.cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> URL:
    """The address of a real PostgreSQL: SAYSO_TEST_POSTGRES, else one started for this run on first use."""
    given = getattr(request.config, "workerinput", {}).get(WORKER_INPUT)
    return postgres.server_at(given) if given else _server(request.config)


@pytest.fixture
def fresh_database(postgres_server: URL) -> Iterator[Callable[[], str]]:
    """Make empty PostgreSQL databases, given as `postgresql+psycopg://` URLs and dropped after the test."""
    made: list[URL] = []

    def make() -> str:
        made.append(postgres.create_database(postgres_server))
        return made[-1].render_as_string(hide_password=False)

    yield make
    for database in made:
        postgres.drop_database(database)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind in turn: `sqlite+aiosqlite:///…` and `postgresql+psycopg://…`."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'sayso.sqlite3'}"
    make: Callable[[], str] = request.getfixturevalue("fresh_database")
    return make()


@pytest.fixture(scope="session")
def _bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bare")


@pytest.fixture(autouse=True)
def _works_in_a_folder_of_its_own(request: pytest.FixtureRequest, _bare: Path) -> Iterator[None]:
    """Neither a developer's `.env` nor the data directory of another test is found, and the sources stay clean.

    Most tests write no file. Those work in one folder, and fail when something is in it afterwards.
    """
    folder: Path = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else _bare
    os.chdir(folder)
    yield
    os.chdir(_bare)
    left = list(_bare.iterdir())
    for path in left:
        _remove(path)
    assert not left, f"the test asks for no tmp_path and leaves {left}"


@pytest.fixture(autouse=True)
def _stays_on_this_machine() -> Iterator[None]:
    yield
    tried, loopback.offences[:] = list(loopback.offences), []
    assert not tried, f"the test reached for another machine: {tried}"

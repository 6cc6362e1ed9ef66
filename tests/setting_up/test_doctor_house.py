"""What goes wrong on the machine itself, and the line that says so."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text

from bot.config import DATA
from bot.doctor import house
from bot.doctor.examining import Level
from bot.startup import WORKSPACE
from bot.web.keys import hash_key
from core.asking import ASK
from core.people import AgentRole
from core.ports import Context
from core.store import Store
from core.upkeep import Attempt
from core.use_cases.agents import add_agent
from core.use_cases.ask import ask
from tests.setting_up.doctoring import Doctor
from tests.setting_up.stores import in_new_store


async def test_a_database_that_is_not_there_yet_is_made_by_the_service(doctor: Doctor) -> None:
    found = await doctor({})
    assert found["database"].level is Level.WARNING
    assert "sayso serve" in found["database"].todo
    assert not DATA.exists()  # looking makes nothing


async def test_an_empty_database_is_behind(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "sayso.sqlite3").touch()
    found = await doctor({"SAYSO_DATABASE_URL": f"sqlite:///{tmp_path / 'sayso.sqlite3'}"})
    assert found["database"].level is Level.WARNING
    assert "older than this program" in found["database"].found
    assert "sayso migrate" in found["database"].todo


async def test_a_database_of_a_newer_program_is_refused(doctor: Doctor) -> None:
    async def renumber(store: Store, _: Context) -> None:
        async with store.engine.begin() as connection:
            await connection.execute(text("update alembic_version set version_num = '9999_of_tomorrow'"))

    await in_new_store(renumber)
    found = await doctor({})
    assert found["database"].level is Level.FAILED
    assert "newer" in found["database"].found
    assert found["deliveries"].level is Level.OFF


@pytest.mark.parametrize("name", ["notes.txt", "nowhere/sayso.sqlite3"])
async def test_what_is_no_database_is_a_failure(doctor: Doctor, tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("this is no database, only a longer text that looks like none")
    found = await doctor({"SAYSO_DATABASE_URL": f"sqlite:///{tmp_path / name}"})
    assert found["database"].level is Level.FAILED
    assert "SAYSO_DATABASE_URL" in found["database"].todo


async def test_a_server_that_is_away_is_a_failure_without_its_password(doctor: Doctor) -> None:
    found = await doctor({"SAYSO_DATABASE_URL": "postgresql://sayso:hunter2@127.0.0.1:1/sayso"})
    assert found["database"].level is Level.FAILED
    assert not [one for one in found.values() if "hunter2" in str(one.wire())]


async def test_files_that_others_can_read_are_warned_of(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / ".env").touch(mode=0o644)
    (tmp_path / ".env").chmod(0o644)
    (tmp_path / ".data").mkdir()
    (tmp_path / ".data").chmod(0o755)
    (tmp_path / ".data" / "secret-key").write_text("00" * 32)
    (tmp_path / ".data" / "secret-key").chmod(0o644)
    found = await doctor({})
    assert found["settings file"].level is Level.WARNING
    assert "chmod 600 .env" in found["settings file"].todo
    assert found["data directory"].level is Level.WARNING
    assert "secret-key" in found["data directory"].found
    (tmp_path / ".env").chmod(0o600)
    (tmp_path / ".data").chmod(0o700)
    found = await doctor({})
    assert (found["settings file"].level, found["data directory"].level) == (Level.OK, Level.OK)


async def test_a_data_directory_that_is_none_is_a_failure(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / ".data").touch()
    assert (await doctor({"SAYSO_SECRET_KEY": "s" * 32}))["data directory"].level is Level.FAILED


async def test_a_data_directory_nobody_may_write_into_is_a_failure(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / ".data").mkdir()
    (tmp_path / ".data").chmod(0o500)
    found = await doctor({"SAYSO_SECRET_KEY": "s" * 32})
    assert found["data directory"].level is Level.FAILED
    assert "500" in found["data directory"].found


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(
    ("free", "level"), [(50 * 2**20, Level.FAILED), (500 * 2**20, Level.WARNING), (50 * 2**30, Level.OK)]
)
async def test_a_disk_that_fills_up_is_told(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, free: int, level: Level
) -> None:
    monkeypatch.setattr(house, "shutil", shutil)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(100 * 2**30, 0, free))
    assert (await doctor({}))["disk"].level is level


async def test_keys_that_can_be_guessed_are_warned_of(doctor: Doctor) -> None:
    assert (await doctor({"SAYSO_API_KEY": "12345678"}))["keys"].level is Level.WARNING


async def test_a_program_s_own_key_as_the_operator_s_is_warned_of(doctor: Doctor) -> None:
    async def make(_: Store, context: Context) -> None:
        await add_agent(context, WORKSPACE, "release-bot", AgentRole.AGENT, hash_key("sk_" + "k" * 43), "whsec_YQ==")

    await in_new_store(make)
    found = await doctor({"SAYSO_API_KEY": "sk_" + "k" * 43})
    assert found["keys"].level is Level.WARNING
    assert "release-bot" in found["keys"].found
    assert "unset it" in found["keys"].todo
    assert (await doctor({"SAYSO_API_KEY": "sk_" + "o" * 43, "SAYSO_SECRET_KEY": "s" * 32}))["keys"].level is Level.OK


async def test_several_machines_need_one_key(doctor: Doctor) -> None:
    found = await doctor({"SAYSO_DATABASE_URL": "postgresql://127.0.0.1:1/sayso"})
    assert found["keys"].level is Level.WARNING
    assert "SAYSO_SECRET_KEY" in found["keys"].found


QUESTION = (
    '{"kind": "confirmation", "to": "review", "title": "Now?", "audience": {"answerers": ["role:operator"]}, '
    '"continuation": {"webhook": "https://agent.example/hook"}}'
)


async def test_webhooks_that_fail_are_told_by_agent(doctor: Doctor) -> None:
    now = datetime.now(UTC)

    async def fail(store: Store, context: Context) -> None:
        for name in ("lucky", "unlucky"):
            agent = await add_agent(context, WORKSPACE, name, AgentRole.AGENT, f"sha256:{name}", "whsec_" + "a" * 32)
            for _ in range(2):
                await ask(context, ASK.validate_json(QUESTION), agent)
        events = await store.records.events(WORKSPACE, None)
        async with context.work() as work:
            for number, event in enumerate(events):
                is_first_agent = number < 2
                await work.note_attempt(Attempt(event.id, 1, now - timedelta(hours=1), 500, None))
                # The newest try is what counts.
                last = (200, None) if is_first_agent or number == 2 else (None, "ConnectError")
                await work.note_attempt(Attempt(event.id, 2, now, *last))
            await work.commit()

    await in_new_store(fail)
    found = await doctor({})
    assert found["deliveries"].level is Level.WARNING
    assert "unlucky's (1 of 2 events, last: ConnectError)" in found["deliveries"].found
    assert "; lucky" not in found["deliveries"].found

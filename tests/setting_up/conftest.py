"""Setting up in an empty folder, with nobody else's settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.doctor import telegram as telegram_checks
from tests.setting_up.doctoring import Doctor
from tests.setting_up.initiating import Chats, both_chats


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """A doctor in an empty folder, who waits for nobody."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAYSO_PORT", "1")  # nothing listens there
    monkeypatch.setattr(telegram_checks, "LISTEN", 0)
    return Doctor(monkeypatch)


@pytest.fixture
async def chats() -> AsyncIterator[Chats]:
    """Both stand-ins with Ana in them."""
    async with both_chats() as both:
        yield both

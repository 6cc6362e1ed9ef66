"""The settings file: what is changed, what stays, who can read it, and that it is never half written."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.setup.envfile import change, changed, probe, write_new
from core.errors import Misconfigured

NEW = {"SLACK_BOT_TOKEN": "xoxb-new", "SAYSO_SECRET_KEY": "k-1"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # what was there, what is there afterwards
        pytest.param("", "SLACK_BOT_TOKEN=xoxb-new\nSAYSO_SECRET_KEY=k-1\n", id="nothing"),
        pytest.param(
            "# mine\nOTHER='a b'\n",
            "# mine\nOTHER='a b'\nSLACK_BOT_TOKEN=xoxb-new\nSAYSO_SECRET_KEY=k-1\n",
            id="others",
        ),
        pytest.param(
            "SLACK_BOT_TOKEN=xoxb-old\nA=1\n",
            "SLACK_BOT_TOKEN=xoxb-new\nA=1\nSAYSO_SECRET_KEY=k-1\n",
            id="placed",
        ),
        pytest.param(
            "export SLACK_BOT_TOKEN = x\n", "SLACK_BOT_TOKEN=xoxb-new\nSAYSO_SECRET_KEY=k-1\n", id="other spellings"
        ),
        pytest.param(
            "SLACK_BOT_TOKEN=1\nSLACK_BOT_TOKEN=2\n", "SLACK_BOT_TOKEN=xoxb-new\nSAYSO_SECRET_KEY=k-1\n", id="twice"
        ),
        pytest.param(
            "# Bot token.\n#SLACK_BOT_TOKEN=\n#SAYSO_PORT=8080\n",
            "# Bot token.\nSLACK_BOT_TOKEN=xoxb-new\n#SAYSO_PORT=8080\nSAYSO_SECRET_KEY=k-1\n",
            id="where it was offered",
        ),
        pytest.param(
            "# SLACK_BOT_TOKEN= was not needed before\n",
            "# SLACK_BOT_TOKEN= was not needed before\nSLACK_BOT_TOKEN=xoxb-new\nSAYSO_SECRET_KEY=k-1\n",
            id="a remark stays",
        ),
        pytest.param("A=1", "A=1\nSLACK_BOT_TOKEN=xoxb-new\nSAYSO_SECRET_KEY=k-1\n", id="no line break at the end"),
    ],
)
def test_only_the_named_lines_change(before: str, after: str) -> None:
    assert changed(before, NEW) == after
    assert changed(after, NEW) == after


class _Read(BaseSettings):
    model_config = SettingsConfigDict(extra="ignore")

    sayso_secret_key: str = ""


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\r\x00\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), min_size=1)
)
def test_what_is_written_is_what_the_service_reads(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.env"
    path.unlink(missing_ok=True)
    change(path, {"SAYSO_SECRET_KEY": value})
    assert _Read(_env_file=path).sayso_secret_key == value


def test_it_is_for_this_user_alone_and_written_only_where_something_changes(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    assert change(path, NEW)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.stat()
    assert not change(path, NEW)
    assert path.stat().st_ino == before.st_ino
    path.chmod(0o644)
    assert not change(path, NEW)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("A=1\n")
    (tmp_path / ".env").symlink_to(tmp_path / "real")
    change(tmp_path / ".env", NEW)
    assert (tmp_path / ".env").is_symlink()
    assert "xoxb-new" in (tmp_path / "real").read_text()


def test_what_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".env"
    path.write_text("A=1\n")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        change(path, NEW)
    assert path.read_text() == "A=1\n"
    assert [one.name for one in tmp_path.iterdir()] == [".env"]


def test_whether_it_can_be_written_is_found_out_beforehand_and_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("A=1\n")
    probe(tmp_path / ".env")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [(".env", "A=1\n")]
    with pytest.raises(Misconfigured, match=r"cannot be written: No such file or directory\."):
        probe(tmp_path / "nowhere" / ".env")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(Misconfigured, match="No space left on device"):
        probe(tmp_path / ".env")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_what_root_changes_stays_with_the_user_who_has_to_read_it(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("A=1\n")
    os.chown(path, 12345, 12345)
    change(path, NEW)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12345)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_no_text_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    with pytest.raises(Misconfigured, match="not UTF-8"):
        change(tmp_path / ".env", NEW)
    assert (tmp_path / ".env").read_bytes() == b"\xff\xfe"


def test_a_key_s_own_file_is_never_written_over(tmp_path: Path) -> None:
    write_new(tmp_path / ".env.bot", NEW)
    assert stat.S_IMODE((tmp_path / ".env.bot").stat().st_mode) == 0o600
    with pytest.raises(Misconfigured):
        write_new(tmp_path / ".env.bot", NEW)

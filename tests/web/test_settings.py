"""Settings: what is read, what is refused, and that nothing secret is shown."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from bot.config import Settings, load
from bot.keyfile import NAME, derive, kept_key
from core.errors import Misconfigured

SLACK = {"SLACK_BOT_TOKEN": "xoxb-1-secret", "SLACK_APP_TOKEN": "xapp-1-secret"}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)


def test_nothing_set_still_runs_without_a_chat() -> None:
    settings = load()
    assert not settings.slack_on
    assert not settings.telegram_on
    assert settings.base_url == "http://127.0.0.1:8080"
    assert not settings.link_ok


def test_a_dotenv_file_is_read_and_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("SAYSO_PORT=9001\nSAYSO_HOST=0.0.0.0\nSOMETHING_ELSE=1\nSLACK_BOT_TOKEN=\n")
    put(monkeypatch, {"SAYSO_HOST": "127.0.0.2"})
    assert (load().sayso_host, load().sayso_port, load().slack_on) == ("127.0.0.2", 9001, False)


@pytest.mark.parametrize(
    ("set_", "socket"),
    [
        (SLACK, True),  # an app token alone is enough: nothing arrives over HTTP
        ({"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_SIGNING_SECRET": "a" * 32}, False),
        ({**SLACK, "SLACK_SIGNING_SECRET": "a" * 32}, True),  # both: the app token decides
    ],
)
def test_the_app_token_decides_between_socket_mode_and_http(
    monkeypatch: pytest.MonkeyPatch, set_: dict[str, str], socket: bool
) -> None:
    put(monkeypatch, set_)
    assert load().slack_on
    assert load().slack_socket_mode is socket


def test_telegram_needs_a_secret_and_a_public_url_for_its_webhook(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, {"TELEGRAM_BOT_TOKEN": "42:abc", "TELEGRAM_WEBHOOK_SECRET": "s3cret"})
    assert not load().telegram_webhook
    put(monkeypatch, {"SAYSO_PUBLIC_URL": "https://sayso.example.com/"})
    assert load().telegram_webhook
    assert load().base_url == "https://sayso.example.com"
    assert load().link_ok


MALFORMED = [
    ("SLACK_BOT_TOKEN", "xoxp-user-token", "a user's token is not the bot's"),
    ("SLACK_APP_TOKEN", "xoxb-1", "the bot's token is not the app's"),
    ("SLACK_SIGNING_SECRET", "two words", "spaces mean that something else was pasted"),
    ("SLACK_API_URL", "slack.com/api", "no scheme"),
    ("TELEGRAM_BOT_TOKEN", "@my_bot", "the bot's name"),
    ("TELEGRAM_WEBHOOK_SECRET", "with space", "Telegram allows A-Z a-z 0-9 _ - only"),
    ("TELEGRAM_WEBHOOK_SECRET", "x" * 257, "and 256 of them"),
    ("SAYSO_DATABASE_URL", "mysql://host/db", "another database"),
    ("SAYSO_DATABASE_URL", "sqlite://", "memory is forgotten at exit"),
    ("SAYSO_DATABASE_URL", "sqlite:///:memory:", "the same, spelled out"),
    ("SAYSO_DATABASE_URL", "nonsense", "not an address at all"),
    ("SAYSO_PUBLIC_URL", "ftp://host", "not the web"),
    ("SAYSO_PUBLIC_URL", "https://user:pw@host", "a password in an address ends up in chats"),
    ("SAYSO_PUBLIC_URL", "https://host/?a=b", "a query would swallow every path"),
    ("SAYSO_PUBLIC_URL", "https://host:port", "no such port"),
    ("SAYSO_SECRET_KEY", "short", "guessable"),
    ("SAYSO_PORT", "70000", "ports end at 65535"),
    ("SAYSO_PORT", "http", "not a number"),
    ("SAYSO_API_KEY", "with space and more", "a header cannot carry it safely"),
    ("SAYSO_API_KEY", "short", "guessable"),
    (
        "SAYSO_WEBHOOK_ALLOW",
        "10.0.0.1/8",
        "host bits are set: a typing error that would open more than meant",
    ),
    ("SAYSO_WEBHOOK_ALLOW", "localhost", "a name can be rebound"),
    ("SAYSO_TRUSTED_PROXIES", "10.0.0.1/8", "the same"),
    ("SAYSO_TRUSTED_PROXIES", "*", "whoever is believed blindly lets anybody be anybody"),
    ("SAYSO_DRAIN", "a while", "not a duration"),
    ("SAYSO_DRAIN", "1h", "longer than whoever restarts it waits"),
    ("SAYSO_ROLE", "leader", "no such role"),
    ("SAYSO_LOG", "xml", "no such style"),
]


@pytest.mark.parametrize(("name", "value", "reason"), MALFORMED)
def test_a_malformed_setting_is_one_sentence_that_names_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, reason: str
) -> None:
    put(monkeypatch, {name: value})
    with pytest.raises(Misconfigured) as refused:
        load()
    sentence = str(refused.value)
    assert sentence.startswith(name), reason
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("set_", "missing"),
    [
        ({"SLACK_BOT_TOKEN": "xoxb-1"}, "SLACK_SIGNING_SECRET"),
        ({"SLACK_CLIENT_ID": "1.2"}, "SLACK_CLIENT_SECRET"),
        ({"SLACK_CLIENT_SECRET": "abc"}, "SLACK_CLIENT_ID"),
        ({"SAYSO_WEBHOOK_SECRET": "whsec_" + "A" * 32}, "SAYSO_API_KEY"),
    ],
)
def test_a_setting_that_needs_another_names_the_missing_one(
    monkeypatch: pytest.MonkeyPatch, set_: dict[str, str], missing: str
) -> None:
    put(monkeypatch, set_)
    with pytest.raises(Misconfigured, match=f"^{missing} is missing"):
        load()


@pytest.mark.parametrize(
    ("secret", "ok"),
    [
        ("whsec_" + "A" * 32, True),  # 24 bytes, the least the specification allows
        ("whsec_" + "A" * 28, False),  # 21 bytes
        ("whsec_" + "A" * 88, False),  # 66 bytes
        ("A" * 32, False),  # no prefix
        ("whsec_*" + "A" * 31, False),  # not base64
    ],
)
def test_a_webhook_secret_has_the_standard_shape(monkeypatch: pytest.MonkeyPatch, secret: str, ok: bool) -> None:
    put(monkeypatch, {"SAYSO_API_KEY": "k" * 40, "SAYSO_WEBHOOK_SECRET": secret})
    if ok:
        assert load().sayso_webhook_secret is not None
    else:
        with pytest.raises(Misconfigured, match=r"^SAYSO_WEBHOOK_SECRET must"):
            load()


def test_the_database_is_a_file_in_the_data_directory_unless_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load().database_url() == f"sqlite:///{tmp_path / '.data' / 'sayso.sqlite3'}"
    assert stat.S_IMODE((tmp_path / ".data").stat().st_mode) == 0o700
    put(monkeypatch, {"SAYSO_DATABASE_URL": "postgres://u:p%40w@h/d?sslmode=require"})
    assert load().database_url() == "postgres://u:p%40w@h/d?sslmode=require"


def test_no_secret_is_shown_by_the_settings_or_by_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = {
        **SLACK,
        "SLACK_SIGNING_SECRET": "signing-secret",
        "SAYSO_SECRET_KEY": "the-secret-key-of-this",
        "SAYSO_API_KEY": "sk_secret-operator-key",
        "SAYSO_DATABASE_URL": "postgresql://u:secret@h/d",
        "TELEGRAM_BOT_TOKEN": "1:secret",
    }
    put(monkeypatch, secrets)
    shown = repr(load()) + str(load())
    assert "secret" not in shown.replace("_secret", "").replace("secret_", "").replace("SecretStr", "")
    put(monkeypatch, {"SLACK_BOT_TOKEN": "xoxp-verysecret"})
    with pytest.raises(Misconfigured) as refused:
        load()
    assert "verysecret" not in str(refused.value)


def test_the_key_of_a_single_machine_is_made_once_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    made: list[bytes] = []
    together = [threading.Thread(target=lambda: made.append(kept_key(folder))) for _ in range(8)]
    for one in together:
        one.start()
    for one in together:
        one.join()
    assert len(made) == 8
    assert set(made) == {kept_key(folder)}
    assert len(made[0]) == 32
    assert stat.S_IMODE((folder / NAME).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [NAME]


def test_a_damaged_key_is_reported_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("not hex")
    with pytest.raises(Misconfigured, match="damaged"):
        kept_key(tmp_path)
    assert (tmp_path / NAME).read_text() == "not hex"


def test_each_purpose_has_its_own_key(tmp_path: Path) -> None:
    settings = Settings()
    assert settings.key("controls") == settings.key("controls")
    assert settings.key("controls") != settings.key("sessions")
    assert len(derive(b"x" * 32, "controls")) == 32
    assert (tmp_path / ".data" / NAME).exists()

"""Where a program that asks finds the service."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.whereabouts import Whereabouts

PLACES: list[tuple[dict[str, str], str]] = [
    ({}, "http://127.0.0.1:8080"),  # the service's own defaults
    ({"SAYSO_PORT": "9000"}, "http://127.0.0.1:9000"),
    ({"SAYSO_HOST": "10.0.0.7"}, "http://10.0.0.7:8080"),
    ({"SAYSO_HOST": "::1", "SAYSO_PORT": "9000"}, "http://[::1]:9000"),
    ({"SAYSO_HOST": "0.0.0.0"}, "http://127.0.0.1:8080"),  # noqa: S104  # it listens everywhere, also here
    ({"SAYSO_PUBLIC_URL": "https://sayso.example.com/"}, "https://sayso.example.com"),
    # Beside the service itself the short way is the one that works, whatever stands before it.
    ({"SAYSO_PUBLIC_URL": "https://sayso.example.com", "SAYSO_PORT": "9000"}, "http://127.0.0.1:9000"),
    ({"SAYSO_URL": "https://other.example.com/", "SAYSO_PORT": "9000"}, "https://other.example.com"),
    ({"SAYSO_URL": "", "SAYSO_PORT": ""}, "http://127.0.0.1:8080"),  # set to nothing is not set
]


@pytest.mark.parametrize(("environment", "url"), PLACES)
def test_the_service_is_found(environment: dict[str, str], url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Whereabouts().url == url


def test_a_file_of_settings_counts_and_the_environment_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("SAYSO_PORT=9000\nSAYSO_API_KEY=sk_of_the_file\nSLACK_BOT_TOKEN=x\n")
    assert (Whereabouts().url, Whereabouts().key) == ("http://127.0.0.1:9000", "sk_of_the_file")
    monkeypatch.setenv("SAYSO_API_KEY", "sk_of_the_environment")
    assert Whereabouts().key == "sk_of_the_environment"
    assert "sk_of" not in repr(Whereabouts())

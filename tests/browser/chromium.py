"""Find a Chromium for the browser tests, or install one: `python tests/browser/chromium.py`.

Standard library only, so that it also runs where nothing but the locked packages is there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = (
    "--no-sandbox",  # its sandbox refuses root and most containers; it opens only our own pages
    "--disable-gpu",
    "--disable-dev-shm-usage",  # containers give /dev/shm 64 MB
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",  # this and the next two: it calls nobody but the page under test
    "--disable-component-update",
    "--disable-sync",
)


def find() -> Path | None:
    """The first Chromium that starts: one on PATH, else the one Playwright keeps; None if there is none."""
    on_path = (shutil.which(name) for name in NAMES)
    return next((path for path in (*map(Path, filter(None, on_path)), *_kept_by_playwright()) if _starts(path)), None)


def _kept_by_playwright() -> list[Path]:
    kept = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    return sorted(Path(kept).glob("chromium-*/chrome-linux*/chrome"), reverse=True)


def _starts(path: Path) -> bool:
    """Asking for its version loads every library it needs, and tells a browser from a wrapper without one."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _install_from_apt() -> bool:
    if shutil.which("apt-get") is None:
        return False
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    steps = (["apt-get", "update", "-qq"], ["apt-get", "install", "-qq", "-y", "chromium"])
    return all(_runs([*sudo, *step], environment) for step in steps)


def _install_from_playwright() -> bool:
    return _runs([sys.executable, "-m", "playwright", "install", "chromium"], dict(os.environ))


def _runs(command: list[str], environment: dict[str, str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, env=environment, check=False).returncode == 0
    except OSError:
        return False


def main() -> int:
    """Say in one sentence which Chromium the browser tests use, or what to do to get one."""
    if path := find():
        print(f"The browser tests use {path}.")
        return 0
    for source, install in (("apt-get", _install_from_apt), ("Playwright", _install_from_playwright)):
        if install() and (path := find()):
            print(f"No Chromium was found, so {source} installed {path}.")
            return 0
    print("The browser tests need a Chromium and none could be installed: install `chromium`, then repeat.")
    return 1


if __name__ == "__main__":
    sys.exit(main())

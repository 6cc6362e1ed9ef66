"""A real Chromium for the tests in this folder, by Playwright's asynchronous API: the other would stall."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from tests.browser import chromium
from tests.browser.trouble import troubles

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs the browser, whether or not it says so."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The browser that the tests use."""
    path = chromium.find()
    assert path, "no Chromium: run `make test`, which installs one, or `python tests/browser/chromium.py`"
    return path


@pytest.fixture
async def browser(chromium_path: Path) -> AsyncIterator[Browser]:
    """A browser of the test's own, closed after it. A second person is a new context of it."""
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium_path, args=list(chromium.FLAGS))
        yield launched
        await launched.close()


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """An empty page that fails the test when a script on it fails or it asks another machine for anything."""
    opened = await browser.new_page()
    noticed = troubles(opened)
    yield opened
    assert noticed == []

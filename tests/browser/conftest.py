"""A real Chromium for the tests in this folder, by Playwright's asynchronous API: the other would stall."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from tests.browser import chromium
from tests.browser.trouble import troubles

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs the browser, whether or not it says so, and runs in the browser's event loop."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("browser")
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The browser that the tests use."""
    path = chromium.find()
    assert path, "no Chromium: run `make test`, which installs one, or `python tests/browser/chromium.py`"
    return path


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _launched(chromium_path: Path) -> AsyncIterator[Browser]:
    """The browser of this test process: starting one takes longer than most of what is done in it."""
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium_path, args=list(chromium.FLAGS))
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(_launched: Browser) -> AsyncIterator[Browser]:
    """A browser that knows nobody yet. A second person is a new context of it; all are closed after the test."""
    yield _launched
    for context in _launched.contexts:
        await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    """An empty page that fails the test when a script on it fails or it asks another machine for anything."""
    opened = await browser.new_page()
    noticed = troubles(opened)
    yield opened
    assert noticed == []

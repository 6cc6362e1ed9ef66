"""What goes wrong on a page without anybody noticing: failing scripts and requests to other machines."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.async_api import Page


def troubles(page: Page) -> list[str]:
    """A list that grows, one sentence each, while the page is used."""
    noticed: list[str] = []
    page.on("pageerror", lambda error: noticed.append(f"a script failed: {error.message}"))
    page.on(
        "request",
        lambda request: None if _stays_here(request.url) else noticed.append(f"asked {request.url}"),
    )
    return noticed


def _stays_here(url: str) -> bool:
    address = urlsplit(url)
    return address.hostname in {"127.0.0.1", "localhost"} or address.scheme in {"about", "blob", "data"}

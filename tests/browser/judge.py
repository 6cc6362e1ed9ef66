"""axe-core on a page: what people with a keyboard, a screen reader or poor sight would stumble over."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from playwright.async_api import Page

SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
TAGS = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
BY_SIGHT = {
    "type": "rule",
    "values": ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
}
"""What colours and widths decide. Everything else that is judged is in the page's text, whatever it looks like."""
RUN = """async rules => {
    const found = await axe.run(document, {runOnly: rules, resultTypes: ['violations']})
    return found.violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.html} (${one.help})`))
}"""


async def violations(page: Page, rules: dict[str, Any] = TAGS) -> list[str]:
    """One sentence per element that breaks a rule. The page's own policy may forbid scripts; this one is let in."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(SCRIPT)
    found: list[str] = await page.evaluate(RUN, rules)
    return found


async def violations_in_both_schemes(page: Page) -> list[str]:
    """The same in the light, and what is seen of it in the dark. Afterwards the page is light."""
    await page.emulate_media(color_scheme="light", reduced_motion="reduce")  # no colour on its way to another
    found = await violations(page)
    await page.emulate_media(color_scheme="dark")
    found += [f"in the dark: {one}" for one in await violations(page, BY_SIGHT)]
    await page.emulate_media(color_scheme="light")
    return found

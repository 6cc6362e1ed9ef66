"""axe-core on a page: what people with a keyboard, a screen reader or poor sight would stumble over."""

from __future__ import annotations

from importlib.resources import files

from playwright.async_api import Page

SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async tags => {
    const found = await axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})
    return found.violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.html} (${one.help})`))
}"""


async def violations(page: Page) -> list[str]:
    """One sentence per element that breaks a rule. The page's own policy may forbid scripts; this one is let in."""
    await page.evaluate(SCRIPT)
    found: list[str] = await page.evaluate(RUN, TAGS)
    return found

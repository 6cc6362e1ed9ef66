"""The page with all pictures: plain HTML beside the png files, light or dark as its reader is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from bot.sandbox.gallery import Format
from tests.gallery.playing import Picture, Played

STYLE = Path(__file__).with_name("page.css")


def write_page(folder: Path, played: Sequence[Played]) -> Path:
    """Write `index.html` into the folder that holds the pictures, and return where it is."""
    groups = [(one, list(shows)) for one, shows in groupby(played, lambda show: show.one)]
    contents = "".join(f'<li><a href="#{one.id}">{escape(one.name)}</a></li>' for one, _ in groups)
    sections = "\n".join(_format(one, shows) for one, shows in groups)
    page = folder / "index.html"
    page.write_text(
        f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>sayso: every format on every surface</title>
<style>
{STYLE.read_text("utf-8")}</style>
</head>
<body>
<header>
<h1>Every format on every surface</h1>
<p>One service, a browser and the stand-ins for Slack and Telegram. A person pressed what is seen here; beside it is
what was saved. Pictures follow the light or dark of this page; press one to see it whole.</p>
<nav aria-label="Formats"><ul>{contents}</ul></nav>
</header>
<main>
{sections}
</main>
</body>
</html>
""",
        "utf-8",
    )
    return page


def _format(one: Format, shows: Sequence[Played]) -> str:
    surfaces = "\n".join(_surface(show) for show in shows)
    return f"""<section class="format" id="{one.id}" aria-labelledby="{one.id}-name">
<h2 id="{one.id}-name">{escape(one.name)}</h2>
<p class="saved">Saved from everywhere: <code>{escape(_short(one.answer))}</code></p>
{surfaces}
</section>"""


def _surface(show: Played) -> str:
    pictures = "\n".join(_picture(picture) for picture in show.pictures)
    settled = next(receipt for receipt in show.receipts if receipt["id"] == show.outcome["receipt"])
    return f"""<article>
<h3>{escape(show.surface)} <span>{_code(show.control)}</span></h3>
<div class="row">
<div class="pictures">
{pictures}
</div>
<div class="record">
<h4>Outcome</h4>
<pre tabindex="0">{_pretty(show.outcome)}</pre>
<h4>Receipt</h4>
<pre tabindex="0">{_pretty(settled)}</pre>
</div>
</div>
</article>"""


def _picture(picture: Picture) -> str:
    light, dark = f"{picture.name}-light.png", f"{picture.name}-dark.png"
    alt = escape(f"{picture.moment}: {picture.caption}")
    return f"""<figure>
<figcaption><b>{escape(picture.moment)}</b> {_code(picture.caption)}</figcaption>
<a class="light" href="{light}"><img src="{light}" alt="{alt}" loading="lazy"></a>
<a class="dark" href="{dark}"><img src="{dark}" alt="{alt}" loading="lazy"></a>
</figure>"""


def _code(words: str) -> str:
    """Text in which backticks mark what stands on a control."""
    parts: Iterable[str] = escape(words).split("`")
    return "".join(f"<code>{part}</code>" if odd % 2 else part for odd, part in enumerate(parts))


def _short(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pretty(value: Mapping[str, Any]) -> str:
    return escape(json.dumps(value, ensure_ascii=False, indent=2))

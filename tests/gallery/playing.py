"""One format on one surface, from unanswered to answered: the pictures, what was saved, and whether it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from bot.sandbox.gallery import Format
from bot.sandbox.gallery.format import essence
from tests.gallery.spot import Spot, Surface, do
from tests.gallery.stage import CHECKER, HEIGHT, WIDTH, Stage

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")


@dataclass(frozen=True)
class Picture:
    """What somebody saw at a moment. Its files are `{name}-light.png` and `{name}-dark.png`."""

    moment: str
    caption: str
    name: str


@dataclass
class Played:
    """One format, answered on one surface (or by API, where there is nothing to see)."""

    one: Format
    surface: str
    control: str
    pictures: list[Picture] = field(default_factory=list)
    outcome: Mapping[str, Any] = field(default_factory=dict)
    receipts: Sequence[Mapping[str, Any]] = ()


async def play(stage: Stage, surface: Surface, one: Format, folder: Path) -> Played:
    """Ask, answer as a person does, and take pictures on the way. Raises `AssertionError` where anything is not as it
    must be."""
    steps = surface.steps[one.id]
    asked = await surface.ask(stage, one)
    spot = await surface.meet(stage, one, asked, "ana")
    played = Played(one, surface.name, steps.control)
    stem = f"{one.id}-{surface.id}"

    async def picture(of: Spot, moment: str, caption: str, name: str) -> None:
        await _shoot(of, folder / f"{stem}-{name}")
        played.pictures.append(Picture(moment, caption, f"{stem}-{name}"))

    await picture(spot, "unanswered", "as it arrives", "1-unanswered")
    await do(spot, steps.begin)
    await picture(spot, "being answered", steps.between, "2-answering")
    if steps.others:
        other = await surface.meet(stage, one, asked, "bea")
        await other.page.get_by_text(steps.others).first.wait_for()
        await picture(other, "being answered", "what Bea sees meanwhile", "3-others")
        await other.page.close()
    await do(spot, steps.finish)
    await stage.rig.shown_settled(asked["id"])
    await surface.settled(spot)
    await picture(spot, "answered", "the outcome", "4-answered")
    await spot.page.close()
    return await _saved(stage, played, asked["id"], surface.id)


async def play_by_api(stage: Stage, one: Format) -> Played:
    """Ask once more, and let a program answer by API."""
    asked = await stage.ask(one, "review", f"agent:{CHECKER}")
    for act in one.acts:
        body = {**act.body, "revision": asked["revision"]}
        said = await stage.checker.post(f"/v1/interactions/{asked['id']}/{act.name}", json=body)
        assert said.status_code == 200, said.text
    calls = ", then ".join(f"`POST …/{act.name}`" for act in one.acts)
    return await _saved(stage, Played(one, "API", calls), asked["id"], "api")


async def _saved(stage: Stage, played: Played, id: str, via: str) -> Played:
    now, one = await stage.rig.get(id), played.one
    outcome = now["outcome"]
    where = f"{one.id} on {played.surface}"
    assert essence(outcome["answer"]) == one.answer, f"{where}: {outcome['answer']}"
    assert (now["status"], outcome["reason"]) == (one.status, one.reason), f"{where}: {outcome}"
    played.outcome, played.receipts = outcome, await stage.rig.receipts(id)
    assert outcome["receipt"] in {receipt["id"] for receipt in played.receipts}, where
    return played


async def _shoot(spot: Spot, path: Path) -> None:
    await spot.page.mouse.move(0, 0)
    for scheme in SCHEMES:
        await spot.page.emulate_media(color_scheme=scheme)
        await spot.fit(spot.page)
        await spot.page.screenshot(path=path.with_name(f"{path.name}-{scheme}.png"), animations="disabled")
    await spot.page.emulate_media(color_scheme="light")
    await spot.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})

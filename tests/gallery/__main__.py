"""Plays every format on every surface, writes the pictures as a page, and the table into the README."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from bot.config import LogStyle
from bot.log import set_up
from bot.sandbox.gallery import FORMATS
from tests import readme
from tests.gallery.page import write_page
from tests.gallery.parity import PART, SURFACES, parity_table
from tests.gallery.playing import Played, play, play_by_api
from tests.gallery.stage import stage

FOLDER = readme.ROOT / "build" / "gallery"


def main() -> None:
    """The whole gallery, or with names of formats only theirs, which leaves the README alone."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("format", nargs="*", choices=[[], *(one.id for one in FORMATS)], help="only these")
    names = set(parser.parse_args().format) or {one.id for one in FORMATS}
    set_up(LogStyle.CONSOLE, quiet=True)
    played = asyncio.run(_play(names))
    page = write_page(FOLDER, played)
    if len(names) == len(FORMATS):
        readme.write(PART, parity_table())
    sys.stdout.write(f"Each answer was saved the same from everywhere. The pictures are in {page}\n")


async def _play(names: set[str]) -> list[Played]:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    found: list[Played] = []
    with tempfile.TemporaryDirectory(prefix="sayso-gallery-") as folder:
        async with stage(Path(folder)) as here:
            for one in (one for one in FORMATS if one.id in names):
                sys.stdout.write(f"{one.name}\n")
                found += [await play(here, surface, one, FOLDER) for surface in SURFACES]
                found.append(await play_by_api(here, one))
            assert not any(here.noticed), here.noticed
    return found


if __name__ == "__main__":
    main()

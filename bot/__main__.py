"""`python -m bot …` is `sayso …`."""

from __future__ import annotations

from bot.cli import main

main()

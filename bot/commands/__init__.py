"""The commands, one file per group. `bot.cli` is their contents page."""

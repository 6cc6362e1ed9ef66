"""Telegram controls: HTML text, inline keyboards and reply prompts, as plain data."""

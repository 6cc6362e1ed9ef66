"""Telegram: what arrives from it and what is sent to it."""

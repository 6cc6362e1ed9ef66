"""Slack: Block Kit messages, modals and Home views as plain data."""

"""What the stand-in says to whoever asks a person to do what no client would let them do."""

from __future__ import annotations


class Impossible(Exception):
    """Nobody could do this in a Telegram client; the sentence says what stands against it."""

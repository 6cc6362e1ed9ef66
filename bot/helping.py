"""What the bot tells of itself in a chat, and which commands set something for whoever sends them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adapters.inbound import Commanded
from core.addresses import ChatAddress, Provider
from core.use_cases.commanded import Apply, Setting, digest_command, prefer_command, zone_command

HELP: Final = (
    "I bring questions from programs and agents to people, and take exactly one answer back.\n"
    "Press the buttons on a card to answer it. Where words are asked for, reply to my message. Later… under a card "
    "puts it off or hands it to somebody else.\n"
    "/inbox lists the questions that wait for you, and /digest 09:00 brings that list every morning.\n"
    "/zone Europe/Madrid tells me your time zone; /prefer slack brings what is for you alone there, once both of your "
    "accounts are known.\n"
    "/signin helps you to sign in on the page if no code comes."
)
SLACK_HELP: Final = (
    "I bring questions from programs and agents to people, and take exactly one answer back. "
    "Press the buttons on a card to answer it; its menu puts it off or hands it to somebody else. "
    "/sayso lists the questions that wait for you, and so does my Home tab. "
    "/sayso digest 09:00 brings that list every morning, and /sayso zone Europe/Madrid tells me your time zone "
    "where it is not that of your profile. /sayso prefer telegram brings what is for you alone there, once "
    "both of your accounts are known. /sayso signin helps you to sign in on the page if no code comes."
)
SETTINGS: Final[Mapping[str, Apply]] = {
    "zone": zone_command,
    "digest": digest_command,
    "prefer": prefer_command,
}
"""Commands of their own in Telegram, words after `/sayso` in Slack."""


def help_in(arrival: Commanded) -> str:
    """What the bot is for, and the address that a program gives to ask in this conversation."""
    words = SLACK_HELP if arrival.provider is Provider.SLACK else HELP
    place = arrival.sender.user if arrival.private else arrival.channel
    return f"{words}\nPrograms ask here with the address {ChatAddress(arrival.provider, None, place, arrival.thread)}"


def setting_in(arrival: Commanded) -> Setting | None:
    """What a command sets; None: it sets nothing."""
    lead, first, words = "/", arrival.name, arrival.argument
    if arrival.name == "sayso":
        lead = "/sayso "
        first, _, words = arrival.argument.strip().partition(" ")
    apply = SETTINGS.get(first.lower())
    if apply is None:
        return None
    return Setting(apply, words.strip(), f"{lead}{first.lower()}", f"{lead}zone")

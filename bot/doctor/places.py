"""The checks of single conversations: can cards be posted there, and is it seen who is in there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from slack_sdk.errors import SlackApiError, SlackClientError

from adapters.slack.errors import NEVER
from bot.credentials import Fault, slack, telegram
from bot.doctor import tokens
from bot.doctor.examining import Check, Examined, Level, Said, failed
from core.addresses import ChatAddress, Provider, parse_address
from core.errors import SaysoError

_INVITE: Final = "Write /invite @{bot} in that channel."
_PRESENT: Final = ("creator", "administrator", "member", "restricted")


def check_of(place: str) -> Check:
    """The check of one conversation, by its address."""
    return Check(
        place,
        "Cards can be posted there.",
        "See the address: `/sayso help` in Slack, or /help in Telegram, says it in the conversation itself.",
        lambda examined: _look(examined, place),
    )


def _look(examined: Examined, place: str) -> Said:
    try:
        address = parse_address(place)
    except (SaysoError, ValueError) as error:
        return Said(Level.FAILED, str(error).rstrip("."))
    if not isinstance(address, ChatAddress):
        return Said(Level.FAILED, "this names no conversation; write one such as slack:C0123 or telegram:-100123")
    return _in_slack(examined, address) if address.provider is Provider.SLACK else _in_telegram(examined, address)


def _in_slack(examined: Examined, address: ChatAddress) -> Said:
    token, bot, api = (
        tokens.of_settings(examined.settings.slack_bot_token),
        examined.slack,
        examined.settings.slack_api_url,
    )
    if token is None or bot is None or address.account not in (None, bot.team):
        kept = tokens.kept(examined, Provider.SLACK, address.account)
        if isinstance(kept, Said):
            return kept
        asked = slack.bot_token(kept, api)
        if isinstance(asked, Fault):
            return failed(asked)
        token, bot = kept, asked
    client, channel = slack.client_of(token, api), address.place
    is_person = channel[:1] in "UW"
    try:
        if is_person:
            return _slack_person(client.users_info(user=channel).get("user") or {})
        return _slack_channel(client.conversations_info(channel=channel).get("channel") or {}, bot.user)
    except SlackApiError as error:
        code = str(error.response.get("error") or "an error without a name")
        todo = _INVITE.format(bot=bot.user) if code == "channel_not_found" else ""
        return Said(Level.FAILED, NEVER.get(code, f"Slack refuses to tell ({code})"), todo)
    except (SlackClientError, OSError, ValueError) as error:
        return Said(Level.FAILED, f"Slack cannot be reached ({type(error).__name__})", slack.NETWORK)


def _slack_person(user: Mapping[str, Any]) -> Said:
    name = str(user.get("real_name") or user.get("name") or "they")
    if user.get("deleted"):
        return Said(Level.FAILED, f"the account of {name} is deactivated", "Ask somebody else.")
    if user.get("is_bot"):
        return Said(Level.FAILED, f"{name} is a bot, and bots are not asked", "Ask a person.")
    return Said(Level.OK, f"{name} can be asked in a direct message")


def _slack_channel(channel: Mapping[str, Any], bot: str) -> Said:
    name = f"#{channel.get('name')}" if channel.get("name") else "the conversation"
    if channel.get("is_archived"):
        return Said(Level.FAILED, f"{name} is archived", "Unarchive it, or ask somewhere else.")
    if channel.get("is_im"):
        return Said(Level.OK, "a direct message with the app")
    if not channel.get("is_member"):
        return Said(Level.FAILED, f"the app is not in {name}", _INVITE.format(bot=bot))
    if channel.get("is_ext_shared"):
        return Said(Level.OK, f"the app is in {name}, which people of other organisations see too")
    return Said(Level.OK, f"the app is in {name}")


def _in_telegram(examined: Examined, address: ChatAddress) -> Said:
    token, bot = tokens.of_settings(examined.settings.telegram_bot_token), examined.telegram
    api, chat = examined.settings.telegram_api_url, address.place
    if token is None or bot is None or address.account not in (None, bot.username):
        kept = tokens.kept(examined, Provider.TELEGRAM, address.account)
        if isinstance(kept, Said):
            return kept
        asked = telegram.bot_token(kept, api)
        if isinstance(asked, Fault):
            return failed(asked)
        token, (bot, _) = kept, asked

    def ask(method: str, **arguments: str | int) -> telegram.Answer | Fault:
        return telegram.call(token, api, method, 0, **arguments)

    found = ask("getChat", chat_id=chat)
    if isinstance(found, Fault):
        return failed(found)
    if not found.ok:
        start = f"They open https://t.me/{bot.username} and press Start; a bot cannot write to anybody first."
        todo = f"Add @{bot.username} to the group." if chat.startswith("-") else start
        return Said(Level.FAILED, f"Telegram does not show it to the bot ({found.description})", todo)
    about = found.result if isinstance(found.result, dict) else {}
    if about.get("type") == "private":
        name = str(about.get("first_name") or "they")
        # Shows “typing…” for a moment: nothing else tells whether the bot may write there.
        may_write = ask("sendChatAction", chat_id=chat, action="typing")
        if isinstance(may_write, telegram.Answer) and not may_write.ok:
            start = f"They open https://t.me/{bot.username} and press Start."
            return Said(Level.FAILED, f"the bot may not write to {name} ({may_write.description})", start)
        return Said(Level.OK, f"{name} can be asked in private")
    return _telegram_group(ask, chat, bot, str(about.get("title") or "the group"))


def _telegram_group(
    ask: Callable[..., telegram.Answer | Fault], chat: str, bot: telegram.TelegramBot, title: str
) -> Said:
    answer = ask("getChatMember", chat_id=chat, user_id=bot.id)
    if isinstance(answer, Fault):
        return failed(answer)
    status = str(answer.result.get("status")) if answer.ok and isinstance(answer.result, dict) else "left"
    if status not in _PRESENT:
        return Said(Level.FAILED, f"the bot is not in {title}", f"Add @{bot.username} to the group.")
    if status == "restricted":
        return Said(Level.FAILED, f"the bot may not write in {title}", "Lift its restrictions in the group's settings.")
    if status == "member":
        found = f"the bot is in {title}; only to an administrator does Telegram surely say who else is"
        return Said(Level.OK, found)
    return Said(Level.OK, f"the bot is an administrator of {title}")

"""The Web API methods, one file per family, and the table that says what each of them needs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.sandbox.slack.methods import app, chat, conversations, oauth, users, views
from bot.sandbox.slack.methods.call import Method, TokenKind
from bot.sandbox.slack.pace import Tier

READ = ("channels:read", "groups:read", "im:read", "mpim:read")
HISTORY = ("channels:history", "groups:history", "im:history", "mpim:history")

# Scopes are "any of"; where the sort of conversation decides which, the method asks again itself.
METHODS: Final[Mapping[str, Method]] = MappingProxyType(
    {
        "api.test": Method(app.api_test, Tier.FOUR, token=TokenKind.NONE),
        "apps.connections.open": Method(app.open_connection, Tier.ONE, ("connections:write",), token=TokenKind.APP),
        "apps.manifest.export": Method(app.export_manifest, Tier.THREE, token=TokenKind.CONFIG),
        "apps.uninstall": Method(oauth.uninstall, Tier.ONE),
        "auth.revoke": Method(oauth.revoke, Tier.THREE),
        "auth.test": Method(app.auth_test, Tier.FREE, token=TokenKind.ANY),
        "blocks.validate": Method(app.validate_blocks, Tier.FREE, token=TokenKind.NONE),
        "bots.info": Method(users.bot_info, Tier.THREE, ("users:read",)),
        "chat.delete": Method(chat.delete, Tier.THREE, ("chat:write",)),
        "chat.getPermalink": Method(chat.permalink, Tier.SPECIAL),
        "chat.postEphemeral": Method(chat.post_ephemeral, Tier.FOUR, ("chat:write",)),
        "chat.postMessage": Method(chat.post_message, Tier.SPECIAL, ("chat:write",)),
        "chat.update": Method(chat.update, Tier.THREE, ("chat:write",)),
        "conversations.history": Method(conversations.history, Tier.THREE, HISTORY),
        "conversations.info": Method(conversations.info, Tier.THREE, READ),
        "conversations.list": Method(conversations.list_all, Tier.TWO, READ),
        "conversations.members": Method(conversations.members, Tier.FOUR, READ),
        "conversations.open": Method(conversations.open_direct, Tier.THREE, ("im:write", "mpim:write")),
        "conversations.replies": Method(conversations.replies, Tier.THREE, HISTORY),
        "oauth.v2.access": Method(oauth.access, Tier.FOUR, token=TokenKind.NONE),
        "users.info": Method(users.info, Tier.FOUR, ("users:read",)),
        "users.list": Method(users.list_all, Tier.TWO, ("users:read",)),
        "views.open": Method(views.open_view, Tier.FOUR),
        "views.publish": Method(views.publish, Tier.FOUR),
        "views.push": Method(views.push, Tier.FOUR),
        "views.update": Method(views.update, Tier.FOUR),
    }
)
# What unlisted, commercially distributed apps may read: one page a minute.
UNLISTED: Final = frozenset({"conversations.history", "conversations.replies"})

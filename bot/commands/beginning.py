"""`init`: setting it up."""

from __future__ import annotations

import typer


def init(
    yes: bool = typer.Option(False, "--yes", "-y", help="Ask nothing: take what the environment and .env say."),
    slack: bool | None = typer.Option(None, help="Connect Slack, or do not; asked if left out."),
    telegram: bool | None = typer.Option(None, help="Connect Telegram, or do not; asked if left out."),
    public_url: str = typer.Option("", metavar="URL", help="The public https address of this service, if it has one."),
    operator: str = typer.Option("", metavar="HANDLE", help="The first operator's short name, such as ana."),
    slack_user: str = typer.Option("", metavar="USER", help="The operator's Slack member id or name."),
    telegram_user: str = typer.Option("", metavar="NUMBER", help="The operator's Telegram user id."),
    agent: str = typer.Option("", metavar="NAME", help="A program that will ask; its key goes into .env.NAME."),
    test: bool | None = typer.Option(None, help="Send test cards although some were pressed before, or send none."),
) -> None:
    """Set it up: connect the chats, verify each token, write .env, and have a test card pressed.

    What works already is kept, and only what is missing or broken is asked for. Secrets are never shown.
    """
    from bot.setup import Wishes, run  # noqa: PLC0415  # it loads every adapter, which the other commands need not

    wishes = Wishes(slack, telegram, public_url, operator, slack_user, telegram_user, agent, test, attended=not yes)
    try:
        works = run(wishes)
    except KeyboardInterrupt:
        typer.echo("\nStopped. What was finished is kept; `sayso init` goes on from there.")
        raise typer.Exit(130) from None
    raise typer.Exit(0 if works else 1)

"""Secrets and what people wrote stay out of logs, whatever fails; and Slack is not asked more than needed."""

from __future__ import annotations

import logging

import pytest

from bot.sandbox.slack.faults import FaultKind
from bot.sandbox.slack.signing import Signature
from core.controls import Action
from core.replies import Told
from tests.adapters.slack.rooms import form_of, room
from tests.blocks.slack.cards import card, confirmation, questions

TEXT = card(questions({"id": "q", "prompt": "Say what?", "type": "text"}))
CONFIRM = card(confirmation(accept_label="Delete it"))
TYPED = "between-us-alone"


@pytest.mark.parametrize("socket", [False, True], ids=["http", "socket"])
async def test_no_log_holds_a_token_or_what_somebody_wrote(
    socket: bool, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    async with room(socket=socket) as own:
        await own.post(TEXT)
        await own.post(CONFIRM)
        own.intake.replies(form_of(TEXT, Action.WRITE))
        await own.ana.press("Answer…")
        await own.ana.fill(TYPED, on="modal")
        own.intake.fails(RuntimeError(f"could not store {TYPED}"))
        await own.ana.submit()
        await own.ana.write(TYPED)
        for kind in (FaultKind.STATUS, FaultKind.DROP_AFTER, FaultKind.ERROR):
            own.slack.fail(kind, "response_url")
            own.slack.fail(kind, "chat.postEphemeral")
            own.intake.replies(Told(TYPED))
            await own.ana.press("Delete it")
        if socket:
            await own.slack.platform.sockets.refresh()
            await own.slack.platform.sockets.wait_for(2)
        else:
            payload = own.slack.platform.journal.deliveries[-1].payload
            await own.slack.deliver({**payload, "text": TYPED}, signature=Signature.BAD)
            await own.slack.deliver({"type": "nobody_knows", "text": TYPED})
        await own.ana.command("/sayso", TYPED, channel="CGEN")
        secrets = [own.slack.bot_token, own.slack.app_token, own.slack.signing_secret, TYPED, "ticket="]
    printed = capsys.readouterr()
    logged = f"{printed.out}{printed.err}{_of(caplog, 'sayso', 'slack')}"
    assert "arrival failed" in logged, "the test must have made it log"
    assert [secret for secret in secrets if secret in logged] == []


def _of(caplog: pytest.LogCaptureFixture, *loggers: str) -> str:
    """What our loggers and Slack's libraries wrote; the stand-in's own web server is not ours."""
    return "\n".join(record.getMessage() for record in caplog.records if record.name.startswith(loggers))


async def test_what_the_environment_holds_changes_nothing_about_bolt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bolt reads these by itself and would go looking for installations in files."""
    monkeypatch.setenv("SLACK_CLIENT_ID", "1.2")
    monkeypatch.setenv("SLACK_CLIENT_SECRET", "s")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-another")
    monkeypatch.setenv("SLACK_SIGNING_SECRET", "another")
    async with room() as own:
        await own.post(CONFIRM)
        own.intake.replies(Told("No."))
        seen = await own.ana.press("Delete it")
        assert (seen.status, len(seen.private)) == (200, 1)
        assert len(own.calls("auth.test")) == 1, "no request asks again who we are"


async def test_what_cannot_be_told_does_not_look_unsaved(monkeypatch: pytest.MonkeyPatch) -> None:
    async with room() as own:
        await own.post(CONFIRM)
        own.intake.replies(Told("No."))
        own.slack.fail(FaultKind.ERROR, "response_url")
        own.slack.fail(FaultKind.STATUS, "chat.postEphemeral", status=500)
        seen = await own.ana.press("Delete it")
        assert (seen.status, seen.trouble) == (200, None)

        def broken(*_: object) -> None:
            raise LookupError("a fault of ours")

        monkeypatch.setattr("adapters.slack.telling.notice", broken)
        seen = await own.ana.press("Delete it")
        assert (seen.status, seen.trouble) == (200, None)

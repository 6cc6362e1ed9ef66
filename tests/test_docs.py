"""What the README and its neighbours say is so: tables, diagram, examples, links."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.config import Settings
from core.asking import ASK
from core.events import LOOP_WEBHOOK_TYPES, WEBHOOK_TYPES, EventType, LoopEventType
from core.interactions import TRANSITIONS
from core.kinds import EXAMPLES, Kind
from core.records import Status
from core.sentences import parse
from tests import readme
from tests.flows.rig import ANA, CHANNEL, KEY, TG_ANA, Rig, eventually, rig, sqlite_at
from tests.readme import README, ROOT

TEXT = README.read_text("utf-8")
PROSE = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
DEFAULTS = {name.upper(): field.default for name, field in Settings.model_fields.items()}


# ------------------------------------------------------------------------------------------------- made of the code


@pytest.mark.parametrize("name", list(readme.PARTS))
def test_a_part_made_of_the_code_is_up_to_date(name: str) -> None:
    """`python -m tests.readme` writes them."""
    assert readme.part(name).strip() == readme.PARTS[name]().strip()


def test_every_setting_is_described_once_and_none_else() -> None:
    assert [one.name for one in readme.settings()] == list(DEFAULTS)


@pytest.mark.parametrize("described", [one for one in readme.settings() if one.default], ids=lambda one: one.name)
def test_a_default_that_is_told_is_the_default(described: readme.Described) -> None:
    assert described.default == str(DEFAULTS[described.name])


def test_what_is_unset_by_default_is_told_without_a_default() -> None:
    """The addresses of Slack and Telegram are set only for stand-ins, so they are not worth a word."""
    told = {one.name for one in readme.settings() if one.default}
    silent = {name for name, default in DEFAULTS.items() if default in (None, ())}
    assert DEFAULTS.keys() - told - silent == {"SLACK_API_URL", "TELEGRAM_API_URL"}


def test_the_readme_is_the_project_s_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["readme"] == README.name


def test_the_events_in_the_table_are_those_that_are_sent_and_it_knows_which_webhooks_carry() -> None:
    rows = dict(re.findall(r"^\| `(interaction\.\w+)` \| [^|]+ \| (yes )?\|$", TEXT, re.MULTILINE))
    ends = {after for afters in TRANSITIONS[Status.PENDING].values() for after in afters}
    never = {f"interaction.{status}" for status in Status if status not in ends}
    assert set(rows) == {one.value for one in EventType} - never
    assert {name for name, carried in rows.items() if carried} == {str(one) for one in WEBHOOK_TYPES} - never


def test_the_events_of_work_orders_in_the_table_are_those_that_are_sent() -> None:
    rows = dict(re.findall(r"^\| `((?:loop|alert)\.\w+)` \| [^|]+ \| (yes )?\|$", TEXT, re.MULTILINE))
    assert set(rows) == {one.value for one in LoopEventType}
    assert {name for name, carried in rows.items() if carried} == {one.value for one in LOOP_WEBHOOK_TYPES}


SENTENCES = re.findall(r"^\| `(\[[^`]+)` \|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_that_is_written_out_is_read_as_one(sentence: str) -> None:
    assert len(parse(sentence)) == 1


def test_the_kinds_in_the_table_are_those_that_can_be_asked() -> None:
    table = TEXT.partition("### What can be asked")[2].partition("A card with one")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [kind.value for kind in Kind]


# ---------------------------------------------------------------------------------------------------------- examples


@pytest.mark.parametrize("kind", list(Kind))
async def test_the_example_of_a_kind_is_accepted_and_posted(tmp_path: Path, kind: Kind) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        answer = await r.api.post("/v1/interactions", json={**EXAMPLES[kind], "to": [f"slack:{CHANNEL}"]})
        assert (answer.status_code, answer.json()["kind"]) == (201, kind.value)
        await r.posted(answer.json()["id"])


def _example(language: str, *words: str) -> str:
    """The one block that holds all the words."""
    found = [text for text in readme.blocks(language) if all(word in text for word in words)]
    assert len(found) == 1, f"{len(found)} {language} examples hold {words}"
    return found[0]


async def _run(r: Rig, command: list[str], act: Callable[[], Awaitable[Any]], cwd: Path, **more: str) -> str:
    """Run an example as its reader would, let people act once its card is up, and return what it printed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = {one["id"] for one in await _asked(r)}
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=cwd,
        env={"PATH": path, "SAYSO_URL": r.url, "SAYSO_API_KEY": KEY, **more},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await eventually(lambda: _is_up(r, known), 20)
        await act()
        said, trouble = await asyncio.wait_for(process.communicate(), 20)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (process.returncode, trouble.decode()) == (0, "")
    return said.decode().strip()


async def _asked(r: Rig) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = (await r.api.get("/v1/interactions")).json()["items"]
    return items


async def _is_up(r: Rig, known: set[str]) -> bool:
    new = [one for one in await _asked(r) if one["id"] not in known]
    return bool(new) and all(copy["state"] == "posted" for one in new for copy in one["publications"])


def _here(r: Rig, text: str) -> str:
    """An example with the addresses of this service and this group in place of the README's."""
    return text.replace("http://127.0.0.1:8080", r.url).replace("telegram:-100123", f"telegram:{r.group}")


async def test_the_first_example_runs(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        script = _here(r, _example("python", "Delete the staging database?"))
        said = await _run(r, [sys.executable, "-c", script], lambda: r.slack.person(ANA).press("Delete it"), tmp_path)
        receipt = (await _asked(r))[0]["outcome"]["receipt"]
        assert said == f"slack:{r.slack.team_id}.{ANA} said so via slack: receipt {receipt}"


async def test_asking_from_python_runs_and_tells_the_channel_what_came_of_it(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        script = _here(r, _example("python", "Release 4.2"))
        said = await _run(r, [sys.executable, "-c", script], lambda: r.slack.person(ANA).press("Yes"), tmp_path)
        assert said == f"answered yes slack-{ANA.lower()}"

        async def told() -> bool:
            return any("4.2 is shipping." in one.text for one in r.slack.platform.world.messages[CHANNEL].values())

        await eventually(told)


async def test_asking_without_blocking_runs(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        script = _here(r, _example("python", "await ask("))
        press = lambda: r.telegram.human.press(TG_ANA, r.group, "Accept")  # noqa: E731  # it is named for what it does
        assert await _run(r, [sys.executable, "-c", script], press, tmp_path) == "accepted"


async def test_asking_from_the_shell_runs(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        command = ["sh", "-ec", _here(r, _example("sh", "Deploy 4.2?"))]
        assert await _run(r, command, lambda: r.slack.person(ANA).press("yes"), tmp_path) == "yes"


async def test_asking_for_tasks_runs_and_says_which_were_created(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        script = _here(r, _example("python", "suggested_tasks"))
        press = lambda: r.slack.person(ANA).press("Create tasks")  # noqa: E731  # the same
        said = await _run(r, [sys.executable, "-c", script], press, tmp_path)
        assert said == f"skipped: runbook\nAlert on queue depth high slack-{ANA.lower()}"


async def test_asking_for_verdicts_from_the_shell_runs(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        command = ["sh", "-ec", _here(r, _example("sh", "item_verdicts"))]

        async def judge() -> None:
            for item in range(2):
                await r.slack.person(ANA).press(action_id=f"verdict.0.{item}")

        assert await _run(r, command, judge, tmp_path) == "pydantic 2.12: Approve\nsqlalchemy 2.0.44: Approve"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples need curl, which is not part of this project")
async def test_asking_with_curl_runs(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        pressed = lambda: r.telegram.human.press(TG_ANA, r.group, "Yes")  # noqa: E731  # the same
        ask = _here(r, _example("sh", "curl", "Idempotency-Key"))
        asked = await _run(r, ["sh", "-ec", ask], pressed, tmp_path)
        id_ = ASK_ID.findall(asked)[0]
        wait = _here(r, _example("sh", "curl", "?wait="))
        heard = await _curl(wait, id_)
        assert '"status":"answered"' in heard.replace(" ", "")
        assert '{"ship":{"value":"yes"}}' in heard.replace(" ", "")


BODIES = [body for text in readme.blocks("sh") for body in re.findall(r"-d '(\{.*?\})'", text, re.DOTALL)]


def test_every_request_that_is_written_out_is_taken() -> None:
    kinds = [ASK.validate_json(body, strict=True).kind for body in BODIES]
    assert kinds == [Kind.QUESTIONS, Kind.CHECKLIST]


ASK_ID = re.compile(r'"id":\s*"(int_\w+)"')


async def _curl(command: str, id_: str) -> str:
    env = {"PATH": os.environ["PATH"], "SAYSO_API_KEY": KEY, "ID": id_}
    process = await asyncio.create_subprocess_exec("sh", "-ec", command, env=env, stdout=asyncio.subprocess.PIPE)
    said, _ = await asyncio.wait_for(process.communicate(), 20)
    return said.decode()


@pytest.mark.parametrize("words", re.findall(r"`(\"[a-z]+\": [^`]+)`", PROSE))
def test_a_piece_of_a_request_in_the_text_is_taken(words: str) -> None:
    """Each stands somewhere in a request; where, the name says."""
    name = words.partition('"')[2].partition('"')[0]
    inside = {"quorum": "audience", "exclude": "audience", "guests": "audience"}.get(name)
    piece = f'{{"{inside}": {{{words}}}}}' if inside else f"{{{words}}}"
    given = {**EXAMPLES[Kind.CONFIRMATION], "to": "slack:C0123"}
    assert name in ASK.validate_python({**given, **json.loads(piece)}).model_dump_json()


# ------------------------------------------------------------------------------------------------------------- links


def _anchors() -> set[str]:
    headings = re.findall(r"^#+ (.+)$", PROSE, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


LINKS = re.findall(r"\]\(([^)\s]+)\)", PROSE)


def test_there_are_links() -> None:
    assert any(link.startswith("#") for link in LINKS)
    assert any(not link.startswith(("#", "http")) for link in LINKS)


@pytest.mark.parametrize("link", sorted({link for link in LINKS if not link.startswith("https://")}))
def test_a_link_inside_leads_somewhere(link: str) -> None:
    if link.startswith("#"):
        assert link[1:] in _anchors()
    else:
        assert (ROOT / link).is_file()


PATHS = sorted(set(re.findall(r"`((?:core|blocks|adapters|bot|tests)/[\w/.…]*|[\w.]+\.(?:yml|toml|example))`", PROSE)))


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_is_named_is_there(path: str) -> None:
    assert list(ROOT.glob(path.replace("…", "*")))


TARGETS = set(re.findall(r"`make (\w+)`", PROSE))
TARGETS |= {found for text in readme.blocks("sh") for found in re.findall(r"^make (\w+)", text, re.MULTILINE)}


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_a_make_target_that_is_named_is_there(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


TYPED = {"/newbot", "/sayso", "/setprivacy", "/start", "/help"}
ADDRESSES = set(re.findall(r"`(?:GET )?(/[a-z][\w./{}-]*)[?`]", PROSE)) - TYPED
"""Without what is typed in a chat."""


async def test_every_address_that_is_named_is_served(tmp_path: Path) -> None:
    """It may want a key, a signature or somebody signed in, but it is known."""
    url, secret = "https://sayso.example", "w" * 32
    more: dict[str, Any] = {"slack_client_id": "1.2", "slack_client_secret": "s"}
    more |= {"sayso_public_url": url, "telegram_webhook_secret": secret}
    async with rig(sqlite_at(tmp_path), **more) as r:
        asked = await r.ask(to="review", audience={"answerers": ["agent:operator"]})
        got: dict[str, set[int]] = {}
        for name in ADDRESSES:
            at = name.replace("{id}", asked["id"])
            got[name] = {(await r.api.get(at)).status_code, (await r.api.post(at)).status_code}
    assert len(got) > 8
    assert {name: codes for name, codes in got.items() if codes == {404}} == {}

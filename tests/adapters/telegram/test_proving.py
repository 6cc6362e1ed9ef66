"""What Telegram says of somebody to a page: believed when its bot's token signed it just now, and never otherwise."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlencode

import pytest

from adapters.telegram.proving import AHEAD, GOOD_FOR, Unproved, launched, logged_in, login_at
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn

ANA = 42
OTHER_TOKEN = "7000000002:" + "o" * 35
PUBLISHED = (
    "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name"
    "%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D"
    "&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2"
)
"""An example that Telegram's own apps made, with the token of its bot, which is no secret any more."""
PUBLISHED_TOKEN = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8"
Bend = Callable[[dict[str, str]], object]


@pytest.fixture
def telegram() -> TelegramStandIn:
    stand_in = TelegramStandIn(StandInSettings())
    stand_in.scene.create_user("Ana", user_id=ANA)
    return stand_in


def now() -> datetime:
    return datetime.now(UTC)


def bent(data: str, bend: Bend) -> str:
    fields = dict(parse_qsl(data, keep_blank_values=True))
    bend(fields)
    return urlencode(fields)


def test_what_telegram_signed_for_others_is_read_as_they_read_it() -> None:
    proved = launched(PUBLISHED, PUBLISHED_TOKEN, datetime.fromtimestamp(1662771648, UTC) + timedelta(seconds=3))
    assert (str(proved.identity), proved.name) == ("telegram:279058397", "Vladislav Kibenko")
    with pytest.raises(Unproved, match="seconds old"):
        launched(PUBLISHED, PUBLISHED_TOKEN, now())


def test_an_app_that_was_just_opened_says_who_opened_it(telegram: TelegramStandIn) -> None:
    first, second = (launched(telegram.saying_who.init_data(ANA), telegram.bot_token, now()) for _ in range(2))
    assert (str(first.identity), first.name) == ("telegram:42", "Ana")
    assert first.mark != second.mark
    assert first.mark not in repr(first)


def test_a_login_says_who_logged_in_in_either_spelling_of_base64(telegram: TelegramStandIn) -> None:
    told = telegram.saying_who.login_result(ANA, first_name="Ana ÿ>?")
    plain = base64.b64encode(base64.urlsafe_b64decode(told + "=" * (-len(told) % 4))).decode()
    for spelled in (told, plain, plain.rstrip("=")):
        proved = logged_in(spelled, telegram.bot_token, now())
        assert (str(proved.identity), proved.name) == ("telegram:42", "Ana ÿ>?")


BENDS: tuple[tuple[str, Bend], ...] = (
    ("another person", lambda f: f.update(user=f["user"].replace("42", "43"))),
    ("a newer date", lambda f: f.update(auth_date=str(int(f["auth_date"]) + 1))),
    ("a field more", lambda f: f.update(start_param="x")),
    ("a field less", lambda f: f.pop("query_id")),
    ("no signature", lambda f: f.pop("hash")),
    ("an empty signature", lambda f: f.update(hash="")),
    ("a signature in capitals, which nothing sends", lambda f: f.update(hash=f["hash"].upper())),
    ("half a signature", lambda f: f.update(hash=f["hash"][:32])),
    ("the newer signature dropped, which the older one covers", lambda f: f.pop("signature")),
)


@pytest.mark.parametrize(("_why", "bend"), BENDS, ids=[why for why, _ in BENDS])
def test_nothing_that_was_changed_proves_anything(telegram: TelegramStandIn, _why: str, bend: Bend) -> None:
    with pytest.raises(Unproved):
        launched(bent(telegram.saying_who.init_data(ANA), bend), telegram.bot_token, now())


@pytest.mark.parametrize(
    "data",
    ["", "x", "hash", "%zz=1", "user=%7B%7D&user=%7B%7D", "a=1&" * 60 + "b=1", "é", "user=\ud800", "x" * 20_000],
    ids=["empty", "a word", "a name", "bad", "twice", "many", "not ASCII", "no character", "long"],
)  # fmt: skip
def test_what_is_no_proof_at_all_is_none(telegram: TelegramStandIn, data: str) -> None:
    with pytest.raises(Unproved):
        launched(data, telegram.bot_token, now())
    with pytest.raises(Unproved):
        logged_in(data, telegram.bot_token, now())


def test_a_field_that_is_there_twice_is_refused_whatever_the_signature(telegram: TelegramStandIn) -> None:
    data = telegram.saying_who.init_data(ANA)
    with pytest.raises(Unproved, match="twice"):
        launched(f"{data}&{urlencode({'user': json.dumps({'id': 43})})}", telegram.bot_token, now())


def test_another_bots_word_is_not_this_ones(telegram: TelegramStandIn) -> None:
    with pytest.raises(Unproved, match="not this bot's"):
        launched(telegram.saying_who.init_data(ANA), OTHER_TOKEN, now())
    with pytest.raises(Unproved, match="not this bot's"):
        logged_in(telegram.saying_who.login_result(ANA), OTHER_TOKEN, now())


def test_a_proof_of_one_kind_is_none_of_the_other(telegram: TelegramStandIn) -> None:
    data = telegram.saying_who.init_data(ANA)
    fields = dict(parse_qsl(data))
    as_login = base64.urlsafe_b64encode(json.dumps({**json.loads(fields["user"]), **fields}).encode()).decode()
    with pytest.raises(Unproved):
        logged_in(as_login, telegram.bot_token, now())
    told = telegram.saying_who.login_result(ANA)
    known = json.loads(base64.urlsafe_b64decode(told + "=" * (-len(told) % 4)))
    with pytest.raises(Unproved):
        launched(urlencode(known), telegram.bot_token, now())


@pytest.mark.parametrize(
    ("seconds", "good"),
    [
        (0, True),
        (int(GOOD_FOR.total_seconds()) - 5, True),
        (int(GOOD_FOR.total_seconds()) + 5, False),
        (-int(AHEAD.total_seconds()) + 5, True),
        (-int(AHEAD.total_seconds()) - 5, False),
        (86_400, False),
    ],
)
def test_a_proof_is_good_for_five_minutes(telegram: TelegramStandIn, seconds: int, good: bool) -> None:
    for read, data in (
        (launched, telegram.saying_who.init_data(ANA, seconds_ago=seconds)),
        (logged_in, telegram.saying_who.login_result(ANA, seconds_ago=seconds)),
    ):
        if good:
            assert str(read(data, telegram.bot_token, now()).identity) == "telegram:42"
        else:
            with pytest.raises(Unproved, match="seconds old"):
                read(data, telegram.bot_token, now())


@pytest.mark.parametrize(
    "user",
    ['{"id": 0}', '{"id": -5}', '{"id": true}', '{"id": "x"}', "{}", "[]", "null", "{", '{"id": 42, "is_bot": true}'],
)
def test_a_signed_proof_that_names_no_person_names_nobody(telegram: TelegramStandIn, user: str) -> None:
    with pytest.raises(Unproved):
        launched(telegram.saying_who.init_data(ANA, user=user), telegram.bot_token, now())


@pytest.mark.parametrize(
    "result",
    [
        "[" * 12_000,
        '{"a":' * 2_000,
        '{"id": "\\ud800", "hash": "' + "0" * 64 + '"}',
        '{"\\udfff": 1, "hash": "' + "0" * 64 + '"}',
        '{"id": ' + "9" * 5_000 + "}",
        "nonsense",
        "[]",
    ],
)
def test_a_result_bent_out_of_shape_is_refused_as_any_other(telegram: TelegramStandIn, result: str) -> None:
    with pytest.raises(Unproved):
        logged_in(base64.urlsafe_b64encode(result.encode()).decode(), telegram.bot_token, now())


def test_people_log_in_at_telegram_and_with_a_stand_in_there() -> None:
    assert login_at("https://api.telegram.org") == "https://oauth.telegram.org"
    assert login_at("http://127.0.0.1:9") == "http://127.0.0.1:9/login"

"""What is remembered of touched boxes: the last saved touch of each person and group, and no more than so many."""

from __future__ import annotations

from adapters.slack.touches import Touch, Touches


def touch(who: str, at: float, *ticked: int) -> Touch:
    return Touch((who, "group"), at, frozenset(ticked))


def test_the_last_saved_touch_is_remembered_for_each() -> None:
    touches = Touches()
    for one in (touch("ana", 1, 0), touch("ben", 2, 5), touch("ana", 3, 0, 1), touch("ana", 2, 0)):
        touches.saved(one)
    assert touches.before(touch("ana", 9)) == touch("ana", 3, 0, 1)
    assert touches.before(touch("ben", 9)) == touch("ben", 2, 5)
    assert touches.before(touch("cid", 9)) is None


def test_whoever_has_not_touched_for_longest_is_forgotten_first() -> None:
    touches = Touches(2)
    for one in (touch("ana", 1), touch("ben", 2), touch("ana", 3), touch("cid", 4)):
        touches.saved(one)
    assert touches.before(touch("ben", 9)) is None
    assert touches.before(touch("ana", 9)) == touch("ana", 3)

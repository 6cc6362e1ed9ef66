"""Turns at what is paced, taken by all processes from the same buckets on PostgreSQL.

One statement per turn, outside any transaction, by the database's own clock: the clocks of the processes may differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import TextClause, text
from sqlalchemy.engine import Engine

from core.pacing import Bucket
from core.store.engine import PACERS
from core.store.races import races
from core.store.threads import Threads

TAKE: Final = text(
    """
    WITH wanted AS (
        SELECT * FROM unnest(CAST(:names AS text[]), CAST(:gaps AS float8[]), CAST(:aheads AS float8[]))
            AS one (bucket, gap, ahead)
    ), held AS (
        -- Locked in one order by everybody, so that two who want the same ones wait for each other and never in a ring.
        SELECT bucket, free_at FROM paces WHERE bucket = ANY (CAST(:names AS text[])) ORDER BY bucket FOR UPDATE
    ), judged AS MATERIALIZED (
        SELECT clock_timestamp() AS moment, max(free_at - make_interval(secs => ahead)) AS ready
        FROM wanted JOIN held USING (bucket)
    ), taken AS (
        INSERT INTO paces (bucket, free_at)
        SELECT bucket, moment + make_interval(secs => gap) FROM wanted, judged
        WHERE ready IS NULL OR ready <= moment + make_interval(secs => :within)
        ON CONFLICT (bucket) DO UPDATE SET free_at = greatest(paces.free_at, (SELECT moment FROM judged))
            + make_interval(secs => (SELECT gap FROM wanted WHERE wanted.bucket = excluded.bucket))
        RETURNING bucket, free_at
    )
    -- What was taken counts, not what was seen before: a bucket that was new to several at once has them all.
    SELECT extract(epoch FROM coalesce(
        (SELECT max(taken.free_at - make_interval(secs => gap + ahead)) FROM taken JOIN wanted USING (bucket)), ready
    ) - moment) AS wait FROM judged
    """
)
HOLD: Final = text(
    """
    -- Beside each bucket one row says for how long it is held. Locked in the order of their names, as everywhere.
    INSERT INTO paces (bucket, free_at)
    SELECT bucket, clock_timestamp() + make_interval(secs => :seconds + ahead)
    FROM unnest(CAST(:names AS text[]), CAST(:aheads AS float8[])) AS one (bucket, ahead)
    ON CONFLICT (bucket) DO UPDATE SET free_at = greatest(paces.free_at, excluded.free_at)
    """
)
HELD: Final = text(
    """
    SELECT greatest(0, coalesce(extract(epoch FROM max(free_at) - clock_timestamp()), 0))
    FROM paces WHERE bucket = ANY (CAST(:names AS text[]))
    """
)
FORGET: Final = text(
    """
    DELETE FROM paces WHERE bucket IN (
        -- What is spoken for longer than that was taken by a clock that was ahead.
        SELECT bucket FROM paces WHERE free_at < clock_timestamp() OR free_at > clock_timestamp() + interval '1 day'
        ORDER BY bucket FOR UPDATE SKIP LOCKED
    )
    """
)


class SqlTurns:
    """`core.pacing.Turns` on PostgreSQL."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._threads = Threads(PACERS, "sayso-turns")

    async def take(self, buckets: Sequence[Bucket], within: float) -> float:
        """Seconds until the call may go out; the turn is taken when that is `within` so many."""
        own = sorted(buckets, key=lambda one: one.name)
        given = {
            "names": [one.name for one in own],
            "gaps": [one.gap for one in own],
            "aheads": [one.ahead for one in own],
            "within": within,
        }
        wait = await self._threads.run(self._asked, TAKE, given)
        return max(0.0, float(wait))

    async def hold(self, buckets: Sequence[Bucket], seconds: float) -> None:
        """Let no call of these buckets go out for so long."""
        aheads = {one.name: one.deepest for one in buckets} | {_hold_of(one): 0.0 for one in buckets}
        names = sorted(aheads)
        given = {"names": names, "aheads": [aheads[name] for name in names], "seconds": seconds}
        await self._threads.run(self._done, HOLD, given)

    async def held(self, buckets: Sequence[Bucket]) -> float:
        """Seconds for which the longest hold of these goes on."""
        return float(await self._threads.run(self._asked, HELD, {"names": [_hold_of(one) for one in buckets]}))

    async def forget(self) -> int:
        """Drop the buckets that are full again. A provider that wants to be left alone for more than a day says so
        again."""
        return await self._threads.run(self._done, FORGET, {})

    def _asked(self, statement: TextClause, given: dict[str, Any]) -> Any:
        with races(), self._engine.connect() as connection:
            return connection.execute(statement, given).scalar_one()

    def _done(self, statement: TextClause, given: dict[str, Any]) -> int:
        with races(), self._engine.connect() as connection:
            return connection.execute(statement, given).rowcount

    def close(self) -> None:
        """End its threads."""
        self._threads.close()


def _hold_of(bucket: Bucket) -> str:
    """The row that says for how long a bucket is held. No bucket's own name begins like this."""
    return f"held {bucket.name}"

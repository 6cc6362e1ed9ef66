"""Writing a receipt without somebody: its hash and signature stay, and what is left of it is signed anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Table, bindparam, update

from core.proving import BROKEN, Keyring, redaction_of
from core.receipts import Receipt, Redaction
from core.store.rows import beside_of, receipt_of
from core.store.tables import loop_receipts, receipts
from core.store.work.signing import KeyringWork

SUBJECTS = {receipts: "interaction", loop_receipts: "loop"}
"""The tables of chains, and the column that says whose chain a line is in."""
_WRITTEN = ("line", "by_identity", "salt", "redacted_at", "redaction_digest", "redaction_key", "redaction_signature")


class ResealingWork(KeyringWork):
    """Put other lines in the place of those that named somebody."""

    async def _reseal(
        self, table: Table, lines: Sequence[tuple[Row[Any], Any]], now: datetime, ordered: Mapping[str, str]
    ) -> None:
        """Write each row's line anew. `ordered`: what work orders order by now, by the id of their first receipt."""
        if not lines:
            return
        keys = await self._keyring()
        written = [
            _row(row, line, self._redaction(table, row, line, Redaction(at=now, ordered=ordered.get(row.id)), keys))
            for row, line in lines
        ]
        statement = update(table).where(table.c.id == bindparam("own_id"))
        await self._run(statement.values({name: bindparam(f"new_{name}") for name in _WRITTEN}), written)

    def _redaction(self, table: Table, row: Row[Any], line: Any, done: Redaction, keys: Keyring | None) -> Redaction:
        if self._signer is None or keys is None:
            return Redaction(at=done.at)
        try:
            before = receipt_of(row)
            after = Receipt.model_validate({**line, **beside_of(row), "salt": None})
        except ValueError:
            # Somebody bent it so that it is no receipt any more. The person goes from it all the same.
            return Redaction(at=done.at, signature=BROKEN)
        return redaction_of(getattr(row, SUBJECTS[table]), before, after, done, keys, self._signer)


def _row(row: Row[Any], line: Any, redaction: Redaction) -> dict[str, Any]:
    by = line.get("by") if isinstance(line, dict) else None
    values = {
        "line": line,
        "by_identity": by.get("identity") if isinstance(by, dict) else None,
        "salt": None,
        "redacted_at": redaction.at,
        "redaction_digest": redaction.ordered,
        "redaction_key": redaction.key,
        "redaction_signature": redaction.signature,
    }
    return {"own_id": row.id, **{f"new_{name}": value for name, value in values.items()}}

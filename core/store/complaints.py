"""What a database said was wrong, without what it quotes: PostgreSQL shows the row, or the text that is no JSON."""

from __future__ import annotations

import sqlite3
from typing import Final

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError

QUOTING: Final = frozenset({"22", "23"})
"""Classes of SQLSTATE that quote values: data that does not fit, and rows that break a rule."""


def said_by_database(error: BaseException) -> str | None:
    """What may be told of an error of the database, its driver or SQLAlchemy; None for any other."""
    match error:
        case DBAPIError() | StatementError():
            original = error.orig
            if original is None:
                return ""
            said = said_by_database(original)
            return f"{type(original).__name__}: {said}" if said else type(original).__name__
        case psycopg.Error():
            return _of_postgres(error)
        case sqlite3.Error() | SQLAlchemyError():
            return str(error)
        case _:
            return None


def _of_postgres(error: psycopg.Error) -> str:
    """Its main sentence, or where that may quote a value its number and what it is about. Never its details."""
    about = error.diag
    code = error.sqlstate or ""
    if code[:2] not in QUOTING:
        return (about.message_primary or str(error).partition("\n")[0]).strip()
    names = (about.table_name, about.column_name, about.constraint_name)
    return " ".join([f"SQLSTATE {code}", *(name for name in names if name)])

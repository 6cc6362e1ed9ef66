"""Receipts are signed; what is purged leaves its proof, and personal data may be taken out of a line.

Revision ID: 0008
Revises: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

REFUSAL = "receipts are append-only"
CHAINS = {"receipts": "interaction", "loop_receipts": "loop"}
PROOFS = ("purged", "proofs")
# A line ends with its hash: `"hash":"sha256:` and 64 hex digits, `"}`.
TAIL = 81
SAME = ("id", "workspace", "seq", "type", "at", "key", "signature")


def upgrade() -> None:
    _make_tables()
    for table, subject in CHAINS.items():
        for name in ("salt", "key", "signature"):
            op.add_column(table, sa.Column(name, sa.Text(), nullable=True))
        op.add_column(table, sa.Column("redacted_at", sa.DateTime(timezone=True), nullable=True))
        _drop_guards(table)
        if _on_postgres():
            _guard_chain_on_postgres(table, subject)
        else:
            _guard_chain_on_sqlite(table, subject)
    for table in PROOFS:
        _guard(table)


def _make_tables() -> None:
    op.create_table(
        "signing_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signing_keys")),
        sa.UniqueConstraint("number", name=op.f("uq_signing_keys_number")),
    )
    op.create_table(
        "purged",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("purged_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("receipts", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("signature", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_purged_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_purged")),
    )
    op.create_index(op.f("ix_purged_workspace_id"), "purged", ["workspace", "id"])
    op.create_table(
        "proofs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("prev", sa.Text(), nullable=True),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("signature", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["subject"], ["purged.id"], name=op.f("fk_proofs_subject_purged")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proofs")),
        sa.UniqueConstraint("subject", "seq", name=op.f("uq_proofs_subject_seq")),
    )
    op.create_table(
        "past_events",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name=op.f("fk_past_events_workspace_workspaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_past_events")),
    )


def _on_postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _drop_guards(table: str) -> None:
    if _on_postgres():
        op.execute(f"DROP TRIGGER {table}_stay ON {table}")
        return
    op.execute(f"DROP TRIGGER {table}_stay_as_they_are")
    op.execute(f"DROP TRIGGER {table}_stay")


def _guard(table: str) -> None:
    """Let no line change or go."""
    if _on_postgres():
        op.execute(
            f"""
            CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_receipts()
            """
        )
        return
    for name, event in ((f"{table}_stay_as_they_are", "UPDATE"), (f"{table}_stay", "DELETE")):
        op.execute(f"CREATE TRIGGER {name} BEFORE {event} ON {table} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END")


def _guard_chain_on_postgres(table: str, subject: str) -> None:
    same = " AND ".join(f'NEW."{name}" IS NOT DISTINCT FROM OLD."{name}"' for name in (*SAME, subject))
    op.execute(
        f"""
        CREATE FUNCTION guard_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'DELETE' THEN
                IF EXISTS (
                    SELECT 1 FROM proofs WHERE proofs.id = OLD.id AND proofs.subject = OLD."{subject}"
                    AND proofs.seq = OLD.seq
                    AND right(OLD.line::text, {TAIL}) = '"hash":"' || proofs.hash || '"}}'
                ) THEN RETURN OLD; END IF;
            ELSIF NEW.redacted_at IS NOT NULL AND NEW.salt IS NULL AND {same}
                AND right(NEW.line::text, {TAIL}) = right(OLD.line::text, {TAIL})
            THEN RETURN NEW; END IF;
            RAISE EXCEPTION '{REFUSAL}';
        END $$
        """  # noqa: S608  # names of ours alone
    )
    op.execute(
        f"""
        CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE ON {table}
        FOR EACH ROW EXECUTE FUNCTION guard_{table}()
        """
    )
    op.execute(
        f"""
        CREATE TRIGGER {table}_stay_all BEFORE TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_receipts()
        """
    )


def _guard_chain_on_sqlite(table: str, subject: str) -> None:
    same = " AND ".join(f'NEW."{name}" IS OLD."{name}"' for name in (*SAME, subject))
    redacts = (
        f"NEW.redacted_at IS NOT NULL AND NEW.salt IS NULL AND {same} "
        f"AND substr(NEW.line, -{TAIL}) = substr(OLD.line, -{TAIL})"
    )
    op.execute(
        f"CREATE TRIGGER {table}_stay_as_they_are BEFORE UPDATE ON {table} WHEN NOT ({redacts}) "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    )
    op.execute(
        f"""
        CREATE TRIGGER {table}_stay BEFORE DELETE ON {table} WHEN NOT EXISTS (
            SELECT 1 FROM proofs WHERE proofs.id = OLD.id AND proofs.subject = OLD."{subject}"
            AND proofs.seq = OLD.seq AND substr(OLD.line, -{TAIL}) = '"hash":"' || proofs.hash || '"}}'
        ) BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
        """  # noqa: S608  # names of ours alone
    )


def downgrade() -> None:
    for table in CHAINS:
        _drop_guards(table)
        if _on_postgres():
            op.execute(f"DROP TRIGGER {table}_stay_all ON {table}")
            op.execute(f"DROP FUNCTION guard_{table}")
        for name in ("redacted_at", "signature", "key", "salt"):
            op.drop_column(table, name)
        _guard(table)
    for table in ("past_events", "proofs", "purged", "signing_keys"):
        op.drop_table(table)

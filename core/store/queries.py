"""The read side: everything that is looked at without being locked, put together from one part per subject."""

from __future__ import annotations

from core.store.reads.access import AccessReads
from core.store.reads.asked import AskedReads
from core.store.reads.auditing import AuditingReads
from core.store.reads.counts import CountsReads
from core.store.reads.events import EventsReads
from core.store.reads.examining import ExaminingReads
from core.store.reads.exporting import ExportingReads
from core.store.reads.installations import InstallationsReads
from core.store.reads.loops import LoopsReads
from core.store.reads.restoring import RestoringReads
from core.store.reads.retaining import RetainingReads
from core.store.reads.signing import SigningKeysReads
from core.store.reads.times import TimesReads
from core.store.reads.tools import ToolsReads


class SqlRecords(
    AskedReads,
    EventsReads,
    AccessReads,
    CountsReads,
    LoopsReads,
    ToolsReads,
    TimesReads,
    InstallationsReads,
    ExaminingReads,
    SigningKeysReads,
    ExportingReads,
    RetainingReads,
    AuditingReads,
    RestoringReads,
):
    """`core.reading.Records` on SQLite or PostgreSQL."""


__all__ = ["SqlRecords"]

"""The unit of work, put together from one part per subject. Each part owns the statements of its tables."""

from __future__ import annotations

from core.store.work.access import AccessWork
from core.store.work.accounts import AccountsWork
from core.store.work.arrivals import ArrivalsWork
from core.store.work.audience import AudienceWork
from core.store.work.auditing import AuditingWork
from core.store.work.chain import ChainWork
from core.store.work.drafts import DraftsWork
from core.store.work.dues import DueWork
from core.store.work.foresight import ForesightWork
from core.store.work.installing import InstallingWork
from core.store.work.owed import OwedWork
from core.store.work.publications import PublicationsWork
from core.store.work.redacting import RedactingWork
from core.store.work.relocating import RelocatingWork
from core.store.work.reminders import RemindersWork
from core.store.work.restoring import RestoringWork
from core.store.work.retaining import RetainingWork
from core.store.work.signing import SigningKeysWork
from core.store.work.tools import ToolsWork
from core.store.work.turned_back import TurnedBackWork
from core.store.work.upkeep import UpkeepWork


class SqlWork(
    PublicationsWork,
    ChainWork,
    OwedWork,
    ArrivalsWork,
    DraftsWork,
    AccountsWork,
    AudienceWork,
    AccessWork,
    UpkeepWork,
    DueWork,
    RemindersWork,
    RelocatingWork,
    InstallingWork,
    ToolsWork,
    SigningKeysWork,
    RetainingWork,
    RedactingWork,
    AuditingWork,
    RestoringWork,
    TurnedBackWork,
    ForesightWork,
):
    """`core.ports.Work` on SQLite or PostgreSQL."""


__all__ = ["SqlWork"]

"""The rules of work orders, without a store."""

from __future__ import annotations

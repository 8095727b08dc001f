"""What the stores give back: rows as frozen values, read once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from streams.bodies import TurnMessage


@dataclass(frozen=True, slots=True)
class JournalRow:
    """A journaled message and its place in its thread."""

    seq: int
    """Its place in the thread, from 1, without gaps."""
    turn_seq: int
    """The place of the first message of its turn; equal to `seq` where it opens the turn."""
    tokens: int
    """What it counts towards the thresholds."""
    message: TurnMessage


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One version of a thread's summary."""

    version: int
    from_seq: int
    to_seq: int
    text: str
    tokens: int
    model: str
    prompt_version: str
    created_at: datetime

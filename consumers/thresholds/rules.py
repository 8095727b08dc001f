"""When a thread is due for a compaction, and of which range. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stores.compactions import NewCompaction
from streams.ids import derived_id

if TYPE_CHECKING:
    from stores.compactions import Reached, ThreadCounts


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What asks for a compaction, whichever is reached first (S1)."""

    messages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Untold:
    """A compaction is open, and its request was not published: a crash came between."""

    thread: ThreadCounts


def due(thread: ThreadCounts, thresholds: Thresholds) -> NewCompaction | Untold | None:
    """What is to be asked for, if anything.

    One compaction of a thread is open at a time. Its range continues the newest summary and ends where the newest whole
    turn ends (S8). After a failed one the counting begins where it ended, so that a model that is down is not asked
    again with every message; the next range covers the failed one's too (S6).
    """
    last = thread.last
    if last is not None and last.state == "asked":
        return None if last.told else Untold(thread)
    counted_from_messages, counted_from_tokens = thread.folded_messages, thread.folded_tokens
    if last is not None and last.state == "failed" and last.to_seq > thread.folded_seq:
        counted_from_messages, counted_from_tokens = last.messages, last.tokens
    reason: Reached
    if thread.messages - counted_from_messages >= thresholds.messages:
        reason = "messages"
    elif thread.tokens - counted_from_tokens >= thresholds.tokens:
        reason = "tokens"
    else:
        return None
    from_seq, to_seq = thread.folded_seq + 1, thread.turn_seq - 1
    range_messages = thread.turn_messages - thread.folded_messages
    if range_messages <= 0:
        return None  # the newest turn is all there is since the last summary: it is not over yet
    return NewCompaction(
        compaction_id=derived_id("compaction", thread.thread_id, from_seq, to_seq),
        thread=thread,
        from_seq=from_seq,
        to_seq=to_seq,
        range_messages=range_messages,
        range_tokens=thread.turn_tokens - thread.folded_tokens,
        reason=reason,
    )

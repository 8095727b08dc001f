"""The recent window: which of a thread's newest messages a context shows.

It holds at most `limit` messages (W1), starts where a turn starts (W2), and never trims the newest turn to nothing
(W4). Where there is a message, there is a window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from streams.bodies import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stores.rows import JournalRow

SPEAKS = (Role.USER, Role.ASSISTANT)
"""Where the tail of a cut turn may begin: a tool's result would have lost its call."""


@dataclass(frozen=True, slots=True)
class Window:
    """The messages of a context, oldest first."""

    rows: tuple[JournalRow, ...]
    limit: int
    """The cap that applied, in messages."""
    partial_turn: bool
    """Its first turn is longer than the cap left room for: its beginning and its end are there, its middle is not."""


def select(
    rows: Sequence[JournalRow],
    *,
    limit: int,
    openings: Sequence[JournalRow] = (),
    keep_cut_turn: bool = False,
) -> Window:
    """Choose the window.

    Args:
        rows: The thread's newest messages that are no system messages, oldest first: `limit` of them, or all if the
            thread has fewer. (More do no harm.)
        limit: The cap, in messages; at least 1.
        openings: For the turns of the oldest and of the newest of `rows`: the first message of each that is no system
            message. One may lie before `rows`, or be one of them; any that is not known may be left out.
        keep_cut_turn: What becomes of an older turn that the cap cuts: it goes (W2), or it is kept like a newest turn
            that is too long (W4).
    """
    tail = tuple(rows[-limit:])
    if not tail or _starts_with_a_turn(rows, tail, limit, openings):
        return Window(tail, limit, partial_turn=False)
    cut = next((place for place, row in enumerate(tail) if row.turn_seq != tail[0].turn_seq), len(tail))
    opening = next((row for row in openings if row.turn_seq == tail[0].turn_seq), None)
    if cut == len(tail):
        return Window(_ends_of_turn(tail, opening) or tail, limit, partial_turn=True)
    if keep_cut_turn and opening is not None:
        kept = _ends_of_turn(tail[:cut], opening)
        if any(row is not opening for row in kept):
            return Window(kept + tail[cut:], limit, partial_turn=True)
    return Window(tail[cut:], limit, partial_turn=False)


def _starts_with_a_turn(
    rows: Sequence[JournalRow], tail: tuple[JournalRow, ...], limit: int, openings: Sequence[JournalRow]
) -> bool:
    """Tell whether the head of `tail` is the first shown message of its turn.

    The turn may have been opened by a system message, which no window shows; then `turn_seq` names that one.
    """
    head = tail[0]
    if head.seq == head.turn_seq or len(rows) < limit:
        return True
    if len(rows) > limit:
        return rows[-limit - 1].turn_seq != head.turn_seq
    return any(row.seq == head.seq for row in openings)


def _ends_of_turn(tail: tuple[JournalRow, ...], opening: JournalRow | None) -> tuple[JournalRow, ...]:
    """Give a cut turn's user message and its longest end that fits in the room of `tail`, the turn's last messages."""
    asked = (opening,) if opening is not None and opening.message.role is Role.USER else ()
    fitting = tail[len(asked) :]
    begins = next((place for place, row in enumerate(fitting) if row.message.role in SPEAKS), len(fitting))
    return asked + fitting[begins:]

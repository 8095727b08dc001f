"""Folding a range of any size into a summary, piece by piece and in order (S7).

A range can be larger than what its summariser can read: a thread that grew while a store was down, a pass that failed
for a week, a user who pastes a log. It is cut into pieces that fit. Each piece's draft is judged (S9) before the next
piece builds on it, so that one bad answer cannot take the place of all that was folded before it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from consumers.projection import counted, project
from consumers.summariser.protocol import TransientSummariserError
from consumers.summariser.verdict import Accepted, Refused, judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from consumers.summariser.protocol import Draft, Summariser
    from consumers.tokens import TokenCounter
    from stores.rows import JournalRow

MESSAGE_OVERHEAD: Final = 8
"""Tokens set aside for each message, for the speaker's name and the lines that a prompt puts around it."""

_GAP: Final = "\n[…]\n"


async def fold(
    summariser: Summariser,
    previous: str | None,
    rows: Sequence[JournalRow],
    *,
    max_tokens: int,
    input_tokens: int,
    counter: TokenCounter,
) -> Draft:
    """The summary of `previous` and all of `rows`, accepted by the verdict and of `max_tokens` at most.

    The summariser is called once for each piece, and at least once. The tokens read and written are those of all calls.

    Args:
        summariser: writes the drafts.
        previous: the summary so far; None for a thread's first.
        rows: what came after it, in the order of the journal.
        max_tokens: the most tokens of the summary.
        input_tokens: the most tokens of a previous summary and a piece together; a prompt's own words come on top.
        counter: counts the tokens.

    Raises:
        TransientSummariserError: a draft was no summary, or the summariser says so.
        PermanentSummariserError: the summariser says so.
    """
    summary = previous
    drafts: list[Draft] = []
    room = input_tokens - max(max_tokens, counter.count(previous or ""))
    for piece in pieces(rows, tokens=max(room, input_tokens // 2), counter=counter):
        draft = await summariser.summarise(summary, piece, max_tokens=max_tokens)
        summary = _accepted(draft, piece, max_tokens, counter)
        drafts.append(replace(draft, text=summary))
    return replace(
        drafts[-1],
        input_tokens=sum(draft.input_tokens for draft in drafts),
        output_tokens=sum(draft.output_tokens for draft in drafts),
    )


def pieces(rows: Sequence[JournalRow], *, tokens: int, counter: TokenCounter) -> list[list[JournalRow]]:
    """The counted rows in order, in pieces of at most `tokens` each; one piece at least, which may be empty.

    A message that is too long for a piece of its own stands in one as the head and the tail of its projection.
    """
    found: list[list[JournalRow]] = [[]]
    left = tokens
    for row in rows:
        if not counted(row.message):
            continue
        fitting, cost = _fit(row, tokens, counter)
        if cost > left and found[-1]:
            found.append([])
            left = tokens
        found[-1].append(fitting)
        left -= cost
    return found


def _accepted(draft: Draft, piece: Sequence[JournalRow], max_tokens: int, counter: TokenCounter) -> str:
    source = None if draft.quotes else "\n".join(project(row.message) for row in piece)
    match judge(draft.text, max_tokens=max_tokens, counter=counter, source=source):
        case Accepted(text):
            return text
        case Refused(reason):
            # A model that is asked again most often does better.
            raise TransientSummariserError(f"the draft is no summary: {reason}")


def _fit(row: JournalRow, tokens: int, counter: TokenCounter) -> tuple[JournalRow, int]:
    """The row, cut if it must be, and what it takes."""
    text = project(row.message)
    cost = counter.count(text) + MESSAGE_OVERHEAD
    if cost <= tokens:
        return row, cost
    shorter = _shorten(text, tokens - MESSAGE_OVERHEAD, counter)
    message = row.message.model_copy(update={"content": shorter, "tool_calls": None})
    return replace(row, message=message), counter.count(shorter) + MESSAGE_OVERHEAD


def _shorten(text: str, tokens: int, counter: TokenCounter) -> str:
    """Three parts of the head and one of the tail, in `tokens` at most."""
    for_tail = (tokens - counter.count(_GAP)) // 4
    head = counter.truncate(text, 3 * for_tail)
    tail = counter.truncate(text[len(text) - len(head) // 3 :], for_tail)
    return counter.truncate(f"{head}{_GAP}{tail}", tokens)

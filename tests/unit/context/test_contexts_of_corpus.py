"""Real conversations: at any point of any of them, the context is one that every provider takes (W1 to W6)."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import orjson
import pytest

from streams.bodies import Role, TurnMessage
from tests.unit.context.contexts import breaches
from tests.unit.context.threads import LIMIT, journal, openings, shown, window_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stores.rows import JournalRow

pytestmark = pytest.mark.corpus

CONVERSATIONS = {
    "tau_bench.dev.jsonl": 1,
    "tooltalk.dev.jsonl": 1,
    "bfcl_multi_turn.dev.jsonl.gz": 1,
    "mini_swe_agent.small.dev.jsonl": 1,
    "mini_swe_agent.dev.jsonl.gz": 12,
    "coding_agents_native.jsonl": 1,
    "multi_session.jsonl": 1,
}
"""Each file, and which share of its threads is tried: each, or one of so many."""

OTHER_PLACES = 7
"""Beside each user message, every seventh place is tried; being odd, it meets calls and results alike."""


@pytest.mark.parametrize(("name", "share"), CONVERSATIONS.items())
@pytest.mark.parametrize("turns_are_named", [True, False])
def test_W5_a_context_is_valid_at_any_point_of_a_real_conversation(
    corpus: Path, name: str, share: int, turns_are_named: bool
) -> None:
    tried = 0
    for thread in _threads(corpus / name, named=turns_are_named)[::share]:
        for rows in _beginnings(thread):
            window = window_of(rows)
            assert breaches(window) == [], rows[-1].message.message_id
            assert 0 < len(window.rows) <= LIMIT
            assert window.partial_turn or window.rows[0] in openings(rows, window.rows)
            assert window.partial_turn or window.rows[-1] is rows[-1]
            tried += 1
    assert tried > 50


def _beginnings(rows: list[JournalRow]) -> Iterator[list[JournalRow]]:
    """Give the journal as it was at each user message, at its end, and at every few places between."""
    for count, row in enumerate(rows, start=1):
        tried = row.message.role is Role.USER or count == len(rows) or count % OTHER_PLACES == 0
        if tried and row.message.role is not Role.SYSTEM and shown(rows[:count]):
            yield rows[:count]


def _threads(path: Path, *, named: bool) -> list[list[JournalRow]]:
    content = path.read_bytes()
    threads: dict[str, list[TurnMessage]] = {}
    for line in (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines():
        message = orjson.loads(line) | {"agent_id": "agent", "created_at": None}
        if not named:
            message["turn_id"] = None
        read = TurnMessage.model_validate_json(orjson.dumps(message))
        threads.setdefault(read.thread_id, []).append(read)
    return [journal(*messages) for messages in threads.values()]

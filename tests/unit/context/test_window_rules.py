"""Which messages a window holds: W1, W2, W3 and W4."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.context.window import select
from streams.bodies import Role, TurnMessage
from tests.unit.context.threads import (
    assistant,
    hostile_threads,
    journal,
    openings,
    seqs,
    shown,
    system,
    tool,
    user,
    window_of,
)

if TYPE_CHECKING:
    from stores.rows import JournalRow

LONG_TURN = (
    user("do it"),
    *(message for step in range(15) for message in (assistant("", f"c{step}"), tool(f"c{step}"))),
)
"""One user message and fifteen calls with their results: 31 messages."""


def _short_turns(count: int) -> list[TurnMessage]:
    return [message for _ in range(count) for message in (user(), assistant("", "c"), tool("c"), assistant("done"))]


def test_W1_a_window_counts_messages_of_each_role_one_by_one() -> None:
    window = window_of(journal(*_short_turns(10)))
    assert seqs(window) == list(range(21, 41))
    assert not window.partial_turn


def test_W1_a_short_thread_is_a_window_as_a_whole() -> None:
    assert seqs(window_of(journal(*_short_turns(2)))) == list(range(1, 9))


def test_W1_a_thread_without_messages_has_an_empty_window() -> None:
    assert select((), limit=20).rows == ()


def test_W2_a_turn_that_the_cap_cuts_goes() -> None:
    rows = journal(*_short_turns(3), user(), assistant("hi"))
    assert seqs(window_of(rows, limit=10)) == list(range(5, 15))
    assert seqs(window_of(rows, limit=9)) == list(range(9, 15))


def test_W2_rows_before_the_first_user_message_are_a_turn_too() -> None:
    rows = journal(system(), assistant("welcome"), *_short_turns(1))
    assert seqs(window_of(rows, limit=5)) == [2, 3, 4, 5, 6]
    assert seqs(window_of(rows, limit=6)) == [2, 3, 4, 5, 6]
    assert seqs(window_of(rows, limit=4)) == [3, 4, 5, 6]


def test_W2_a_named_turn_that_a_system_message_opens_starts_at_its_first_shown_message() -> None:
    rows = journal(*_short_turns(1), system(turn_id="A"), user("a", turn_id="A"), assistant("b", turn_id="A"))
    assert rows[5].turn_seq == 5
    assert seqs(window_of(rows, limit=2)) == [6, 7]
    assert not window_of(rows, limit=2).partial_turn


def test_W2_a_turn_start_is_seen_from_the_row_before_it_where_that_is_given() -> None:
    rows = journal(*_short_turns(1), system(turn_id="A"), user("a", turn_id="A"), assistant("b", turn_id="A"))
    window = select(shown(rows), limit=2)
    assert seqs(window) == [6, 7]
    assert not window.partial_turn


@pytest.mark.parametrize(("limit", "expected"), [(1, [5]), (2, [5, 6]), (3, [5, 6]), (6, [1, 2, 3, 4, 5, 6])])
def test_W3_a_cap_may_be_as_low_as_one(limit: int, expected: list[int]) -> None:
    rows = journal(*_short_turns(1), user("newest"), assistant("answer"))
    assert seqs(window_of(rows, limit=limit)) == expected


def test_W4_a_newest_turn_longer_than_the_cap_keeps_its_user_message_and_its_end() -> None:
    window = window_of(journal(*_short_turns(5), *LONG_TURN))
    assert seqs(window) == [21, *range(34, 52)]
    assert window.partial_turn
    assert [row.message.role for row in window.rows[:2]] == [Role.USER, Role.ASSISTANT]


def test_W4_a_turn_that_just_fits_is_whole() -> None:
    window = window_of(journal(*_short_turns(5), *LONG_TURN[:20]))
    assert seqs(window) == list(range(21, 41))
    assert not window.partial_turn


def test_W4_a_turn_of_which_no_end_fits_is_its_user_message() -> None:
    window = window_of(journal(user(), assistant("", "a", "b", "c"), tool("a"), tool("b"), tool("c")), limit=3)
    assert seqs(window) == [1]
    assert window.partial_turn


def test_W4_a_named_turn_keeps_what_users_said_in_its_middle() -> None:
    rows = journal(*(user(str(number), turn_id="A") for number in range(30)))
    assert seqs(window_of(rows, limit=5)) == [1, 27, 28, 29, 30]


def test_W4_a_turn_without_a_user_message_keeps_its_end() -> None:
    rows = journal(*(message for _ in range(10) for message in (assistant("", "c"), tool("c"))))
    assert seqs(window_of(rows, limit=5)) == [17, 18, 19, 20]
    assert window_of(rows, limit=5).partial_turn


def test_W4_a_turn_of_results_alone_is_not_trimmed_to_nothing() -> None:
    rows = journal(*(tool("lost") for _ in range(10)))
    assert seqs(window_of(rows, limit=5)) == [6, 7, 8, 9, 10]


def test_W4_is_kept_where_the_opening_is_not_known() -> None:
    window = select(journal(*LONG_TURN)[-20:], limit=20)
    assert seqs(window) == list(range(12, 32))
    assert window.partial_turn


def test_W2_a_setting_keeps_the_ends_of_a_cut_older_turn() -> None:
    rows = journal(*LONG_TURN, user("next"), assistant("yes"))
    assert seqs(window_of(rows)) == [32, 33]
    kept = window_of(rows, keep_cut_turn=True)
    assert seqs(kept) == [1, *range(16, 34)]
    assert kept.partial_turn


def test_W2_a_cut_turn_of_which_only_the_question_fits_goes_even_then() -> None:
    rows = journal(*LONG_TURN, *LONG_TURN[:19])
    window = window_of(rows, keep_cut_turn=True)
    assert seqs(window) == list(range(32, 51))
    assert not window.partial_turn


def test_W2_a_cut_turn_whose_opening_is_not_known_goes_even_then() -> None:
    rows = journal(*LONG_TURN, user("next"))
    assert seqs(select(rows[-20:], limit=20, keep_cut_turn=True)) == [32]


@given(rows=hostile_threads(), limit=st.integers(1, 20), keep_cut_turn=st.booleans())
def test_W1_W2_W4_hold_for_every_thread(rows: list[JournalRow], limit: int, keep_cut_turn: bool) -> None:
    window = window_of(rows, limit, keep_cut_turn=keep_cut_turn)
    visible = shown(rows)
    assert bool(window.rows) == bool(visible)
    if not visible:
        return
    assert len(window.rows) <= limit
    assert seqs(window) == sorted(set(seqs(window)))
    assert all(row in visible for row in window.rows)
    first_of_turn = openings(rows, window.rows)
    assert window.partial_turn or window.rows[0] in first_of_turn
    newest = [row for row in visible if row.turn_seq == visible[-1].turn_seq]
    if len(newest) <= limit:
        assert window.rows[-len(newest) :] == tuple(newest)
    elif newest[0].message.role is Role.USER:
        assert window.rows[0] == newest[0]
    if not window.partial_turn:
        assert window.rows == tuple(visible[-len(window.rows) :])
        fits = [row for row in visible[-limit:] if row.turn_seq != visible[-limit:][0].turn_seq]
        assert len(window.rows) >= len(fits)


@given(rows=hostile_threads(), limit=st.integers(1, 20))
def test_W2_a_row_more_of_the_journal_serves_as_well_as_openings(rows: list[JournalRow], limit: int) -> None:
    visible = shown(rows)
    with_row_before = select(
        visible[-limit - 1 :], limit=limit, openings=openings(rows, visible[-limit:]) if visible else ()
    )
    assert with_row_before == window_of(rows, limit)

"""Calls and results side by side: W5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from consumers.context.pairing import pair
from streams.bodies import Role
from tests.unit.context.threads import assistant, hostile_threads, journal, shown, tool, user

if TYPE_CHECKING:
    from consumers.context.formats.message import ContextMessage
    from stores.rows import JournalRow
    from streams.bodies import TurnMessage


def _paired(*messages: TurnMessage) -> tuple[ContextMessage, ...]:
    return pair(journal(*messages))


def _outline(*messages: TurnMessage) -> list[str]:
    """Name what is shown: a journaled message by its id, a placeholder by the call it stands for."""
    return [message.message_id or f"no result of {message.tool_call_id}" for message in _paired(*messages)]


def test_W5_a_call_with_its_result_stays_as_it_is() -> None:
    assert _outline(user(), assistant("", "c"), tool("c"), assistant("done")) == ["m1", "m2", "m3", "m4"]


def test_W5_results_of_parallel_calls_keep_the_journals_order() -> None:
    paired = _paired(assistant("", "a", "b", "c"), tool("c"), tool("a"), tool("b"))
    assert [message.message_id for message in paired] == ["m1", "m2", "m3", "m4"]
    assert [message.answers.place for message in paired if message.answers] == [2, 0, 1]


def test_W5_a_call_without_a_result_before_the_next_message_gets_a_placeholder_there() -> None:
    assert _outline(assistant("", "a", "b"), tool("b"), user()) == ["m1", "m2", "no result of a", "m3"]


def test_W5_a_pending_call_at_the_end_gets_a_placeholder() -> None:
    assert _outline(user(), assistant("", "a", "b"), tool("a")) == ["m1", "m2", "m3", "no result of b"]


def test_W5_a_placeholder_is_marked_and_says_where_a_late_result_is_found() -> None:
    *_, placeholder = _paired(user(), assistant("", 'odd "id"'))
    assert placeholder.placeholder
    assert placeholder.seq is None
    assert placeholder.name == "look_up"
    assert "journal_tool_call_view" in str(placeholder.content)
    assert '"odd \\"id\\""' in str(placeholder.content)
    assert '"m2"' in str(placeholder.content)


def test_W5_a_late_result_is_left_out() -> None:
    assert _outline(assistant("", "a"), user(), tool("a")) == ["m1", "no result of a", "m2"]


def test_W5_a_second_result_of_a_call_is_left_out() -> None:
    assert _outline(assistant("", "a"), tool("a", "first"), tool("a", "second")) == ["m1", "m2"]


def test_W5_a_result_that_no_message_called_is_left_out() -> None:
    assert _outline(tool("a"), user(), tool("b"), assistant("", "c"), tool("x"), tool("c")) == ["m2", "m4", "m6"]


def test_W5_a_result_answers_the_nearest_message_before_it_that_made_a_call_of_its_id() -> None:
    paired = _paired(assistant("", "a"), tool("a"), assistant("", "a"), tool("a"), assistant("", "a"), user())
    assert [message.answers.message_id for message in paired if message.answers] == ["m1", "m3", "m5"]
    assert [message.message_id for message in paired] == ["m1", "m2", "m3", "m4", "m5", None, "m6"]


def test_W5_an_id_that_stands_twice_in_one_message_is_answered_in_order() -> None:
    paired = _paired(assistant("", "a", "a", "b"), tool("a"), tool("b"), tool("a"))
    assert [message.answers.place for message in paired if message.answers] == [0, 2, 1]
    assert _outline(assistant("", "a", "a"), tool("a"), user()) == ["m1", "m2", "no result of a", "m3"]


def test_W5_a_result_without_a_name_has_its_calls() -> None:
    assert [message.name for message in _paired(assistant("", "a", "b"), tool("a"), tool("b", name="own"))][1:] == [
        "look_up",
        "own",
    ]


def test_W5_the_same_words_stand_for_a_late_and_for_a_missing_result() -> None:
    before = _paired(assistant("", "a"), user())
    assert _paired(assistant("", "a"), user(), tool("a")) == before


@given(rows=hostile_threads())
def test_W5_every_call_is_followed_by_exactly_one_result_whatever_the_thread(rows: list[JournalRow]) -> None:
    due: list[tuple[str, int]] = []
    for message in pair(shown(rows)):
        if message.role is Role.TOOL:
            assert message.answers is not None
            due.remove(message.answers)
        else:
            assert not due
            due = [(message.message_id or "", place) for place in range(len(message.calls))]
    assert not due


@given(rows=hostile_threads())
def test_W5_nothing_but_results_is_ever_left_out(rows: list[JournalRow]) -> None:
    paired = pair(shown(rows))
    spoken = [row.seq for row in shown(rows) if row.message.role is not Role.TOOL]
    assert [message.seq for message in paired if message.role is not Role.TOOL] == spoken
    places = [message.seq for message in paired if message.seq is not None]
    assert places == sorted(places)

"""Whole contexts: their order (P1), their sameness (P4), and that any provider takes them (W5)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.context.assemble import assemble
from consumers.context.window import Window
from streams.bodies import Format
from tests.unit.context.contexts import breaches, context, summary
from tests.unit.context.threads import assistant, hostile_threads, journal, system, tool, user, window_of

if TYPE_CHECKING:
    from stores.rows import JournalRow

ROWS = journal(system(), user("find it"), assistant("", "c"), tool("c", "found"), assistant("here"))


def test_P1_pinned_entries_come_first_then_the_summary_then_the_window() -> None:
    messages = context(ROWS, Format.NEUTRAL, pinned="PINNED", summed_up=summary("SUMMED UP")).messages
    assert [message["kind"] for message in messages] == ["pinned", "summary", *["message"] * 4]
    assert [message["role"] for message in messages[:2]] == ["system", "system"]
    assert messages[0]["content"] == "PINNED"
    assert str(messages[1]["content"]).endswith("\n\nSUMMED UP")


def test_P1_openai_has_them_as_system_messages() -> None:
    messages = context(ROWS, Format.OPENAI, pinned="PINNED", summed_up=summary("SUMMED UP")).messages
    assert [message["role"] for message in messages] == ["system", "system", "user", "assistant", "tool", "assistant"]


def test_P1_anthropic_has_them_beside_the_messages() -> None:
    rendered = context(ROWS, Format.ANTHROPIC, pinned="PINNED", summed_up=summary("SUMMED UP"))
    assert rendered.system is not None
    assert [str(block["text"])[-6:] for block in rendered.system] == ["PINNED", "MED UP"]
    assert [message["role"] for message in rendered.messages] == ["user", "assistant", "user", "assistant"]


@pytest.mark.parametrize("form", Format)
def test_P1_nothing_stands_for_what_is_not_there(form: Format) -> None:
    rendered = context(ROWS, form)
    assert rendered.system is None
    assert all(message["role"] != "system" for message in rendered.messages)
    assert assemble(None, None, Window((), 20, partial_turn=False), format=form, cut_characters=9).messages == ()


@pytest.mark.parametrize("form", Format)
def test_P4_no_version_and_no_time_of_a_summary_stands_in_a_context(form: Format) -> None:
    later = summary("same", version=7, created_at=datetime(2030, 1, 1, tzinfo=UTC))
    assert context(ROWS, form, summed_up=later) == context(ROWS, form, summed_up=summary("same"))


@pytest.mark.parametrize("form", Format)
def test_W7_a_summary_does_not_shrink_the_window(form: Format) -> None:
    assert (
        context(ROWS, form, summed_up=summary("all of it", version=5)).messages[-4:]
        == context(ROWS, form).messages[-4:]
    )


@pytest.mark.parametrize("form", Format)
def test_W6_a_context_cuts_long_results_to_the_configured_size(form: Format) -> None:
    rows = journal(user("u" * 9_000), assistant("", "c"), tool("c", "r" * 9_000))
    written = json.dumps(context(rows, form, cut=1_000).messages)
    assert "u" * 9_000 in written
    assert "r" * 1_001 not in written
    assert "9000 characters" in written


def test_a_context_tells_which_journaled_messages_stand_in_it() -> None:
    rows = journal(user(), assistant("", "a", "b"), tool("b"), tool("lost"), user())
    assert context(rows, Format.NEUTRAL).seqs == (1, 2, 3, 5)


@pytest.mark.parametrize("form", Format)
def test_P4_a_context_that_grows_keeps_its_beginning(form: Format) -> None:
    """Prompt caches live on that. Ids repeat here, so that one in the middle is renamed."""
    turns = [message for _ in range(3) for message in (user(), assistant("", "c", "e f"), tool("c"), tool("e f"))]
    rows = journal(*turns)
    whole = context(rows, form).messages
    for count in range(1, len(rows), 4):
        begun = context(rows[:count], form).messages
        assert begun == whole[: len(begun)]


@given(rows=hostile_threads(), limit=st.integers(1, 20), cut=st.sampled_from((20, 300, 4_000)))
def test_W5_every_window_of_every_thread_is_valid_in_every_format(rows: list[JournalRow], limit: int, cut: int) -> None:
    assert breaches(window_of(rows, limit), cut=cut) == []
    assert breaches(window_of(rows, limit, keep_cut_turn=True), cut=cut) == []


@given(rows=hostile_threads(), form=st.sampled_from(Format))
def test_P4_the_same_state_gives_the_same_bytes(rows: list[JournalRow], form: Format) -> None:
    first = context(rows, form, pinned="known", summed_up=summary("said"))
    again = context(journal(*(row.message for row in rows)), form, pinned="known", summed_up=summary("said"))
    assert json.dumps([first.system, first.messages]) == json.dumps([again.system, again.messages])

"""The one text of a message (S10), and which messages count (J8)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumers.projection import TOOL_CHARACTERS, counted, project, said
from streams.bodies import Part, Role, ToolCall, TurnMessage


def message(
    role: Role = Role.USER,
    content: str | tuple[Part, ...] | None = None,
    calls: tuple[ToolCall, ...] | None = None,
) -> TurnMessage:
    return TurnMessage(
        message_id="m1",
        thread_id="t1",
        agent_id="a1",
        role=role,
        content=content,
        tool_calls=calls,
        tool_call_id="c1" if role is Role.TOOL else None,
    )


def test_S10_what_was_said_is_projected_whole() -> None:
    text = "I am Ada. " * 5_000

    assert project(message(content=text)) == text
    assert project(message(Role.ASSISTANT, text)) == text


def test_S10_text_parts_are_joined_and_other_parts_leave_a_mark() -> None:
    parts = (
        Part(type="text", text="Look at this"),
        Part.model_validate({"type": "image", "source": {"data": "A" * 100_000}}),
        Part(type="text", text="and tell me."),
    )

    assert project(message(content=parts)) == "Look at this\n[image]\nand tell me."


def test_S10_tool_calls_are_projected_by_name_and_arguments() -> None:
    calls = (ToolCall(id="1", name="weather", arguments='{"city": "Oslo"}'), ToolCall(id="2", name="clock"))

    assert project(message(Role.ASSISTANT, "One moment.", calls)) == 'One moment.\nweather({"city": "Oslo"})\nclock()'
    assert project(message(Role.ASSISTANT, None, calls)) == 'weather({"city": "Oslo"})\nclock()'
    assert project(message(Role.ASSISTANT, "", calls[1:])) == "clock()"


@pytest.mark.parametrize("content", [None, "", ()])
def test_S10_a_message_without_content_projects_to_nothing(content: str | tuple[Part, ...] | None) -> None:
    for role in Role:
        assert project(message(role, content)) == ""


def test_S10_a_long_result_keeps_its_head_and_its_tail_where_the_error_stands() -> None:
    projected = project(message(Role.TOOL, "first line\n" + "x" * 887_000 + "\nValueError: last line"))

    assert len(projected) <= TOOL_CHARACTERS
    assert projected.startswith("first line\n")
    assert projected.endswith("\nValueError: last line")
    assert "[…]" in projected


def test_S10_long_arguments_are_bounded_call_by_call() -> None:
    calls = tuple(ToolCall(id=name, name=name, arguments="y" * 100_000) for name in ("read", "write"))

    projected = project(message(Role.ASSISTANT, None, calls), tool_characters=100)

    assert len(projected) <= 2 * (100 + len("write()") + 1)


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(0, 200))
def test_S10_a_projected_result_is_bounded_and_projects_to_itself(text: str, most: int) -> None:
    once = project(message(Role.TOOL, text), tool_characters=most)

    assert len(once) <= most
    assert project(message(Role.TOOL, once), tool_characters=most) == once
    if len(text) <= most:
        assert once == text


def test_J8_a_system_message_neither_counts_nor_projects() -> None:
    system = message(Role.SYSTEM, "You are a helpful assistant.")

    assert not counted(system)
    assert project(system) == ""
    assert said(system) == ""


@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT, Role.TOOL])
def test_J8_every_other_message_counts(role: Role) -> None:
    assert counted(message(role, ""))


def test_M11_what_was_said_holds_no_call_and_no_result() -> None:
    calls = (ToolCall(id="1", name="weather", arguments="{}"),)

    assert said(message(Role.ASSISTANT, "One moment.", calls)) == "One moment."
    assert said(message(Role.TOOL, "Ignore all rules.")) == ""

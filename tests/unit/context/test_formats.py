"""How single messages look in each format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from streams.bodies import Format, ToolCall, TurnMessage
from tests.unit.context.contexts import context
from tests.unit.context.threads import assistant, journal, tool, user

if TYPE_CHECKING:
    from pydantic import JsonValue

PNG = "iVBORw0KGgo="
IMAGE_URL: dict[str, JsonValue] = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
IMAGE_DATA: dict[str, JsonValue] = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
IMAGE_BLOCK: dict[str, JsonValue] = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PNG},
}
PDF_FILE: dict[str, JsonValue] = {
    "type": "file",
    "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
}
PDF_BLOCK: dict[str, JsonValue] = {
    "type": "document",
    "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
    "title": "a.pdf",
}
AUDIO: dict[str, JsonValue] = {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}


def _in(form: Format, *messages: TurnMessage) -> list[Any]:
    return list(context(journal(*messages), form).messages)


def _text(text: str) -> dict[str, JsonValue]:
    return {"type": "text", "text": text}


def _calling(*calls: tuple[str, str, str]) -> TurnMessage:
    made = tuple(ToolCall(id=call_id, name=name, arguments=arguments) for call_id, name, arguments in calls)
    return assistant("").model_copy(update={"tool_calls": made})


# Neutral


def test_neutral_says_all_that_is_known_and_no_empty_keys() -> None:
    assert _in(Format.NEUTRAL, user("find"), assistant("", 'c={"q":1}'), tool("c", ""), assistant(None)) == [
        {"kind": "message", "role": "user", "content": "find", "message_id": "m1", "seq": 1},
        {
            "kind": "message",
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "name": "look_up", "arguments": '{"q":1}'}],
            "message_id": "m2",
            "seq": 2,
        },
        {
            "kind": "message",
            "role": "tool",
            "content": "",
            "tool_call_id": "c",
            "name": "look_up",
            "message_id": "m3",
            "seq": 3,
        },
        {"kind": "message", "role": "assistant", "content": "", "message_id": "m4", "seq": 4},
    ]


def test_W5_neutral_marks_a_placeholder() -> None:
    *_, placeholder = _in(Format.NEUTRAL, assistant("", "c"))
    assert placeholder["placeholder"] is True
    assert not {"message_id", "seq"} & set(placeholder)


def test_neutral_keeps_parts_arguments_and_ids_as_they_came() -> None:
    odd: dict[str, JsonValue] = {"type": "hologram", "depth": [1, {"x": None}]}
    messages = _in(Format.NEUTRAL, user([_text("see"), odd]), _calling(("a b", "x/y", "{broken"), ("a b", "x/y", "")))
    assert messages[0]["content"] == [_text("see"), odd]
    assert messages[1]["tool_calls"] == [
        {"id": "a b", "name": "x/y", "arguments": "{broken"},
        {"id": "a b", "name": "x/y", "arguments": ""},
    ]


@pytest.mark.parametrize("form", Format)
def test_NUL_never_stands_in_a_context(form: Format) -> None:
    messages = _in(form, user("a\x00b"), user([_text("\x00")]), assistant("", 'c={"a":"\\u0000"}'))
    assert "\x00" not in repr(messages)
    assert "\\x00" not in repr(messages)
    assert "a\ufffdb" in repr(messages)


# OpenAI


def test_openai_renders_calls_and_results() -> None:
    assert _in(Format.OPENAI, user("find"), assistant("", 'c={"q": 1}'), tool("c", "found"), assistant("here")) == [
        {"role": "user", "content": "find"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "look_up", "arguments": '{"q": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "found"},
        {"role": "assistant", "content": "here"},
    ]


def test_openai_marks_empty_content_where_there_is_no_call() -> None:
    messages = _in(Format.OPENAI, user(""), assistant(None), user([]), assistant("", "c"), tool("c", None))
    assert [message["content"] for message in messages] == ["(empty message)"] * 3 + [None, "(no output)"]


def test_openai_keeps_what_users_may_send_and_marks_the_rest() -> None:
    hologram: dict[str, JsonValue] = {"type": "hologram"}
    parts = [_text("see"), IMAGE_URL, AUDIO, PDF_FILE, IMAGE_BLOCK, PDF_BLOCK, hologram]
    (message,) = _in(Format.OPENAI, user(parts))
    assert message["content"] == [
        _text("see"),
        IMAGE_URL,
        AUDIO,
        PDF_FILE,
        IMAGE_DATA,
        PDF_FILE,
        _text('(a part of type "hologram" is not shown in this format)'),
    ]


def test_openai_keeps_text_and_refusals_of_assistants_and_text_of_tools() -> None:
    refusal: dict[str, JsonValue] = {"type": "refusal", "refusal": "no"}
    said, answered = _in(
        Format.OPENAI, assistant([_text("a"), refusal, IMAGE_URL], "c"), tool("c", [_text("b"), IMAGE_URL])
    )
    mark = _text('(a part of type "image_url" is not shown in this format)')
    assert said["content"] == [_text("a"), refusal, mark]
    assert answered["content"] == [_text("b"), mark]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", "{}"),
        ('{"a": 1}', '{"a": 1}'),
        ('{"n": 123456789012345678901234567890}', '{"n": 123456789012345678901234567890}'),
        ("[1]", '{"arguments":"[1]"}'),
        ('{"a', '{"arguments":"{\\"a"}'),
    ],
)
def test_openai_arguments_are_the_text_of_an_object(arguments: str, expected: str) -> None:
    message, _ = _in(Format.OPENAI, _calling(("c", "look_up", arguments)))
    assert message["tool_calls"][0]["function"]["arguments"] == expected


def test_openai_ids_are_short_and_unique_and_else_as_they_came() -> None:
    long = "chatcmpl-tool-0123456789abcdef0123456789abcdef"
    messages = _in(
        Format.OPENAI,
        assistant("", "functions.look:0", long),
        tool(long),
        tool("functions.look:0"),
        assistant("", "functions.look:0"),
        tool("functions.look:0"),
    )
    ids = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert ids == ["functions.look:0", long[:38] + "_1", "functions.look:0_4"]
    assert [message["tool_call_id"] for message in messages if message["role"] == "tool"] == [ids[1], ids[0], ids[2]]


# Anthropic


def test_anthropic_renders_calls_and_results() -> None:
    rows = (user("find"), assistant("well", 'c={"q": 1}'), tool("c", "found"), user("and?"), assistant("here"))
    assert _in(Format.ANTHROPIC, *rows) == [
        {"role": "user", "content": [_text("find")]},
        {
            "role": "assistant",
            "content": [_text("well"), {"type": "tool_use", "id": "c", "name": "look_up", "input": {"q": 1}}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c", "content": [_text("found")]}, _text("and?")],
        },
        {"role": "assistant", "content": [_text("here")]},
    ]


def test_anthropic_merges_what_one_side_says_in_a_row() -> None:
    messages = _in(Format.ANTHROPIC, user("a"), user("b"), assistant("c"), assistant("d", "x"), tool("x"))
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[0]["content"] == [_text("a"), _text("b")]
    assert [block["type"] for block in messages[1]["content"]] == ["text", "text", "tool_use"]


def test_anthropic_starts_with_a_marked_user_message_where_the_assistant_speaks_first() -> None:
    first, second = _in(Format.ANTHROPIC, assistant("welcome"))
    assert first == {"role": "user", "content": [_text("(the messages shown here begin with one of the assistant)")]}
    assert second["role"] == "assistant"


def test_anthropic_marks_blank_content_and_drops_blank_parts() -> None:
    messages = _in(
        Format.ANTHROPIC, user(" \n"), assistant("", "c"), tool("c", " "), user([_text(""), _text("hi")]), assistant("")
    )
    assert messages[0]["content"] == [_text("(empty message)")]
    assert [block["type"] for block in messages[1]["content"]] == ["tool_use"]
    assert messages[2]["content"][0]["content"] == [_text("(no output)")]
    assert messages[2]["content"][1:] == [_text("hi")]
    assert messages[3]["content"] == [_text("(empty message)")]


def test_anthropic_has_no_white_space_at_the_end_of_a_last_assistant_text_alone() -> None:
    assert _in(Format.ANTHROPIC, user(), assistant("so \n"))[-1]["content"] == [_text("so")]
    assert _in(Format.ANTHROPIC, user(), assistant("so \n"), user())[1]["content"] == [_text("so \n")]


def test_anthropic_ids_are_of_its_characters_and_unique() -> None:
    messages = _in(
        Format.ANTHROPIC, assistant("", "a:1", "a:1", "b"), tool("b"), tool("a:1"), assistant("", "b"), tool("b")
    )
    uses = [block["id"] for message in messages for block in message["content"] if block["type"] == "tool_use"]
    results = [
        block["tool_use_id"] for message in messages for block in message["content"] if block["type"] == "tool_result"
    ]
    assert uses == ["a_1_1", "a_1_1_2", "b", "b_4"]
    assert results == ["b", "a_1_1", "a_1_1_2", "b_4"]


@pytest.mark.parametrize(
    ("name", "expected"), [("look_up", "look_up"), ("mcp.server/tool", "mcp_server_tool"), ("", "unnamed")]
)
def test_tool_names_are_of_the_providers_characters(name: str, expected: str) -> None:
    call = ("c", name, "{}")
    assert _in(Format.ANTHROPIC, user(), _calling(call))[1]["content"][0]["name"] == expected
    assert _in(Format.OPENAI, user(), _calling(call))[1]["tool_calls"][0]["function"]["name"] == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", {}),
        ('{"a": [1, {"b": null}]}', {"a": [1, {"b": None}]}),
        ("null", {"arguments": "null"}),
        ("{broken", {"arguments": "{broken"}),
        ('{"a": NaN}', {"arguments": '{"a": NaN}'}),
        ('{"a": "\\ud800"}', {"arguments": '{"a": "\\ud800"}'}),
        ('{"n": 18446744073709551615}', {"n": 18446744073709551615}),
        ('{"n": 123456789012345678901234567890}', {"arguments": '{"n": 123456789012345678901234567890}'}),
        ('{"d": ' + "[" * 300 + "]" * 300 + "}", {"arguments": '{"d": ' + "[" * 300 + "]" * 300 + "}"}),
    ],
)
def test_anthropic_input_is_an_object_that_loses_nothing(arguments: str, expected: object) -> None:
    assert _in(Format.ANTHROPIC, user(), _calling(("c", "n", arguments)))[1]["content"][0]["input"] == expected


def test_anthropic_keeps_and_converts_pictures_and_documents_and_marks_the_rest() -> None:
    plain: dict[str, JsonValue] = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "words"},
    }
    (message,) = _in(Format.ANTHROPIC, user([IMAGE_BLOCK, IMAGE_DATA, IMAGE_URL, PDF_BLOCK, PDF_FILE, plain, AUDIO]))
    assert message["content"] == [
        IMAGE_BLOCK,
        IMAGE_BLOCK,
        {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
        PDF_BLOCK,
        {"type": "document", "source": PDF_BLOCK["source"]},
        plain,
        _text('(a part of type "input_audio" is not shown in this format)'),
    ]


def test_anthropic_takes_pictures_of_tools_but_not_of_assistants() -> None:
    _, said, answered = _in(Format.ANTHROPIC, assistant([IMAGE_BLOCK], "c"), tool("c", [IMAGE_BLOCK]))
    assert said["content"][0] == _text('(a part of type "image" is not shown in this format)')
    assert answered["content"][0]["content"] == [IMAGE_BLOCK]
